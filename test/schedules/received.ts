import type { ResponseMeta, Retrieval } from '../../src/index.ts'
import type { Places } from './places.ts'
import { insistSamples } from './samples.ts'
import { insist } from './third-outcome.ts'
import type { Received, World } from './world.ts'

/**
 * Rows and metadata rows tell the same, and what they tell is the truth.
 *
 * @param most - so many rows are enough
 * @returns the places that were answered for
 */
export function insistExact(world: World, received: Received, about: string, most: number): Places {
  const { rows, meta } = received
  insist(meta.reduce((total, one) => total + one.rows, 0) === rows.length, `R55: ${about}: the rows do not sum up`)
  const answered = world.answered(received)
  insist(
    answered.every(count => count <= 1),
    `R25: ${about}: a place was answered for twice`,
  )
  const due = (place: number) => (answered[place] === 0 ? 'not' : world.gaps[place] ? 'may' : 'must')
  insistSamples(world.samples(received), world.truth(meta), due, about, most)
  insistOneVersion(meta, about)
  return answered
}

/** R58: one version for all, or a word about it. */
function insistOneVersion(meta: readonly ResponseMeta[], about: string): void {
  const versions = new Set(
    meta.flatMap(({ rows, source }) => (rows > 0 ? (source['model_date'] ?? source['version'] ?? []) : [])),
  )
  const said = JSON.stringify(meta.map(({ source }) => source['warnings'])).includes('part of the answer is of version')
  insist(versions.size < 2 || said, `R58: ${about}: rows of several versions, and no word about it`, [...versions])
}

/** R57: of what was asked for, what is said to be missing is what did not come. */
export function insistCompleteness(world: World, result: Retrieval, about: string, asked: Places): void {
  if (!world.tellsCompleteness) return
  const missing = Uint8Array.from(asked)
  for (const { place } of world.samples(result)) missing[place] = 0
  const { completeness } = result
  if (completeness === undefined) return insist(false, `R57: ${about}: nothing is said about completeness`)
  const expected = asked.filter(Boolean).length
  insist(
    completeness.expected === expected,
    `R57: ${about}: not as many are expected as were asked for`,
    completeness,
    expected,
  )
  const said = world.inSpans(completeness.missing)
  insist(
    said.every((count, place) => count === missing[place]),
    `R57: ${about}: what is said to be missing is not what is missing`,
    completeness,
  )
}

/** Rows in front of the first place that was not answered for. */
export function inFront(world: World, received: Received, answered: Places): number {
  const hole = answered.indexOf(0)
  return world.samples(received).filter(({ place }) => hole < 0 || place < hole).length
}

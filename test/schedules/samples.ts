import { insist } from './third-outcome.ts'

/** One sample as the truth has it. */
export interface TrueSample {
  /** Tells it from all others. */
  readonly key: string
  /** Where it belongs; several samples may share a place. */
  readonly place: number
}

/** One sample as it was received. */
export interface GotSample extends TrueSample {
  readonly value: number | null
  /** What its value must be: that of the version its response stated. */
  readonly expected: number
  /** Whether its response warned that values were no numbers. */
  readonly mayBeNull: boolean
}

/** Whether a sample must, may or must not be there. */
export type Due = 'must' | 'may' | 'not'

/**
 * Holds what was received against the truth: every sample that must be there once, none that must not, all in order,
 * every value right.
 *
 * @param most - so many samples from the front are enough
 * @throws ThirdOutcome
 */
export function insistSamples(
  got: readonly GotSample[],
  truth: readonly TrueSample[],
  due: (place: number) => Due,
  about: string,
  most: number,
): void {
  insist(got.length <= most, `${about}: more rows than wanted`, { got: got.length, most })
  let at = 0
  for (const { key, place } of truth) {
    if (at >= most) break
    const next = got[at]
    if (next?.key === key) {
      insist(due(place) !== 'not', `${about}: a row that must not be here`, next)
      const right = next.value === next.expected || (next.value === null && next.mayBeNull)
      insist(right, `${about}: a wrong value`, next)
      at += 1
    } else {
      insist(due(place) !== 'must', `${about}: a row is missing, or stands in the wrong place`, {
        missing: key,
        found: next,
        at,
        of: got.length,
      })
    }
  }
  insist(at === got.length, `${about}: a row too many: twice, out of order, or none of the truth`, {
    found: got[at],
    at,
    of: got.length,
  })
}

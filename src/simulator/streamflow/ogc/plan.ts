import { compile, type Test } from '../cql/evaluate.ts'
import { fieldsOf, partsOf, type Condition } from '../cql/condition.ts'
import { isAllTime, stretchesOf } from '../cql/spans.ts'
import type { Fields, Json } from '../json.ts'
import { gather, head, scatter } from '../world/ids.ts'
import { siteFields } from '../world/site-fields.ts'
import type { Table, Track } from './table.ts'

/** A record, and the first group of its identifier as a number. */
export interface Found {
  readonly track: Track
  readonly index: number
  readonly word: number
}

/** Which records are wanted, in the order of their identifiers. */
export interface Plan {
  readonly table: Table
  readonly tracks: readonly Track[]
  /** First groups of the identifiers, in order; each one stands for an instant. */
  readonly words: Uint32Array
  /** Which identifiers are in force. */
  readonly salt: number | undefined
  /** What only a record itself can tell. */
  readonly test: Test | undefined
}

/** Names the site of a record, in nearly all collections. */
const SITE_FIELD = 'monitoring_location_id'

/** Which identifiers, and what time it is. */
export interface Present {
  readonly now: number
  readonly generation: number
}

/** Works out which records fulfil a condition, without looking at each of them. */
export function planOf(table: Table, condition: Condition, present: Present): Plan {
  // Which site it is can be told at once; the rest may have to be worked out for each track.
  const parts = partsOf(condition).toSorted((a, b) => Number(isAboutSite(table, b)) - Number(isAboutSite(table, a)))
  const test = compile({ op: 'and', args: parts })
  const tracks = table
    .tracks(present.now, siteIdsOf(table, parts))
    .filter(track => test(name => trackField(table, track, name)) !== false)
  const { timing } = table
  const isLeft = (part: Condition): boolean => {
    if (timing?.isExact === true && isAllTime(part, timing.field)) return false
    return fieldsOf(part).some(name => name in table.varying || (name === 'id' && timing !== undefined))
  }
  const left = parts.filter(isLeft)
  const salt = timing?.salt === undefined ? undefined : timing.salt + Math.imul(present.generation, 0x9e3779b1)
  return {
    table,
    tracks,
    words: wordsOf(table, tracks, condition, present.now, salt),
    salt,
    test: left.length === 0 ? undefined : compile({ op: 'and', args: left }),
  }
}

/** Sites that a condition names, if it does. */
function siteIdsOf({ siteField = SITE_FIELD }: Table, parts: readonly Condition[]): readonly string[] | undefined {
  for (const part of parts) {
    if (part.op === 'in' && part.field === siteField) return part.values.map(String)
    if (part.op === 'compare' && part.field === siteField && part.how === '=') return [String(part.value)]
  }
  return undefined
}

function isAboutSite({ siteField = SITE_FIELD }: Table, condition: Condition): boolean {
  return fieldsOf(condition).every(name => name === siteField)
}

function wordsOf(
  table: Table,
  tracks: readonly Track[],
  condition: Condition,
  now: number,
  salt: number | undefined,
): Uint32Array {
  const { timing } = table
  if (timing === undefined) return Uint32Array.of(0)
  let first = Infinity
  let last = timing.latest(now)
  let latest = -Infinity
  for (const track of tracks) {
    first = Math.min(first, track.first)
    latest = Math.max(latest, track.last)
  }
  last = Math.min(last, latest)
  const ranges = stretchesOf(condition, timing.field).map(({ from, to }) => ({
    from: from === -Infinity ? first : Math.max(first, timing.indexFrom(from)),
    to: to === Infinity ? last : Math.min(last, timing.indexTo(to)),
  }))
  const words: number[] = []
  let next = -Infinity
  for (const { from, to } of ranges) {
    // Neighbouring stretches may share the instant that their border lies on.
    for (let index = Math.max(from, next); index <= to; index++) {
      words.push(salt === undefined ? index >>> 0 : scatter(index, salt))
      next = index + 1
    }
  }
  const sorted = Uint32Array.from(words)
  return salt === undefined ? sorted : sorted.sort()
}

/** Number of the instant that the first group of an identifier stands for. */
export function indexOf({ table, salt }: Pick<Plan, 'table' | 'salt'>, word: number): number {
  if (table.timing === undefined) return 0
  return salt === undefined ? word | 0 : gather(word, salt)
}

/** A field of a track, as far as it is the same for all of its records. */
function trackField(table: Table, track: Track, name: string): Json | undefined {
  if (name in table.varying || (name === 'id' && table.timing !== undefined)) return undefined
  if (name === (table.siteField ?? SITE_FIELD) && track.site !== undefined) return track.site.id
  if (name === 'geometry') return track.site === undefined ? null : [...track.site.coordinates]
  const { ofSite } = table.filters[name] ?? {}
  if (ofSite === undefined) {
    const own = fixedOf(table, track)[name]
    if (own !== undefined) return own
    if (name === 'id') return table.idText ? (JSON.parse(table.idText(track, 0)) as Json) : track.tail
  }
  return track.site === undefined ? null : (siteFields(track.site)[ofSite ?? name] ?? null)
}

const fixed = new WeakMap<Track, Fields>()

/** What all records of a track share, worked out once. */
export function fixedOf(table: Table, track: Track): Fields {
  const known = fixed.get(track) ?? table.fixed(track)
  fixed.set(track, known)
  return known
}

/** A field of a record. */
export function fieldOf(table: Table, { track, index, word }: Found, name: string): Json {
  const varying = table.varying[name]
  if (varying) return JSON.parse(varying(track, index)) as Json
  if (name === 'id' && table.timing !== undefined) return JSON.parse(idText(table, { track, index, word })) as Json
  return trackField(table, track, name) ?? null
}

/** Identifier of a record, as text of JSON. */
export function idText(table: Table, { track, index, word }: Found): string {
  if (table.idText) return table.idText(track, index)
  return table.timing?.salt === undefined ? JSON.stringify(track.tail) : `"${head(word)}${track.tail}"`
}

/** Where a walk goes on: behind this identifier. */
export interface Place {
  readonly word: number
  readonly tail: string
}

/** Visits records in order, behind a place, until `visit` says that it is enough. */
export function walk(plan: Plan, behind: Place | undefined, visit: (found: Found) => boolean): void {
  const { table, tracks, words, test } = plan
  for (let at = behind === undefined ? 0 : firstAtLeast(words, behind.word); at < words.length; at++) {
    const word = words[at] as number
    const index = indexOf(plan, word)
    const start = behind !== undefined && word === behind.word ? firstBehind(tracks, behind.tail) : 0
    for (let place = start; place < tracks.length; place++) {
      const track = tracks[place] as Track
      if (index < track.first || index > track.last) continue
      if (table.has && !table.has(track, index)) continue
      const found = { track, index, word }
      if (test && test(name => fieldOf(table, found, name)) !== true) continue
      if (!visit(found)) return
    }
  }
}

function firstAtLeast(words: Uint32Array, word: number): number {
  return lowest(words.length, place => (words[place] as number) >= word)
}

function firstBehind(tracks: readonly Track[], tail: string): number {
  return lowest(tracks.length, place => (tracks[place] as Track).tail > tail)
}

/** The lowest place where this holds, given that it goes on holding. */
function lowest(count: number, holds: (place: number) => boolean): number {
  let low = 0
  let high = count
  while (low < high) {
    const middle = (low + high) >>> 1
    if (holds(middle)) high = middle
    else low = middle + 1
  }
  return low
}

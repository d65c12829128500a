import type { Fields } from '../json.ts'
import type { Site } from '../world/sites.ts'

/** Records of one collection that differ only in their instant: a series, or a single record. */
export interface Track {
  readonly site: Site | undefined
  /** End of their identifiers, its own within the collection. */
  readonly tail: string
  /** Numbers of the first and the last instant, both included. Without a last one it goes on. */
  readonly first: number
  readonly last: number
}

/** How a parameter of the query selects. */
export interface FilterRule {
  readonly type: 'string' | 'number' | 'integer' | 'time'
  /** Takes a list with commas. */
  readonly isList?: boolean
  /** Matches the beginning. */
  readonly isPrefix?: boolean
  /** Is a field of the site, not of the record. Named so where the two have the same name. */
  readonly ofSite?: string
}

/** Where records stand in time. Instants have numbers, so that a span is a range of them. */
export interface Timing {
  /** Field that holds the instant. */
  readonly field: string
  /** Number of the first instant at or after this time, and of the last one at or before it. */
  indexFrom(ms: number): number
  indexTo(ms: number): number
  /** Number of the newest instant that has records by now. */
  latest(now: number): number
  /** True when the range of numbers says it all, and no record in it lies outside the span. */
  readonly isExact: boolean
  /** Order of the identifiers. Without it, they come in the order of time. */
  readonly salt: number | undefined
}

/** How the pages of a collection look. */
export interface PageStyle {
  readonly paging: 'cursor' | 'offset'
  /** Which of the two totals it tells. */
  readonly counts: 'none' | 'returned' | 'both'
  /** There is a link to a next page on every page, the last one included. */
  readonly alwaysNext: boolean
  readonly geometry: 'point' | 'null' | 'absent'
  readonly defaultLimit: number
}

/** A collection. `T` is what it knows of a track. */
export interface Table<T extends Track = Track> {
  readonly name: string
  readonly title: string
  readonly style: PageStyle
  /** Field that names the site. @defaultValue 'monitoring_location_id' */
  readonly siteField?: string
  /** Fields as served when none are named. */
  readonly fields: readonly string[]
  readonly filters: Readonly<Record<string, FilterRule>>
  /**
   * In the order of their tails. `now` matters to those that show the present only.
   *
   * @param ids - sites that are wanted; tracks of others may come all the same
   */
  tracks(now: number, ids?: readonly string[]): readonly T[]
  /** Fields that all records of a track share. */
  fixed(track: T): Fields
  /** The others, as text of JSON. */
  readonly varying: Readonly<Record<string, (track: T, index: number) => string>>
  /** Absent where each track is a single record. */
  readonly timing?: Timing
  /** False where a row is missing within its track. */
  has?(track: T, index: number): boolean
  /** Epoch milliseconds of a record. */
  timeOf?(track: T, index: number): number
  /** Identifier as text of JSON, where it is not made of head and tail. */
  idText?(track: T, index: number): string
  /** Which present it shows: two calls with the same answer show the same. */
  age?(now: number): number
  /** Widest span that may be asked for, and the one that is taken when none is. */
  readonly window?: { readonly widestMs: number; readonly defaultMs: number }
}

export const DATA_STYLE: PageStyle = {
  paging: 'cursor',
  counts: 'returned',
  alwaysNext: false,
  geometry: 'point',
  defaultLimit: 10,
}

/** What a filter that names nothing else is. */
export const TEXT: FilterRule = { type: 'string' }
export const LIST: FilterRule = { type: 'string', isList: true }
export const TIME: FilterRule = { type: 'time' }

/** Puts tracks in the order of their records. */
export function inOrder<T extends Track>(tracks: T[]): T[] {
  return tracks.sort((a, b) => (a.tail < b.tail ? -1 : a.tail > b.tail ? 1 : 0))
}

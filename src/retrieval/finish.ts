import type { ResponseMeta } from '../transport/index.ts'
import type { AnyRow } from './columns.ts'

/** What is made of the rows of a whole result. */
export interface Finished<Row extends AnyRow> {
  readonly rows: Row[]
  /** For each row, the place of the received row that it is or was made from. @defaultValue each stayed where it was */
  readonly from?: ArrayLike<number> | undefined
  /** Places of received rows that were merged into others. */
  readonly merged?: readonly number[]
  readonly warnings?: readonly string[]
}

/** How the rows of a whole result are put in order. */
export interface WholeOrder<Row> {
  readonly compare: (a: Row, b: Row) => number
  /** Whether two rows that stand at one place are the same record. */
  readonly equal: (a: Row, b: Row) => boolean
  /** Whether they are versions of one sample. */
  readonly isSample: (a: Row, b: Row) => boolean
  /** Columns that come first in the order: rows are sorted group by group, which is much less work. */
  readonly groups?: readonly string[]
  /** The order of rows of one group. @defaultValue `compare` */
  readonly within?: (a: Row, b: Row) => number
  /** When a row was last revised, epoch milliseconds; the newest version goes first. */
  readonly revised?: ((row: Row) => number) | undefined
}

/**
 * Puts a whole result in order, however it was divided: merges what came twice, keeps versions of one sample side by
 * side with the last revised first. Rows that come in order are neither copied nor moved.
 */
export function arrange<Row extends AnyRow>(rows: Row[], order: WholeOrder<Row>): Finished<Row> {
  const runs = ascendingRuns(rows, order.compare)
  if (runs && runs.length <= 1) return { rows }
  const places = runs && joined(rows, partedByGroup(rows, runs, order.groups ?? []), order.compare)
  return places ? { rows: pick(rows, places), from: places } : arrangeInGroups(rows, order)
}

function arrangeInGroups<Row extends AnyRow>(rows: readonly Row[], order: WholeOrder<Row>): Finished<Row> {
  const kept: number[] = []
  const merged: number[] = []
  let versions = 0
  const first = (group: readonly number[]): Row => rows[group[0] as number] as Row
  const groups = inGroups(rows, order.groups ?? []).sort((a, b) => order.compare(first(a), first(b)))
  for (const group of groups) versions += arrangeGroup(rows, group, order, kept, merged)
  const warnings =
    versions > 0 ? [`${versions} samples came with different values; all are kept, last revised first`] : []
  return { rows: pick(rows, kept), from: kept, merged, warnings }
}

/** A stretch of rows that are in order: from one place to before another. */
interface AscendingRun {
  readonly from: number
  readonly to: number
}

/** More stretches than this share of the rows, and joining them is no less work than sorting. */
const MOST_RUNS_SHARE = 1 / 32

/** Stretches of rows in order; nothing where there are too many of them. */
function ascendingRuns<Row>(rows: readonly Row[], compare: (a: Row, b: Row) => number): AscendingRun[] | undefined {
  const most = Math.max(64, rows.length * MOST_RUNS_SHARE)
  const runs: AscendingRun[] = []
  let from = 0
  for (let at = 1; at <= rows.length; at++) {
    if (at < rows.length && compare(rows[at - 1] as Row, rows[at] as Row) < 0) continue
    runs.push({ from, to: at })
    if (runs.length > most) return undefined
    from = at
  }
  return runs
}

/** Stretches that hold one group each. */
function partedByGroup<Row extends AnyRow>(
  rows: readonly Row[],
  runs: readonly AscendingRun[],
  columns: readonly string[],
): AscendingRun[] {
  if (columns.length === 0) return [...runs]
  const parted: AscendingRun[] = []
  for (const { from, to } of runs) {
    let begin = from
    for (let at = from + 1; at < to; at++) {
      if (sameIn(columns, rows[at - 1] as Row, rows[at] as Row)) continue
      parted.push({ from: begin, to: at })
      begin = at
    }
    parted.push({ from: begin, to })
  }
  return parted
}

/** Places of rows when stretches only have to change their places; nothing where they overlap. */
function joined<Row>(
  rows: readonly Row[],
  runs: readonly AscendingRun[],
  compare: (a: Row, b: Row) => number,
): Uint32Array | undefined {
  const at = (place: number): Row => rows[place] as Row
  const ordered = [...runs].sort((a, b) => compare(at(a.from), at(b.from)))
  const overlap = ordered.some(
    ({ from }, place) => place > 0 && compare(at((ordered[place - 1] as AscendingRun).to - 1), at(from)) >= 0,
  )
  if (overlap) return undefined
  const places = new Uint32Array(rows.length)
  let filled = 0
  for (const { from, to } of ordered) for (let place = from; place < to; place++) places[filled++] = place
  return places
}

function pick<Row>(rows: readonly Row[], places: ArrayLike<number>): Row[] {
  const picked: Row[] = []
  for (let at = 0; at < places.length; at++) picked.push(rows[places[at] as number] as Row)
  return picked
}

/** Metadata rows that count what is left of the rows that each response brought, and for each row its response. */
export function attribute<Row extends AnyRow>(
  meta: readonly ResponseMeta[],
  { rows, from, merged = [] }: Finished<Row>,
): { readonly meta: readonly ResponseMeta[]; readonly origins: ArrayLike<number> | undefined } {
  if (from === undefined) return { meta, origins: undefined }
  const responseOf = responsesOf(meta)
  const origins = new Uint32Array(rows.length)
  const counts = new Uint32Array(meta.length)
  for (let at = 0; at < rows.length; at++) {
    const response = responseOf[from[at] as number] as number
    origins[at] = response
    counts[response] = (counts[response] as number) + 1
  }
  const mergedCounts = new Uint32Array(meta.length)
  for (const place of merged) {
    const response = responseOf[place] as number
    mergedCounts[response] = (mergedCounts[response] as number) + 1
  }
  return {
    origins,
    meta: meta.map((one, at) => ({
      ...one,
      rows: counts[at] as number,
      rowsMerged: one.rowsMerged + (mergedCounts[at] as number),
    })),
  }
}

/** Puts one group in order. Returns how many samples it has in several versions. */
function arrangeGroup<Row extends AnyRow>(
  rows: readonly Row[],
  group: number[],
  order: WholeOrder<Row>,
  kept: number[],
  merged: number[],
): number {
  const { compare, equal, isSample, revised } = order
  const within = order.within ?? compare
  const at = (place: number): Row => rows[place] as Row
  if (placesAscend(rows, group, within)) {
    for (const place of group) kept.push(place)
    return 0
  }
  group.sort((a, b) => within(at(a), at(b)) || (revised ? revised(at(b)) - revised(at(a)) : 0) || a - b)
  let versions = 0
  let sampleFrom = kept.length
  for (const place of group) {
    const first = kept[sampleFrom]
    if (first === undefined || within(at(first), at(place)) !== 0) {
      sampleFrom = kept.length
      kept.push(place)
      continue
    }
    const others = kept.slice(sampleFrom)
    if (others.some(other => equal(at(other), at(place)))) merged.push(place)
    else {
      if (others.some(other => isSample(at(other), at(place)))) versions += 1
      kept.push(place)
    }
  }
  return versions
}

/** Places of rows, by the values that the rows have in some columns. */
function inGroups<Row extends AnyRow>(rows: readonly Row[], columns: readonly string[]): number[][] {
  const groups = new Map<string, number[]>()
  let last: Row | undefined
  let group: number[] = []
  for (let place = 0; place < rows.length; place++) {
    const row = rows[place] as Row
    if (last === undefined || !sameIn(columns, last, row)) {
      const key = columns.map(name => String(row[name])).join('\n')
      group = groups.get(key) ?? []
      groups.set(key, group)
    }
    group.push(place)
    last = row
  }
  return [...groups.values()]
}

function sameIn(columns: readonly string[], a: AnyRow, b: AnyRow): boolean {
  for (const name of columns) if (a[name] !== b[name]) return false
  return true
}

/** For each received row, the response that brought it. */
function responsesOf(meta: readonly ResponseMeta[]): Uint32Array {
  const total = meta.reduce((sum, { rows }) => sum + rows, 0)
  const responses = new Uint32Array(total)
  let at = 0
  meta.forEach(({ rows }, response) => {
    responses.fill(response, at, at + rows)
    at += rows
  })
  return responses
}

function placesAscend<Row>(
  rows: readonly Row[],
  places: readonly number[],
  compare: (a: Row, b: Row) => number,
): boolean {
  for (let at = 1; at < places.length; at++) {
    if (compare(rows[places[at - 1] as number] as Row, rows[places[at] as number] as Row) >= 0) return false
  }
  return true
}

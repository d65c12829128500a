import { groupIds, planSpan, type SpanRules } from '../../transport/index.ts'
import type { SpanMs } from '../../span.ts'

/** What is known of a query before it is asked, as far as dividing it goes. */
export interface Load {
  readonly span: SpanMs | undefined
  /** Values of the list that can be divided. */
  readonly ids: readonly string[] | undefined
  /** Rows that one value brings in a day; absent where nobody can know. */
  readonly rowsPerIdAndDay: number | undefined
  /** Rows of a page. */
  readonly pageSize: number
  /** How the span may be cut; the chunk is that of a span that is longer than the service takes. */
  readonly rules: SpanRules
  /** Length of the request for a group, bytes, and the most it may have. */
  readonly bytesOf: (ids: readonly string[]) => number
  readonly mostBytes: number
  /** Name of the list, for the error. */
  readonly argument: string
  /** Divide only where the service wants it so: the caller takes the first rows that come. */
  readonly undivided: boolean
}

/** How a query is divided. */
export interface Division {
  readonly groups: readonly (readonly string[])[] | undefined
  readonly chunkMs: number
  /** Rows that all of it will bring, if every value has a record for every day. */
  readonly expectedRows: number | undefined
  /** Requests that it will take, pages included, by the same reckoning; a request for a part at least. */
  readonly requests: number
}

const DAY_MS = 86_400_000
/** Pages of a walk, the shortest that does not cost too many requests. A span is cut for the sake of the first ones only. */
const WALK_PAGES = [1, 2, 3, 6, 10, 30, 100, 300, 1000]
const SHORT_WALKS = 3
/** Stretches of time that a span is cut into for the sake of short walks. */
const MOST_STRETCHES = 1000
/** Requests that parting may cost, compared with one walk over everything. */
const MOST_OVERHEAD = 1.1

/**
 * Divides a query so that page walks are short and run side by side, at hardly more requests than one walk over
 * everything would take: requests are what the service counts. Values are grouped so that a group fills whole pages;
 * where one value alone fills many, the span is cut instead. A query whose size nobody can know is not divided, but
 * for the limits of the service.
 *
 * @throws QueryError when one value alone makes a request that is too long
 */
export function divide(load: Load): Division {
  const { ids, rules } = load
  const fitting = groupsThatFit(load, ids)
  const whole = costOf(load, fitting, rules.chunkMs)
  const total = whole.expectedRows
  if (load.undivided || ids === undefined || load.span === undefined || total === undefined) return whole
  const most = Math.max(1, Math.floor(Math.ceil(total / load.pageSize) * MOST_OVERHEAD))
  const short = WALK_PAGES.slice(0, SHORT_WALKS)
  const ways = [
    ...short.map(pages => () => partByIds(load, pages)),
    ...short.map(pages => () => partBySpan(load, total, pages)),
    ...WALK_PAGES.slice(SHORT_WALKS).map(pages => () => partByIds(load, pages)),
  ]
  for (const way of ways) {
    const parted = way()
    if (parted && parted.requests <= most) return parted
  }
  return whole
}

/** Groups of values that fill so many pages each. */
function partByIds(load: Load, pages: number): Division | undefined {
  const { ids = [], span, rowsPerIdAndDay = 0, pageSize, rules } = load
  if (span === undefined) return undefined
  const days = Math.min(daysOf(span, rules.stepMs), rules.chunkMs / DAY_MS)
  const size = Math.floor((pages * pageSize) / (rowsPerIdAndDay * days))
  if (size < 1) return undefined
  const groups: string[][] = []
  for (let at = 0; at < ids.length; at += size) groups.push(...groupsOf(load, ids.slice(at, at + size)))
  return costOf(load, groups, rules.chunkMs)
}

/** Equal stretches of time that fill so many pages each. */
function partBySpan(load: Load, total: number, pages: number): Division | undefined {
  const { ids, span, pageSize, rules } = load
  if (span === undefined) return undefined
  const lengthMs = span.end - span.start + rules.stepMs
  const parts = Math.ceil(total / (pages * pageSize))
  if (parts > MOST_STRETCHES) return undefined
  // Whole hours where that is possible: borders at odd seconds help nobody.
  const gridMs = Math.max(rules.stepMs, Math.min(3_600_000, lengthMs / parts))
  const chunkMs = Math.min(rules.chunkMs, Math.ceil(lengthMs / parts / gridMs) * gridMs)
  return costOf(load, groupsThatFit(load, ids), chunkMs)
}

function groupsThatFit(load: Load, ids: readonly string[] | undefined): readonly (readonly string[])[] | undefined {
  return ids === undefined ? undefined : groupsOf(load, ids)
}

function groupsOf({ bytesOf, mostBytes, argument }: Load, ids: readonly string[]): string[][] {
  return groupIds(ids, bytesOf, mostBytes, argument)
}

/** What a division costs, reckoned piece by piece. */
function costOf(
  { span, rowsPerIdAndDay, pageSize, rules }: Load,
  groups: readonly (readonly string[])[] | undefined,
  chunkMs: number,
): Division {
  const lengths =
    span === undefined ? [undefined] : planSpan(span, rules, chunkMs).map(piece => daysOf(piece, rules.stepMs))
  const sizes = groups?.map(group => group.length) ?? [1]
  let expectedRows: number | undefined = 0
  let requests = 0
  for (const size of sizes) {
    for (const days of lengths) {
      const rows: number | undefined =
        rowsPerIdAndDay === undefined || days === undefined ? undefined : Math.ceil(size * rowsPerIdAndDay * days)
      expectedRows = expectedRows === undefined || rows === undefined ? undefined : expectedRows + rows
      requests += Math.max(1, Math.ceil((rows ?? 0) / pageSize))
    }
  }
  return { groups, chunkMs, expectedRows, requests }
}

function daysOf({ start, end }: SpanMs, stepMs: number): number {
  return (end - start + stepMs) / DAY_MS
}

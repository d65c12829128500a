import { QueryError } from '../../errors.ts'
import type { SpanMs } from '../../span.ts'
import { calendarDate, parseInstant, parseSpan, type SpanInput } from '../../time.ts'
import type { SpanRules } from '../../transport/index.ts'

/** What a query asks for in time. The services select whole days, local to each site, both ends included. */
export interface Days {
  /** First and last day, as midnights in UTC; `undefined` where no time is asked for. */
  readonly span: SpanMs | undefined
  /** Instants that rows must lie between, where the query is not about days. */
  readonly window: SpanMs | undefined
}

export const DAY_MS = 86_400_000
const DATE = /^\s*\d{4}-\d\d-\d\d\s*$/
/** Nothing was measured before. */
const EARLIEST = Date.UTC(1800, 0, 1)

/** Interior borders lie between days: the next part starts on the day behind. */
export function dayRules(chunkDays: number): SpanRules {
  return { stepMs: DAY_MS, chunkMs: chunkDays * DAY_MS, mostMs: Number.MAX_SAFE_INTEGER, ends: 'trimmed' }
}

/**
 * Reads the time of a query. Plain dates are days as each site counts them. Anything with a time of day is a window in
 * UTC: a day more is asked for on each side, and what lies outside is left out afterwards.
 *
 * @param now - the current instant, epoch milliseconds
 * @throws QueryError naming the part that cannot be read
 */
export function daysOf(query: SpanInput, now: number): Days {
  const { start, end, last, zone } = query
  if (start === undefined && end === undefined && last === undefined) return { span: undefined, window: undefined }
  const isDays = [start, end].every(part => part === undefined || (typeof part === 'string' && DATE.test(part)))
  if (last !== undefined || isDays) return { span: daySpan(query, now), window: undefined }
  const window = parseSpan({ start: start ?? new Date(EARLIEST), ...(end === undefined ? {} : { end }), zone }, now)
  const span = { start: calendarDate(window.start) - DAY_MS, end: calendarDate(window.end) + DAY_MS }
  return { span, window }
}

function daySpan(query: SpanInput, now: number): SpanMs {
  // East of us it may be tomorrow already.
  const today = calendarDate(now) + DAY_MS
  if (query.last !== undefined) {
    const { start, end } = parseSpan(query, now)
    return { start: calendarDate(start), end: query.end === undefined ? today : calendarDate(end) }
  }
  const start = query.start === undefined ? EARLIEST : parseInstant(query.start, 'start')
  const end = query.end === undefined ? today : parseInstant(query.end, 'end')
  if (end >= start) return { start, end }
  throw new QueryError(`end ${String(query.end)} is before start ${String(query.start)}`, {
    argument: 'end',
    value: query.end ?? 'today',
  })
}

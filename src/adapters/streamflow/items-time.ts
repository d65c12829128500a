import { QueryError } from '../../errors.ts'
import type { SpanMs } from '../../span.ts'
import { calendarDate, isoText, parseInstant, parseSpan, type SpanInput } from '../../time.ts'
import type { SpanRules } from '../../transport/index.ts'
import type { Collection, CollectionTime } from './collection.ts'
import { dateText } from './values.ts'

/** The time that a query asks for. */
export interface ItemsTime {
  /** What is cut into pieces. */
  readonly span: SpanMs | undefined
  /** What stands in every request instead, in the service's words. */
  readonly text: string | undefined
}

const DAY_MS = 86_400_000
const SECOND_MS = 1000

/**
 * Reads the time of a query. Spans of calendar dates are whole days in the query's zone, both ends included.
 *
 * @param now - the current instant, epoch milliseconds
 * @throws QueryError
 */
export function itemsTime({ name, time }: Collection, query: SpanInput, now: number): ItemsTime {
  if (time === undefined) return { span: undefined, text: undefined }
  const { start, end, last, zone } = query
  const begins = start !== undefined || last !== undefined
  if (begins && time.cut) return { span: onGrid(parseSpan(query, now), time, zone), text: undefined }
  if (begins) {
    const span = onGrid(parseSpan(query, now), time, zone)
    const open = end === undefined && last === undefined
    return {
      span: undefined,
      text:
        last !== undefined && end === undefined
          ? last
          : `${instantText(span.start, time)}/${open ? '..' : instantText(span.end, time)}`,
    }
  }
  if (time.required) {
    throw new QueryError(
      `start is missing; give a start, or last: 'P7D': ${name} without one is what the service likes, not what there is`,
      { argument: 'start', value: undefined },
    )
  }
  if (end === undefined) return { span: undefined, text: undefined }
  const at = parseInstant(end, 'end', zone)
  return { span: undefined, text: `../${instantText(time.by === 'date' ? calendarDate(at, zone) : at, time)}` }
}

/** A piece's span in the service's words. */
export function spanText({ start, end }: SpanMs, time: CollectionTime): string {
  return `${instantText(start, time)}/${instantText(end, time)}`
}

/**
 * How spans are cut. Neighbours meet without sharing an instant: the finest time that the service knows is a second,
 * or a day.
 */
export function spanRules(time: CollectionTime | undefined): SpanRules {
  const stepMs = time?.by === 'date' ? DAY_MS : SECOND_MS
  const longest = Number.MAX_SAFE_INTEGER
  const mostMs = time?.mostDays === undefined ? longest : time.mostDays * DAY_MS
  return { stepMs, chunkMs: time?.chunkDays === undefined ? mostMs : time.chunkDays * DAY_MS, mostMs, ends: 'trimmed' }
}

function onGrid(span: SpanMs, { by }: CollectionTime, zone: string | undefined): SpanMs {
  return by === 'date' ? { start: calendarDate(span.start, zone), end: calendarDate(span.end, zone) } : span
}

function instantText(ms: number, { by }: CollectionTime): string {
  return by === 'date' ? dateText(ms) : isoText(ms)
}

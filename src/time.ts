import { DateTime, Duration, IANAZone } from 'luxon'
import { QueryError } from './errors.ts'
import type { SpanMs } from './span.ts'

/**
 * Instants and spans. Inside, an instant is epoch milliseconds; in rows it is a `Date`; in files it is
 * ISO-8601 with `Z`. Text without a zone means UTC, or the query's own zone: never the process's zone.
 */

/** An instant as callers may give it: ISO-8601 text, a `Date`, or epoch milliseconds. */
export type InstantInput = string | Date | number

/** The parts of a query that say which stretch of time is asked for. */
export interface SpanInput {
  /** First instant, included. */
  readonly start?: InstantInput | undefined
  /** Last instant, included. Default: now. */
  readonly end?: InstantInput | undefined
  /** In place of `start`: an ISO-8601 duration such as `'P7D'`, for a span that ends now (or at `end`). */
  readonly last?: string | undefined
  /** Zone of texts that state none: an IANA name or an offset. @defaultValue 'UTC' */
  readonly zone?: string | undefined
}

const INSTANT_TEXT =
  /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:[.,]\d{1,9})?)?(?:Z|[+-](?:[01]\d|2[0-3])(?::?[0-5]\d)?)?)?$/i
const STATES_ZONE = /:.*(?:Z|[+-]\d\d(?::?\d\d)?)$/i
const MINUTE_MS = 60_000
const QUARTER_MS = 15 * MINUTE_MS
const FORMS = "use ISO-8601 text such as '2024-03-10' or '2024-03-10T02:30Z', a Date, or epoch milliseconds"

/**
 * Reads an instant.
 *
 * @param value - as the caller gave it
 * @param argument - its name, for the error
 * @param zone - zone of text that states none
 * @returns epoch milliseconds
 * @throws QueryError naming the argument and its value
 */
export function parseInstant(value: unknown, argument: string, zone = 'UTC'): number {
  if (typeof value === 'number' || value instanceof Date) {
    const ms = Number(value)
    if (Number.isFinite(ms) && !Number.isNaN(new Date(ms).getTime())) return ms
    throw new QueryError(`${argument} is not an instant: ${String(value)}; ${FORMS}`, { argument, value })
  }
  const text = typeof value === 'string' ? value.trim() : ''
  if (!INSTANT_TEXT.test(text)) {
    throw new QueryError(`${argument} is not an instant: ${JSON.stringify(value) ?? 'nothing'}; ${FORMS}`, {
      argument,
      value,
    })
  }
  const parsed = DateTime.fromISO(
    text.replace(' ', 'T').replace(/[zt]/g, letter => letter.toUpperCase()),
    { zone: checkZone(zone) },
  )
  // Of the two instants of an hour that clocks repeat, the first: luxon's own choice depends on the season it runs in.
  if (parsed.isValid) return (STATES_ZONE.test(text) ? parsed : (parsed.getPossibleOffsets()[0] ?? parsed)).toMillis()
  throw new QueryError(
    `${argument} is not a date that exists: '${text}' (${parsed.invalidExplanation ?? 'out of range'})`,
    { argument, value },
  )
}

/**
 * Reads a span.
 *
 * @param now - the current instant, epoch milliseconds: the end when none is given
 * @throws QueryError when a part is unreadable, missing, or the end is before the start
 */
export function parseSpan(input: SpanInput, now: number): SpanMs {
  const zone = checkZone(input.zone ?? 'UTC')
  const end = input.end === undefined ? now : parseInstant(input.end, 'end', zone)
  if (input.last !== undefined) {
    if (input.start !== undefined) {
      throw new QueryError('give start or last, not both', { argument: 'last', value: input.last })
    }
    return { start: backFrom(end, input.last), end }
  }
  if (input.start === undefined) {
    throw new QueryError("start is missing; give a start, or last: 'P7D'", { argument: 'start', value: undefined })
  }
  const start = parseInstant(input.start, 'start', zone)
  if (end < start) {
    throw new QueryError(`end ${isoText(end)} is before start ${isoText(start)}`, {
      argument: 'end',
      value: input.end ?? isoText(end),
    })
  }
  return { start, end }
}

/**
 * Reads a length of time: ISO-8601 duration text of fixed length, or milliseconds.
 *
 * @returns milliseconds, or `undefined` when it cannot be read or is not above zero
 */
export function parseDurationMs(value: string | number): number | undefined {
  const ms = typeof value === 'number' ? value : Duration.fromISO(value).toMillis()
  return Number.isFinite(ms) && ms > 0 ? ms : undefined
}

/** ISO-8601 in UTC with `Z`, without milliseconds where they are zero. */
export function isoText(ms: number): string {
  return new Date(ms).toISOString().replace('.000Z', 'Z')
}

const SECOND_TEXT_LENGTH = '2024-01-01T00:00:00+00:00'.length
let cachedDay = 'none so far'
let cachedDayMs = Number.NaN

/**
 * Reads an instant that a service sent; it must state its zone. Made for millions of rows: the usual form, whole
 * seconds with a zero offset, is read without a date parser, and the date part is remembered from row to row.
 *
 * @returns epoch milliseconds, or `NaN` when the text is not an instant
 */
export function epochMs(text: string): number {
  const usual = text.length === SECOND_TEXT_LENGTH ? text.endsWith('+00:00') : text.length === 20 && text.endsWith('Z')
  if (usual && text.charCodeAt(10) === 84 && text.charCodeAt(13) === 58 && text.charCodeAt(16) === 58) {
    if (!text.startsWith(cachedDay)) {
      cachedDay = text.slice(0, 10)
      cachedDayMs = dayMs(cachedDay)
    }
    const hours = twoDigits(text, 11)
    const minutes = twoDigits(text, 14)
    const seconds = twoDigits(text, 17)
    if (hours <= 23 && minutes <= 59 && seconds <= 59)
      return cachedDayMs + (hours * 3600 + minutes * 60 + seconds) * 1000
    return Number.NaN
  }
  return /^.{10}T\d\d:\d\d.*(?:Z|[+-]\d\d:?\d\d)$/.test(text) && !Number.isNaN(dayMs(text.slice(0, 10)))
    ? Date.parse(text)
    : Number.NaN
}

/** Start of a day that exists. The engine's own parser takes February 30 for March 1, and other spellings for local time. */
function dayMs(day: string): number {
  const ms = /^\d{4}-\d\d-\d\d$/.test(day) ? Date.parse(day) : Number.NaN
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(day) ? ms : Number.NaN
}

/** Two decimal digits as a number; above 99 where they are not digits. */
function twoDigits(text: string, at: number): number {
  const tens = text.charCodeAt(at) - 48
  const ones = text.charCodeAt(at + 1) - 48
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? tens * 10 + ones : 100
}

function backFrom(end: number, last: string): number {
  const duration = Duration.fromISO(last)
  const start = duration.isValid ? DateTime.fromMillis(end, { zone: 'UTC' }).minus(duration).toMillis() : Number.NaN
  if (start < end) return start
  throw new QueryError(`last is not a length of time: '${last}'; use an ISO-8601 duration such as 'P7D' or 'PT12H'`, {
    argument: 'last',
    value: last,
  })
}

function checkZone(zone: string): string {
  if (/^utc$/i.test(zone)) return 'UTC'
  if (/^[+-](?:[01]\d|2[0-3]):?[0-5]\d$/.test(zone)) return `UTC${zone.slice(0, 3)}:${zone.slice(-2)}`
  if (IANAZone.isValidZone(zone)) return zone
  throw new QueryError(
    `zone is not known: '${zone}'; use an IANA name such as 'America/New_York', or an offset such as '-05:00'`,
    { argument: 'zone', value: zone },
  )
}

/**
 * The calendar date of an instant in a zone.
 *
 * @returns midnight in UTC of that date, epoch milliseconds
 */
export function calendarDate(ms: number, zone = 'UTC'): number {
  const { year, month, day } = DateTime.fromMillis(ms, { zone: checkZone(zone) })
  return Date.UTC(year, month - 1, day)
}

/**
 * How far the clocks of a zone are ahead of UTC, milliseconds, by instant. Made for many instants: zones change at
 * quarters of an hour only, so one look-up serves all of a quarter.
 *
 * @throws QueryError when there is no such zone
 */
export function zoneOffsets(zone: string): (ms: number) => number {
  const checked = checkZone(zone)
  if (checked === 'UTC') return () => 0
  const known = new Map<number, number>()
  return ms => {
    const quarter = Math.floor(ms / QUARTER_MS)
    const offset = known.get(quarter) ?? DateTime.fromMillis(quarter * QUARTER_MS, { zone: checked }).offset * MINUTE_MS
    known.set(quarter, offset)
    return offset
  }
}

/**
 * Whole local days, in order, each once.
 *
 * @returns first and last-but-one instant: `end` is the start of the next day
 */
export function startOfDays(dates: readonly unknown[], argument: string, zone = 'UTC'): SpanMs[] {
  const days = new Map<number, SpanMs>()
  for (const date of dates) {
    const start = DateTime.fromMillis(parseInstant(date, argument, zone), { zone: checkZone(zone) }).startOf('day')
    // The next day's start is looked for anew: where clocks skip midnight, a day does not start at 00:00.
    days.set(start.toMillis(), { start: start.toMillis(), end: start.plus({ days: 1 }).startOf('day').toMillis() })
  }
  return [...days.values()].sort((a, b) => a.start - b.start)
}

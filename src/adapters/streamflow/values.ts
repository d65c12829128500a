import { epochMs } from '../../time.ts'

/** Reads the values of the service. Made for millions of them. */

/** `12.3`, `-0.5`, `.5`, `1e-3`. Nothing around it, and no other spelling. */
const PLAIN_NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i

/**
 * A measured value: the number where the text is a plain one, else `null`. An empty text is nothing, and never 0.
 *
 * @returns the number, or `null`
 */
export function readMeasure(value: unknown): number | null {
  if (typeof value === 'number') return value
  if (typeof value !== 'string') return null
  if (!isDigits(value) && !PLAIN_NUMBER.test(value)) return null
  const number = Number(value)
  return Number.isFinite(number) ? number : null
}

/** Whether a text is digits and points only: the usual case, told without a pattern. */
function isDigits(text: string): boolean {
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if ((code < 48 || code > 57) && code !== 46) return false
  }
  return text.length > 0
}

/** Text that stood in place of a number and must not be lost. */
export function textInPlaceOfNumber(value: unknown, read: number | null): string | undefined {
  if (read !== null || value === null || value === undefined || value === '') return undefined
  return typeof value === 'string' ? value : JSON.stringify(value)
}

const NAIVE = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?$/

/** An instant in epoch milliseconds, a missing offset read as UTC. `NaN` when it is none. */
export function utcMs(text: string): number {
  return epochMs(NAIVE.test(text) ? `${text}Z` : text)
}

/** An instant where the text has an offset, the text itself where it is a local time. */
export function readZoned(text: string): Date | string {
  const ms = NAIVE.test(text) ? Number.NaN : epochMs(text)
  return Number.isNaN(ms) ? text : new Date(ms)
}

const DAYS = new Map<string, number>()
const MOST_DAYS = 100_000

/** Midnight in UTC of a calendar date, epoch milliseconds; `undefined` for a text that is no whole date. */
export function dateMs(text: unknown): number | undefined {
  if (typeof text !== 'string') return undefined
  const known = DAYS.get(text)
  if (known !== undefined) return known
  const ms = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(text) : Number.NaN
  // The engine takes February 30 for March 1.
  if (Number.isNaN(ms) || dateText(ms) !== text) return undefined
  if (DAYS.size >= MOST_DAYS) DAYS.clear()
  DAYS.set(text, ms)
  return ms
}

/** A calendar date as the service writes it. */
export function dateText(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10)
}

/** A field that does not hold what it must. */
export class Unreadable extends Error {
  readonly field: string

  constructor(field: string, value: unknown, wanted: string) {
    super(`${field}: is not ${wanted} (${JSON.stringify(value)?.slice(0, 60) ?? 'missing'})`)
    this.field = field
  }
}

/**
 * Reads instants. Where the same text comes again and again, rows share one `Date`: most records were modified in the
 * same run of the service.
 */
export function instantReader(name: string, msOf: (text: string) => number): (value: unknown) => Date {
  let lastText: unknown
  let last = new Date(0)
  return value => {
    if (value !== lastText) {
      const ms = typeof value === 'string' ? msOf(value) : Number.NaN
      if (Number.isNaN(ms)) throw new Unreadable(name, value, 'an instant with an offset')
      lastText = value
      last = new Date(ms)
    }
    return last
  }
}

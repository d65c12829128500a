/**
 * Hours from UTC of the codes that agencies write. A code says itself whether it is standard or daylight time: no
 * calendar is asked, and no named zone. Codes that mean more than one thing in these data (`SST`, `GST`, `AMT`,
 * `BST`, `IST`) are not here on purpose.
 */
export const ZONE_OFFSETS: Readonly<Record<string, number>> = Object.freeze({
  UTC: 0,
  GMT: 0,
  Z: 0,
  NST: -3.5,
  NDT: -2.5,
  AST: -4,
  ADT: -3,
  EST: -5,
  EDT: -4,
  CST: -6,
  CDT: -5,
  MST: -7,
  MDT: -6,
  PST: -8,
  PDT: -7,
  AKST: -9,
  AKDT: -8,
  HST: -10,
  HAST: -10,
  HADT: -9,
  CHST: 10,
})

const HOUR_MS = 3_600_000
const DAY_MS = 86_400_000
const NUMERIC = /^([+-])(0\d|1[0-4]):?([0-5]\d)$/

/**
 * Milliseconds from UTC of a zone code, or `undefined` where it means nothing, or more than one thing.
 *
 * @param more - codes of the caller, hours from UTC
 */
export function zoneOffsetMs(code: string, more: Readonly<Record<string, number>> = {}): number | undefined {
  const name = code.trim().toUpperCase()
  const hours = more[code.trim()] ?? more[name] ?? (Object.hasOwn(ZONE_OFFSETS, name) ? ZONE_OFFSETS[name] : undefined)
  if (hours !== undefined) return hours * HOUR_MS
  const [, sign, hour = '', minute = ''] = NUMERIC.exec(name) ?? []
  if (sign === undefined) return undefined
  return (sign === '-' ? -1 : 1) * (Number(hour) * HOUR_MS + Number(minute) * 60_000)
}

/** Midnight in UTC of a date `YYYY-MM-DD` that exists, epoch milliseconds. */
export function dayMs(text: string | null | undefined): number | undefined {
  if (text === null || text === undefined || !/^\d{4}-\d\d-\d\d$/.test(text)) return undefined
  const ms = Date.parse(text)
  // The engine takes February 30 for March 1.
  return !Number.isNaN(ms) && dateText(ms) === text ? ms : undefined
}

/** A day as the services write it in rows. */
export function dateText(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10)
}

/** A date without meaning stands in front of some times. */
const CLOCK = /^(?:0001-01-01[ T])?([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d)(?:\.\d+)?)?$/

/** Milliseconds since midnight, or `undefined` for what is no time of day. */
export function clockMs(text: string): number | undefined {
  const [, hours, minutes = '', seconds = '0'] = CLOCK.exec(text) ?? []
  if (hours === undefined) return undefined
  const ms = ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000
  return ms < DAY_MS ? ms : undefined
}

/** How one value is written. What it holds decides, not the column: a code stays the text it is. */

const DAY_MS = 86_400_000
const MOST_DAYS = 10_000

const dayTexts = new Map<number, string>()
const minuteTexts = Array.from({ length: 1440 }, (_, minute) => `${two(Math.floor(minute / 60))}:${two(minute % 60)}:`)
const secondTexts = Array.from({ length: 60 }, (_, second) => `${two(second)}Z`)

/**
 * ISO-8601 with `Z`, without milliseconds where they are zero. Made for millions of rows: the text of a day is
 * remembered, for several columns at once, and the rest is looked up.
 *
 * @returns `''` for a date that holds no instant
 */
export function instantText(instant: Date): string {
  const ms = instant.getTime()
  if (ms % 1000 !== 0) return Number.isNaN(ms) ? '' : instant.toISOString()
  const day = Math.floor(ms / DAY_MS)
  const second = (ms - day * DAY_MS) / 1000
  const minute = Math.floor(second / 60)
  return dayText(day) + (minuteTexts[minute] as string) + (secondTexts[second - minute * 60] as string)
}

/**
 * A value as plain text: numbers as the shortest text with a decimal point, objects as JSON. Nothing for what
 * holds no value: `null`, `undefined`, a number that is not finite, a date that holds no instant.
 */
export function cellText(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return value
    case 'number':
      return Number.isFinite(value) ? String(value) : ''
    case 'boolean':
    case 'bigint':
      return String(value)
    default:
      if (value === null || value === undefined) return ''
      return value instanceof Date ? instantText(value) : nestedText(value)
  }
}

/** A value as JSON, instants without milliseconds where they are zero. `null` for what holds no value. */
export function jsonText(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return JSON.stringify(value)
    case 'object':
      if (value === null) return 'null'
      return value instanceof Date ? quotedInstant(value) : nestedText(value) || 'null'
    default:
      return cellText(value) || 'null'
  }
}

/** `2024-03-01T` */
function dayText(day: number): string {
  const known = dayTexts.get(day)
  if (known !== undefined) return known
  if (dayTexts.size >= MOST_DAYS) dayTexts.clear()
  const text = new Date(day * DAY_MS).toISOString().slice(0, -'00:00:00.000Z'.length)
  dayTexts.set(day, text)
  return text
}

function quotedInstant(instant: Date): string {
  const text = instantText(instant)
  return text === '' ? 'null' : `"${text}"`
}

function nestedText(value: unknown): string {
  return JSON.stringify(value, instantsAsText) ?? ''
}

/** Looks at the holder: a `Date` has turned itself into text before a replacer is called. */
function instantsAsText(this: unknown, name: string, value: unknown): unknown {
  const held = (this as Record<string, unknown>)[name]
  return held instanceof Date ? instantText(held) || null : value
}

function two(number: number): string {
  return number < 10 ? `0${number}` : String(number)
}

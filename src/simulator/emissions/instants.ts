/** The service's spellings of time: what it reads, and what it writes. */

const SPELLING = /^(\d{4})-(\d\d)-(\d\d)[T ](\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?(?:(Z)|([+-])(\d\d):?(\d\d))$/i

/**
 * Reads an instant as the service does: ISO-8601 with a zone, a blank allowed for the T.
 *
 * @returns epoch milliseconds, or `undefined` for a text without a zone and for a day that does not exist
 */
export function readInstant(text: string): number | undefined {
  const parts = SPELLING.exec(text)
  if (parts === null) return undefined
  const [year, month, day, hour, minute, second] = parts.slice(1, 7).map(part => Number(part ?? 0)) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ]
  const local = Date.UTC(year, month - 1, day, hour, minute, second)
  const read = new Date(local)
  if (read.getUTCDate() !== day || read.getUTCMonth() !== month - 1 || hour > 23 || minute > 59 || second > 59)
    return undefined
  const offset = Number(parts[10] ?? 0) * 60 + Number(parts[11] ?? 0)
  const fraction = Math.floor(Number(`0.${parts[7] ?? 0}`) * 1000)
  return local + fraction - (parts[9] === '-' ? -offset : offset) * 60_000
}

/** Writes an instant as the service does: `2022-07-15T00:00:00+00:00`. */
export function writeInstant(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}+00:00`
}

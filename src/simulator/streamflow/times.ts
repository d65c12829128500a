/** The service's spellings of time: what it reads, and what it writes. */

const DAY_MS = 86_400_000
const SPELLING =
  /^(\d{4})(?:-(\d\d)(?:-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:\.(\d+))?)?(?:(Z)|([+-])(\d\d):?(\d\d))?)?)?)?$/i
const DURATION = /^P(?=.)(?:(\d+)Y)?(?:(\d+)M)?(?:(\d+)W)?(?:(\d+)D)?(?:T(?=.)(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?$/

/** An instant, or a day at its beginning. What names no zone means UTC. `undefined` for what is neither. */
export function readInstant(text: string): number | undefined {
  const found = SPELLING.exec(text.trim())
  if (found === null) return undefined
  const [year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0] = found
    .slice(1, 7)
    .map(part => (part === undefined ? undefined : Number(part)))
  const local = Date.UTC(year, month - 1, day, hour, minute, second)
  const read = new Date(local)
  if (read.getUTCMonth() !== month - 1 || read.getUTCDate() !== day || hour > 23 || minute > 59) return undefined
  const offset = Number(found[10] ?? 0) * 60 + Number(found[11] ?? 0)
  const fraction = Math.floor(Number(`0.${found[7] ?? 0}`) * 1000)
  return local + fraction - (found[9] === '-' ? -offset : offset) * 60_000
}

/** A stretch of time with both ends included. An open end is infinite. */
export interface Stretch {
  readonly from: number
  readonly to: number
}

/**
 * A stretch as the service spells it: an instant, `a/b`, `a/..`, `../b`, or a duration that ends now.
 *
 * @returns `undefined` for a text that is none of these
 */
export function readStretch(text: string, now: number): Stretch | undefined {
  const lasting = readDuration(text, now)
  if (lasting !== undefined) return { from: lasting, to: now }
  const [first = '', second, ...more] = text.split('/')
  if (more.length > 0) return undefined
  const from = readEnd(first, second === undefined ? undefined : -Infinity)
  const to = second === undefined ? from : readEnd(second, Infinity)
  return from === undefined || to === undefined ? undefined : { from, to }
}

function readEnd(text: string, open: number | undefined): number | undefined {
  return text === '..' || text === '' ? open : readInstant(text)
}

/** When a duration began that ends now. */
function readDuration(text: string, now: number): number | undefined {
  const found = DURATION.exec(text)
  if (found === null) return undefined
  const [years = 0, months = 0, weeks = 0, days = 0, hours = 0, minutes = 0, seconds = 0] = found
    .slice(1)
    .map(part => Number(part ?? 0))
  const start = new Date(now)
  start.setUTCMonth(start.getUTCMonth() - 12 * years - months)
  return start.getTime() - (weeks * 7 + days) * DAY_MS - ((hours * 60 + minutes) * 60 + seconds) * 1000
}

/** `2024-04-01T00:15:00+00:00` */
export function writeInstant(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}+00:00`
}

/** Local time without a zone, as the first version of the API tells where a series begins and ends. */
export function writeNaive(ms: number, offsetMs: number): string {
  return `${new Date(ms + offsetMs).toISOString().slice(0, 19)}.000001`
}

/** Local time with its offset, as the second version does. */
export function writeLocal(ms: number, offsetMs: number): string {
  const minutes = Math.abs(offsetMs) / 60_000
  const pad = (value: number): string => String(Math.floor(value)).padStart(2, '0')
  const sign = offsetMs < 0 ? '-' : '+'
  return `${new Date(ms + offsetMs).toISOString().slice(0, 19)}${sign}${pad(minutes / 60)}:${pad(minutes % 60)}`
}

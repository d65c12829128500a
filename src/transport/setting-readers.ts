import { ConfigurationError } from '../errors.ts'
import { redactUrl } from '../redact.ts'
import { parseDurationMs } from '../time.ts'
import type { RateLimit } from './rate-window.ts'

/** Which setting is read, and from where: for the error. */
export interface Whence {
  readonly setting: string
  readonly source: string
}

/** Turns a stated value into the resolved one, or refuses it. */
export type Reader = (value: unknown, whence: Whence) => unknown

/** Numbers, also as text; never NaN or infinite. */
export function readNumber({
  least,
  most = Number.MAX_SAFE_INTEGER,
  whole,
}: {
  least: number
  most?: number
  whole: boolean
}): Reader {
  return (value, whence) => {
    const number = typeof value === 'string' && /^\s*[+-]?\d+(?:\.\d+)?\s*$/.test(value) ? Number(value) : value
    if (typeof number === 'number' && number >= least && number <= most && (!whole || Number.isInteger(number)))
      return number
    const range = most === Number.MAX_SAFE_INTEGER ? `${least} or more` : `from ${least} to ${most}`
    return refuse(value, `${whole ? 'a whole number' : 'a number'}, ${range}`, whence)
  }
}

export const readBoolean: Reader = (value, whence) => {
  if (typeof value === 'boolean') return value
  if (typeof value === 'string' && /^(?:true|1|yes|on)$/i.test(value.trim())) return true
  if (typeof value === 'string' && /^(?:false|0|no|off)$/i.test(value.trim())) return false
  return refuse(value, 'true or false', whence)
}

export const readText: Reader = (value, whence) =>
  typeof value === 'string' && /^[\x20-\x7e]+$/.test(value) ? value : refuse(value, 'one line of plain text', whence)

export const readFunction: Reader = (value, whence) =>
  typeof value === 'function' ? value : refuse(value, 'a function', whence)

export const readDuration: Reader = (value, whence) => {
  const text = typeof value === 'string' ? value.trim() : value
  // An environment has texts only.
  const length = typeof text === 'string' && /^\d+(?:\.\d+)?$/.test(text) ? Number(text) : text
  return (
    (typeof length === 'string' || typeof length === 'number' ? parseDurationMs(length) : undefined) ??
    refuse(value, "a length of time, such as 'P30D' or milliseconds", whence)
  )
}

export const readLogger: Reader = (value, whence) => {
  const methods = ['debug', 'info', 'warn', 'error'] as const
  const fits =
    typeof value === 'object' &&
    value !== null &&
    methods.every(name => typeof (value as Record<string, unknown>)[name] === 'function')
  return fits ? value : refuse(value, 'an object with the methods debug, info, warn and error', whence)
}

export const readProxy: Reader = (value, whence) => {
  if (value === 'environment' || value === 'none') return value
  if (typeof value === 'string' && URL.canParse(value) && /^https?:$/.test(new URL(value).protocol)) return value
  return refuse(
    typeof value === 'string' ? redactUrl(value) : value,
    "'environment', 'none', or an http(s) address",
    whence,
  )
}

export const readBackoff: Reader = (value, whence) => {
  const { baseDelayMs = 500, maxDelayMs = Math.max(30_000, Number(baseDelayMs) || 0) } = Object(value) as {
    baseDelayMs?: unknown
    maxDelayMs?: unknown
  }
  const known = Object.keys(Object(value)).every(name => name === 'baseDelayMs' || name === 'maxDelayMs')
  const fits =
    typeof value === 'object' &&
    value !== null &&
    known &&
    typeof baseDelayMs === 'number' &&
    typeof maxDelayMs === 'number'
  if (fits && baseDelayMs > 0 && maxDelayMs >= baseDelayMs && Number.isFinite(maxDelayMs))
    return Object.freeze({ baseDelayMs, maxDelayMs })
  return refuse(value, 'an object with 0 < baseDelayMs <= maxDelayMs', whence)
}

export const readRate: Reader = (value, whence) => {
  if (value === null) return []
  const number = typeof value === 'string' && /^\s*\d+(?:\.\d+)?\s*$/.test(value) ? Number(value) : value
  if (typeof number === 'number') {
    if (!(number > 0 && Number.isFinite(number))) return refuse(value, 'a rate above 0, or null for none', whence)
    return number >= 1 ? [{ requests: Math.floor(number), perMs: 1000 }] : [{ requests: 1, perMs: 1000 / number }]
  }
  const limits = Array.isArray(value) ? (value as unknown[]) : [value]
  return limits.every(isRateLimit)
    ? limits.map(({ requests, perMs }) => ({ requests, perMs }))
    : refuse(value, 'requests per second, { requests, perMs }, a list of those, or null', whence)
}

function isRateLimit(value: unknown): value is RateLimit {
  const { requests, perMs } = Object(value) as { requests?: unknown; perMs?: unknown }
  return (
    typeof requests === 'number' &&
    Number.isInteger(requests) &&
    requests > 0 &&
    typeof perMs === 'number' &&
    perMs > 0 &&
    Number.isFinite(perMs)
  )
}

function refuse(value: unknown, wanted: string, { setting, source }: Whence): never {
  const shown =
    typeof value === 'string' ? `'${value}'` : typeof value === 'object' ? JSON.stringify(value) : String(value)
  throw new ConfigurationError(`${setting} (${source}) must be ${wanted}; got ${shown}`, { setting, source })
}

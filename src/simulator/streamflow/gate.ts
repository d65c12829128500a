import type { Clock } from '../../clock.ts'
import { createLimiter } from '../limits.ts'
import type { Admission, Answer, Ask } from '../service.ts'
import type { ResolvedStreamflow } from './options.ts'
import { createQuotaBook } from './quota.ts'
import { edgeError, gatewayError } from './refusals.ts'

/** Lets requests in, or not: their size, their key, and how many there were. */
export interface Gate {
  admit(ask: Ask, key: string | undefined, at: number): Admission
  reset(): void
}

/** Groups of paths that are counted together. */
export type Family = 'water-data' | 'statistics' | 'navigation' | 'lookup' | 'other'

export function createGate(options: ResolvedStreamflow, clock: Clock): Gate {
  const book = createQuotaBook()
  const limiter = createLimiter({ requests: null, logins: null, perSecond: options.perSecond })
  const retryHeader = (waitMs: number): Record<string, string> => {
    if (options.retryAfter === null) return {}
    const seconds = Math.ceil(waitMs / 1000)
    const text = options.retryAfter === 'date' ? new Date(clock.now() + seconds * 1000).toUTCString() : String(seconds)
    return { 'retry-after': text }
  }

  return {
    admit(ask, key, at) {
      if (sizeOf(ask) > options.maxRequestBytes) return { refusal: edgeError(options.overLong), headers: {} }
      const format = ask.query.get('f')
      if (key !== undefined && options.keys !== null && !options.keys.includes(key)) {
        return { refusal: gatewayError('API_KEY_INVALID', format), headers: {} }
      }
      const pause = limiter.check(key ?? '', false, at)
      if (pause !== undefined)
        return { refusal: withHeaders(gatewayError('OVER_RATE_LIMIT', format), pause), headers: {} }
      const family = familyOf(ask.path)
      const limit = quotaOf(family, key, options)
      if (limit === null) return { headers: {} }
      const { limit: count, remaining, waitMs } = book.spend(`${family}|${key ?? ''}`, limit, at)
      const headers = { 'x-ratelimit-limit': String(count), 'x-ratelimit-remaining': String(remaining) }
      if (waitMs === 0) return { headers }
      return { headers, refusal: withHeaders(gatewayError('OVER_RATE_LIMIT', format), retryHeader(waitMs)) }
    },
    reset() {
      book.reset()
      limiter.reset()
    },
  }
}

function withHeaders(answer: Answer, headers: Readonly<Record<string, string>>): Answer {
  return { ...answer, headers: { ...answer.headers, ...headers } }
}

function sizeOf({ base, path, search, body }: Ask): number {
  return base.length + path.length + search.length + Buffer.byteLength(body)
}

/** Which group a path is counted with. */
export function familyOf(path: string): Family {
  if (path.startsWith('/statistics/')) return 'statistics'
  if (/^\/(ogcapi|ngwmn|stac|stac-files)\//.test(path)) return 'water-data'
  if (/^\/nldi\/.*\/navigation\//.test(path)) return 'navigation'
  return path.startsWith('/nldi/') ? 'lookup' : 'other'
}

function quotaOf(
  family: Family,
  key: string | undefined,
  { quotas }: ResolvedStreamflow,
): ResolvedStreamflow['quotas']['withKey'] {
  switch (family) {
    case 'statistics':
      return quotas.statistics
    case 'navigation':
      return quotas.navigations
    case 'lookup':
      return quotas.lookups
    case 'water-data':
      return key === undefined ? quotas.withoutKey : quotas.withKey
    case 'other':
      return null
  }
}

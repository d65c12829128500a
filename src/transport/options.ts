import type { Logger } from '../logger.ts'
import type { BackoffOptions, Backoff } from './backoff.ts'
import type { Cache, CacheOptions } from './cache-options.ts'
import type { RateLimit } from './rate-window.ts'
import type { RetryWhen } from './verdict.ts'

/** How a client asks. Every option can be given to the client and, for one call only, to a getter. */
export interface TransportOptions {
  /** Repeats after the first attempt of a request; 0 repeats nothing. @defaultValue 4 */
  readonly retries?: number | undefined
  /** The caller's own rule for what a failure deserves, built on the default one. */
  readonly retryWhen?: RetryWhen | undefined
  /** Waits between repeats. @defaultValue 500 ms doubling up to 30 s, fully jittered */
  readonly backoff?: BackoffOptions | undefined
  /** Longest wait that a service may ask for, milliseconds; a longer one fails the call at once. @defaultValue 60_000 */
  readonly retryAfterCapMs?: number | undefined
  /** Longest silence of a request, all attempts together, milliseconds; 0 never gives up for it. @defaultValue 60_000 */
  readonly stallMs?: number | undefined
  /** Longest time to get a connection, milliseconds. @defaultValue 10_000 */
  readonly connectTimeoutMs?: number | undefined
  /** Longest gap between two bytes of an answer, milliseconds. Not a duration: a slow body is never cut. @defaultValue 60_000 */
  readonly readTimeoutMs?: number | undefined
  /** Requests at a time. @defaultValue 8 */
  readonly concurrency?: number | undefined
  /** Request starts per second, every attempt counted; or windows of any length; `null` for none. @defaultValue set by the service */
  readonly rate?: number | RateLimit | readonly RateLimit[] | null | undefined
  /** How often a span that times out may be halved; 0 never splits. @defaultValue 2 */
  readonly maxSplitDepth?: number | undefined
  /** Whether a split teaches the chunks that follow to be smaller. @defaultValue true */
  readonly learnSpans?: boolean | undefined
  /** Length of a chunk: an ISO-8601 duration such as `'P30D'`, or milliseconds. @defaultValue set by the operation */
  readonly chunk?: string | number | undefined
  /** Requests of a service's quota that bulk work leaves for interactive work. @defaultValue 0 */
  readonly quotaReserve?: number | undefined
  /** Pages of one walk; more is an error, never a quiet end. @defaultValue 10_000 */
  readonly maxPages?: number | undefined
  /** Bytes of one answer, unpacked. @defaultValue 1 GiB */
  readonly maxBytes?: number | undefined
  /** Sent as `User-Agent`. @defaultValue headrace and its version */
  readonly userAgent?: string | undefined
  /** `'environment'` follows the usual proxy variables (never for loopback), `'none'` ignores them, or a proxy's address. @defaultValue 'environment' */
  readonly proxy?: string | undefined
  /**
   * Keeps answers on disk and uses them again: `true`, a folder, or `{ dir, maxBytes }`. How long, the adapter knows
   * for each kind of data. Needs the optional package `cacache`. @defaultValue false
   */
  readonly cache?: boolean | string | CacheOptions | undefined
  /** Asks for everything again, and keeps the new answers. @defaultValue false */
  readonly refresh?: boolean | undefined
  /** Sends nothing: answers from the cache, however old, or fails. @defaultValue false */
  readonly offline?: boolean | undefined
  /** Where to say what is done. Silent unless given; `console` fits. */
  readonly logger?: Logger | undefined
}

/** Options with every gap filled. Code below the resolver takes this type only. */
export interface ResolvedOptions {
  readonly retries: number
  readonly retryWhen: RetryWhen | undefined
  readonly backoff: Backoff
  readonly retryAfterCapMs: number
  readonly stallMs: number
  readonly connectTimeoutMs: number
  readonly readTimeoutMs: number
  readonly concurrency: number
  readonly rate: readonly RateLimit[]
  readonly maxSplitDepth: number
  readonly learnSpans: boolean
  readonly chunkMs: number | undefined
  readonly quotaReserve: number
  readonly maxPages: number
  readonly maxBytes: number
  readonly userAgent: string
  readonly proxy: string
  readonly cache: Cache | undefined
  readonly refresh: boolean
  readonly offline: boolean
  readonly logger: Logger
}

import fc from 'fast-check'
import type { CallOptions } from '../../src/index.ts'

/** How a query is asked, for, and taken up again: the part of a schedule that does not depend on the service. Plain JSON. */
export interface CallPlan {
  /** Collected whole, or handed on in batches. */
  readonly how: 'get' | 'stream'
  readonly concurrency: number
  readonly retries: number
  readonly maxSplitDepth: number
  readonly learnSpans: boolean
  readonly readTimeoutMs: number
  readonly stallMs: number
  readonly perSecond: number | null
  readonly onFailure: 'stop' | 'collect'
  readonly maxRows: number | null
  readonly maxRequests: number | null
  readonly deadlineMs: number | null
  /** When the caller loses patience. */
  readonly abortMs: number | null
  /** How long a consumer of batches takes for each. */
  readonly consumerMs: number
  /** After how many batches the consumer leaves. */
  readonly leaveAfter: number | null
  /** How an interrupted retrieval is taken up: by its error, or by its checkpoint and a client of another process. */
  readonly takeUp: 'resume' | 'checkpoint'
}

/** Times of a schedule are so many times shorter in reality. */
export const HASTE = 20

const BACKOFF = { baseDelayMs: 20, maxDelayMs: 100 }
/** Longest wait named by a server that is sat out. */
const CAP_MS = 3_000
/** After so long, the longest wait that any schedule names is over, with what is added to it. */
export const PAUSE_OVER_MS = 9_500

/** Most of the time absent. */
function rarely<T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | null> {
  return fc.oneof({ weight: 7, arbitrary: fc.constant(null) }, { weight: 1, arbitrary })
}

export function callPlans({ mostDepth }: { readonly mostDepth: number }): fc.Arbitrary<CallPlan> {
  return fc.record({
    how: fc.constantFrom('get', 'stream'),
    concurrency: fc.integer({ min: 1, max: 8 }),
    retries: fc.integer({ min: 0, max: 4 }),
    maxSplitDepth: fc.integer({ min: 0, max: mostDepth }),
    learnSpans: fc.boolean(),
    readTimeoutMs: fc.integer({ min: 1_200, max: 2_400 }),
    stallMs: fc.constantFrom(0, 3_000, 20_000),
    perSecond: fc.constantFrom(null, null, 20),
    onFailure: fc.constantFrom('stop', 'stop', 'collect'),
    maxRows: rarely(fc.integer({ min: 1, max: 300 })),
    maxRequests: rarely(fc.integer({ min: 1, max: 12 })),
    deadlineMs: rarely(fc.integer({ min: 100, max: 6_000 })),
    abortMs: rarely(fc.integer({ min: 0, max: 4_000 })),
    consumerMs: fc.constantFrom(0, 0, 60, 400),
    leaveAfter: fc.oneof(
      { weight: 3, arbitrary: fc.constant(null) },
      { weight: 1, arbitrary: fc.integer({ min: 1, max: 4 }) },
    ),
    takeUp: fc.constantFrom('resume', 'checkpoint'),
  })
}

/** Options of the client: what holds for every call. */
export function clientOptions(plan: CallPlan) {
  const { concurrency, retries, maxSplitDepth, learnSpans, readTimeoutMs, stallMs, perSecond } = plan
  const limits = { concurrency, retries, maxSplitDepth, learnSpans, readTimeoutMs, stallMs, rate: perSecond }
  return { ...limits, connectTimeoutMs: readTimeoutMs, backoff: BACKOFF, retryAfterCapMs: CAP_MS }
}

/** Bounds of the one call. */
export function callOptions(plan: CallPlan, signal: AbortSignal): CallOptions {
  const { onFailure, maxRows, maxRequests, deadlineMs } = plan
  return {
    signal,
    onFailure,
    ...(maxRows === null ? {} : { maxRows }),
    ...(maxRequests === null ? {} : { maxRequests }),
    ...(deadlineMs === null ? {} : { deadlineMs }),
  }
}

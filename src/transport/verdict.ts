import type { FailureFacts } from './failure.ts'

/**
 * What a failed attempt deserves: repeat it unchanged, ask for two smaller parts instead, get a new token and
 * repeat once, or give up.
 */
export type Verdict = 'retry' | 'split' | 'refresh' | 'fail'

/** What the verdict may know about the request. */
export interface RequestFacts {
  readonly operation: string
  readonly method: string
  /** Whether sending it twice is as good as sending it once. */
  readonly idempotent: boolean
  /** Whether it asks for a span that can still be asked for in parts. */
  readonly splittable: boolean
  /** Whether it asks for several identifiers, so that it can be asked for fewer at a time. @defaultValue false */
  readonly divisible?: boolean
  /** Which attempt failed, from 1. */
  readonly attempt: number
}

/** What a service means by its statuses. */
export interface ServicePolicy {
  /** Statuses that pass by themselves: the identical request is repeated. */
  readonly retryStatuses: readonly number[]
  /** Statuses that say a request is too much work: a span is split, anything else follows `onTimeout`. */
  readonly slowStatuses: readonly number[]
  /** Statuses that refuse a span for its length: it is split, and anything else fails. @defaultValue none */
  readonly splitStatuses?: readonly number[]
  /** Statuses that say a request names too much: its identifiers are divided. @defaultValue 413 and 414 */
  readonly tooLargeStatuses?: readonly number[]
  /** The same for a status that has other meanings as well: decides by the service's own words. @defaultValue never */
  readonly saysTooLarge?: (status: number, words: string) => boolean
  /** What a read time-out of a request without a span deserves. */
  readonly onTimeout: 'retry' | 'fail'
  /**
   * What a read time-out inside an answer deserves: that answer was not too slow to make.
   *
   * @defaultValue the same as any other time-out
   */
  readonly onStall?: 'retry'
  /**
   * What an answer that was cut short once more deserves: a service that breaks off under too much work.
   *
   * @defaultValue the same request again, as often as is allowed
   */
  readonly onLost?: 'split'
}

/** A caller's own rule. Build on the default by calling it: `(f, r, d) => f.status === 520 ? 'retry' : d(f, r)`. */
export type RetryWhen = (
  failure: FailureFacts,
  request: RequestFacts,
  defaultVerdict: (failure: FailureFacts, request: RequestFacts) => Verdict,
) => Verdict

/** Status meanings of a service about which nothing more is known. */
export const DEFAULT_POLICY: ServicePolicy = Object.freeze({
  retryStatuses: Object.freeze([502, 503]),
  slowStatuses: Object.freeze([504]),
  onTimeout: 'fail',
})

/**
 * The rule that applies unless the caller brings another.
 *
 * A time-out is never answered with the same request again by this rule unless the service's policy says so: a
 * request that was too slow once is too slow twice, and the service is still busy with the first.
 *
 * @param policy - what the service means by its statuses
 */
export function defaultVerdict(
  failure: FailureFacts,
  request: RequestFacts,
  policy: ServicePolicy = DEFAULT_POLICY,
): Verdict {
  switch (failure.class) {
    case 'not_connected':
      return 'retry'
    case 'lost':
      if (!request.idempotent) return 'fail'
      return policy.onLost === 'split' && isSecond(request) ? 'split' : 'retry'
    case 'incomplete':
      if (!request.idempotent) return 'fail'
      return isSecond(request) ? 'split' : 'retry'
    case 'read_timeout':
      if (failure.begun && policy.onStall === 'retry') return request.idempotent ? 'retry' : 'fail'
      return tooSlow(request, policy)
    case 'status':
      return verdictOnStatus(failure, request, policy)
    default:
      return 'fail'
  }
}

/**
 * For `retryWhen`: also repeats, unchanged, what timed out after sending. A widening: the service may do the same
 * work once more for every repeat.
 */
export const retryReadTimeouts: RetryWhen = (failure, request, byDefault) =>
  failure.class === 'read_timeout' && request.idempotent ? 'retry' : byDefault(failure, request)

function verdictOnStatus(
  { status = 0, serverMessage }: FailureFacts,
  request: RequestFacts,
  policy: ServicePolicy,
): Verdict {
  if (status === 401) return 'refresh'
  if (status === 429) return 'retry'
  if (isTooLarge(status, policy, serverMessage)) return request.divisible ? 'split' : 'fail'
  if (policy.splitStatuses?.includes(status)) return request.idempotent && request.splittable ? 'split' : 'fail'
  if (policy.slowStatuses.includes(status)) return tooSlow(request, policy)
  return policy.retryStatuses.includes(status) && request.idempotent ? 'retry' : 'fail'
}

/** Whether a status, or the service's words beside it, say that a request names too much. */
export function isTooLarge(status: number | undefined, policy: ServicePolicy, words = ''): boolean {
  const { tooLargeStatuses = [413, 414], saysTooLarge } = policy
  return status !== undefined && (tooLargeStatuses.includes(status) || saysTooLarge?.(status, words) === true)
}

/** Whether it was repeated in vain and can be asked for in parts. */
function isSecond({ attempt, splittable, divisible = false }: RequestFacts): boolean {
  return attempt > 1 && (splittable || divisible)
}

function tooSlow(request: RequestFacts, policy: ServicePolicy): Verdict {
  if (!request.idempotent) return 'fail'
  return request.splittable ? 'split' : policy.onTimeout
}

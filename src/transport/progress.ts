import { redactUrl } from '../redact.ts'
import { sleep } from '../clock.ts'
import { SERVER_WAIT_JITTER_MS, backoffMs } from './backoff.ts'
import type { Call } from './call.ts'
import { explain, type GaveUp } from './explain.ts'
import type { Failure } from './failure.ts'
import { readQuota } from './quota.ts'
import { requestIdIn } from './request-id.ts'
import type { Endpoint, RequestEnd, RequestSpec } from './request-spec.ts'
import { createStallBudget, type StallBudget } from './stall-budget.ts'
import { defaultVerdict, isTooLarge, type RequestFacts, type Verdict } from './verdict.ts'

/** One request while it is tried: what has been done for it, and whether to go on. */
export interface Progress {
  readonly budget: StallBudget
  /** Times sent. */
  attempts: number
  /** Time spent queueing, backing off and waiting as told, milliseconds. */
  waitedMs: number
  /** Repeats used up. */
  readonly retries: number
  /** Headers of the newest answer. */
  lastHeaders: Readonly<Record<string, string>>
  /** Whether the identical request is sent again; plans the wait before it. */
  again(failure: Failure): boolean
  /** The planned wait. */
  wait(): Promise<void>
  verdictOn(failure: Failure): Verdict
  /** Whether another token may be tried: once, and once more while others renew it under our feet. */
  mayRefresh(failure: Failure): boolean
  failed(failure: Failure): RequestEnd<never>
}

/** More renewals than this for one request, and the service is not going to be satisfied. */
const MOST_REFRESHES = 3

export function trackProgress<T>(
  endpoint: Endpoint,
  spec: RequestSpec<T>,
  call: Call,
  carried: () => { readonly stale: boolean } | undefined,
): Progress {
  const { clock, options, random } = call
  const budget = createStallBudget(options.stallMs, clock.monotonic())
  let retries = 0
  let refreshes = 0
  let gaveUp: GaveUp
  /** A caller's rule is asked once about each failure: it may count. */
  const verdicts = new WeakMap<Failure, Verdict>()
  let planned: { readonly ms: number; readonly named: boolean } = { ms: 0, named: false }

  const facts = (): RequestFacts => ({
    operation: call.operation,
    method: spec.method,
    idempotent: spec.idempotent ?? spec.method === 'GET',
    splittable: spec.splittable ?? false,
    divisible: spec.divisible ?? false,
    attempt: progress.attempts,
  })
  const byDefault = (failure: Parameters<typeof defaultVerdict>[0], request: RequestFacts): Verdict =>
    defaultVerdict(failure, request, spec.policy ?? endpoint.policy)

  const progress: Progress = {
    budget,
    attempts: 0,
    waitedMs: 0,
    lastHeaders: {},
    get retries() {
      return retries
    },
    verdictOn(failure) {
      const verdict =
        verdicts.get(failure) ?? options.retryWhen?.(failure, facts(), byDefault) ?? byDefault(failure, facts())
      verdicts.set(failure, verdict)
      return verdict
    },
    again(failure) {
      gaveUp = undefined
      if (progress.verdictOn(failure) !== 'retry') return false
      const hint = failure.retryAfterMs
      const ms =
        hint === undefined ? backoffMs(retries + 1, options.backoff, random) : hint + random() * SERVER_WAIT_JITTER_MS
      const now = clock.monotonic()
      if (now + ms >= call.deadlineAt) gaveUp = 'deadline'
      // A millisecond on top, so that a read time-out that is as long as the budget uses it up.
      if (retries > 0 && budget.spent(now + 1)) gaveUp = 'stalled'
      // A wait that nobody would sit out says most about what to do, whatever else is over as well.
      if (hint !== undefined && hint > options.retryAfterCapMs) gaveUp = 'server_wait'
      if (gaveUp !== undefined) return false
      retries += 1
      planned = { ms, named: hint !== undefined }
      call.emit({
        type: 'retry',
        url: endpoint.redact(redactUrl(spec.url)),
        attempt: progress.attempts + 1,
        waitMs: ms,
        reason: endpoint.redact(failure.message),
      })
      return true
    },
    async wait() {
      const { ms, named } = planned
      const before = clock.monotonic()
      call.emit({
        type: 'wait',
        reason: named ? 'server' : 'backoff',
        ms,
        silentMs: budget.silentMs(before),
        stallMs: options.stallMs,
      })
      await sleep(clock, ms, call.signal)
      const now = clock.monotonic()
      progress.waitedMs += now - before
      if (named) budget.credit(now - before, now)
    },
    mayRefresh(failure) {
      if (progress.verdictOn(failure) !== 'refresh' || endpoint.credential === undefined) return false
      const token = carried()
      if (token === undefined || refreshes >= MOST_REFRESHES || (refreshes > 0 && !token.stale)) return false
      refreshes += 1
      return true
    },
    failed(failure) {
      const headers = failure.headers ?? progress.lastHeaders
      const verdict = progress.verdictOn(failure)
      const error = explain(
        failure,
        {
          service: call.service,
          operation: call.operation,
          method: spec.method,
          url: endpoint.redact(redactUrl(spec.url)),
          span: spec.span,
          depth: spec.depth ?? 0,
          attempts: progress.attempts,
          gaveUp:
            gaveUp ??
            (isTooLarge(failure.status, spec.policy ?? endpoint.policy, failure.serverMessage)
              ? 'too_large'
              : undefined),
          silentMs: budget.silentMs(clock.monotonic()),
          requestId: requestIdIn(headers, endpoint.redact),
          quotaRemaining: readQuota(headers, 0)?.remaining,
          pagesRead: spec.page === undefined ? undefined : spec.page - 1,
        },
        options,
        endpoint.redact,
      )
      return {
        ok: false,
        split: verdict === 'split',
        begun: failure.begun ?? false,
        error,
      }
    },
  }
  return progress
}

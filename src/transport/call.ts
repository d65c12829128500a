import { setMaxListeners } from 'node:events'
import type { Clock, Random } from '../clock.ts'
import { QueryError } from '../errors.ts'
import { parseInstant, type InstantInput } from '../time.ts'
import { onAbort } from './abort-watch.ts'
import { createEmitter, type Emit, type RetrievalEvent } from './events.ts'
import { Failure } from './failure.ts'
import type { Priority } from './lanes.ts'
import type { ResolvedOptions, TransportOptions } from './options.ts'

/** What can be said about one call, beside any transport option for this call only. */
export interface CallOptions extends TransportOptions {
  /** Ends the call; it then rejects with the signal's own reason. */
  readonly signal?: AbortSignal | undefined
  /** Longest time for the whole call, milliseconds. */
  readonly deadlineMs?: number | undefined
  /** Instant after which the answer is worthless. */
  readonly expiresAt?: InstantInput | undefined
  /** Most requests the call may send, every attempt counted. */
  readonly maxRequests?: number | undefined
  /** Most rows the call returns; what is returned does not depend on how the call was divided. */
  readonly maxRows?: number | undefined
  /** Interactive requests go first. @defaultValue 'interactive' for getters, 'bulk' for streams */
  readonly priority?: Priority | undefined
  /** Hears everything that happens. */
  readonly onEvent?: ((event: RetrievalEvent) => void) | undefined
  /** `'collect'` finishes the other parts when one fails, and lists what is missing; a stream lists it in an error at its end. With `maxRows` the first failure stops all the same. @defaultValue 'stop' */
  readonly onFailure?: 'stop' | 'collect' | undefined
}

/** Names of the options that are about a call, not about the transport. */
export const CALL_OPTIONS = [
  'signal',
  'deadlineMs',
  'expiresAt',
  'maxRequests',
  'maxRows',
  'priority',
  'onEvent',
  'onFailure',
] as const

/** One call of a getter while it runs: its bounds, its voice, and the one signal that ends everything it started. */
export interface Call {
  readonly service: string
  readonly operation: string
  readonly options: ResolvedOptions
  readonly priority: Priority
  readonly clock: Clock
  readonly random: Random
  readonly emit: Emit
  /** Aborted when the caller aborts, at the deadline, and when the call is over. */
  readonly signal: AbortSignal
  /** Monotonic instant of the deadline. */
  readonly deadlineAt: number
  readonly startedAt: number
  /** Counts a request about to be sent. @throws Failure when no more may be sent */
  spendRequest(): void
  /** Requests sent so far. */
  readonly requestsSent: number
  /** Whether the call may send no more. */
  readonly spent: boolean
  /** Ends everything that the call started. */
  stop(reason: unknown): void
  /** Leaves nothing behind: no timer, no listener on the caller's signal. */
  close(): void
}

/** What a call is made from. */
export interface CallSetup {
  readonly service: string
  readonly operation: string
  readonly options: ResolvedOptions
  readonly call: CallOptions
  readonly priority: Priority
  readonly clock: Clock
  readonly random: Random
}

/** @throws QueryError for what makes no sense; the signal's own reason, when it is aborted already */
export function beginCall({ service, operation, options, call, priority, clock, random }: CallSetup): Call {
  checkWords(call)
  call.signal?.throwIfAborted()
  const controller = new AbortController()
  // Every piece of a wide pull listens to this one signal; that many listeners are no leak.
  setMaxListeners(0, controller.signal)
  const startedAt = clock.monotonic()
  const deadlineIn = Math.min(bound(call.deadlineMs, 'deadlineMs'), untilExpiry(call.expiresAt, clock.now()))
  const deadlineAt = startedAt + deadlineIn
  const mostRequests = bound(call.maxRequests, 'maxRequests')
  let requestsSent = 0

  const { signal } = call
  const unwatch = signal && onAbort(signal, () => controller.abort(signal.reason))
  const expire = (): void => controller.abort(deadlineFailure(deadlineIn))
  if (deadlineIn <= 0) expire()
  const disarm = Number.isFinite(deadlineIn) && deadlineIn > 0 ? clock.after(deadlineIn, expire) : undefined

  return {
    service,
    operation,
    options,
    clock,
    random,
    deadlineAt,
    startedAt,
    priority: call.priority ?? priority,
    emit: createEmitter({ service, operation, now: () => clock.now(), logger: options.logger, listener: call.onEvent }),
    signal: controller.signal,
    spendRequest() {
      if (requestsSent >= mostRequests) {
        throw new Failure(`the call may send no more than ${mostRequests} requests (maxRequests)`, {
          class: 'requests_spent',
        })
      }
      requestsSent += 1
    },
    get requestsSent() {
      return requestsSent
    },
    get spent() {
      return requestsSent >= mostRequests
    },
    stop: reason => controller.abort(reason),
    close() {
      disarm?.()
      unwatch?.()
    },
  }
}

/**
 * The cap on rows, none being endless.
 *
 * @throws QueryError when it is none
 */
export function mostRows({ maxRows }: CallOptions): number {
  if (maxRows === undefined) return Number.POSITIVE_INFINITY
  if (Number.isInteger(maxRows) && maxRows > 0) return maxRows
  throw new QueryError(`maxRows must be a whole number, 1 or more; got ${String(maxRows)}`, {
    argument: 'maxRows',
    value: maxRows,
  })
}

/** Callers without a compiler hand in anything; what is wrong is found here, not in the middle of the call. */
function checkWords({ signal, priority, onEvent, onFailure }: CallOptions): void {
  const refuse = (argument: string, must: string, value: unknown): never => {
    throw new QueryError(
      `${argument} must be ${must}; got ${typeof value === 'string' ? `'${value}'` : typeof value}`,
      {
        argument,
        value,
      },
    )
  }
  if (priority !== undefined && !['interactive', 'bulk'].includes(priority))
    refuse('priority', "'interactive' or 'bulk'", priority)
  if (onFailure !== undefined && !['stop', 'collect'].includes(onFailure))
    refuse('onFailure', "'stop' or 'collect'", onFailure)
  if (onEvent !== undefined && typeof onEvent !== 'function') refuse('onEvent', 'a function', onEvent)
  if ((signal ?? undefined) !== undefined && !isSignal(signal))
    refuse('signal', 'an AbortSignal, such as controller.signal', signal)
}

function isSignal(value: unknown): boolean {
  const { addEventListener, throwIfAborted } = Object(value) as Partial<AbortSignal>
  return typeof addEventListener === 'function' && typeof throwIfAborted === 'function'
}

/** The failure of a call whose time is over. */
export function deadlineFailure(ms: number): Failure {
  return new Failure(
    ms <= 0 ? 'the answer had expired before it was asked for' : `the deadline of ${Math.round(ms)} ms came first`,
    { class: 'deadline' },
  )
}

function bound(value: number | undefined, argument: 'deadlineMs' | 'maxRequests'): number {
  if (value === undefined || value === Number.POSITIVE_INFINITY) return Number.POSITIVE_INFINITY
  const whole = argument === 'maxRequests'
  if (typeof value === 'number' && value >= 0 && (!whole || Number.isInteger(value))) return value
  throw new QueryError(`${argument} must be a ${whole ? 'whole ' : ''}number, 0 or more; got ${String(value)}`, {
    argument,
    value,
  })
}

function untilExpiry(expiresAt: InstantInput | undefined, now: number): number {
  return expiresAt === undefined ? Number.POSITIVE_INFINITY : parseInstant(expiresAt, 'expiresAt') - now
}

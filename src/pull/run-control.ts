import { setMaxListeners } from 'node:events'
import type { Clock } from '../clock.ts'
import { QueryError } from '../errors.ts'
import type { RunOptions } from './options.ts'
import type { ProgressBoard } from './progress.ts'
import type { PullFailureKind } from './pull-error.ts'

/** Why nothing more is done. */
export interface Halt {
  readonly kind: Extract<PullFailureKind, 'stopped' | 'deadline' | 'budget' | 'failed' | 'disk'>
  readonly reason: string
  /** What went wrong, where something did. */
  readonly cause?: Error
}

/** The bounds of a run: who may still start, and when everything ends. */
export interface RunControl {
  /** Aborted when everything is to end at once. */
  readonly signal: AbortSignal
  /** Set as soon as nothing new may start. */
  readonly halt: Halt | undefined
  /** Starts nothing new; ends what runs, too, unless it is told to be patient. */
  stop(halt: Halt, graceMs?: number): void
  /** @throws the reason, once nothing new may start: for work between two steps */
  goOn(): void
  /** Counts a request that is sent. */
  countRequest(): void
  /** Leaves no timer and no listener behind. */
  close(): void
}

const GRACE_MS = 10_000

/**
 * @param board - counts the requests, and is told when nothing new starts
 * @throws QueryError for a bound that makes no sense
 */
export function openControl(options: RunOptions, clock: Clock, board: ProgressBoard): RunControl {
  const { signal, stop } = options
  const graceMs = bound(options.graceMs ?? GRACE_MS, 'graceMs')
  const deadlineMs = bound(options.deadlineMs, 'deadlineMs')
  const maxRequests = bound(options.maxRequests, 'maxRequests')
  const controller = new AbortController()
  // Every task listens to this one signal.
  setMaxListeners(0, controller.signal)
  const cancels: (() => void)[] = []
  let halt: Halt | undefined

  const end = (given: Halt, patienceMs = 0): void => {
    if (halt === undefined) {
      halt = given
      board.tell({ type: 'stopping', reason: given.reason })
    }
    const abort = (): void => controller.abort(new DOMException(given.reason, 'AbortError'))
    if (patienceMs > 0) cancels.push(clock.after(patienceMs, abort))
    else abort()
  }
  const listen = (source: AbortSignal | undefined, then: () => void): void => {
    if (source === undefined) return
    if (source.aborted) return then()
    source.addEventListener('abort', then, { once: true })
    cancels.push(() => source.removeEventListener('abort', then))
  }
  listen(signal, () => end({ kind: 'stopped', reason: 'it was ended at once' }))
  listen(stop, () => end({ kind: 'stopped', reason: 'it was asked to stop' }, graceMs))
  if (Number.isFinite(deadlineMs)) {
    const expire = (): void => end({ kind: 'deadline', reason: `the deadline of ${deadlineMs} ms came first` })
    if (deadlineMs === 0) expire()
    else cancels.push(clock.after(deadlineMs, expire))
  }
  return {
    signal: controller.signal,
    get halt() {
      return halt
    },
    stop: end,
    goOn() {
      if (halt !== undefined) throw new DOMException(halt.reason, 'AbortError')
    },
    countRequest() {
      if (board.requests < maxRequests) board.requests += 1
      else end({ kind: 'budget', reason: `no more than ${maxRequests} requests may be sent (maxRequests)` })
    },
    close() {
      for (const cancel of cancels) cancel()
    },
  }
}

function bound(value: number | undefined, argument: 'deadlineMs' | 'maxRequests' | 'graceMs'): number {
  if (value === undefined) return Number.POSITIVE_INFINITY
  if (typeof value === 'number' && value >= 0) return value
  throw new QueryError(`${argument} must be a number, 0 or more; got ${String(value)}`, { argument, value })
}

import type { Clock } from '../clock.ts'
import type { CallOptions } from './call.ts'

/** Bounds of several calls that are one to the caller. */
export interface SharedBounds {
  /**
   * Options for the next of them: what those before have used up of `deadlineMs` and `maxRequests` is taken off.
   *
   * @param own - its options, where they are others beside the bounds
   */
  next(own?: CallOptions): CallOptions
  /** Requests that all of them have sent. */
  readonly sent: number
}

/** A bound that makes no sense stays as it is, to be refused. */
export function shareBounds(call: CallOptions, clock: Clock): SharedBounds {
  const { deadlineMs, maxRequests, onEvent } = call
  const startedAt = clock.monotonic()
  let sent = 0
  const counting: NonNullable<CallOptions['onEvent']> = event => {
    if (event.type === 'attempt') sent += 1
    // What it returns may be a promise, which whoever calls looks after.
    return onEvent?.(event)
  }
  const left = (bound: number, used: number): number => (bound > 0 ? Math.max(0, bound - used) : bound)
  return {
    next: (own = call) => ({
      ...own,
      onEvent: counting,
      ...(typeof deadlineMs === 'number' ? { deadlineMs: left(deadlineMs, clock.monotonic() - startedAt) } : {}),
      ...(typeof maxRequests === 'number' ? { maxRequests: left(maxRequests, sent) } : {}),
    }),
    get sent() {
      return sent
    },
  }
}

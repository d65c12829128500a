/**
 * Bounds how long a request may go without receiving anything, all attempts together. Silence, not duration:
 * bytes start it anew, and time in which nothing could have come (queueing, a wait the service named, a login)
 * is credited back. It is asked between attempts only and never cuts one that is under way.
 */
export interface StallBudget {
  /** Something arrived: silence starts from here. */
  heard(now: number): void
  /** A stretch that does not count as silence. */
  credit(ms: number, now: number): void
  /** Silence so far, milliseconds. */
  silentMs(now: number): number
  /** Whether the silence is longer than allowed. */
  spent(now: number): boolean
}

/**
 * @param limitMs - longest allowed silence; 0 never ends
 * @param now - start of the silence, on the same monotonic clock as all later calls
 */
export function createStallBudget(limitMs: number, now: number): StallBudget {
  let since = now
  return {
    heard(at) {
      since = at
    },
    credit(ms, at) {
      since = Math.min(at, since + ms)
    },
    silentMs: at => at - since,
    spent: at => limitMs > 0 && at - since > limitMs,
  }
}

/** At most `requests` starts in any window of `perMs`, wherever the window is laid. */
export interface RateLimit {
  readonly requests: number
  readonly perMs: number
}

/** A request as the rate sees it. What counts is when it arrives, which nobody tells us: it is narrowed down. */
export interface Start {
  /** Monotonic instant: of the start, then of the last byte written, then the latest at which it can have arrived. */
  at: number
  /** Whether it is written to its connection. Until then it may still arrive at any later instant. */
  sent: boolean
  /** Whether an answer has shown that it arrived. */
  arrived: boolean
}

/** Added to every window: clocks and timers on both sides are not exact. */
const WINDOW_MARGIN_MS = 25
/** Unless an answer proves it earlier, a request is taken to arrive so long after it was written. */
export const LONGEST_WAY_MS = 75

/**
 * When the next request may start without any window ever holding more than its limit.
 *
 * A start counts from the latest instant at which it can have arrived, not from the instant it was allowed: a slow
 * handshake or a busy process would otherwise let two bursts arrive together.
 *
 * @param starts - what has been started before, in order
 * @param limits - every window must hold
 * @returns an instant (now or later), or `undefined` when that depends on a request not yet on the wire
 */
export function nextStart(starts: readonly Start[], limits: readonly RateLimit[], now: number): number | undefined {
  const instants = starts.map(start => (start.sent ? latestArrival(start) : now)).sort((a, b) => a - b)
  const unsent = starts.filter(start => !start.sent).length
  let earliest = now
  for (const { requests, perMs } of limits) {
    if (unsent >= requests) return undefined
    // With this one out of the window, there is room for one more.
    const leaving = instants[instants.length - requests]
    if (leaving !== undefined) earliest = Math.max(earliest, leaving + perMs + WINDOW_MARGIN_MS)
  }
  return earliest
}

/** Starts that no window looks at any more, taken out from the front. */
export function forgetOld(starts: Start[], longestMs: number, now: number): void {
  const keep = starts.findIndex(start => !start.sent || now - latestArrival(start) < longestMs + WINDOW_MARGIN_MS)
  starts.splice(0, keep < 0 ? starts.length : keep)
}

function latestArrival({ at, arrived }: Start): number {
  return arrived ? at : at + LONGEST_WAY_MS
}

/** The same limits made slower, never below one request. */
export function slower(limits: readonly RateLimit[], pace: number): RateLimit[] {
  return limits.map(({ requests, perMs }) => {
    const scaled = requests * pace
    return scaled >= 1 ? { requests: Math.floor(scaled), perMs } : { requests: 1, perMs: perMs / scaled }
  })
}

/**
 * What a client has learned about how much a service answers in time, for one operation and series. A split
 * makes the pieces that follow smaller, so that a long pull pays for the lesson once; quick answers make them
 * larger again.
 */
export interface SpanLessons {
  /** Length to plan with, never above `chunkMs`. */
  size(chunkMs: number): number
  /** A span was too slow; `halfMs` is asked for instead. Returns the new length if it changed. */
  tooSlow(halfMs: number): number | undefined
  /** A span answered. Returns the new length if it changed; `undefined` when it stayed. */
  answered(spanMs: number, elapsedMs: number, readTimeoutMs: number): number | undefined
}

/** An answer in less than this share of the read time-out leaves room for twice the span. */
const QUICK_SHARE = 1 / 8
const FIRST_PATIENCE = 8
const MOST_PATIENCE = 1024
/** A piece counts as a try of the learned size when it is nearly that long. */
const NEARLY = 0.9

export function createSpanLessons(): SpanLessons {
  let limit = Number.POSITIVE_INFINITY
  let quick = 0
  let patience = FIRST_PATIENCE
  let grown = false
  return {
    size: chunkMs => Math.min(chunkMs, limit),
    tooSlow(halfMs) {
      quick = 0
      // Growing back was too early: wait for more evidence before the next try.
      if (grown) patience = Math.min(MOST_PATIENCE, patience * 2)
      grown = false
      if (halfMs >= limit) return undefined
      limit = halfMs
      return limit
    },
    answered(spanMs, elapsedMs, readTimeoutMs) {
      if (!Number.isFinite(limit) || spanMs < limit * NEARLY) return undefined
      quick = elapsedMs < readTimeoutMs * QUICK_SHARE ? quick + 1 : 0
      if (quick < patience) return undefined
      quick = 0
      grown = true
      limit *= 2
      return limit
    },
  }
}

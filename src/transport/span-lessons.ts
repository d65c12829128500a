/**
 * What a client has learned about how much a service answers in time, for one operation and series. A split
 * makes the pieces that follow smaller, so that a long pull pays for the lesson once. After many quick answers one
 * piece tries a larger size; only when it is answered do the others follow.
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
/** Quick answers in a row before a larger span is tried; doubles with every try that was too early. */
const FIRST_PATIENCE = 16
const MOST_PATIENCE = 1024
/** A piece counts as a try of a size when it is nearly that long. */
const NEARLY = 0.9

export function createSpanLessons(): SpanLessons {
  let limit = Number.POSITIVE_INFINITY
  let quick = 0
  let patience = FIRST_PATIENCE
  /** A larger size that one piece, and only one, is trying out. */
  let probe: number | undefined
  return {
    size(chunkMs) {
      if (probe === undefined && quick >= patience && limit < chunkMs) {
        probe = Math.min(chunkMs, limit * 2)
        quick = 0
        return probe
      }
      return Math.min(chunkMs, limit)
    },
    tooSlow(halfMs) {
      quick = 0
      if (probe !== undefined && halfMs >= limit * NEARLY) {
        probe = undefined
        patience = Math.min(MOST_PATIENCE, patience * 2)
      }
      if (halfMs >= limit) return undefined
      limit = halfMs
      return limit
    },
    answered(spanMs, elapsedMs, readTimeoutMs) {
      if (!Number.isFinite(limit) || spanMs < limit * NEARLY) return undefined
      if (probe !== undefined && spanMs >= probe * NEARLY) {
        limit = probe
        probe = undefined
        quick = 0
        return limit
      }
      quick = elapsedMs < readTimeoutMs * QUICK_SHARE ? quick + 1 : 0
      return undefined
    },
  }
}

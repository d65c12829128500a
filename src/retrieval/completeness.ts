import type { Span, SpanMs } from '../span.ts'
import { spanOf } from '../span.ts'

/** A stretch of which nothing came, both ends included. */
export interface MissingSpan extends Span {
  /** Of which series, where a result holds several. */
  readonly series?: string
}

/** What was expected, what came, and what is missing. Only where the cadence is known. */
export interface Completeness {
  /** Instants that the span holds at the service's cadence. */
  readonly expected: number
  /** How many of them came. */
  readonly received: number
  /** Stretches of which nothing came, both ends included. A hole is reported, never filled. */
  readonly missing: readonly MissingSpan[]
}

/**
 * Compares the instants that came with the grid that was asked for.
 *
 * @param instants - epoch milliseconds, ascending; repeats are counted once
 * @param periodMs - the service's cadence; the grid is its whole multiples
 */
export function measureCompleteness(
  instants: Iterable<number>,
  { start, end }: SpanMs,
  periodMs: number,
): Completeness {
  const last = Math.floor(end / periodMs) * periodMs
  let next = Math.ceil(start / periodMs) * periodMs
  const expected = Math.max(0, (last - next) / periodMs + 1)
  const missing: Span[] = []
  let received = 0
  for (const at of instants) {
    if (at < next || at > last || at % periodMs !== 0) continue
    if (at > next) missing.push(spanOf({ start: next, end: at - periodMs }))
    received += 1
    next = at + periodMs
  }
  if (next <= last) missing.push(spanOf({ start: next, end: last }))
  return { expected, received, missing }
}

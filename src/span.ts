/** A stretch of time, both ends included. */
export interface Span {
  readonly start: Date
  readonly end: Date
}

/** A stretch of time in epoch milliseconds, both ends included. */
export interface SpanMs {
  readonly start: number
  readonly end: number
}

/** A span as rows and errors show it. */
export function spanOf({ start, end }: SpanMs): Span {
  return { start: new Date(start), end: new Date(end) }
}

/** Joins spans that meet or overlap; `step` is how far apart neighbours may be and still meet. */
export function mergeSpans(spans: readonly SpanMs[], step: number): SpanMs[] {
  const merged: { start: number; end: number }[] = []
  for (const { start, end } of [...spans].sort((a, b) => a.start - b.start)) {
    const last = merged.at(-1)
    if (last && start - last.end <= step) last.end = Math.max(last.end, end)
    else merged.push({ start, end })
  }
  return merged
}

/**
 * What remains of spans when others are taken out.
 *
 * @param step - how far before a taken span's start the remaining part ends (0 where neighbours share an instant)
 */
export function subtractSpans(whole: readonly SpanMs[], taken: readonly SpanMs[], step: number): SpanMs[] {
  let remaining = [...whole]
  for (const { start, end } of taken) {
    remaining = remaining.flatMap(span => {
      if (end < span.start || start > span.end) return [span]
      const before = { start: span.start, end: start - step }
      const after = { start: end + step, end: span.end }
      return [
        ...(start > span.start && before.end >= before.start ? [before] : []),
        ...(end < span.end && after.start <= after.end ? [after] : []),
      ]
    })
  }
  return remaining
}

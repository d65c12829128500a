import { mergeSpans, spanOf, type SpanMs } from '../../span.ts'
import type { AnyRow, Completeness, MissingSpan } from '../../retrieval/index.ts'
import { spansOf, type Piece } from '../../transport/index.ts'

/** How to tell which samples of a series were due. */
export interface Cadence<Row> {
  /** Whole multiples of this are due, milliseconds. */
  readonly periodMs: number
  /** Nothing later is due, epoch milliseconds. */
  readonly dueUntil: number
  readonly seriesOf: (row: Row) => unknown
  readonly instantOf: (row: Row) => number | undefined
}

/** How far a series has been looked at. */
interface Progress {
  next: number
  received: number
  readonly missing: MissingSpan[]
}

/**
 * What the asked span holds at the series' cadence, and what came of it, for every series of which anything came. A
 * series that never came cannot be told from one that does not exist.
 *
 * @param rows - sorted by time within a series
 */
export function seriesCompleteness<Row extends AnyRow>(cadence: Cadence<Row>) {
  return (rows: readonly Row[], _meta: unknown, asked: readonly Piece[]): Completeness | undefined => {
    const parts = mergeSpans(spansOf(asked), cadence.periodMs).map(span => measureSpan(rows, span, cadence))
    if (parts.length === 0) return undefined
    return {
      expected: parts.reduce((sum, part) => sum + part.expected, 0),
      received: parts.reduce((sum, part) => sum + part.received, 0),
      missing: parts.flatMap(part => part.missing),
    }
  }
}

function measureSpan<Row>(
  rows: readonly Row[],
  { start, end }: SpanMs,
  { periodMs, dueUntil, seriesOf, instantOf }: Cadence<Row>,
): Completeness {
  const first = Math.ceil(start / periodMs) * periodMs
  const last = Math.floor(Math.min(end, dueUntil) / periodMs) * periodMs
  const known = new Map<string, Progress>()
  let current: Progress | undefined
  let currentSeries: unknown
  for (const row of rows) {
    const series = seriesOf(row)
    const at = instantOf(row)
    if (typeof series !== 'string' || at === undefined || at < first || at > last || at % periodMs !== 0) continue
    if (current === undefined || series !== currentSeries) {
      current = known.get(series) ?? { next: first, received: 0, missing: [] }
      known.set(series, current)
      currentSeries = series
    }
    if (at < current.next) continue
    if (at > current.next) current.missing.push({ ...spanOf({ start: current.next, end: at - periodMs }), series })
    current.received += 1
    current.next = at + periodMs
  }
  const due = Math.max(0, (last - first) / periodMs + 1)
  for (const [series, { next, missing }] of known)
    if (next <= last) missing.push({ ...spanOf({ start: next, end: last }), series })
  return {
    expected: due * known.size,
    received: [...known.values()].reduce((sum, { received }) => sum + received, 0),
    missing: [...known.values()].flatMap(({ missing }) => missing),
  }
}

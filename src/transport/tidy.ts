import type { SpanMs } from '../span.ts'

/** How rows of an operation are compared. */
export interface RowOrder<Row> {
  /** Order of the result. Rows that compare as equal stand for the same sample. */
  readonly compare: (a: Row, b: Row) => number
  /** Instant by which the asked span selects, epoch milliseconds; `undefined` when a row has none. */
  readonly instant: (row: Row) => number | undefined
  /** Whether two rows for the same sample say the same. */
  readonly equal: (a: Row, b: Row) => boolean
  /** When a row was last revised, epoch milliseconds; the newest goes first among rows for one sample. */
  readonly revised?: ((row: Row) => number) | undefined
}

/** Rows put in order, with a count of what was left out. */
export interface Tidied<Row> {
  readonly rows: Row[]
  readonly outside: number
  readonly merged: number
  /** Samples for which rows with different values are kept. */
  readonly differing: number
}

/**
 * Puts the rows of one response in order: drops what lies outside the asked span, merges exact duplicates, keeps
 * differing rows for one sample side by side with the last revised first. Rows that come in order are not copied.
 *
 * @param startsAfter - whether rows right at the start of the span came with the piece in front: they are duplicates
 */
export function tidy<Row>(
  rows: Row[],
  span: SpanMs | undefined,
  order: RowOrder<Row>,
  startsAfter = false,
): Tidied<Row> {
  const inside =
    span === undefined || rows.every(row => isInside(row, span, order))
      ? rows
      : rows.filter(row => isInside(row, span, order))
  const outside = rows.length - inside.length
  const own = startsAfter ? inside.filter(row => order.instant(row) !== span?.start) : inside
  if (isAscending(own, order)) return { rows: own, outside, merged: inside.length - own.length, differing: 0 }
  const { compare, equal, revised } = order
  const sorted = [...own].sort((a, b) => compare(a, b) || (revised ? revised(b) - revised(a) : 0))
  const kept: Row[] = []
  let differing = 0
  let sampleFrom = 0
  for (const row of sorted) {
    const first = kept[sampleFrom]
    if (first === undefined || compare(first, row) !== 0) {
      sampleFrom = kept.length
      kept.push(row)
    } else if (!kept.slice(sampleFrom).some(other => equal(other, row))) {
      if (kept.length - sampleFrom === 1) differing += 1
      kept.push(row)
    }
  }
  return { rows: kept, outside, merged: inside.length - kept.length, differing }
}

function isInside<Row>(row: Row, { start, end }: SpanMs, { instant }: RowOrder<Row>): boolean {
  const at = instant(row)
  return at === undefined || (at >= start && at <= end)
}

function isAscending<Row>(rows: readonly Row[], { compare }: RowOrder<Row>): boolean {
  for (let at = 1; at < rows.length; at++) {
    if (compare(rows[at - 1] as Row, rows[at] as Row) >= 0) return false
  }
  return true
}

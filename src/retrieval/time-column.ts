import type { AnyRow, Column } from './columns.ts'

/**
 * The column that says when: the one that is marked so; else the first instant that moves from row to row, so not the one at which a whole
 * forecast was made; else the first instant; else the first calendar date.
 */
export function timeColumn(rows: readonly AnyRow[], columns: readonly Column[]): Column | undefined {
  const marked = columns.find(({ when }) => when)
  if (marked) return marked
  const instants = columns.filter(({ kind }) => kind === 'instant')
  const [first, second] = rows
  const moving = instants.find(({ name }) => first && second && timeOf(first[name]) !== timeOf(second[name]))
  return moving ?? instants[0] ?? columns.find(({ kind }) => kind === 'date')
}

/** Epoch milliseconds of an instant, or of a calendar date at midnight UTC; `NaN` when it is neither. */
export function timeOf(value: unknown): number {
  if (value instanceof Date) return value.getTime()
  return typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value) ? Date.parse(value) : Number.NaN
}

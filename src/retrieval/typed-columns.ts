import { cellText } from './cell.ts'
import type { AnyRow, Column } from './columns.ts'
import { timeOf } from './time-column.ts'

/** One column's values, one for each row. */
export type ColumnValues = Float64Array | (string | null)[] | (boolean | null)[]

/**
 * Rows as columns, for tools that think in columns: instants as epoch milliseconds and numbers in a `Float64Array`, `NaN`
 * where there is none; text, calendar dates and booleans in arrays, `null` where there is none; objects as JSON.
 */
export function toColumns(rows: readonly AnyRow[], columns: readonly Column[]): Record<string, ColumnValues> {
  return Object.fromEntries(columns.map(column => [column.name, valuesOf(rows, column)]))
}

function valuesOf(rows: readonly AnyRow[], { name, kind }: Column): ColumnValues {
  switch (kind) {
    case 'instant':
      return filled(rows, row => timeOf(row[name]))
    case 'number':
      return filled(rows, row => (typeof row[name] === 'number' ? row[name] : Number.NaN))
    case 'boolean':
      return rows.map(row => (typeof row[name] === 'boolean' ? row[name] : null))
    default:
      return rows.map(row => textOf(row[name]))
  }
}

function filled(rows: readonly AnyRow[], valueOf: (row: AnyRow) => number): Float64Array {
  const values = new Float64Array(rows.length)
  for (let at = 0; at < rows.length; at++) values[at] = valueOf(rows[at] as AnyRow)
  return values
}

/** An empty text is a value; nothing is none. */
function textOf(value: unknown): string | null {
  return value === null || value === undefined ? null : cellText(value)
}

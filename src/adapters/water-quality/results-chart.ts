import type { AnyRow, ChartHints, Column } from '../../retrieval/index.ts'
import type { Layout } from './layout.ts'

/**
 * How results are drawn: samples, which no line joins, by characteristic; what was not detected hangs from its limit. A
 * unit parts a characteristic only where it was measured in several: what was not detected often states none.
 */
export function resultsChart(rows: readonly AnyRow[], layout: Layout | undefined): ChartHints {
  const characteristic = layout?.nameOf('characteristic')
  const unit = layout?.nameOf('unit')
  if (characteristic === undefined) return {}
  return {
    y: 'value',
    series: [characteristic, ...(unit !== undefined && hasMixedUnits(rows, characteristic, unit) ? [unit] : [])],
    below: { column: 'censored', values: ['below'], limit: 'limit' },
    apart: true,
  }
}

/** Columns with the unit of the values, where all that were measured have the same. */
export function withUnit(
  columns: readonly Column[],
  rows: readonly AnyRow[],
  layout: Layout | undefined,
): readonly Column[] {
  const name = layout?.nameOf('unit')
  if (name === undefined) return columns
  let unit: unknown
  for (const row of rows) {
    if (typeof row['value'] !== 'number') continue
    unit ??= row[name]
    if (typeof unit !== 'string' || row[name] !== unit) return columns
  }
  if (typeof unit !== 'string') return columns
  const known = unit
  return columns.map(column => (column.name === 'value' ? { ...column, unit: known } : column))
}

function hasMixedUnits(rows: readonly AnyRow[], characteristic: string, unit: string): boolean {
  const units = new Map<unknown, unknown>()
  for (const row of rows) {
    if (typeof row['value'] !== 'number') continue
    const before = units.get(row[characteristic])
    if (before === undefined) units.set(row[characteristic], row[unit])
    else if (before !== row[unit]) return true
  }
  return false
}

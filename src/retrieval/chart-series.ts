import { readPoints, type Points } from './chart-points.ts'
import type { Chart } from './chart-options.ts'
import type { AnyRow } from './columns.ts'
import type { Completeness, MissingSpan } from './completeness.ts'
import { cellText } from './cell.ts'
import { visibleText } from '../plain-text.ts'

/** One series of a chart. */
export interface ChartSeries {
  /** What tells it from the others; empty where it is the only one. */
  readonly name: string
  readonly rows: readonly AnyRow[]
  readonly points: Points
  /** Rows that say only that a value lies below something, with where it is drawn. */
  readonly below: { readonly x: readonly number[]; readonly y: readonly number[] }
}

/** What is known of a result beside its rows. */
export interface Known {
  readonly completeness?: Completeness | undefined
  readonly periodMs?: number | undefined
}

/** More could not be told apart. */
export const MOST_SERIES = 10

/** The rows of a chart, series by series in the order in which they come. Only the first ten are read. */
export function chartSeries(
  chart: Chart,
  known: Known,
): { readonly shown: readonly ChartSeries[]; readonly all: number } {
  const groups = groupsOf(chart.rows, chart.series)
  const parted = groups.size > 1
  const names = namesOf([...groups.values()], chart.series)
  const shown = [...groups.values()].slice(0, MOST_SERIES).map((rows, at): ChartSeries => {
    const cadence = { ...known, completeness: known.completeness && holesOf(known.completeness, rows, chart) }
    const { below } = chart.hints
    const isBelow = below
      ? (row: AnyRow): boolean => below.values.includes(String(row[below.column]))
      : (): boolean => false
    return {
      name: parted ? (names[at] as string) : '',
      rows,
      points: readPoints(rows, chart.x.name, chart.y.name, cadence, row => !isBelow(row)),
      below: below ? limitsOf(rows.filter(isBelow), chart, below.limit ?? chart.y.name) : { x: [], y: [] },
    }
  })
  return { shown, all: groups.size }
}

function groupsOf(rows: readonly AnyRow[], columns: readonly string[]): Map<string, AnyRow[]> {
  const groups = new Map<string, AnyRow[]>()
  if (columns.length === 0 || rows.length === 0) return groups.set('', [...rows])
  for (const row of rows) {
    const key = columns.map(name => cellText(row[name])).join('\u0000')
    const group = groups.get(key)
    if (group) group.push(row)
    else groups.set(key, [row])
  }
  return groups
}

/** What tells a series from the others: the values of those columns in which they differ. */
function namesOf(groups: readonly (readonly AnyRow[])[], columns: readonly string[]): string[] {
  const differing = columns.filter(name => new Set(groups.map(rows => cellText(rows[0]?.[name]))).size > 1)
  return groups.map(rows => visibleText(differing.map(name => cellText(rows[0]?.[name]) || 'none').join(' ')))
}

/** Holes of this series: what another one lacks is no gap in its line. */
function holesOf({ missing, ...counts }: Completeness, rows: readonly AnyRow[], { hints }: Chart): Completeness {
  const { holes } = hints
  if (holes === undefined) return { ...counts, missing }
  const own = new Set(rows.map(row => row[holes]))
  return { ...counts, missing: missing.filter(({ series }: MissingSpan) => series === undefined || own.has(series)) }
}

function limitsOf(rows: readonly AnyRow[], chart: Chart, limit: string): ChartSeries['below'] {
  const { x, y } = readPoints(rows, chart.x.name, limit, { periodMs: Number.POSITIVE_INFINITY })
  return { x, y }
}

import type { AnyRow, Finished } from '../../retrieval/index.ts'
import type { Layout, Meaning } from './layout.ts'

/** Rows stand by day, then by instant, then by what they are; what has none stands behind, within its day. */
const ORDER: readonly Meaning[] = ['organization', 'site', 'activity', 'characteristic', 'result', 'provider']

/** How rows of a table are compared. */
export type Compare = (a: AnyRow, b: AnyRow) => number

/** The names by which rows of a table are put in order. */
export function orderOf(layout: Layout, hasInstants: boolean): Compare {
  const date = layout.nameOf('date')
  const start = layout.triples.find(({ date: place }) => place === layout.place('date'))
  const clock = start === undefined ? undefined : hasInstants ? start.name : layout.names[start.time]
  const rest = ORDER.map(meaning => layout.nameOf(meaning)).filter(name => name !== undefined)
  const names = [...(date === undefined ? [] : [date]), ...(clock === undefined ? [] : [clock]), ...rest]
  return (a, b) => {
    for (const name of names) {
      const difference = compareCells(a[name], b[name])
      if (difference !== 0) return difference
    }
    return 0
  }
}

/** Puts all rows in order, and says where each came from. Rows that are in order already are not copied. */
export function arrangeAll(rows: AnyRow[], compare: Compare): Finished<AnyRow> {
  let at = 1
  while (at < rows.length && compare(rows[at - 1] as AnyRow, rows[at] as AnyRow) <= 0) at++
  if (at >= rows.length) return { rows }
  const from = Uint32Array.from(rows.keys())
  from.sort((a, b) => compare(rows[a] as AnyRow, rows[b] as AnyRow) || a - b)
  return { rows: Array.from(from, place => rows[place] as AnyRow), from }
}

/** Nothing stands behind everything. */
function compareCells(a: unknown, b: unknown): number {
  if (a === b) return 0
  if (typeof a === 'string' && typeof b === 'string') return a < b ? -1 : 1
  if (a instanceof Date && b instanceof Date) return a.getTime() - b.getTime()
  return Number(a === null || a === undefined) - Number(b === null || b === undefined)
}

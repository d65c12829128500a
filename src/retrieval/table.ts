import { cellText } from './cell.ts'
import type { AnyRow, Column } from './columns.ts'
import { fitText, textWidth } from '../plain-text.ts'

/** How many rows are shown of a table that is longer than both. */
export interface TableEnds {
  readonly head: number
  readonly tail: number
}

const GLANCE: TableEnds = { head: 5, tail: 2 }
const WIDEST_CELL = 40
const BETWEEN = '  '

/**
 * The first and last rows as an aligned table, numbers to the right. Columns that do not fit are named below it: never
 * the one that says when a row holds, nor the first number beside it.
 *
 * @returns its lines, none wider than `width`; the names of the columns when there are no rows
 */
export function tableLines(
  rows: readonly AnyRow[],
  columns: readonly Column[],
  width: number,
  ends: TableEnds = GLANCE,
): string[] {
  const strips = columns.map(column => stripOf(column, rows, ends))
  const chosen = choose(strips, columns, width)
  const shown = strips.filter((_, at) => chosen.has(at))
  const lines = (shown[0]?.cells ?? []).map((_, at) =>
    shown
      .map(({ cells, numeric, wide }) => padded(cells[at] as string, wide, numeric))
      .join(BETWEEN)
      .trimEnd(),
  )
  const others = columns.filter((_, at) => !chosen.has(at)).map(({ name }) => name)
  if (others.length === 0) return lines
  const label = `+ ${others.length} more ${others.length === 1 ? 'column' : 'columns'}: `
  return [...lines, label + fitText(others.join(', '), width - label.length)]
}

/** One column of the table, its name first. */
interface Strip {
  readonly cells: readonly string[]
  readonly numeric: boolean
  readonly wide: number
}

function stripOf({ name, kind }: Column, rows: readonly AnyRow[], { head, tail }: TableEnds): Strip {
  const show = (row: AnyRow): string => fitText(shownText(row[name]), WIDEST_CELL)
  const all = rows.length <= head + tail
  const cells = [
    fitText(name, WIDEST_CELL),
    ...rows.slice(0, all ? rows.length : head).map(show),
    ...(all ? [] : ['…', ...rows.slice(-tail).map(show)]),
  ]
  return { cells, numeric: kind === 'number', wide: Math.max(...cells.map(textWidth)) }
}

/** Told from an empty text. */
function shownText(value: unknown): string {
  return value === null || value === undefined ? 'null' : cellText(value)
}

/** Places of the columns that are shown; at least one, so that something is seen. */
function choose(strips: readonly Strip[], columns: readonly Column[], width: number): ReadonlySet<number> {
  const chosen = new Set<number>()
  let used = -BETWEEN.length
  const take = (place: number): boolean => {
    const more = (strips[place]?.wide ?? 0) + BETWEEN.length
    if (chosen.has(place)) return true
    if (chosen.size > 0 && used + more > width) return false
    used += more
    chosen.add(place)
    return true
  }
  const when = columns.findIndex(column => column.when)
  if (when >= 0) {
    take(when)
    const number = columns.findIndex(({ kind }, place) => place > when && kind === 'number')
    if (number >= 0) take(number)
  }
  for (let place = 0; place < strips.length && take(place); place++);
  return chosen
}

function padded(cell: string, wide: number, numeric: boolean): string {
  const space = ' '.repeat(wide - textWidth(cell))
  return numeric ? space + cell : cell + space
}

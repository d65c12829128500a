import type { Activity } from '../world/activities.ts'
import type { Result } from '../world/results.ts'
import type { Feed } from '../world/sites.ts'
import type { Dialect } from './dialect.ts'

/** What one column says. The level tells how often it changes. */
export type Cell =
  | { readonly level: 'feed'; readonly text: (feed: Feed) => string }
  | { readonly level: 'activity'; readonly text: (activity: Activity) => string }
  | { readonly level: 'result'; readonly text: (result: Result) => string }

/** Cells by the name of their column. A column without a cell is empty. */
export type Cells = Readonly<Record<string, Cell>>

export const ofFeed = (text: (feed: Feed) => string): Cell => ({ level: 'feed', text })
export const ofActivity = (text: (activity: Activity) => string): Cell => ({ level: 'activity', text })
export const ofResult = (text: (result: Result) => string): Cell => ({ level: 'result', text })
/** The same in every row. */
export const always = (text: string): Cell => ofFeed(() => text)

/** Writes rows of one table. What belongs to the site or the activity is written once for all of its rows. */
export interface Writer {
  feed(feed: Feed): string
  activity(activity: Activity): string
  result(result: Result): string
}

/** Columns side by side that change together. */
interface Run {
  readonly level: Cell['level']
  readonly cells: Cell[]
}

/** @param columns - names in their order */
export function createWriter(columns: readonly string[], cells: Cells, dialect: Dialect): Writer {
  const runs = runsOf(columns, cells)
  const parts = runs.map(() => '')
  let lastFeed: Feed | undefined
  let lastActivity: Activity | undefined

  const write = (level: Cell['level'], row: Feed | Activity | Result): void => {
    runs.forEach((run, index) => {
      if (run.level === level)
        parts[index] = run.cells.map(cell => dialect.field(textOf(cell, row))).join(dialect.separator)
    })
  }
  const take = (feed: Feed, activity?: Activity, result?: Result): string => {
    if (feed !== lastFeed) write('feed', feed)
    if (activity && activity !== lastActivity) write('activity', activity)
    if (result) write('result', result)
    lastFeed = feed
    lastActivity = activity
    return parts.join(dialect.separator)
  }
  return {
    feed: feed => take(feed),
    activity: activity => take(activity.feed, activity),
    result: result => take(result.activity.feed, result.activity, result),
  }
}

const EMPTY = always('')

function runsOf(columns: readonly string[], cells: Cells): readonly Run[] {
  const runs: Run[] = []
  for (const name of columns) {
    const cell = cells[name]
    const last = runs.at(-1)
    // An empty cell joins whatever stands before it.
    if (last && (cell === undefined || cell.level === last.level)) last.cells.push(cell ?? EMPTY)
    else runs.push({ level: cell?.level ?? 'feed', cells: [cell ?? EMPTY] })
  }
  return runs
}

function textOf(cell: Cell, row: Feed | Activity | Result): string {
  return (cell.text as (row: Feed | Activity | Result) => string)(row)
}

/** Writes rows that are no part of that order: each cell looks at the row itself. */
export function createPlainWriter<Row>(
  columns: readonly string[],
  cells: Readonly<Record<string, (row: Row) => string>>,
  dialect: Dialect,
): (row: Row) => string {
  const list = columns.map(name => cells[name])
  return row => list.map(cell => dialect.field(cell?.(row) ?? '')).join(dialect.separator)
}

/** The header line. A name that comes twice is written twice. */
export function headerOf(columns: readonly string[], { separator }: Dialect): string {
  return columns.map(name => name.replace(/#\d$/, '')).join(separator)
}

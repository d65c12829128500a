import type { Clock } from '../clock.ts'
import type { AnyRow, Column } from '../retrieval/index.ts'
import type { SpanMs } from '../span.ts'
import { lineSpanMs } from './folder-state.ts'
import type { Folder } from './folder.ts'
import { instantIn } from './holes.ts'
import { dataFolder } from './layout.ts'
import { unionOf } from './load-tables.ts'
import type { LineFile, RewriteLine, TaskLine } from './manifest-lines.ts'
import { mergeRows } from './merge-rows.ts'
import { replaceWithRows } from './rewrite.ts'
import { tableOf, type Series } from './series.ts'
import type { PullFormat } from './spec.ts'
import { readTable } from './table-reader.ts'

/** Where rows are merged into. */
export interface MergeTarget {
  readonly folder: Folder
  readonly clock: Clock
  readonly format: PullFormat
  readonly partition: readonly string[] | undefined
  readonly series: Series
  readonly why: Extract<RewriteLine['why'], 'sync' | 'repair'>
  /** Hears what could not be written. */
  readonly warn: (message: string) => void
}

/** How many rows changed, and which instants came with new ones. */
export interface Change {
  readonly added: number
  readonly revised: number
  readonly instants: readonly SeenInstant[]
}

/** When a row holds, and of which series inside the query. */
export interface SeenInstant {
  readonly at: number
  readonly within: string | undefined
}

/** A stretch of a series that the folder has, with the files that hold its rows. */
export interface Place {
  readonly task: TaskLine
  readonly span: SpanMs
  readonly files: readonly LineFile[]
}

/**
 * Merges rows into the files that hold their time; files without a change are left as they are. Rows of a stretch that
 * has no file yet get one.
 */
export async function mergeIntoFiles(
  target: MergeTarget,
  rows: readonly AnyRow[],
  columns: readonly Column[],
): Promise<Change> {
  const { series, folder } = target
  const { time } = series.entry
  if (time === undefined || rows.length === 0) return { added: 0, revised: 0, instants: [] }
  let added = 0
  let revised = 0
  const instants: SeenInstant[] = []
  for (const [place, own] of byPlace(placesOf(folder, series), rows, time.column)) {
    const change = await mergeIntoPlace(target, place, own, columns)
    added += change.added
    revised += change.revised
    if (change.added === 0) continue
    const { within } = series.entry
    for (const row of own)
      instants.push({ at: instantIn(row, time.column), within: within === undefined ? undefined : String(row[within]) })
  }
  return { added, revised, instants }
}

async function mergeIntoPlace(
  target: MergeTarget,
  { task, span, files }: Place,
  fresh: readonly AnyRow[],
  columns: readonly Column[],
): Promise<Omit<Change, 'instants'>> {
  const { series, folder, partition } = target
  const old: AnyRow[] = []
  for (const file of files)
    for await (const part of readTable(folder.disk, folder.out, file)) for (const row of part) old.push(row)
  const known = unionOf(files)
  const head = known.length === 0 ? columns : [...known, ...newColumns(known, columns, fresh)]
  const merged = mergeRows(old, fresh, head, series.entry)
  const { added, revised } = merged
  if (added + revised === 0) return { added, revised }
  const replacement = { ...target, replaces: files }
  if (files.length > 0) await replaceWithRows(replacement, [merged.rows], head)
  else {
    const about = { holds: 'data', table: tableOf(series), series: [series.id], tasks: [task.task] } as const
    await replaceWithRows(replacement, [merged.rows], head, about, dataFolder(series, span, partition))
  }
  return { added, revised }
}

/** Stretches of a series with their files. Tasks whose rows share a file are one place. */
export function placesOf({ state }: Folder, series: Series): Place[] {
  const files = [...state.files.values()].filter(file => file.holds === 'data' && file.series.includes(series.id))
  return (state.series.get(series.id)?.tasks ?? []).flatMap(task =>
    task.span === null
      ? []
      : [{ task, span: lineSpanMs(task.span), files: files.filter(({ tasks }) => tasks.includes(task.task)) }],
  )
}

function byPlace(places: readonly Place[], rows: readonly AnyRow[], column: string): [Place, AnyRow[]][] {
  const found = new Map<string, [Place, AnyRow[]]>()
  for (const row of rows) {
    const at = instantIn(row, column)
    const place = places.find(({ span }) => at >= span.start && at <= span.end)
    if (place === undefined) continue
    const key = place.files.map(({ path }) => path).join() || place.task.task
    const known = found.get(key)
    if (known) known[1].push(row)
    else found.set(key, [place, [row]])
  }
  return [...found.values()]
}

/** Columns that hold something and that the file does not have. */
function newColumns(known: readonly Column[], columns: readonly Column[], rows: readonly AnyRow[]): Column[] {
  return columns.filter(
    ({ name }) =>
      !known.some(column => column.name === name) && rows.some(row => row[name] !== null && row[name] !== undefined),
  )
}

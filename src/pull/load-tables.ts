import { QueryError } from '../errors.ts'
import type { Column } from '../retrieval/index.ts'
import { systemDisk, type Disk } from './disk.ts'
import { onDisk } from './disk-error.ts'
import { foldManifest, type FolderState } from './folder-state.ts'
import { readManifest } from './manifest.ts'
import type { LineFile } from './manifest-lines.ts'

/** What a load did to one table. */
export interface LoadedTable {
  readonly table: string
  /** Rows that the folder holds. */
  readonly rows: number
  readonly inserted: number
  readonly updated: number
}

/** What every load takes. */
export interface LoadOptions {
  /** Ends it: what has been loaded of a table by then is rolled back, whole tables stay. */
  readonly signal?: AbortSignal
}

/** What a load did. Run again, it inserts and updates nothing. */
export interface LoadReport {
  readonly tables: readonly LoadedTable[]
}

/** A table of a folder, ready to be merged into one of a database. */
export interface FolderTable {
  readonly name: string
  readonly files: readonly LineFile[]
  readonly columns: readonly Column[]
  /** Columns that together say which row is which. */
  readonly identity: readonly string[]
  /** Column by which the newest of several versions is known. */
  readonly revised: string | undefined
  readonly rows: number
}

const META_IDENTITY = ['task', 'url', 'requestedAt']

/**
 * The tables of a folder, data and metadata.
 *
 * @throws QueryError when rows of a table cannot be told apart: a column of their identity was not pulled
 */
export async function tablesIn(out: string, disk: Disk = systemDisk): Promise<FolderTable[]> {
  const state = foldManifest((await onDisk('reading', out, () => readManifest(disk, out))).lines)
  const byName = new Map<string, LineFile[]>()
  for (const file of state.files.values()) byName.set(file.table, [...(byName.get(file.table) ?? []), file])
  return [...byName]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, files]) => {
      const columns = unionOf(files)
      const identity = identityOf(files, state)
      const absent = identity.find(wanted => !columns.some(column => column.name === wanted))
      if (absent !== undefined) {
        throw new QueryError(`${name} has no column ${absent}: without it rows cannot be told apart; pull it, too`, {
          argument: 'properties',
          value: absent,
        })
      }
      return {
        name,
        files,
        columns,
        identity,
        revised: columns.find(column => column.name === 'last_modified')?.name,
        rows: files.reduce((sum, file) => sum + file.rows, 0),
      }
    })
}

/** A name as SQL has it. */
export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

function identityOf([first]: readonly LineFile[], state: FolderState): readonly string[] {
  if (first === undefined || first.holds === 'meta') return META_IDENTITY
  return state.series.get(first.series[0] ?? '')?.series.entry.identity ?? []
}

/** Columns of some files, each once. */
export function unionOf(files: readonly Pick<LineFile, 'columns'>[]): Column[] {
  const all = new Map<string, Column>()
  for (const { columns } of files) for (const column of columns) if (!all.has(column.name)) all.set(column.name, column)
  return [...all.values()]
}

import type { Clock } from '../clock.ts'
import type { AnyRow } from '../retrieval/index.ts'
import type { Folder } from './folder.ts'
import type { LineFile } from './manifest-lines.ts'
import type { ProgressBoard } from './progress.ts'
import type { RunControl } from './run-control.ts'
import { folderOf, joinTexts, replaceWithRows } from './rewrite.ts'
import type { PullFormat } from './spec.ts'
import { readTable } from './table-reader.ts'

/** A folder may have so many files before they are joined. */
const MOST_FILES = 8
/** Rows of a joined file: as many as somebody can still read and rewrite in one go. */
const MOST_ROWS = 500_000

/**
 * Joins small files, folder by folder, in the order of time, so that no folder has thousands of them. Can be cut short
 * at any moment: a joined file counts with its line in the manifest, and not before.
 */
export async function compact(
  folder: Folder,
  format: PullFormat,
  clock: Clock,
  board: ProgressBoard,
  control: Pick<RunControl, 'halt'>,
): Promise<void> {
  for (const files of groupsToJoin(folder)) {
    if (control.halt !== undefined) return
    const replacement = { folder, clock, format, why: 'compact', replaces: files } as const
    const first = files[0] as LineFile
    board.tell({ type: 'rewriting', path: folderOf(first) })
    if (format === 'parquet') await replaceWithRows(replacement, rowsOfAll(folder, files), first.columns)
    else await joinTexts(replacement)
  }
}

async function* rowsOfAll({ disk, out }: Folder, files: readonly LineFile[]): AsyncGenerator<readonly AnyRow[]> {
  for (const file of files) yield* readTable(disk, out, file)
}

function groupsToJoin({ state }: Folder): LineFile[][] {
  const byFolder = new Map<string, LineFile[]>()
  for (const file of state.files.values()) {
    // Only what has the same columns can be joined.
    const key = `${folderOf(file)} ${JSON.stringify(file.columns)}`
    byFolder.set(key, [...(byFolder.get(key) ?? []), file])
  }
  return [...byFolder.values()].flatMap(files => {
    if (files.length <= MOST_FILES) return []
    const order = new Map(files.map(file => [file, sortKey(file, state)]))
    files.sort((a, b) => ((order.get(a) ?? '') < (order.get(b) ?? '') ? -1 : 1))
    return inBatches(files).filter(batch => batch.length > 1)
  })
}

/** By series, then by time, then by file: the same whatever order tasks were done in. */
function sortKey(file: LineFile, { tasks }: Folder['state']): string {
  const starts = file.tasks.map(id => tasks.get(id)?.span?.start ?? '').sort()
  return [file.series.toSorted().join(), starts[0] ?? '', file.path].join(' ')
}

function inBatches(files: readonly LineFile[]): LineFile[][] {
  const batches: LineFile[][] = [[]]
  let rows = 0
  for (const file of files) {
    if (rows > 0 && rows + file.rows > MOST_ROWS) {
      batches.push([])
      rows = 0
    }
    batches.at(-1)?.push(file)
    rows += file.rows
  }
  return batches
}

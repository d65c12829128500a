import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { mergeSpans } from '../span.ts'
import type { Disk } from './disk.ts'
import { onDisk } from './disk-error.ts'
import type { FolderState, SeriesState } from './folder-state.ts'
import { GridWatch } from './holes.ts'
import type { LineFile, LineHole } from './manifest-lines.ts'
import type { DamagedFile } from './pull-report.ts'
import { isRowOf } from './series.ts'
import { readTable } from './table-reader.ts'

/** What was found by reading every file. */
export interface FilesCheck {
  readonly damaged: readonly DamagedFile[]
  /** Rows in sound files. */
  readonly rows: number
  /** By series, where its cadence is known: holes by the rows themselves. */
  readonly holes: ReadonlyMap<string, readonly LineHole[]>
}

/**
 * Reads every file: its size, its hash, its rows, and the grid that they make.
 *
 * @param goOn - asked between two parts of a file; throws when it is to end
 */
export async function checkFiles(disk: Disk, out: string, state: FolderState, goOn: () => void): Promise<FilesCheck> {
  const damaged: DamagedFile[] = []
  const grids = new Map([...state.series].map(([id, { series }]) => [id, new GridWatch(series.entry)]))
  let rows = 0
  for (const file of state.files.values()) {
    const problem = (await checkBytes(disk, out, file, goOn)) ?? (await checkRows(disk, out, file, state, grids, goOn))
    if (problem === undefined) rows += file.holds === 'data' ? file.rows : 0
    else damaged.push(problem)
  }
  const holes = new Map<string, readonly LineHole[]>()
  for (const [id, known] of state.series) {
    const grid = grids.get(id)?.measure(spansOf(known), known.series.query, known.tasks.at(-1)?.versions ?? {})
    if (grid) holes.set(id, grid.holes)
  }
  return { damaged, rows, holes }
}

function spansOf({ covered, series }: SeriesState): ReturnType<typeof mergeSpans> {
  return mergeSpans(covered, series.entry.time?.stepMs ?? 0)
}

async function checkBytes(
  disk: Disk,
  out: string,
  { path, bytes, sha256 }: LineFile,
  goOn: () => void,
): Promise<DamagedFile | undefined> {
  const whole = join(out, path)
  return onDisk('reading', whole, async () => {
    const found = await disk.stat(whole)
    if (found === undefined) return { path, problem: 'missing', message: `${path} is not there` }
    if (found.bytes !== bytes)
      return { path, problem: 'size', message: `${path} has ${found.bytes} bytes, not ${bytes}` }
    const hash = createHash('sha256')
    for await (const part of disk.read(whole)) {
      goOn()
      hash.update(part)
    }
    if (hash.digest('hex') === sha256) return undefined
    return { path, problem: 'hash', message: `${path} holds something else than was written: its hash differs` }
  })
}

async function checkRows(
  disk: Disk,
  out: string,
  file: LineFile,
  state: FolderState,
  grids: ReadonlyMap<string, GridWatch>,
  goOn: () => void,
): Promise<DamagedFile | undefined> {
  const { path } = file
  let rows = 0
  try {
    for await (const part of readTable(disk, out, file)) {
      goOn()
      rows += part.length
      if (file.holds === 'meta') continue
      for (const id of file.series) {
        const own = file.series.length === 1 ? part : part.filter(row => isRowOf(row, state.series.get(id)?.series))
        grids.get(id)?.see(own)
      }
    }
  } catch (thrown) {
    if (!(thrown instanceof SyntaxError || thrown instanceof RangeError)) throw thrown
    return { path, problem: 'unreadable', message: `${path} cannot be read: ${thrown.message}` }
  }
  if (rows === file.rows) return undefined
  return { path, problem: 'rows', message: `${path} holds ${rows} rows, not ${file.rows}` }
}

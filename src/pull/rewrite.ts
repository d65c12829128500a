import { join } from 'node:path'
import type { AnyRow, Column } from '../retrieval/index.ts'
import { isoText } from '../time.ts'
import { version } from '../version.ts'
import type { Clock } from '../clock.ts'
import { onDisk } from './disk-error.ts'
import { fingerprint } from './fingerprint.ts'
import type { Folder } from './folder.ts'
import { mergedName } from './layout.ts'
import type { LineFile, RewriteLine } from './manifest-lines.ts'
import { startFile } from './new-file.ts'
import type { PullFormat } from './spec.ts'
import { TableFiles } from './table-files.ts'

/** What is put in the place of what. */
export interface Replacement {
  readonly folder: Folder
  readonly clock: Clock
  readonly format: PullFormat
  readonly why: RewriteLine['why']
  readonly replaces: readonly LineFile[]
  /** Hears what could not be written. @defaultValue nobody: what stands in a file can be written again */
  readonly warn?: (message: string) => void
}

/** Files that belong together have these in common, or all of them. */
function aboutOf(files: readonly LineFile[]): Pick<LineFile, 'holds' | 'table' | 'series' | 'tasks'> {
  const first = files[0] as LineFile
  return {
    holds: first.holds,
    table: first.table,
    series: [...new Set(files.flatMap(({ series }) => series))],
    tasks: [...new Set(files.flatMap(({ tasks }) => tasks))],
  }
}

/** Folder of a file, relative. */
export function folderOf({ path }: Pick<LineFile, 'path'>): string {
  return path.slice(0, path.lastIndexOf('/'))
}

/**
 * Writes rows as one file in the place of others. The new one counts with its line in the manifest; the
 * old ones are removed after that.
 */
export async function replaceWithRows(
  { folder, clock, format, why, replaces, warn }: Replacement,
  rows: AsyncIterable<readonly AnyRow[]> | Iterable<readonly AnyRow[]>,
  columns: readonly Column[],
  about: ReturnType<typeof aboutOf> = aboutOf(replaces),
  into: string = folderOf(replaces[0] as LineFile),
): Promise<void> {
  const { out, disk } = folder
  const pathOf = (nth: number, salt: number): string => {
    const id = fingerprint([why, about.tasks, replaces.map(({ path, sha256 }) => [path, sha256]), nth, salt])
    return `${into}/${mergedName(id, format)}`
  }
  // A name that is taken belongs to a file that counts.
  let salt = 0
  while (folder.state.files.has(pathOf(0, salt))) salt += 1
  const facts = { 'headrace.version': version, 'headrace.table': about.table, 'headrace.rewritten': why }
  const table = new TableFiles({
    disk,
    out,
    format,
    about,
    path: nth => pathOf(nth, salt),
  })
  try {
    for await (const part of rows) await table.add(part, columns, facts)
    await changeFiles({ folder, clock, format, why, replaces }, await table.finish(facts))
    for (const loss of table.losses) warn?.(loss)
  } catch (thrown) {
    await table.discard()
    throw thrown
  }
}

/** Joins text files end to end: the head of the first stands for all. */
export async function joinTexts({ folder, clock, format, why, replaces }: Replacement): Promise<void> {
  const { out, disk } = folder
  const first = replaces[0] as LineFile
  const name = mergedName(fingerprint(replaces.map(({ path, sha256 }) => [path, sha256])), format)
  const file = await startFile(disk, out, `${folderOf(first)}/${name}`)
  try {
    for (const source of replaces) {
      let head = format === 'csv' && source !== first
      for await (const part of disk.read(join(out, source.path))) {
        // A head is one line: names of columns hold no line ends.
        const body = head ? part.subarray(part.indexOf(10) + 1) : part
        head &&= !part.includes(10)
        await file.write(body)
      }
    }
    const { bytes, sha256 } = await file.finish()
    const rows = replaces.reduce((sum, one) => sum + one.rows, 0)
    const joined = { path: file.path, ...aboutOf(replaces), rows, bytes, sha256, columns: first.columns }
    await changeFiles({ folder, clock, format, why, replaces }, [joined])
  } catch (thrown) {
    await file.discard()
    throw thrown
  }
}

/** With the line the new files count, and the old ones no more. */
export async function changeFiles(
  { folder, clock, why, replaces }: Replacement,
  files: readonly LineFile[],
): Promise<void> {
  const at = isoText(clock.now())
  await folder.add({ type: 'rewrite', why, at, files, replaces: replaces.map(({ path }) => path) })
  const kept = new Set(files.map(({ path }) => path))
  for (const { path } of replaces) {
    if (kept.has(path)) continue
    await onDisk('removing', join(folder.out, path), () => folder.disk.remove(join(folder.out, path)))
  }
}

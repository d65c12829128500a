import { join } from 'node:path'
import type { Clock } from '../clock.ts'
import type { Disk } from './disk.ts'
import { onDisk } from './disk-error.ts'
import { foldManifest, type FolderState } from './folder-state.ts'
import { isOwnFile } from './layout.ts'
import { takeLock } from './lock.ts'
import { MANIFEST, openManifest, readManifest } from './manifest.ts'
import type { ManifestLine } from './manifest-lines.ts'

/** A folder that is ours to write: locked, tidy, its manifest whole. */
export interface Folder {
  readonly out: string
  readonly disk: Disk
  /** As of the last line that was added. */
  readonly state: FolderState
  /** Adds lines to the manifest. They count when this has returned. */
  add(...lines: readonly ManifestLine[]): Promise<void>
  /** Gives the folder back. Never fails. */
  close(): Promise<void>
}

/**
 * Opens a folder for writing; makes it if it is not there. What a process that was killed left behind is removed: files
 * that no line of the manifest names, and those in whose place others stand.
 *
 * @throws PullError of kind `locked`, `disk` or `manifest`
 */
export async function openFolder(disk: Disk, out: string, clock: Clock): Promise<Folder> {
  const release = await onDisk('opening', out, async () => {
    await disk.makeFolder(out)
    return takeLock(disk, out, clock)
  })
  try {
    const path = join(out, MANIFEST)
    const text = await onDisk('reading', path, () => readManifest(disk, out))
    const state = foldManifest(text.lines)
    const manifest = await onDisk('opening', path, () => openManifest(disk, out, text))
    for (const stray of await onDisk('reading', out, () => strays(disk, out, state))) {
      await onDisk('tidying', join(out, stray), () => disk.remove(join(out, stray)))
    }
    return {
      out,
      disk,
      state,
      async add(...added) {
        await onDisk('writing', path, () => manifest.add(...added))
        for (const line of added) state.take(line)
      },
      async close() {
        await manifest.close().catch(() => undefined)
        await release().catch(() => undefined)
      },
    }
  } catch (thrown) {
    await release().catch(() => undefined)
    throw thrown
  }
}

/** Files of our making that do not count. */
export async function strays(disk: Disk, out: string, { files }: FolderState): Promise<string[]> {
  return (await disk.list(out)).filter(path => isOwnFile(path) && !files.has(path))
}

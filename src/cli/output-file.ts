import { open, realpath, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { LocalFailure } from './failures.ts'

/** A file that is there whole or not at all. */
export interface OutputFile {
  readonly path: string
  /** @throws LocalFailure */
  write(parts: Iterable<string | Uint8Array>): Promise<void>
  /** Flushes it to the disk and gives it its name. @throws LocalFailure */
  finish(): Promise<{ readonly bytes: number }>
  /** Leaves nothing behind. Does nothing after `finish`. */
  discard(): Promise<void>
}

/**
 * Opens a file under a temporary name beside the final one: what cannot be written is known before anything is
 * asked for. What is no ordinary file, such as a pipe or a device, is written to as it is.
 *
 * @param tag - tells temporary names of processes apart
 * @throws LocalFailure
 */
export async function openOutput(path: string, tag: number): Promise<OutputFile> {
  const guard = async <Value>(doing: string, act: () => Promise<Value>): Promise<Value> => {
    try {
      return await act()
    } catch (thrown) {
      throw new LocalFailure(doing, path, thrown, 'make the folder first')
    }
  }
  const target = await guard('cannot write', () => targetOf(path, tag))
  const file = await guard('cannot create', () => open(target.temporary ?? target.path, 'w'))
  let bytes = 0
  let isOpen = true
  return {
    path,
    async discard() {
      if (!isOpen) return
      isOpen = false
      await file.close().catch(() => {})
      if (target.temporary !== undefined) await rm(target.temporary, { force: true }).catch(() => {})
    },
    write: parts =>
      guard('cannot write', async () => {
        for (const part of parts) {
          await file.writeFile(part)
          bytes += typeof part === 'string' ? Buffer.byteLength(part) : part.length
        }
      }),
    finish: () =>
      guard('cannot finish', async () => {
        if (target.temporary !== undefined) await file.sync()
        await file.close()
        if (target.temporary !== undefined) await rename(target.temporary, target.path)
        isOpen = false
        return { bytes }
      }),
  }
}

/** Where the bytes go: a link is followed, so that it stays a link. */
async function targetOf(path: string, tag: number): Promise<{ readonly path: string; readonly temporary?: string }> {
  const present = await realpath(path).catch((thrown: unknown) => {
    if ((thrown as { code?: unknown }).code === 'ENOENT') return undefined
    throw thrown
  })
  const target = present ?? path
  const kind = present === undefined ? undefined : await stat(present)
  if (kind !== undefined && !kind.isFile() && !kind.isDirectory()) return { path: target }
  if (kind?.isDirectory()) throw Object.assign(new Error('it is a folder'), { code: 'EISDIR' })
  return { path: target, temporary: join(dirname(target), `.${basename(target)}.${tag}.tmp`) }
}

import { createHash } from 'node:crypto'
import { dirname, join } from 'node:path'
import type { Disk } from './disk.ts'
import { onDisk } from './disk-error.ts'

/** Ending of files that are being written. None of them counts. */
export const UNFINISHED = '.part'

/** A file on its way: it has a temporary name until all of it is on the disk. */
export interface NewFile {
  /** Relative to the folder. */
  readonly path: string
  readonly bytes: number
  write(bytes: Uint8Array): Promise<void>
  /** Makes it last under its final name. */
  finish(): Promise<{ readonly bytes: number; readonly sha256: string }>
  /** Takes it away. Never fails: it is called when something else has. */
  discard(): Promise<void>
}

/** Starts a file. Nothing stands under its final name before `finish`. */
export async function startFile(disk: Disk, out: string, path: string): Promise<NewFile> {
  const final = join(out, path)
  const temporary = `${final}${UNFINISHED}`
  const file = await onDisk('writing', final, async () => {
    await disk.makeFolder(dirname(final))
    return disk.create(temporary)
  })
  const hash = createHash('sha256')
  let bytes = 0
  let open = true
  const close = async (): Promise<void> => {
    if (!open) return
    open = false
    await file.close()
  }
  return {
    path,
    get bytes() {
      return bytes
    },
    async write(part) {
      hash.update(part)
      bytes += part.length
      await onDisk('writing', final, () => file.write(part))
    },
    async finish() {
      await onDisk('writing', final, async () => {
        await file.sync()
        await close()
        await disk.moveInPlace(temporary, final)
      })
      return { bytes, sha256: hash.digest('hex') }
    },
    async discard() {
      await close().catch(() => undefined)
      await disk.remove(temporary).catch(() => undefined)
    },
  }
}

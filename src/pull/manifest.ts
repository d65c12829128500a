import { join } from 'node:path'
import { MANIFEST_VERSION, type ManifestLine } from './manifest-lines.ts'
import type { Disk, DiskFile } from './disk.ts'
import { PullError } from './pull-error.ts'

export const MANIFEST = 'manifest.jsonl'

/** The lines of a manifest, and how many bytes of it are whole. */
export interface ManifestText {
  readonly lines: readonly ManifestLine[]
  readonly wholeBytes: number
  readonly bytes: number
}

/**
 * Reads a manifest. A last line that was cut off, by a crash or a full disk, does not count; damage anywhere else is
 * an error.
 *
 * @throws PullError of kind `manifest`
 */
export async function readManifest(disk: Disk, out: string): Promise<ManifestText> {
  const path = join(out, MANIFEST)
  const text = (await disk.readText(path)) ?? ''
  const whole = text.slice(0, text.lastIndexOf('\n') + 1)
  const texts = whole.split('\n').slice(0, -1)
  const lines = texts.flatMap((line, at): ManifestLine[] => {
    const read = parseLine(line)
    if (read !== undefined) return [read]
    // A line of which only the end reached the disk, its line end among it.
    if (at === texts.length - 1) return []
    throw new PullError(
      'manifest',
      `line ${at + 1} of ${MANIFEST} is damaged; restore it from a copy, or pull into a new folder`,
      { path },
    )
  })
  const newer = lines.find(line => line.type === 'plan' && line.version > MANIFEST_VERSION)
  if (newer !== undefined) {
    throw new PullError('manifest', `${MANIFEST} was written by a newer version of headrace; update headrace`, { path })
  }
  const kept = lines.length === texts.length ? whole : whole.slice(0, whole.lastIndexOf('\n', whole.length - 2) + 1)
  return { lines, wholeBytes: Buffer.byteLength(kept), bytes: Buffer.byteLength(text) }
}

/** Adds lines to a manifest. A line counts when `add` has returned: it is on the disk then. */
export interface ManifestWriter {
  add(...lines: readonly ManifestLine[]): Promise<void>
  close(): Promise<void>
}

/** Opens a manifest for adding; what was cut off at its end is taken away first. Needs the lock of the folder. */
export async function openManifest(
  disk: Disk,
  out: string,
  { wholeBytes, bytes }: ManifestText,
): Promise<ManifestWriter> {
  const path = join(out, MANIFEST)
  if (bytes > wholeBytes) await disk.truncate(path, wholeBytes)
  let file: DiskFile | undefined
  let size = wholeBytes
  let queue = Promise.resolve()
  const append = async (lines: readonly ManifestLine[]): Promise<void> => {
    const text = Buffer.from(lines.map(line => `${JSON.stringify(line)}\n`).join(''))
    file ??= await disk.append(path)
    try {
      await file.write(text)
      await file.sync()
      size += text.length
    } catch (thrown) {
      // Part of a line may stand there: gone again, or the next one would be written behind it.
      await disk.truncate(path, size).catch(() => undefined)
      throw thrown
    }
  }
  return {
    add(...lines) {
      const added = queue.then(() => append(lines))
      queue = added.catch(() => undefined)
      return added
    },
    async close() {
      await queue
      await file?.close()
    },
  }
}

function parseLine(text: string): ManifestLine | undefined {
  try {
    const line = JSON.parse(text) as Partial<ManifestLine> | null
    return typeof line === 'object' && line !== null && typeof line.type === 'string'
      ? (line as ManifestLine)
      : undefined
  } catch {
    return undefined
  }
}

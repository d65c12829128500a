import type { FileHandle } from 'node:fs/promises'
import { link, mkdir, open, readdir, readFile, rename, rm, stat, truncate } from 'node:fs/promises'
import { dirname } from 'node:path'

/** A file being written. */
export interface DiskFile {
  write(bytes: Uint8Array): Promise<void>
  /** Returns when what was written would survive a loss of power. */
  sync(): Promise<void>
  close(): Promise<void>
}

/** What bulk pulls need of a file system. Every failure of it passes through here. */
export interface Disk {
  /** Makes a folder with those above it. */
  makeFolder(path: string): Promise<void>
  /** Starts a file anew. */
  create(path: string): Promise<DiskFile>
  /** Goes on at a file's end. */
  append(path: string): Promise<DiskFile>
  /** Puts a file under its final name, in place of what stands there, and makes that last. */
  moveInPlace(from: string, to: string): Promise<void>
  /** Gives a file a second name. Refuses (`EEXIST`) when that is taken. */
  link(from: string, to: string): Promise<void>
  /** Shows that a file is still wanted: its time of change is now, by the file system's own clock. */
  touch(path: string): Promise<void>
  remove(path: string): Promise<void>
  truncate(path: string, bytes: number): Promise<void>
  /** @returns `undefined` where there is no such file */
  readText(path: string): Promise<string | undefined>
  /** The bytes of a file, in parts. */
  read(path: string): AsyncIterable<Uint8Array>
  /** The bytes from one place to before another. */
  readRange(path: string, from: number, to: number): Promise<Uint8Array>
  /** @returns `undefined` where there is no such file */
  stat(path: string): Promise<{ readonly bytes: number; readonly changedAt: number } | undefined>
  /** Paths of the files below a folder, relative to it, with slashes. None where there is no such folder. */
  list(path: string): Promise<string[]>
}

/** The machine's own file system. */
export const systemDisk: Disk = {
  async makeFolder(path) {
    await mkdir(path, { recursive: true })
  },
  create: async path => diskFile(await open(path, 'w')),
  append: async path => diskFile(await open(path, 'a')),
  async moveInPlace(from, to) {
    await rename(from, to)
    await syncFolder(dirname(to))
  },
  link: (from, to) => link(from, to),
  async touch(path) {
    const handle = await open(path, 'r+')
    try {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(1), 0, 1, 0)
      await handle.write(buffer, 0, bytesRead, 0)
    } finally {
      await handle.close()
    }
  },
  remove: path => rm(path, { force: true }),
  truncate: (path, bytes) => truncate(path, bytes),
  readText: async path => absentAsUndefined(readFile(path, 'utf8')),
  async *read(path) {
    const handle = await open(path, 'r')
    try {
      // A chunk is handed on before the next is read: each has a buffer of its own.
      for (;;) {
        const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(READ_BYTES), 0, READ_BYTES, null)
        if (bytesRead === 0) return
        yield buffer.subarray(0, bytesRead)
      }
    } finally {
      await handle.close()
    }
  },
  async readRange(path, from, to) {
    const handle = await open(path, 'r')
    try {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(to - from), 0, to - from, from)
      return buffer.subarray(0, bytesRead)
    } finally {
      await handle.close()
    }
  },
  async stat(path) {
    const found = await absentAsUndefined(stat(path))
    return found && { bytes: found.size, changedAt: found.mtimeMs }
  },
  async list(path) {
    const entries = await absentAsUndefined(readdir(path, { recursive: true, withFileTypes: true }))
    return (entries ?? [])
      .filter(entry => entry.isFile())
      .map(entry => `${entry.parentPath}/${entry.name}`.slice(path.length + 1).replaceAll('\\', '/'))
      .sort()
  },
}

const READ_BYTES = 1 << 18

function diskFile(handle: FileHandle): DiskFile {
  return {
    async write(bytes) {
      for (let at = 0; at < bytes.length;) at += (await handle.write(bytes, at)).bytesWritten
    },
    sync: () => handle.sync(),
    close: () => handle.close(),
  }
}

/** A new name is safe only when its folder has been written, too. Some systems do not let a folder be opened. */
async function syncFolder(path: string): Promise<void> {
  const handle = await open(path, 'r').catch(() => undefined)
  try {
    await handle?.sync()
  } catch {
    // Then it is as safe as that system makes it.
  } finally {
    await handle?.close()
  }
}

async function absentAsUndefined<T>(looking: Promise<T>): Promise<T | undefined> {
  try {
    return await looking
  } catch (thrown) {
    if ((thrown as { code?: unknown }).code === 'ENOENT') return undefined
    throw thrown
  }
}

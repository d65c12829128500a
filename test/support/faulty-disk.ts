import { systemDisk, type Disk, type DiskFile } from '../../src/pull/disk.ts'

/** What a file system can be asked to do that changes it. */
export type DiskDoing = 'makeFolder' | 'create' | 'write' | 'sync' | 'moveInPlace' | 'append' | 'truncate'

/** When a file system refuses. */
export interface DiskFault {
  readonly code: 'ENOSPC' | 'EACCES' | 'EROFS' | 'EIO'
  /** Refuses to write more bytes than these, all files together; what fits of a write is written. */
  readonly afterBytes?: number
  /** Refuses the n-th of these, counted from 1, and all that follow. */
  readonly from?: number
  /** @defaultValue any of them */
  readonly doing?: DiskDoing
}

/** A file system that works as the machine's until it refuses. */
export function faultyDisk({ code, afterBytes = Number.POSITIVE_INFINITY, from, doing }: DiskFault): Disk {
  let room = afterBytes
  let count = 0
  const refusal = (what: string): Error => Object.assign(new Error(`${code}: refused, ${what}`), { code })
  const pass = (what: DiskDoing): void => {
    if (doing !== undefined && doing !== what) return
    count += 1
    if (from !== undefined && count >= from) throw refusal(what)
  }
  const guarded = (file: DiskFile): DiskFile => ({
    async write(bytes) {
      pass('write')
      const fits = bytes.subarray(0, room)
      await file.write(fits)
      room -= fits.length
      if (fits.length < bytes.length) throw refusal('write')
    },
    async sync() {
      pass('sync')
      await file.sync()
    },
    close: () => file.close(),
  })
  return {
    ...systemDisk,
    async makeFolder(path) {
      pass('makeFolder')
      await systemDisk.makeFolder(path)
    },
    async create(path) {
      pass('create')
      return guarded(await systemDisk.create(path))
    },
    async append(path) {
      pass('append')
      return guarded(await systemDisk.append(path))
    },
    async moveInPlace(a, b) {
      pass('moveInPlace')
      await systemDisk.moveInPlace(a, b)
    },
    async truncate(path, bytes) {
      pass('truncate')
      await systemDisk.truncate(path, bytes)
    },
  }
}

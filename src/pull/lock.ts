import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { join } from 'node:path'
import type { Clock } from '../clock.ts'
import type { Disk } from './disk.ts'
import { PullError } from './pull-error.ts'

/** Who writes into a folder. */
export interface LockHolder {
  readonly pid: number
  readonly host: string
  readonly since: string
  /** Tells one process from another that got its number later; `null` where the system does not say. */
  readonly born: string | null
  /** The lock's other name, which goes when it goes. */
  readonly own: string
}

export const LOCK = 'pull.lock'
const OWN_NAME = /^\.pull\.lock\.[0-9a-f-]{36}$/
const HEARTBEAT_MS = 10_000
/** A lock of another machine that shows no sign of life for so long is one that was left behind. */
const SILENCE_MS = 60_000

/**
 * Takes the lock of a folder, or takes over one whose process is gone.
 *
 * @returns gives it back
 * @throws PullError of kind `locked`
 */
export async function takeLock(disk: Disk, out: string, clock: Clock): Promise<() => Promise<void>> {
  const path = join(out, LOCK)
  const name = `.${LOCK}.${randomUUID()}`
  const own = join(out, name)
  const holder: LockHolder = {
    pid: process.pid,
    host: hostname(),
    since: new Date(clock.now()).toISOString(),
    born: await bornAt(disk, process.pid),
    own: name,
  }
  const file = await disk.create(own)
  try {
    await file.write(Buffer.from(JSON.stringify(holder))).finally(() => file.close())
    await linkOrTakeOver(disk, out, own)
    await sweep(disk, out, name).catch(() => undefined)
  } catch (thrown) {
    await disk.remove(own)
    throw thrown
  }
  // Both names are one file: what happens under the own name is seen under the other.
  let cancel = clock.after(HEARTBEAT_MS, beat)
  let beating = Promise.resolve()
  function beat(): void {
    beating = disk.touch(own).catch(() => undefined)
    cancel = clock.after(HEARTBEAT_MS, beat)
  }
  return async () => {
    cancel()
    await beating
    await disk.remove(path)
    await disk.remove(own)
  }
}

/** Who holds the lock of a folder, if anybody does. */
export async function lockHolder(disk: Disk, out: string): Promise<LockHolder | undefined> {
  const path = join(out, LOCK)
  const holder = readHolder(await disk.readText(path))
  return holder !== undefined && (await isAlive(disk, path, holder)) ? holder : undefined
}

async function linkOrTakeOver(disk: Disk, out: string, own: string): Promise<void> {
  const path = join(out, LOCK)
  for (let attempt = 0; ; attempt++) {
    try {
      await disk.link(own, path)
      return
    } catch (thrown) {
      const { code } = thrown as { code?: unknown }
      // Whoever holds the lock has swept ours away.
      if (code === 'ENOENT') throw lockedBy(readHolder(await disk.readText(path)), path)
      if (code !== 'EEXIST') throw thrown
    }
    const seen = await disk.readText(path)
    if (seen === undefined) continue
    const holder = readHolder(seen)
    if (attempt >= 3 || holder === undefined || (await isAlive(disk, path, holder))) throw lockedBy(holder, path)
    await takeAway(disk, path, seen)
    await disk.remove(join(out, holder.own))
  }
}

/** Own names of others, once the lock is ours: of those that were killed before they had it, or that will not get it. */
async function sweep(disk: Disk, out: string, name: string): Promise<void> {
  for (const other of await disk.list(out))
    if (OWN_NAME.test(other) && other !== name) await disk.remove(join(out, other))
}

/** Removes a lock that was left behind, and no other: somebody may have been quicker. */
async function takeAway(disk: Disk, path: string, seen: string): Promise<void> {
  const aside = `${path}.${randomUUID()}`
  try {
    await disk.moveInPlace(path, aside)
  } catch {
    return
  }
  if ((await disk.readText(aside)) !== seen) await disk.link(aside, path).catch(() => undefined)
  await disk.remove(aside)
}

async function isAlive(disk: Disk, path: string, holder: LockHolder): Promise<boolean> {
  if (holder.host !== hostname()) {
    // The file system's own clock on both sides: another machine's may differ from ours.
    const own = `${path}.${randomUUID()}`
    await (await disk.create(own)).close()
    const [theirs, now] = [await disk.stat(path), await disk.stat(own)]
    await disk.remove(own)
    return theirs !== undefined && now !== undefined && now.changedAt - theirs.changedAt < SILENCE_MS
  }
  try {
    process.kill(holder.pid, 0)
  } catch (thrown) {
    if ((thrown as { code?: unknown }).code === 'ESRCH') return false
  }
  return holder.born === null || holder.born === (await bornAt(disk, holder.pid))
}

/** When a process began, where the system tells: the 22nd field, counted behind the name, which may hold anything. */
async function bornAt(disk: Disk, pid: number): Promise<string | null> {
  const text = await disk.readText(`/proc/${pid}/stat`).catch(() => undefined)
  return text?.slice(text.lastIndexOf(')') + 2).split(' ')[19] ?? null
}

function readHolder(text: string | undefined): LockHolder | undefined {
  try {
    const { pid, host, since, born = null, own } = JSON.parse(text ?? '') as LockHolder
    const isSound = Number.isInteger(pid) && pid > 0 && OWN_NAME.test(own)
    return isSound ? { pid, host: String(host), since: String(since), born, own } : undefined
  } catch {
    return undefined
  }
}

function lockedBy(holder: LockHolder | undefined, path: string): PullError {
  const who = holder ? `process ${holder.pid} on ${holder.host} since ${holder.since}` : 'somebody who left no name'
  return new PullError(
    'locked',
    `another process writes here: ${who}; wait for it, or, if you know that it is gone, delete ${LOCK}`,
    { path },
  )
}

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { systemClock } from '../../src/clock.ts'
import { systemDisk, type Disk } from '../../src/pull/disk.ts'
import { status } from '../../src/pull/index.ts'
import { takeLock } from '../../src/pull/lock.ts'
import { filesIn } from '../support/pulling.ts'
import { tempFolder } from '../tooling/temp-folder.ts'

const take = (out: string): Promise<() => Promise<void>> => takeLock(systemDisk, out, systemClock)
const OWN = '.pull.lock.00000000-0000-0000-0000-000000000000'

/** Number of a process that has ended. */
async function deadPid(): Promise<number> {
  const child = spawn(process.execPath, ['-e', ''])
  await once(child, 'exit')
  return child.pid ?? 0
}

function leaveLock(out: string, holder: object): void {
  const text = JSON.stringify({ since: '2024-01-01T00:00:00.000Z', born: null, own: OWN, ...holder })
  for (const name of ['pull.lock', OWN]) writeFileSync(join(out, name), text)
}

describe('the lock of a folder', () => {
  it('lets one in at a time, says who that is, and leaves nothing behind', async () => {
    const out = tempFolder()
    const release = await take(out)
    await expect(take(out)).rejects.toMatchObject({
      name: 'PullError',
      kind: 'locked',
      message: expect.stringContaining(`process ${process.pid} on ${hostname()}`) as string,
    })
    expect((await status(out)).lockedBy).toMatchObject({ pid: process.pid, host: hostname() })
    await release()
    expect(filesIn(out)).toEqual([])
    expect((await status(out)).lockedBy).toBeUndefined()
    await (
      await take(out)
    )()
  })

  it('lets exactly one of many in that come at once', async () => {
    const out = tempFolder()
    leaveLock(out, { pid: await deadPid(), host: hostname() })
    const taken = await Promise.allSettled(Array.from({ length: 12 }, () => take(out)))
    const winners = taken.filter(({ status: outcome }) => outcome === 'fulfilled')
    expect(winners).toHaveLength(1)
    for (const one of taken) if (one.status === 'rejected') expect(one.reason).toMatchObject({ kind: 'locked' })
    for (const one of taken) if (one.status === 'fulfilled') await one.value()
    expect(filesIn(out)).toEqual([])
  })

  it('is taken over from a process that is gone', async () => {
    const out = tempFolder()
    leaveLock(out, { pid: await deadPid(), host: hostname() })
    expect((await status(out)).lockedBy).toBeUndefined()
    await (
      await take(out)
    )()
    expect(filesIn(out)).toEqual([])
  })

  it('is taken over from a process whose number another one has now', async () => {
    const out = tempFolder()
    leaveLock(out, { pid: process.pid, host: hostname(), born: '1' })
    await (
      await take(out)
    )()
  })

  it('is left to another machine as long as that gives signs of life', async () => {
    const out = tempFolder()
    leaveLock(out, { pid: 1, host: 'elsewhere' })
    await expect(take(out)).rejects.toMatchObject({ kind: 'locked' })
    const longAgo = new Date(Date.now() - 120_000)
    utimesSync(join(out, 'pull.lock'), longAgo, longAgo)
    await (
      await take(out)
    )()
  })

  it('shows signs of life while it is held', async () => {
    const out = tempFolder()
    const beats: (() => void)[] = []
    const clock = { ...systemClock, after: (_ms: number, run: () => void) => (beats.push(run), () => undefined) }
    const release = await takeLock(systemDisk, out, clock)
    const path = join(out, 'pull.lock')
    const text = readFileSync(path, 'utf8')
    utimesSync(path, new Date(0), new Date(0))
    beats[0]?.()
    await expect.poll(async () => (await systemDisk.stat(path))?.changedAt).toBeGreaterThan(1_000_000)
    expect(readFileSync(path, 'utf8')).toBe(text)
    expect(beats).toHaveLength(2)
    await release()
  })

  it('is not guessed about: a lock that cannot be read stays', async () => {
    const out = tempFolder()
    writeFileSync(join(out, 'pull.lock'), 'what is this')
    await expect(take(out)).rejects.toMatchObject({ kind: 'locked' })
    expect(readFileSync(join(out, 'pull.lock'), 'utf8')).toBe('what is this')
  })

  it('takes away what a process left that was killed before it had the lock: nothing remains', async () => {
    const out = tempFolder()
    writeFileSync(join(out, OWN), '')
    const release = await take(out)
    expect(filesIn(out)).not.toContain(OWN)
    await release()
    expect(filesIn(out)).toEqual([])
  })

  it('is refused, not broken, for one whose own name was taken away meanwhile', async () => {
    const out = tempFolder()
    const disk: Disk = {
      ...systemDisk,
      async link(from, to) {
        await systemDisk.remove(from)
        return systemDisk.link(from, to)
      },
    }
    await expect(takeLock(disk, out, systemClock)).rejects.toMatchObject({ name: 'PullError', kind: 'locked' })
  })
})

import { execFileSync } from 'node:child_process'
import { mkdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { isPullError, pull, type PullSpec } from '../../src/pull/index.ts'
import { simulate } from '../support/emissions.ts'
import { faultyDisk, type DiskDoing } from '../support/faulty-disk.ts'
import { settingsFor } from '../support/pull-settings.ts'
import { contentsOf, filesIn, manifestOf } from '../support/pulling.ts'
import { seededRandom } from '../schedules/chance.ts'
import { runScript } from '../support/run-script.ts'
import { tempFolder } from '../tooling/temp-folder.ts'

/** Five days, a task a day. */
const DAYS: PullSpec = {
  start: '2024-01-01',
  end: '2024-01-05T23:55Z',
  pulls: [{ service: 'emissions', operation: 'historical', query: { region: 'CAISO_NORTH' }, segment: 'day' }],
}

/** Nothing unfinished, what stands under a final name is whole, and what the manifest names is there. */
function expectSound(out: string, wanted: Readonly<Record<string, string>>): void {
  const files = filesIn(out)
  expect(files.filter(path => path.endsWith('.part'))).toEqual([])
  for (const [path, content] of Object.entries(contentsOf(out))) expect([path, content]).toEqual([path, wanted[path]])
  const lines = files.includes('manifest.jsonl') ? manifestOf(out) : []
  const named = lines.flatMap(line => (line.type === 'task' ? line.files.map(({ path }) => path) : []))
  expect(named.filter(path => !files.includes(path))).toEqual([])
}

describe('a disk that is full', () => {
  it(
    'at any byte: a clear error, nothing half-written, and a second run with room does the rest',
    { timeout: 60_000 },
    async () => {
      const simulator = await simulate()
      const settings = settingsFor(simulator)
      const whole = tempFolder()
      await pull(DAYS, { out: whole, settings })
      const wanted = contentsOf(whole)
      const size = filesIn(whole).reduce((sum, path) => sum + statSync(join(whole, path)).size, 0)
      const chance = seededRandom(11)
      const kinds = new Set<unknown>()
      for (const afterBytes of [
        0,
        1,
        200,
        500,
        ...Array.from({ length: 12 }, () => Math.floor(chance() * size)),
        2 * size,
      ]) {
        const out = join(tempFolder(), 'out')
        const disk = faultyDisk({ code: 'ENOSPC', afterBytes })
        const thrown: unknown = await pull(DAYS, { out, settings, disk }).catch((error: unknown) => error)
        if (isPullError(thrown)) {
          expect(thrown).toMatchObject({ kind: 'disk', reason: 'full' })
          expect(thrown.message).toMatch(/disk is full \(ENOSPC\); make room, then run it again/)
          expectSound(out, wanted)
        }
        kinds.add(isPullError(thrown))
        const done = filesIn(out).includes('manifest.jsonl')
          ? manifestOf(out).filter(({ type }) => type === 'task')
          : []
        const report = await pull(DAYS, { out, settings })
        expect(report.tasks).toMatchObject({ covered: done.length, left: 0 })
        expect(contentsOf(out)).toEqual(wanted)
      }
      expect(kinds).toEqual(new Set([true, false]))
    },
  )

  it('for real, on a small file system: the same, and exit by an error of ours', { timeout: 60_000 }, async context => {
    const small = join(tempFolder(), 'small')
    mkdirSync(small)
    const script = join(import.meta.dirname, 'scripts', 'small-disk.ts')
    if (!canMount(small)) context.skip('no file system can be mounted here; the test above stands for it')
    const simulator = await simulate()
    const { stdout, code } = await runScript(script, [small], {
      PULL_URL: simulator.url,
      PULL_SPEC: JSON.stringify(DAYS),
    })
    expect(stdout).toContain('disk: ')
    expect(stdout).toContain('unfinished files: 0')
    expect(stdout).toContain('with room: complete')
    expect(code).toBe(0)
  })
})

describe('a disk that refuses', () => {
  it.each<[doing: DiskDoing, from: number, code: 'EACCES' | 'EROFS' | 'EIO', reason: string]>([
    ['makeFolder', 1, 'EACCES', 'denied'],
    ['create', 1, 'EROFS', 'denied'],
    ['create', 3, 'EACCES', 'denied'],
    ['append', 1, 'EACCES', 'denied'],
    ['sync', 2, 'EIO', 'other'],
    ['moveInPlace', 1, 'EACCES', 'denied'],
    ['moveInPlace', 4, 'EIO', 'other'],
  ])('%s, from the %d. on, with %s', async (doing, from, code, reason) => {
    const simulator = await simulate()
    const settings = settingsFor(simulator)
    const whole = tempFolder()
    await pull(DAYS, { out: whole, settings })
    const wanted = contentsOf(whole)
    const out = join(tempFolder(), 'out')
    const thrown: unknown = await pull(DAYS, { out, settings, disk: faultyDisk({ code, doing, from }) }).catch(
      (error: unknown) => error,
    )
    expect(thrown).toMatchObject({ name: 'PullError', kind: 'disk', reason, cause: { code } })
    expectSound(out, wanted)
    expect((await pull(DAYS, { out, settings })).outcome).toBe('complete')
    expect(contentsOf(out)).toEqual(wanted)
  })

  it('a folder that is a file: said before anything is asked', async () => {
    const simulator = await simulate()
    const out = join(import.meta.filename, 'out')
    await expect(pull(DAYS, { out, settings: settingsFor(simulator) })).rejects.toMatchObject({
      kind: 'disk',
      path: out,
    })
    expect(simulator.requests).toHaveLength(0)
  })
})

function canMount(folder: string): boolean {
  try {
    execFileSync('unshare', ['-rm', 'mount', '-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', folder], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

import { appendFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Fault, Simulator } from '../../src/simulator/index.ts'
import { filesIn } from '../support/pulling.ts'
import { tempFolder } from '../tooling/temp-folder.ts'
import { binary, inside, simulated, type Left } from './headrace.ts'

const WHAT = ['--service', 'emissions', '--operation', 'historical', '--query', 'region=CAISO_NORTH']
const DAYS = [...WHAT, '--start', '2024-01-01', '--end', '2024-01-05T23:55Z', '--segment', 'day']
const HOLE: Fault = { do: { type: 'rows', drop: [{ from: '2024-01-03T00:00Z', to: '2024-01-03T00:55Z' }] } }

type Env = Readonly<Record<string, string | undefined>>

/** A folder with five days in it. */
async function pulled(faults: readonly Fault[] = []): Promise<{ out: string; env: Env; simulator: Simulator }> {
  const { env, simulator } = await simulated({ faults })
  const out = join(tempFolder(), 'data')
  await inside(['pull', ...DAYS, '--out', out, '--no-compact', '--quiet'], { env })
  simulator.setFaults([])
  simulator.reset()
  return { out, env, simulator }
}

const dataFile = (out: string): string => join(out, filesIn(out).find(path => path.startsWith('data')) ?? '')
const documentIn = ({ stdout }: Left): unknown => JSON.parse(stdout)

describe('headrace status', () => {
  it('says what is in a folder, and asks nothing', async () => {
    const { out, simulator } = await pulled()
    const { stdout, code } = await inside(['status', out])
    expect(stdout).toMatch(/^tasks {5}5 of 5 done$/m)
    expect(stdout).toMatch(/^rows {6}1,440$/m)
    expect(stdout).toMatch(/^holes: none$/m)
    expect(simulator.requests).toEqual([])
    expect(code).toBe(0)
  })

  it('says that nothing is in a folder that is not there', async () => {
    const { stdout, code } = await inside(['status', join(tempFolder(), 'nowhere')])
    expect(stdout).toContain('none: nothing was pulled into it')
    expect(code).toBe(0)
  })
})

describe('headrace verify', () => {
  it('0: where every file is what the manifest says', async () => {
    const { out } = await pulled()
    const { stdout, code } = await inside(['verify', out])
    expect(stdout).toContain('sound: 10 files, 1,440 rows\nholes: none\n')
    expect(code).toBe(0)
  })

  it('7: a file that is damaged, and one that is gone; repaired, it is sound', async () => {
    const { out, env } = await pulled()
    appendFileSync(dataFile(out), 'more')
    const damaged = await inside(['verify', out])
    expect(damaged.stdout).toMatch(/: not sound: /)
    expect(damaged.stdout.match(/^damaged: data\//gm)).toHaveLength(1)
    expect(damaged.code).toBe(7)
    rmSync(dataFile(out))
    const gone = await inside(['verify', out, '--json'])
    expect(documentIn(gone)).toMatchObject({ exitCode: 7, verify: { sound: false, damaged: [{ problem: 'missing' }] } })
    const repaired = await inside(['verify', out, '--repair'], { env })
    expect(repaired.stdout).toContain('repaired: 1 file, 0 holes, 288 rows')
    expect(repaired.code).toBe(0)
  })

  it('8: with holes; repaired where the service has them by now', async () => {
    const { out, env } = await pulled([HOLE])
    const holes = await inside(['verify', out])
    expect(holes.stdout).toContain('2024-01-03T00:00:00Z to 2024-01-03T00:55:00Z (12 samples)')
    expect(holes.code).toBe(8)
    const repaired = await inside(['verify', out, '--repair', '--json'], { env })
    expect(documentIn(repaired)).toMatchObject({
      exitCode: 0,
      verify: { sound: true, repaired: { holes: 1, rows: 12 } },
    })
  })

  it('0: with holes that are accepted, then and later', async () => {
    const { out } = await pulled([HOLE])
    expect((await inside(['verify', out, '--accept-holes'])).code).toBe(0)
    const again = await inside(['verify', out])
    expect(again.stdout).toContain('holes: none (and 1 accepted)')
    expect(again.code).toBe(0)
  })

  it.each(['verify', 'sync', 'resume'])('2: %s of a folder into which nothing was pulled', async command => {
    const { stderr, code } = await inside([command, join(tempFolder(), 'mistyped')])
    expect(stderr).toContain('nothing was pulled into')
    expect(code).toBe(2)
  })
})

/** What an account may ask for, with a model of tomorrow. */
const NEWER = {
  signal_types: [
    {
      signal_type: 'co2_moer',
      regions: [
        {
          region: 'CAISO_NORTH',
          endpoints: [{ endpoint: 'v3/historical', models: [{ model: '2026-03-01' }, { model: '2027-03-01' }] }],
        },
      ],
    },
  ],
}

describe('a folder of which a part was never pulled', () => {
  it('is told by verify and by sync', async () => {
    const { env, simulator } = await simulated({
      faults: [{ when: { startsFrom: '2024-01-04' }, do: { type: 'status', status: 400 } }],
    })
    const out = join(tempFolder(), 'data')
    expect((await inside(['pull', ...DAYS, '--out', out], { env })).code).toBe(6)
    const verified = await inside(['verify', out])
    expect(verified.stdout).toContain(`never pulled: 2 of 5 tasks; to do them: headrace resume ${out}\n`)
    simulator.setFaults([])
    const synced = await inside(['sync', out, '--until', '2024-01-03T23:55Z'], { env })
    expect(synced.stderr).toContain('warning: 2 of 5 tasks of the newest pull are left, and sync does not do them')
    await inside(['resume', out], { env })
    expect((await inside(['verify', out])).stdout).not.toContain('never pulled')
  })
})

describe('headrace sync', () => {
  const UNTIL = ['--until', '2024-01-07T23:55Z']

  it('adds what is new; the second time there is nothing', async () => {
    const { out, env } = await pulled()
    const first = await inside(['sync', out, ...UNTIL], { env })
    expect(first.stderr).toContain(': 576 rows added, 0 revised')
    expect(first.code).toBe(0)
    const second = await inside(['sync', out, ...UNTIL, '--json'], { env })
    expect(documentIn(second)).toMatchObject({ outcome: 'ok', report: { outcome: 'unchanged', added: 0, revised: 0 } })
  })

  it('puts revised rows in the place of the older ones', async () => {
    const { out, env, simulator } = await pulled()
    const at = new Date(Date.now() + 1000).toISOString()
    simulator.setFaults([{ do: { type: 'revise', from: '2024-01-02', to: '2024-01-02T00:55Z', at, add: 7 } }])
    await expect.poll(() => Date.now(), { timeout: 5000 }).toBeGreaterThan(Date.parse(at))
    const { stderr } = await inside(['sync', out, ...UNTIL], { env })
    expect(stderr).toContain(': 576 rows added, 12 revised')
    expect((await inside(['verify', out])).code).toBe(0)
  })

  it('takes out what the service has taken away, and warns of a newer model', async () => {
    const { out, env, simulator } = await pulled()
    simulator.setFaults([{ do: { type: 'withdraw', from: '2024-01-02', to: '2024-01-02T00:55Z' } }])
    const until = ['--until', '2024-01-05T23:55Z']
    const { stderr, code } = await inside(['sync', out, ...until, '--look-back', 'P5D'], { env })
    expect(stderr).toContain(': 0 rows added, 0 revised, 12 removed (')
    expect(stderr).toContain('2024-01-02T00:00:00Z to 2024-01-02T00:55:00Z (12 samples)')
    expect(code).toBe(8)
    simulator.setFaults([{ path: '/v3/my-access', do: { type: 'body', text: JSON.stringify(NEWER) } }])
    const later = await inside(['sync', out, ...until, '--accept-holes'], { env })
    const warning =
      'warning: 1 series of emissions historical keeps to model 2026-03-01, and the service has 2027-03-01: for that one pull into a new folder\n'
    expect(later.stderr.split(warning)).toHaveLength(2)
    expect(later.code).toBe(0)
  })

  it('9: nothing new, in words and as one JSON document, through the program', { timeout: 60_000 }, async () => {
    const { out, env } = await pulled()
    const sync = ['sync', out, '--until', '2024-01-05T23:55Z']
    const plain = await binary([...sync, '--fail-unchanged'], env)
    expect(plain.stderr).toContain('nothing new')
    expect(plain.code).toBe(9)
    const json = await binary([...sync, '--fail-unchanged', '--json'], env)
    expect(documentIn(json)).toMatchObject({ outcome: 'unchanged', exitCode: 9 })
    expect((await binary([...sync, '--quiet'], env)).code).toBe(0)
  })
})

import { appendFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { systemDisk } from '../../src/pull/disk.ts'
import { pull, status, verify, type Disk, type PullFormat, type PullSpec } from '../../src/pull/index.ts'
import type { Fault, Simulator } from '../../src/simulator/index.ts'
import { simulate } from '../support/emissions.ts'
import { settingsFor } from '../support/pull-settings.ts'
import { contentsOf, filesIn, rowsIn } from '../support/pulling.ts'
import { tempFolder } from '../tooling/temp-folder.ts'

/** Twelve days, a task a day: enough files to be joined. */
const DAYS: PullSpec = {
  start: '2024-01-01',
  end: '2024-01-12T23:55Z',
  pulls: [{ service: 'emissions', operation: 'historical', query: { region: 'CAISO_NORTH' }, segment: 'day' }],
}

const HOLE: Fault = {
  do: { type: 'rows', drop: [{ from: '2024-01-05T00:00Z', to: '2024-01-05T00:55Z' }] },
}

async function pulled(
  format: PullFormat,
  { faults = [], compact = false, spec = DAYS }: { faults?: readonly Fault[]; compact?: boolean; spec?: PullSpec } = {},
): Promise<{ out: string; simulator: Simulator; settings: ReturnType<typeof settingsFor> }> {
  const simulator = await simulate({ faults })
  const out = tempFolder()
  const settings = settingsFor(simulator)
  await pull(spec, { out, format, settings, compact })
  simulator.setFaults([])
  simulator.reset()
  return { out, simulator, settings }
}

const truthOf = (simulator: Simulator): unknown[] =>
  simulator.truth
    .historical({ region: 'CAISO_NORTH', start: '2024-01-01', end: '2024-01-12T23:55Z' })
    .map(({ point_time, value }) => [point_time, value])

const samplesIn = async (out: string): Promise<unknown[]> =>
  (await rowsIn(out)).map(row => [(row['point_time'] as Date).getTime(), row['value']])

const dataFile = (out: string, nth = 0): string =>
  join(out, filesIn(out).filter(path => path.startsWith('data'))[nth] ?? '')

describe('joining small files', () => {
  it.each(['csv', 'jsonl', 'parquet'] as const)(
    'leaves one %s with the same rows in the same order, and one of metadata',
    async format => {
      const { out, simulator } = await pulled(format, { compact: true })
      const names = filesIn(out).map(path => path.replace(/[0-9a-f]{16}/, '*'))
      const folder = 'emissions_historical/region=CAISO_NORTH/signal_type=co2_moer/year=2024'
      expect(names).toEqual([
        `data/${folder}/merged-*.${format}`,
        'manifest.jsonl',
        `meta/emissions_historical/merged-*.${format}`,
      ])
      expect(await samplesIn(out)).toEqual(truthOf(simulator))
      expect(await verify(out)).toMatchObject({
        sound: true,
        files: 2,
        rows: 12 * 288,
        holes: [],
        damaged: [],
        strays: [],
      })
      expect((await pull(DAYS, { out, settings: settingsFor(simulator) })).outcome).toBe('unchanged')
    },
  )

  it('leaves a few files as they are', async () => {
    const { out } = await pulled('csv', { compact: true, spec: { ...DAYS, end: '2024-01-04' } })
    expect(filesIn(join(out, 'data')).filter(path => path.includes('part-'))).toHaveLength(4)
  })

  it('gives the same files whatever order the tasks were done in', async () => {
    const one = await pulled('csv', {
      compact: true,
      faults: [{ when: { startsBefore: '2024-01-03' }, do: { type: 'latency', ms: 200 } }],
    })
    const other = await pulled('csv', { compact: true })
    const data = (out: string): string[] => filesIn(out).filter(path => path.startsWith('data'))
    expect(data(one.out)).toEqual(data(other.out))
  })
})

describe('verify', () => {
  it.each<[what: string, spoil: (path: string) => void, problem: string]>([
    ['a file that is gone', path => rmSync(path), 'missing'],
    ['a file that has grown', path => appendFileSync(path, 'x\n'), 'size'],
    [
      'one byte that is another',
      path => writeFileSync(path, readFileSync(path, 'utf8').replace(/\d\n$/, 'x\n')),
      'hash',
    ],
  ])('finds %s, and a repair asks for that day only', async (_what, spoil, problem) => {
    const { out, simulator, settings } = await pulled('csv')
    spoil(dataFile(out, 3))
    const found = await verify(out)
    expect(found).toMatchObject({ sound: false, damaged: [{ problem }], repaired: { files: 0 } })
    expect(simulator.requests).toHaveLength(0)
    const repaired = await verify(out, { repair: true, settings })
    expect(repaired).toMatchObject({ sound: true, damaged: [], repaired: { files: 1, rows: 288 } })
    expect(simulator.stats.dataRequests).toBe(1)
    expect(await samplesIn(out)).toEqual(truthOf(simulator))
  })

  it('counts the samples of a file that is gone as missing', async () => {
    const { out } = await pulled('csv')
    rmSync(dataFile(out, 3))
    const { holes } = await verify(out)
    expect(holes.reduce((sum, { samples }) => sum + samples, 0)).toBe(288)
  })

  it('asks once more for what a joined file held', async () => {
    const { out, simulator, settings } = await pulled('jsonl', { compact: true })
    rmSync(dataFile(out))
    expect(await verify(out, { repair: true, settings })).toMatchObject({
      sound: true,
      repaired: { files: 1, rows: 12 * 288 },
    })
    expect(simulator.stats.dataRequests).toBe(12)
    expect(await samplesIn(out)).toEqual(truthOf(simulator))
  })

  it('brings metadata back without touching the data', async () => {
    const { out, simulator, settings } = await pulled('csv', { compact: true })
    const before = filesIn(out).filter(path => path.startsWith('data'))
    rmSync(join(out, filesIn(out).find(path => path.startsWith('meta')) ?? ''))
    expect(await verify(out, { repair: true, settings })).toMatchObject({ sound: true, repaired: { files: 1 } })
    expect(filesIn(out).filter(path => path.startsWith('data'))).toEqual(before)
    expect(await samplesIn(out)).toEqual(truthOf(simulator))
    expect(
      (await status(out)).files.filter(({ holds }) => holds === 'meta').reduce((sum, { rows }) => sum + rows, 0),
    ).toBe(12)
  })

  it.each(['csv', 'parquet'] as const)('lists holes, and a repair asks for just those: %s', async format => {
    const { out, simulator, settings } = await pulled(format, { faults: [HOLE] })
    const found = await verify(out)
    expect(found).toMatchObject({
      sound: false,
      damaged: [],
      holes: [
        { start: new Date('2024-01-05T00:00Z'), end: new Date('2024-01-05T00:55Z'), samples: 12, accepted: false },
      ],
    })
    const repaired = await verify(out, { repair: true, settings })
    expect(repaired).toMatchObject({ sound: true, holes: [], repaired: { files: 0, holes: 1, rows: 12 } })
    const asked = simulator.requests
      .filter(({ path }) => path === '/v3/historical')
      .map(({ query }) => [query['start'], query['end']])
    expect(asked).toEqual([['2024-01-05T00:00:00Z', '2024-01-05T00:55:00Z']])
    expect(await samplesIn(out)).toEqual(truthOf(simulator))
    expect((await status(out)).holes).toEqual([])
  })

  it('says that a hole is still there when the service has nothing for it', async () => {
    const { out, simulator, settings } = await pulled('csv', { faults: [HOLE] })
    simulator.setFaults([HOLE])
    expect(await verify(out, { repair: true, settings })).toMatchObject({
      sound: false,
      repaired: { holes: 0, rows: 0 },
    })
    expect(await verify(out, { accept: true })).toMatchObject({ sound: true, holes: [{ accepted: true }] })
    expect(await verify(out)).toMatchObject({ sound: true, holes: [{ accepted: true }] })
  })

  it('names files that nobody wrote down, and takes them away when it repairs', async () => {
    const { out, settings } = await pulled('csv')
    const stray = dataFile(out).replace(/part-[0-9a-f]{16}/, 'part-00000000000000aa')
    writeFileSync(stray, '')
    expect(await verify(out)).toMatchObject({ sound: true, strays: [stray.slice(out.length + 1)] })
    await verify(out, { repair: true, settings })
    expect(filesIn(out).map(path => join(out, path))).not.toContain(stray)
  })
})

describe('verify that is asked to stop', () => {
  it('reads no further part of a file, and changes nothing', async () => {
    const { out } = await pulled('csv')
    const stop = new AbortController()
    const read: string[] = []
    const disk: Disk = {
      ...systemDisk,
      read(path) {
        read.push(path)
        if (read.length === 3) stop.abort()
        return systemDisk.read(path)
      },
    }
    const before = contentsOf(out, '')
    await expect(verify(out, { disk, stop: stop.signal })).rejects.toMatchObject({
      name: 'PullError',
      kind: 'stopped',
      said: 'it ended early: it was asked to stop',
    })
    expect(read).toHaveLength(3)
    expect(contentsOf(out, '')).toEqual(before)
  })

  it('keeps to a deadline', async () => {
    const { out } = await pulled('csv')
    await expect(verify(out, { deadlineMs: 0 })).rejects.toMatchObject({ kind: 'deadline' })
  })
})

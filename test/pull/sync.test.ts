import { describe, expect, it } from 'vitest'
import { systemClock } from '../../src/clock.ts'
import { pull, sync, verify, type PullFormat, type PullSpec } from '../../src/pull/index.ts'
import type { Fault, Simulator } from '../../src/simulator/index.ts'
import { simulate } from '../support/emissions.ts'
import { settingsFor } from '../support/pull-settings.ts'
import { contentsOf, filesIn, rowsIn } from '../support/pulling.ts'
import { NO_QUOTAS } from '../support/streamflow.ts'
import { tempFolder } from '../tooling/temp-folder.ts'

const DAY_MS = 86_400_000
const NOW = Date.parse('2024-03-10T12:00:00Z')

const EMISSIONS: PullSpec = {
  start: '2024-03-01',
  pulls: [
    { service: 'emissions', operation: 'historical', each: { region: ['CAISO_NORTH', 'PJM_DC'] }, segment: 'day' },
  ],
}
const STREAMFLOW: PullSpec = {
  start: '2024-03-01',
  pulls: [
    {
      service: 'streamflow',
      operation: 'continuous',
      query: { parameterCode: '00060', cadence: 'PT15M' },
      each: { monitoringLocationId: ['USGS-01000000', 'USGS-01000001'] },
    },
    {
      service: 'streamflow',
      operation: 'daily',
      query: { parameterCode: '00060', statisticId: '00003', monitoringLocationId: ['USGS-01000000', 'USGS-01000001'] },
    },
  ],
}

/** Values of three hours were revised on the day after the pull. */
const REVISED: Fault = {
  do: { type: 'revise', from: '2024-03-05T06:00Z', to: '2024-03-05T08:55Z', at: '2024-03-11T00:00:00Z', add: 7 },
}

/** A service and a folder on a clock that a test moves. */
async function stage(spec: PullSpec, format: PullFormat = 'csv') {
  let shift = 0
  const clock = { ...systemClock, now: () => NOW + shift }
  const simulator = await simulate({ clock, streamflow: NO_QUOTAS })
  const settings = settingsFor(simulator)
  const clocks = {
    emissions: { ...settings.emissions, clock },
    streamflow: { ...settings.streamflow, clock },
  }
  const out = tempFolder()
  const options = { out, settings: clocks, clock }
  await pull(spec, { ...options, format, compact: false })
  simulator.reset()
  return {
    simulator,
    options,
    out,
    later: (ms: number) => {
      shift += ms
    },
  }
}

const truthOf = (simulator: Simulator, end: string): Map<string, number> =>
  new Map(
    ['CAISO_NORTH', 'PJM_DC'].flatMap(region =>
      simulator.truth
        .historical({ region, start: '2024-03-01', end })
        .map(({ point_time, value }): [string, number] => [`${region} ${point_time}`, value]),
    ),
  )

const samplesIn = async (out: string): Promise<Map<string, unknown>> =>
  new Map((await rowsIn(out)).map(row => [`${String(row['region'])} ${Number(row['point_time'])}`, row['value']]))

describe('sync', () => {
  it.each(['csv', 'jsonl', 'parquet'] as const)(
    'changes exactly the rows that were revised and those that are new: %s',
    async format => {
      const { simulator, options, out, later } = await stage(EMISSIONS, format)
      const before = contentsOf(out)
      const was = await samplesIn(out)
      simulator.setFaults([REVISED])
      later(DAY_MS)
      const report = await sync(undefined, { ...options, compact: false })
      expect(report).toMatchObject({ outcome: 'updated', revised: 2 * 36, added: 2 * 288, holes: [] })
      expect(new Set(report.series.map(({ until }) => until.toISOString()))).toEqual(
        new Set(['2024-03-11T11:55:00.000Z']),
      )
      const now = await samplesIn(out)
      expect(now).toEqual(truthOf(simulator, '2024-03-11T11:55:00Z'))
      const changed = [...was].filter(([key, value]) => now.get(key) !== value)
      expect(changed).toHaveLength(2 * 36)
      expect(await verify(out)).toMatchObject({ sound: true })
      // Of two regions, the file of the fifth of March is another; all others are as they were, byte for byte.
      const after = contentsOf(out)
      const kept = Object.keys(before).filter(path => after[path] === before[path])
      expect(kept).toHaveLength(Object.keys(before).length - 2)
    },
  )

  it('says so when there is nothing new, and leaves every file as it is', async () => {
    const { simulator, options, out, later } = await stage(EMISSIONS)
    simulator.setFaults([REVISED])
    later(DAY_MS)
    await sync(undefined, options)
    const before = contentsOf(out, '')
    expect(await sync(undefined, options)).toMatchObject({ outcome: 'unchanged', added: 0, revised: 0 })
    expect(contentsOf(out, '')).toEqual(before)
  })

  it('asks the service for what it revised, and for what lies behind the end, nothing else', async () => {
    const { simulator, options, later } = await stage(EMISSIONS)
    later(DAY_MS)
    await sync(undefined, options)
    const asked = simulator.requests.filter(
      ({ path, query }) => path === '/v3/historical' && query['region'] === 'PJM_DC',
    )
    expect(asked.map(({ query }) => [query['start'], query['end'], query['updated_since']])).toEqual([
      ['2024-03-01T00:00:00Z', '2024-03-10T11:55:00Z', '2024-03-10T11:50:00Z'],
      ['2024-03-10T12:00:00Z', '2024-03-10T23:55:00Z', undefined],
      ['2024-03-11T00:00:00Z', '2024-03-11T11:55:00Z', undefined],
    ])
    expect(new Set(asked.map(({ query }) => query['model']))).toEqual(new Set(['2026-03-01']))
  })

  it('looks back and compares when told to', async () => {
    const { simulator, options, out, later } = await stage(EMISSIONS)
    simulator.setFaults([REVISED])
    later(DAY_MS)
    expect(await sync(undefined, { ...options, lookBack: 'P2D' })).toMatchObject({ revised: 0, added: 2 * 288 })
    expect(await sync(undefined, { ...options, lookBack: 'P7D' })).toMatchObject({ revised: 2 * 36, added: 0 })
    expect(await samplesIn(out)).toEqual(truthOf(simulator, '2024-03-11T11:55:00Z'))
  })

  it('takes up what the service did not have in time, and no hole remains', async () => {
    const late: Fault = { do: { type: 'rows', drop: [{ from: '2024-03-10T11:00Z', to: '2024-03-10T13:00Z' }] } }
    const { simulator, options, out, later } = await stage(EMISSIONS)
    later(45 * 60_000)
    simulator.setFaults([late])
    expect(await sync(undefined, options)).toMatchObject({ outcome: 'unchanged', holes: [] })
    simulator.setFaults([])
    expect(await sync(undefined, options)).toMatchObject({ added: 2 * 9, holes: [] })
    expect(await samplesIn(out)).toEqual(truthOf(simulator, '2024-03-10T12:40:00Z'))
  })

  it('fills a hole of the first pull when its rows have come', async () => {
    let shift = 0
    const clock = { ...systemClock, now: () => NOW + shift }
    const hole: Fault = { do: { type: 'rows', drop: [{ from: '2024-03-10T10:00Z', to: '2024-03-10T11:55Z' }] } }
    const simulator = await simulate({ clock, faults: [hole] })
    const settings = { emissions: { ...settingsFor(simulator).emissions, clock } }
    const options = { out: tempFolder(), settings, clock }
    expect((await pull(EMISSIONS, options)).holes.map(({ samples }) => samples)).toEqual([24, 24])
    simulator.setFaults([])
    shift = 60_000
    expect(await sync(undefined, { ...options, lookBack: 'P1D' })).toMatchObject({ added: 48, holes: [] })
    expect(await verify(options.out)).toMatchObject({ sound: true, holes: [] })
  })

  it.each(['csv', 'parquet'] as const)(
    'does the same for streamflow, by the time of modification: %s',
    async format => {
      const { simulator, options, out, later } = await stage(STREAMFLOW, format)
      const was = new Map((await rowsIn(out)).map(row => [sampleOf(row), row['value']]))
      simulator.setFaults([REVISED])
      later(DAY_MS)
      const report = await sync(undefined, options)
      const now = new Map((await rowsIn(out)).map(row => [sampleOf(row), row['value']]))
      const revised = [...was].filter(([key, value]) => now.get(key) !== value)
      expect(revised.map(([key]) => key.split(' ')[1]).every(time => time?.startsWith('2024-03-05T0'))).toBe(true)
      expect(revised.length).toBeGreaterThan(20)
      expect(report.revised).toBeGreaterThanOrEqual(revised.length)
      expect(report.added).toBe(now.size - was.size)
      const truth = simulator.truth
        .continuous({
          monitoringLocationId: ['USGS-01000000', 'USGS-01000001'],
          parameterCode: '00060',
          start: '2024-03-01',
          end: '2024-03-11T11:59:59Z',
        })
        .map(row => [
          `${row.time_series_id} ${new Date(row.time).toISOString()}`,
          row.value === null || row.value === '' ? null : Number(row.value),
        ])
      const got = [...now].filter(([key]) => key.includes('T'))
      expect(got.length).toBe(truth.length)
      expect(await sync(undefined, options)).toMatchObject({ outcome: 'unchanged' })
      expect(await verify(out)).toMatchObject({ damaged: [] })
    },
  )

  it('refuses a folder that holds none of the series', async () => {
    const { options } = await stage(EMISSIONS)
    await expect(sync(STREAMFLOW, options)).rejects.toMatchObject({
      name: 'QueryError',
      message: expect.stringContaining('pull them first') as string,
    })
    await expect(sync(undefined, { ...options, until: 'soon' })).rejects.toMatchObject({ argument: 'until' })
  })

  it('goes on when it was stopped half-way: nothing is added twice', async () => {
    const { simulator, options, out, later } = await stage(EMISSIONS)
    simulator.setFaults([
      REVISED,
      { when: { startsFrom: '2024-03-11', query: { region: 'PJM_DC' } }, do: { type: 'status', status: 400 } },
    ])
    later(DAY_MS)
    await expect(sync(undefined, options)).rejects.toMatchObject({ name: 'PullError', kind: 'failed' })
    simulator.setFaults([REVISED])
    expect(await sync(undefined, options)).toMatchObject({ outcome: 'updated', revised: 0, added: 144 })
    expect(await samplesIn(out)).toEqual(truthOf(simulator, '2024-03-11T11:55:00Z'))
    expect((await rowsIn(out)).length).toBe(truthOf(simulator, '2024-03-11T11:55:00Z').size)
    expect(filesIn(out).filter(path => path.endsWith('.part'))).toEqual([])
  })
})

function sampleOf(row: Readonly<Record<string, unknown>>): string {
  const time = row['time']
  return `${String(row['time_series_id'])} ${time instanceof Date ? time.toISOString() : String(time)}`
}

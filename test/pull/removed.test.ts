import { describe, expect, it } from 'vitest'
import { systemClock } from '../../src/clock.ts'
import { pull, sync, verify, type PullEvent, type PullFormat, type PullSpec } from '../../src/pull/index.ts'
import type { Fault, Simulator, SimulatorOptions } from '../../src/simulator/index.ts'
import { simulate } from '../support/emissions.ts'
import { settingsFor } from '../support/pull-settings.ts'
import { contentsOf, rowsIn } from '../support/pulling.ts'
import { NO_QUOTAS } from '../support/streamflow.ts'
import { tempFolder } from '../tooling/temp-folder.ts'

const NOW = Date.parse('2024-03-10T12:00:00Z')
const GAUGES = ['USGS-01000000', 'USGS-01000001']
const EMISSIONS: PullSpec = {
  start: '2024-03-01',
  end: '2024-03-09T23:55Z',
  pulls: [
    { service: 'emissions', operation: 'historical', each: { region: ['CAISO_NORTH', 'PJM_DC'] }, segment: 'day' },
  ],
}
const DAILY: PullSpec = {
  start: '2024-02-01',
  end: '2024-03-08',
  pulls: [
    {
      service: 'streamflow',
      operation: 'daily',
      query: { parameterCode: '00060', statisticId: '00003', monitoringLocationId: GAUGES },
    },
  ],
}
/** Three hours of one day. */
const TAKEN: Fault = { do: { type: 'withdraw', from: '2024-03-05T06:00Z', to: '2024-03-05T08:55Z' } }

async function pulled(spec: PullSpec, format: PullFormat = 'csv', options: SimulatorOptions = {}) {
  const clock = { ...systemClock, now: () => NOW }
  const simulator = await simulate({ clock, streamflow: NO_QUOTAS, ...options })
  const settings = settingsFor(simulator)
  const clocks = {
    emissions: { ...settings.emissions, clock },
    streamflow: { ...settings.streamflow, clock },
    'water-quality': { ...settings['water-quality'], clock },
  }
  const out = tempFolder()
  const asking = { out, settings: clocks, clock }
  await pull(spec, { ...asking, format, compact: false })
  simulator.reset()
  return { simulator, out, asking, again: { ...asking, until: '2024-03-08T23:55Z', compact: false } }
}

const samplesIn = async (out: string): Promise<string[]> =>
  (await rowsIn(out)).map(row => `${String(row['region'])} ${Number(row['point_time'])} ${String(row['value'])}`)

const truthOf = (simulator: Simulator): string[] =>
  ['CAISO_NORTH', 'PJM_DC'].flatMap(region =>
    simulator.truth
      .historical({ region, start: '2024-03-01', end: '2024-03-09T23:55Z' })
      .map(({ point_time, value }) => `${region} ${point_time} ${value}`),
  )

describe('rows that a service took away', () => {
  it.each(['csv', 'jsonl', 'parquet'] as const)(
    'are taken out where all is asked for again, and nothing else changes: %s',
    async format => {
      const { simulator, out, again } = await pulled(EMISSIONS, format)
      const before = contentsOf(out)
      simulator.setFaults([TAKEN])
      const report = await sync(undefined, { ...again, lookBack: 'P7D' })
      expect(report).toMatchObject({ outcome: 'updated', added: 0, revised: 0, removed: 2 * 36, warnings: [] })
      expect(report.series.map(({ removed }) => removed)).toEqual([36, 36])
      expect((await samplesIn(out)).sort()).toEqual(truthOf(simulator).sort())
      const after = contentsOf(out)
      expect(Object.keys(before).filter(path => after[path] === before[path])).toHaveLength(
        Object.keys(before).length - 2,
      )
      // What is gone is a hole now, by the report as by the files.
      const holes = [1, 2].map(() => ({ samples: 36, start: new Date('2024-03-05T06:00Z') }))
      expect(report.holes).toMatchObject(holes)
      expect(await verify(out)).toMatchObject({ damaged: [], holes })
      expect(await sync(undefined, { ...again, lookBack: 'P7D' })).toMatchObject({ outcome: 'unchanged', removed: 0 })
    },
  )

  it('come back when the service has them again, and the hole is closed', async () => {
    const { simulator, out, again } = await pulled(EMISSIONS)
    simulator.setFaults([TAKEN])
    await sync(undefined, { ...again, lookBack: 'P7D' })
    simulator.setFaults([])
    expect(await sync(undefined, { ...again, lookBack: 'P7D' })).toMatchObject({ added: 72, removed: 0, holes: [] })
    expect((await samplesIn(out)).sort()).toEqual(truthOf(simulator).sort())
  })

  it('are not looked for beyond what is asked for again, nor where only changes are', async () => {
    const { simulator, out, again } = await pulled(EMISSIONS)
    const before = contentsOf(out)
    simulator.setFaults([TAKEN])
    expect(await sync(undefined, { ...again, lookBack: 'P2D' })).toMatchObject({ outcome: 'unchanged', removed: 0 })
    expect(await sync(undefined, again)).toMatchObject({ outcome: 'unchanged', removed: 0 })
    expect(contentsOf(out)).toEqual(before)
  })

  it('of two series in one answer are those of their series and day', async () => {
    const { simulator, out, again } = await pulled(DAILY)
    const before = await rowsIn(out)
    simulator.setFaults([{ do: { type: 'withdraw', from: '2024-03-04', to: '2024-03-05' } }])
    const report = await sync(undefined, { ...again, until: '2024-03-08', lookBack: 'P20D' })
    expect(report).toMatchObject({ removed: 4, added: 0, revised: 0 })
    expect(await rowsIn(out)).toEqual(before.filter(({ time }) => !['2024-03-04', '2024-03-05'].includes(String(time))))
    expect(report.holes.map(({ samples }) => samples)).toEqual([2, 2])
    expect(await verify(out)).toMatchObject({ damaged: [], holes: [{ samples: 2 }, { samples: 2 }] })
  })

  it.each<[string, Fault, string]>([
    ['nothing came at all', { do: { type: 'withdraw', from: '2024-01-01', to: '2024-04-01' } }, 'nothing came at all'],
    [
      'the service warns',
      { do: { type: 'rows', drop: [{ from: '2024-03-05T06:00Z', to: '2024-03-05T08:55Z' }], warn: true } },
      'its answer may not be whole',
    ],
  ])('stay, with their number, where %s', async (_, fault, why) => {
    const { simulator, out, again } = await pulled(EMISSIONS)
    const before = contentsOf(out)
    simulator.setFaults([fault])
    const events: PullEvent[] = []
    const report = await sync(undefined, { ...again, lookBack: 'P7D', onEvent: event => events.push(event) })
    expect(report).toMatchObject({ outcome: 'unchanged', removed: 0 })
    expect(report.warnings).toHaveLength(2)
    expect(report.warnings[0]).toMatch(
      /^emissions historical CAISO_NORTH co2_moer: the service did not bring \d+ of the folder's rows again \(2024-03-0/,
    )
    expect(report.warnings[0]).toContain(why)
    expect(events.flatMap(event => (event.type === 'warning' ? [event.message] : []))).toEqual(report.warnings)
    expect(contentsOf(out)).toEqual(before)
  })
})

describe('a model that is newer than that of the folder', () => {
  const MODELS = [
    { date: '2023-03-01', dataStart: '2012-01-01' },
    { date: '2026-03-01', dataStart: '2016-01-01' },
  ]

  it('is a warning that names both, and rows keep to theirs', async () => {
    const { out, asking } = await pulled(EMISSIONS, 'csv', { models: MODELS.slice(0, 1) })
    const before = await samplesIn(out)
    const newer = await simulate({ clock: asking.clock, models: MODELS })
    const settings = { emissions: { ...settingsFor(newer).emissions, clock: asking.clock } }
    const report = await sync(undefined, { ...asking, settings })
    expect(report.warnings).toEqual([
      '2 series of emissions historical keep to model 2023-03-01, and the service has 2026-03-01: for that one pull into a new folder',
    ])
    expect(newer.requests.filter(({ path }) => path === '/v3/my-access')).toHaveLength(1)
    const models = newer.requests.flatMap(({ path, query }) => (path === '/v3/historical' ? [query['model']] : []))
    expect(new Set(models)).toEqual(new Set(['2023-03-01']))
    expect((await samplesIn(out)).filter(sample => before.includes(sample))).toHaveLength(before.length)
  })

  it('is no warning where it is the folder’s own, or where the specification names one', async () => {
    const { again } = await pulled(EMISSIONS)
    expect((await sync(undefined, again)).warnings).toEqual([])
    const [entry] = EMISSIONS.pulls
    const named = { ...EMISSIONS, pulls: [{ ...entry, query: { model: '2023-03-01' } }] } as PullSpec
    const other = await pulled(named)
    expect((await sync(undefined, other.again)).warnings).toEqual([])
    expect(other.simulator.requests.filter(({ path }) => path === '/v3/my-access')).toEqual([])
  })

  it('that cannot be asked for is a warning, and the sync is done', async () => {
    const { simulator, again } = await pulled(EMISSIONS)
    simulator.setFaults([{ path: '/v3/my-access', do: { type: 'status', status: 403 } }])
    const report = await sync(undefined, again)
    expect(report.outcome).toBe('unchanged')
    expect(report.warnings).toHaveLength(1)
    expect(report.warnings[0]).toMatch(/^whether emissions has a newer model could not be found out: .*403/)
  })
})

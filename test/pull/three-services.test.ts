import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  planPull,
  pull,
  sync,
  type PullFormat,
  type PullPlan,
  type PullReport,
  type PullSpec,
} from '../../src/pull/index.ts'
import { startSimulator, type Simulator } from '../../src/simulator/index.ts'
import { duckDb } from '../support/duckdb.ts'
import { settingsFor } from '../support/pull-settings.ts'
import { NO_QUOTAS } from '../support/streamflow.ts'
import { currentSearch } from '../tooling/leaks.ts'

const SURVEY = ['USGS-05510007', 'USGS-05510008']
const QUALITY = [...SURVEY, 'WIDNR_WQX-10001', 'WIDNR_WQX-10002']

/** Three services, ten series, two years. */
const SPEC: PullSpec = {
  start: '2021-01-01',
  end: '2022-12-31T23:55Z',
  pulls: [
    { service: 'emissions', operation: 'historical', each: { region: ['CAISO_NORTH'] } },
    {
      service: 'streamflow',
      operation: 'daily',
      query: { parameterCode: '00060', statisticId: '00003' },
      each: { monitoringLocationId: ['USGS-01000000', 'USGS-01000001'] },
    },
    { service: 'water-quality', operation: 'results', each: { siteId: QUALITY } },
    // A whole state is counted before it is asked for.
    { service: 'water-quality', operation: 'results', query: { stateCode: 'US:55', characteristicName: 'Phosphorus' } },
    { service: 'water-quality', operation: 'samples', each: { monitoringLocationIdentifier: SURVEY } },
  ],
}
const FORMATS = ['parquet', 'csv', 'jsonl'] as const
const TABLES = ['emissions_historical', 'streamflow_daily', 'water_quality_results', 'water_quality_samples'] as const

let simulator: Simulator
let home: string
let plan: PullPlan
let asked: readonly string[]
const reports = new Map<PullFormat, PullReport>()
const sent = new Map<PullFormat, number>()

beforeAll(async () => {
  simulator = await startSimulator({ streamflow: NO_QUOTAS })
  home = mkdtempSync(join(tmpdir(), 'headrace-three-'))
  const settings = settingsFor(simulator)
  plan = await planPull(SPEC, { settings })
  asked = simulator.requests.map(({ path }) => path)
  for (const format of FORMATS) {
    simulator.reset()
    reports.set(format, await pull(SPEC, { out: join(home, format), format, settings }))
    sent.set(format, simulator.stats.dataRequests)
  }
}, 60_000)

afterAll(async () => {
  currentSearch().seenFolder(join(home, 'csv', 'meta'))
  rmSync(home, { recursive: true })
  await simulator.close()
})

/** Rows that the services have, by table. */
function due(): number[] {
  const truth = simulator.truth
  const count = (service: 'wqx3' | 'samples', query: Record<string, string | string[]>): number =>
    [...truth.waterQuality.results({ service, query })].length
  const portal = { startDateLo: '01-01-2021', startDateHi: '12-31-2022' }
  return [
    730 * 288,
    truth.daily({
      start: '2021-01-01',
      end: '2022-12-31T23:59:59Z',
      parameterCode: '00060',
      statisticId: '00003',
      monitoringLocationId: ['USGS-01000000', 'USGS-01000001'],
    }).length,
    count('wqx3', { ...portal, siteid: QUALITY }) +
      count('wqx3', { ...portal, statecode: 'US:55', characteristicName: 'Phosphorus' }),
    count('samples', {
      monitoringLocationIdentifier: SURVEY,
      activityStartDateLower: '2021-01-01',
      activityStartDateUpper: '2022-12-31',
    }),
  ]
}

const files = (format: PullFormat, table: string): string => `'${home}/${format}/data/${table}/**/*.${format}'`

describe('three services, ten series, two years in one specification', () => {
  it('asks for nothing but counts to plan', () => {
    expect(plan.tasks.length).toBe(20 - 2)
    expect(asked.every(path => path.endsWith('/count'))).toBe(true)
    expect(asked.length).toBeGreaterThan(0)
  })

  it.each(FORMATS)('sends within a tenth of the requests that were planned, and brings every row: %s', format => {
    const requests = sent.get(format) ?? 0
    expect(Math.abs(requests / plan.requests.low - 1)).toBeLessThan(0.1)
    const rows = due().reduce((sum, one) => sum + one, 0)
    expect(reports.get(format)).toMatchObject({ requests, rows, tasks: { left: 0, failed: 0 } })
  })

  it('is read from Parquet by DuckDB with types and counts', async () => {
    const ask = await duckDb()
    const described = await ask(
      `DESCRIBE SELECT * FROM read_parquet(${files('parquet', 'water_quality_results')}, hive_partitioning = false)`,
    )
    const types = Object.fromEntries(described.map(({ column_name, column_type }) => [column_name, column_type]))
    expect(types).toMatchObject({
      Activity_StartDate: 'DATE',
      Activity_StartDateTime: 'TIMESTAMP WITH TIME ZONE',
      Result_MeasureIdentifier: 'VARCHAR',
      value: 'DOUBLE',
      limit: 'DOUBLE',
    })
    const counts = await ask(
      TABLES.map(table => `SELECT count(*)::INT AS n FROM read_parquet(${files('parquet', table)})`).join(
        ' UNION ALL ',
      ),
    )
    expect(counts.map(({ n }) => n)).toEqual(due())
  })

  it.each(TABLES)('says the same in CSV and JSON lines as in Parquet, row by row: %s', async table => {
    const ask = await duckDb()
    const parquet = `read_parquet(${files('parquet', table)}, hive_partitioning = false)`
    const columns = (await ask(`DESCRIBE SELECT * FROM ${parquet}`)).map(({ column_name, column_type }) => ({
      name: String(column_name),
      type: String(column_type),
    }))
    const casts = columns.map(({ name, type }) => `CAST("${name}" AS ${type}) AS "${name}"`).join(', ')
    const texts = `{${columns.map(({ name }) => `'${name}': 'VARCHAR'`).join(', ')}}`
    await ask(`CREATE VIEW parquet AS SELECT ${casts} FROM ${parquet}`)
    await ask(
      `CREATE VIEW csv AS SELECT ${casts} FROM read_csv(${files('csv', table)}, header = true, all_varchar = true, hive_partitioning = false)`,
    )
    await ask(
      `CREATE VIEW jsonl AS SELECT ${casts} FROM read_json(${files('jsonl', table)}, format = 'newline_delimited', columns = ${texts}, hive_partitioning = false)`,
    )
    for (const other of ['csv', 'jsonl']) {
      const differing = await ask(
        `SELECT count(*)::INT AS n FROM ((SELECT * FROM parquet EXCEPT ALL SELECT * FROM ${other}) UNION ALL (SELECT * FROM ${other} EXCEPT ALL SELECT * FROM parquet))`,
      )
      expect([other, differing]).toEqual([other, [{ n: 0 }]])
    }
  })

  it('finds nothing new, nor anything revised, when it looks back over what has not changed', async () => {
    const settings = settingsFor(simulator)
    simulator.reset()
    const spec = { ...SPEC, pulls: SPEC.pulls.filter(({ service }) => service === 'water-quality') }
    const report = await sync(spec, { out: join(home, 'jsonl'), settings, until: '2022-12-31' })
    expect(report).toMatchObject({ outcome: 'unchanged', added: 0, revised: 0 })
    const starts = simulator.requests.flatMap(({ query }) => query['startDateLo'] ?? [])
    expect(new Set(starts)).toEqual(new Set(['12-31-2021']))
  })

  it('adds what is new since the end', async () => {
    const settings = settingsFor(simulator)
    const pulls = [{ service: 'water-quality', operation: 'results', query: { siteId: QUALITY } }]
    const out = join(home, 'grown')
    await pull({ start: '2022-01-01', end: '2022-10-31', pulls }, { out, settings })
    const count = (from: string, to: string): number =>
      [
        ...simulator.truth.waterQuality.results({
          service: 'wqx3',
          query: { siteid: QUALITY, startDateLo: from, startDateHi: to },
        }),
      ].length
    const report = await sync(undefined, { out, settings, until: '2022-12-31' })
    expect(report).toMatchObject({ added: count('11-01-2022', '12-31-2022'), revised: 0 })
    expect(report.added).toBeGreaterThan(0)
  })

  it('plans what is streamed where a service holds more than one request should bring', async () => {
    const settings = settingsFor(simulator)
    const pulls = [{ service: 'water-quality', operation: 'results', query: { stateCode: 'US:19' } }]
    const spec: PullSpec = { start: '2023-06-01', end: '2023-06-12', pulls }
    const dense = await planPull(spec, { settings })
    simulator.reset()
    const { requests } = await pull(spec, { out: join(home, 'dense'), settings })
    // One count; rows in several parts, and a word on each.
    expect(requests).toBeGreaterThan(4)
    expect([requests, simulator.stats.dataRequests]).toEqual([dense.requests.low, dense.requests.low])
  })

  it('refuses what comes with other columns, before anything is sent', async () => {
    simulator.reset()
    const settings = settingsFor(simulator)
    const query = { siteId: QUALITY[0], interface: 'legacy' }
    const spec = { start: '2022-01-01', pulls: [{ service: 'water-quality', operation: 'results', query }] }
    await expect(planPull(spec as PullSpec, { settings })).rejects.toMatchObject({
      argument: 'pulls[0].query.interface',
      message: expect.stringContaining('it can be wqx3') as string,
    })
    expect(simulator.requests).toEqual([])
  })
})

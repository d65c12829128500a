import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { planPull, pull, type PullFormat, type PullPlan, type PullReport, type PullSpec } from '../../src/pull/index.ts'
import { seriesOf } from '../../src/pull/series.ts'
import { startSimulator, type Simulator } from '../../src/simulator/index.ts'
import { duckDb } from '../support/duckdb.ts'
import { settingsFor } from '../support/pull-settings.ts'
import { filesIn } from '../support/pulling.ts'
import { NO_QUOTAS } from '../support/streamflow.ts'
import { currentSearch } from '../tooling/leaks.ts'

const START = '2021-01-01'
const END = '2025-12-31T23:55Z'
const YEARS = [365, 365, 365, 366, 365]
/** The second was out of order for ninety days. */
const GAUGES = ['USGS-01000000', 'USGS-01000003']
const SURVEY = ['USGS-05510007', 'USGS-05510008']
const QUALITY = [...SURVEY, 'WIDNR_WQX-10001']

/**
 * Three services, ten series, five years. A series is a query of one operation with one value of each name in `each`:
 * one of emissions, one and two of streamflow, three, one and two of water quality.
 */
const SPEC: PullSpec = {
  start: START,
  end: END,
  pulls: [
    { service: 'emissions', operation: 'historical', each: { region: ['CAISO_NORTH'] } },
    {
      service: 'streamflow',
      operation: 'continuous',
      query: { parameterCode: '00060', cadence: 'PT15M' },
      each: { monitoringLocationId: GAUGES.slice(0, 1) },
    },
    {
      service: 'streamflow',
      operation: 'daily',
      query: { parameterCode: '00060', statisticId: '00003' },
      each: { monitoringLocationId: GAUGES },
    },
    { service: 'water-quality', operation: 'results', each: { siteId: QUALITY } },
    // A whole state is counted before it is asked for.
    { service: 'water-quality', operation: 'results', query: { stateCode: 'US:55', characteristicName: 'Phosphorus' } },
    { service: 'water-quality', operation: 'samples', each: { monitoringLocationIdentifier: SURVEY } },
  ],
}
const FORMATS = ['parquet', 'csv', 'jsonl'] as const
const TABLES = [
  'emissions_historical',
  'streamflow_continuous',
  'streamflow_daily',
  'water_quality_results',
  'water_quality_samples',
] as const

let simulator: Simulator
let home: string
let plan: PullPlan
let due: Readonly<Record<(typeof TABLES)[number], number>>
let asked: readonly string[]
const reports = new Map<PullFormat, PullReport>()
const sent = new Map<PullFormat, number>()

beforeAll(async () => {
  // One request in twenty has to be sent twice.
  const faults = [{ when: { probability: 0.05, attempts: 1 }, do: { type: 'status', status: 503 } }] as const
  simulator = await startSimulator({ streamflow: NO_QUOTAS, faults })
  home = mkdtempSync(join(tmpdir(), 'headrace-three-'))
  const settings = settingsFor(simulator)
  plan = await planPull(SPEC, { settings })
  asked = simulator.requests.map(({ path }) => path)
  due = rowsDue(simulator)
  for (const format of FORMATS) {
    simulator.reset()
    reports.set(format, await pull(SPEC, { out: join(home, format), format, settings }))
    sent.set(format, simulator.stats.dataRequests)
  }
}, 180_000)

afterAll(async () => {
  currentSearch().seenFolder(join(home, 'csv', 'meta'))
  rmSync(home, { recursive: true })
  await simulator.close()
})

/** Rows that the services have, by table. */
function rowsDue({ truth }: Simulator): Record<(typeof TABLES)[number], number> {
  const count = (service: 'wqx3' | 'samples', query: Record<string, string | string[]>): number => {
    let rows = 0
    for (const _ of truth.waterQuality.results({ service, query })) rows += 1
    return rows
  }
  const flow = { start: START, end: '2025-12-31T23:59:59Z', parameterCode: '00060' }
  const portal = { startDateLo: '01-01-2021', startDateHi: '12-31-2025' }
  return {
    emissions_historical: YEARS.reduce((sum, days) => sum + days * 288, 0),
    streamflow_continuous: truth.continuous({ ...flow, monitoringLocationId: 'USGS-01000000' }).length,
    streamflow_daily: truth.daily({ ...flow, statisticId: '00003', monitoringLocationId: GAUGES }).length,
    water_quality_results:
      count('wqx3', { ...portal, siteid: QUALITY }) +
      count('wqx3', { ...portal, statecode: 'US:55', characteristicName: 'Phosphorus' }),
    water_quality_samples: count('samples', {
      monitoringLocationIdentifier: SURVEY,
      activityStartDateLower: START,
      activityStartDateUpper: '2025-12-31',
    }),
  }
}

const files = (format: PullFormat, table: string): string => `'${home}/${format}/data/${table}/**/*.${format}'`
const parquetOf = (table: string): string => `read_parquet(${files('parquet', table)}, hive_partitioning = false)`

describe('three services, ten series, five years in one specification', () => {
  it('has ten series, all of five years', () => {
    const series = seriesOf(SPEC)
    expect(series).toHaveLength(10)
    expect(new Set(series.map(({ service }) => service)).size).toBe(3)
    expect(new Set(series.map(({ times }) => `${times.start} ${times.end}`))).toEqual(new Set([`${START} ${END}`]))
  })

  it('asks for nothing but counts to plan', () => {
    expect(asked.every(path => path.endsWith('/count'))).toBe(true)
    expect(asked.length).toBeGreaterThan(0)
  })

  it.each(FORMATS)('sends within a tenth of the requests that were planned, and brings every row: %s', format => {
    const requests = sent.get(format) ?? 0
    expect(requests).toBeGreaterThan(plan.requests.low)
    expect(requests / plan.requests.low).toBeLessThan(1.1)
    expect(requests).toBeLessThanOrEqual(plan.requests.high)
    const rows = Object.values(due).reduce((sum, one) => sum + one, 0)
    expect(reports.get(format)).toMatchObject({ requests, rows, tasks: { left: 0, failed: 0 } })
  })

  // Nobody can know the rows of a site of water quality before they are had.
  const GRIDDED = { ...SPEC, pulls: SPEC.pulls.filter(({ service }) => service !== 'water-quality') }

  it.each(FORMATS)('writes about as many bytes as were planned: %s', async format => {
    const { bytes = 0 } = await planPull(GRIDDED, { settings: settingsFor(simulator), format })
    const written = filesIn(join(home, format))
      .filter(path => /^(data|meta)\/(emissions|streamflow)/.test(path))
      .reduce((sum, path) => sum + statSync(join(home, format, path)).size, 0)
    expect(written / bytes).toBeGreaterThan(0.6)
    expect(written / bytes).toBeLessThan(1.6)
  })

  it.each(FORMATS)('lists what was expected and did not come: %s', async format => {
    const { expectedRows = 0 } = await planPull(GRIDDED, { settings: settingsFor(simulator) })
    const came = due.emissions_historical + due.streamflow_continuous + due.streamflow_daily
    const missing = reports.get(format)?.holes.reduce((sum, { samples }) => sum + samples, 0)
    expect([missing, expectedRows - came]).toEqual([90, 90])
  })
})

describe('Parquet of three services, as DuckDB reads it', () => {
  it.each([
    [
      'emissions_historical',
      { region: 'VARCHAR', signal_type: 'VARCHAR', point_time: 'TIMESTAMP WITH TIME ZONE', value: 'DOUBLE' },
    ],
    [
      'streamflow_continuous',
      { time: 'TIMESTAMP WITH TIME ZONE', last_modified: 'TIMESTAMP WITH TIME ZONE', value: 'DOUBLE' },
    ],
    [
      'streamflow_daily',
      { time: 'DATE', last_modified: 'TIMESTAMP WITH TIME ZONE', value: 'DOUBLE', parameter_code: 'VARCHAR' },
    ],
    [
      'water_quality_results',
      {
        Activity_StartDate: 'DATE',
        Activity_StartDateTime: 'TIMESTAMP WITH TIME ZONE',
        Result_MeasureIdentifier: 'VARCHAR',
        value: 'DOUBLE',
        limit: 'DOUBLE',
      },
    ],
    [
      'water_quality_samples',
      { Activity_StartDate: 'DATE', Activity_StartDateTime: 'TIMESTAMP WITH TIME ZONE', value: 'DOUBLE' },
    ],
  ] as const)('has types, zones and counts: %s', async (table, types) => {
    const ask = await duckDb()
    const described = await ask(`DESCRIBE SELECT * FROM ${parquetOf(table)}`)
    expect(
      Object.fromEntries(described.map(({ column_name, column_type }) => [column_name, column_type])),
    ).toMatchObject(types)
    expect(await ask(`SELECT count(*)::INT AS n FROM ${parquetOf(table)}`)).toEqual([{ n: due[table] }])
  })

  it('has instants that are those of the service, in whatever zone they are looked at', async () => {
    const ask = await duckDb()
    await ask(`SET TimeZone = 'America/Los_Angeles'`)
    const [bounds] = await ask(
      `SELECT epoch_ms(min(point_time)) AS first, epoch_ms(max(point_time)) AS last, min(point_time)::VARCHAR AS seen, count(DISTINCT point_time)::INT AS n FROM ${parquetOf('emissions_historical')}`,
    )
    expect(bounds).toEqual({
      first: String(Date.parse(START)),
      last: String(Date.parse(END)),
      seen: '2020-12-31 16:00:00-08',
      n: due.emissions_historical,
    })
    const told = simulator.truth.waterQuality.results({
      service: 'wqx3',
      query: { startDateLo: '01-01-2021', startDateHi: '12-31-2025', siteid: 'WIDNR_WQX-10001' },
    })
    const instants = [...told].flatMap(({ instant }) => instant ?? []).sort((a, b) => a - b)
    const read = await ask(
      `SELECT epoch_ms(Activity_StartDateTime) AS ms FROM read_parquet('${home}/parquet/data/water_quality_results/site_id=WIDNR_WQX-10001/**/*.parquet') WHERE Activity_StartDateTime IS NOT NULL ORDER BY ms`,
    )
    expect(read.map(({ ms }) => Number(ms))).toEqual(instants)
    expect(instants.length).toBeGreaterThan(0)
  })

  it('has a folder for each year', async () => {
    const ask = await duckDb()
    const years = await ask(
      `SELECT region, year::VARCHAR AS year, count(*)::INT AS n FROM read_parquet(${files('parquet', 'emissions_historical')}, hive_partitioning = true) GROUP BY ALL ORDER BY year`,
    )
    expect(years).toEqual(YEARS.map((days, n) => ({ region: 'CAISO_NORTH', year: String(2021 + n), n: days * 288 })))
  })

  it('keeps units and provenance in the metadata of a file', async () => {
    const ask = await duckDb()
    const found = await ask(
      `SELECT decode(key) AS key, decode(value) AS value FROM parquet_kv_metadata(${files('parquet', 'emissions_historical')})`,
    )
    expect(Object.fromEntries(found.map(({ key, value }) => [key, value]))).toMatchObject({
      'unit.value': 'lbs_co2_per_mwh',
      'headrace.service': 'emissions',
      'headrace.operation': 'historical',
      'headrace.query': '{"region":"CAISO_NORTH"}',
      'headrace.plan': plan.id,
      'headrace.source': expect.stringContaining('"model_date":"2026-03-01"') as string,
    })
  })

  it.each(TABLES)(
    'says the same in CSV and JSON lines, row by row: %s',
    async table => {
      const ask = await duckDb()
      const described = await ask(`DESCRIBE SELECT * FROM ${parquetOf(table)}`)
      const columns = described.map(({ column_name, column_type }) => ({
        name: String(column_name),
        type: String(column_type),
      }))
      const casts = columns.map(({ name, type }) => `CAST("${name}" AS ${type}) AS "${name}"`).join(', ')
      const texts = `{${columns.map(({ name }) => `'${name}': 'VARCHAR'`).join(', ')}}`
      await ask(`CREATE VIEW parquet AS SELECT ${casts} FROM ${parquetOf(table)}`)
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
    },
    60_000,
  )
})

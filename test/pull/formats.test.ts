import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { planPull, pull, type PullFormat, type PullPlan, type PullReport, type PullSpec } from '../../src/pull/index.ts'
import { startSimulator, type Simulator } from '../../src/simulator/index.ts'
import { duckDb } from '../support/duckdb.ts'
import { settingsFor } from '../support/pull-settings.ts'
import { NO_QUOTAS } from '../support/streamflow.ts'
import { currentSearch } from '../tooling/leaks.ts'

/** Two services, ten series, five years. */
const SPEC: PullSpec = {
  start: '2019-01-01',
  end: '2023-12-31T23:55Z',
  pulls: [
    { service: 'emissions', operation: 'historical', each: { region: ['CAISO_NORTH'] } },
    {
      service: 'streamflow',
      operation: 'continuous',
      query: { parameterCode: '00060', cadence: 'PT15M' },
      each: { monitoringLocationId: ['USGS-01000000'] },
    },
    {
      service: 'streamflow',
      operation: 'daily',
      query: { parameterCode: '00060', statisticId: '00003' },
      each: { monitoringLocationId: Array.from({ length: 8 }, (_, n) => `USGS-0100000${n}`) },
    },
  ],
}
const FORMATS = ['parquet', 'csv', 'jsonl'] as const
const TABLES = ['emissions_historical', 'streamflow_continuous', 'streamflow_daily'] as const

let simulator: Simulator
let home: string
let plan: PullPlan
const reports = new Map<PullFormat, PullReport>()
const sent = new Map<PullFormat, number>()

beforeAll(async () => {
  // One request in twenty has to be sent twice.
  const faults = [{ when: { probability: 0.05, attempts: 1 }, do: { type: 'status', status: 503 } }] as const
  simulator = await startSimulator({ streamflow: NO_QUOTAS, faults })
  home = mkdtempSync(join(tmpdir(), 'headrace-formats-'))
  const settings = settingsFor(simulator)
  plan = await planPull(SPEC, { settings })
  for (const format of FORMATS) {
    simulator.reset()
    reports.set(format, await pull(SPEC, { out: join(home, format), format, settings }))
    sent.set(format, simulator.stats.dataRequests)
  }
}, 240_000)

afterAll(async () => {
  currentSearch().seenFolder(join(home, 'csv', 'meta'))
  rmSync(home, { recursive: true })
  await simulator.close()
})

/** Rows that the services have, by table. */
function due(): [number, number, number] {
  const span = { start: '2019-01-01', end: '2023-12-31T23:59:59Z', parameterCode: '00060' }
  const sites = Array.from({ length: 8 }, (_, n) => `USGS-0100000${n}`)
  return [
    1826 * 288,
    simulator.truth.continuous({ ...span, monitoringLocationId: 'USGS-01000000' }).length,
    simulator.truth.daily({ ...span, statisticId: '00003', monitoringLocationId: sites }).length,
  ]
}

const files = (format: PullFormat, table: string): string => `'${home}/${format}/data/${table}/**/*.${format}'`

describe('two services, ten series, five years in one specification', () => {
  it.each(FORMATS)('sends within a tenth of the requests that were planned: %s', format => {
    const requests = sent.get(format) ?? 0
    expect(requests).toBeGreaterThan(plan.requests.low)
    expect(requests / plan.requests.low).toBeLessThan(1.1)
    expect(requests).toBeLessThanOrEqual(plan.requests.high)
    const [instants, readings, days] = due()
    expect(reports.get(format)).toMatchObject({ requests, rows: instants + readings + days, tasks: { left: 0 } })
    // One site was out of order for some days: they were expected, and are listed.
    const missing = reports.get(format)?.holes.reduce((sum, { samples }) => sum + samples, 0) ?? 0
    expect(missing).toBe((plan.expectedRows ?? 0) - (instants + readings + days))
  })

  it.each(FORMATS)('writes about as many bytes as were planned: %s', async format => {
    const settings = settingsFor(simulator)
    const { bytes = 0 } = await planPull(SPEC, { settings, format })
    const written = reports.get(format)?.bytes ?? 0
    expect(written / bytes).toBeGreaterThan(0.6)
    expect(written / bytes).toBeLessThan(1.6)
  })

  it('is read from Parquet by DuckDB with types, zones and counts', async () => {
    const ask = await duckDb()
    const types = async (table: string): Promise<unknown> =>
      Object.fromEntries(
        (await ask(`DESCRIBE SELECT * FROM read_parquet(${files('parquet', table)}, hive_partitioning = false)`)).map(
          ({ column_name, column_type }) => [column_name, column_type],
        ),
      )
    expect(await types('emissions_historical')).toEqual({
      region: 'VARCHAR',
      signal_type: 'VARCHAR',
      point_time: 'TIMESTAMP WITH TIME ZONE',
      value: 'DOUBLE',
    })
    expect(await types('streamflow_daily')).toMatchObject({
      time: 'DATE',
      value: 'DOUBLE',
      parameter_code: 'VARCHAR',
      last_modified: 'TIMESTAMP WITH TIME ZONE',
    })
    const counts = await ask(
      TABLES.map(table => `SELECT count(*)::INT AS n FROM read_parquet(${files('parquet', table)})`).join(
        ' UNION ALL ',
      ),
    )
    expect(counts.map(({ n }) => n)).toEqual(due())
    const [bounds] = await ask(
      `SELECT epoch_ms(min(point_time)) AS first, epoch_ms(max(point_time)) AS last, count(DISTINCT point_time)::INT AS n FROM read_parquet(${files('parquet', 'emissions_historical')})`,
    )
    expect(bounds).toEqual({
      first: String(Date.parse('2019-01-01')),
      last: String(Date.parse('2023-12-31T23:55Z')),
      n: 1826 * 288,
    })
    const years = await ask(
      `SELECT region, year::VARCHAR AS year, count(*)::INT AS n FROM read_parquet(${files('parquet', 'emissions_historical')}, hive_partitioning = true) GROUP BY ALL ORDER BY year`,
    )
    expect(years).toEqual(
      [365, 366, 365, 365, 365].map((days, n) => ({ region: 'CAISO_NORTH', year: String(2019 + n), n: days * 288 })),
    )
  })

  it('keeps units and provenance in the metadata of a Parquet file', async () => {
    const ask = await duckDb()
    const found = await ask(
      `SELECT decode(key) AS key, decode(value) AS value FROM parquet_kv_metadata(${files('parquet', 'emissions_historical')})`,
    )
    const facts = Object.fromEntries(found.map(({ key, value }) => [key, value]))
    expect(facts).toMatchObject({
      'unit.value': 'lbs_co2_per_mwh',
      'headrace.service': 'emissions',
      'headrace.operation': 'historical',
      'headrace.query': '{"region":"CAISO_NORTH"}',
      'headrace.plan': plan.id,
      'headrace.source': expect.stringContaining('"model_date":"2026-03-01"') as string,
    })
  })

  it.each(TABLES)(
    'says the same in CSV and JSON lines as in Parquet, row by row: %s',
    async table => {
      const ask = await duckDb()
      const described = await ask(
        `DESCRIBE SELECT * FROM read_parquet(${files('parquet', table)}, hive_partitioning = false)`,
      )
      const columns = described.map(({ column_name, column_type }) => ({
        name: String(column_name),
        type: String(column_type),
      }))
      const casts = columns.map(({ name, type }) => `CAST("${name}" AS ${type}) AS "${name}"`).join(', ')
      const texts = `{${columns.map(({ name }) => `'${name}': 'VARCHAR'`).join(', ')}}`
      await ask(
        `CREATE VIEW parquet AS SELECT ${casts} FROM read_parquet(${files('parquet', table)}, hive_partitioning = false)`,
      )
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

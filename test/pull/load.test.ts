import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loadDuckDb, loadPostgres, pull, sync, type PullFormat, type PullSpec } from '../../src/pull/index.ts'
import { systemClock } from '../../src/clock.ts'
import { simulate } from '../support/emissions.ts'
import { askDuckDb } from '../support/duckdb.ts'
import { startPostgres, type PostgresServer } from '../support/postgres.ts'
import { settingsFor } from '../support/pull-settings.ts'
import { NO_QUOTAS } from '../support/streamflow.ts'
import { tempFolder } from '../tooling/temp-folder.ts'

const NOW = Date.parse('2024-03-10T12:00:00Z')
const SPEC: PullSpec = {
  start: '2024-03-01',
  pulls: [
    { service: 'emissions', operation: 'historical', each: { region: ['CAISO_NORTH', 'PJM_DC'] } },
    {
      service: 'streamflow',
      operation: 'daily',
      query: { parameterCode: '00060', statisticId: '00003', monitoringLocationId: ['USGS-01000000', 'USGS-01000001'] },
    },
  ],
}
const EMISSIONS_ROWS = 2 * (9 * 288 + 144)
const DAILY_ROWS = 2 * 9
const FORMATS = ['csv', 'jsonl', 'parquet'] as const

async function stage(format: PullFormat) {
  let shift = 0
  const clock = { ...systemClock, now: () => NOW + shift }
  const simulator = await simulate({ clock, streamflow: NO_QUOTAS })
  const { emissions, streamflow } = settingsFor(simulator)
  const out = tempFolder()
  const options = { out, clock, settings: { emissions: { ...emissions, clock }, streamflow: { ...streamflow, clock } } }
  await pull(SPEC, { ...options, format })
  return {
    out,
    simulator,
    /** A revision of three hours, and a day more. */
    async later() {
      simulator.setFaults([
        {
          do: {
            type: 'revise',
            from: '2024-03-05T06:00Z',
            to: '2024-03-05T08:55Z',
            at: '2024-03-11T00:00:00Z',
            add: 7,
          },
        },
      ])
      shift += 86_400_000
      await sync(undefined, options)
    },
  }
}

const of = (report: Awaited<ReturnType<typeof loadDuckDb>>, table: string) =>
  report.tables.find(one => one.table === table)

describe.each(FORMATS)('loading %s into DuckDB', format => {
  it('twice gives the same table; after a sync only what changed is changed', async () => {
    const { out, later, simulator } = await stage(format)
    const database = join(tempFolder(), 'data.duckdb')
    const first = await loadDuckDb(out, { database })
    expect(of(first, 'emissions_historical')).toMatchObject({ inserted: EMISSIONS_ROWS, updated: 0 })
    expect(of(first, 'streamflow_daily')).toMatchObject({ inserted: DAILY_ROWS, updated: 0 })
    const face =
      'SELECT count(*)::INT AS n, sum(value)::DECIMAL(18,3)::VARCHAR AS total, max(point_time)::VARCHAR AS last FROM emissions_historical'
    const before = await askDuckDb(database, face)
    const again = await loadDuckDb(out, { database })
    expect(again.tables.map(({ inserted, updated }) => inserted + updated)).toEqual([0, 0, 0, 0])
    expect(await askDuckDb(database, face)).toEqual(before)
    await later()
    expect(of(await loadDuckDb(out, { database }), 'emissions_historical')).toMatchObject({
      inserted: 2 * 288,
      updated: 2 * 36,
    })
    const truth = ['CAISO_NORTH', 'PJM_DC'].flatMap(region =>
      simulator.truth.historical({ region, start: '2024-03-01', end: '2024-03-11T11:55Z' }).map(({ value }) => value),
    )
    const [now] = await askDuckDb(database, face)
    expect(now?.['n']).toBe(truth.length)
    expect(Number(now?.['total'])).toBeCloseTo(
      truth.reduce((sum, value) => sum + value, 0),
      2,
    )
  }, 60_000)
})

describe('loading into PostgreSQL', () => {
  let server: PostgresServer
  beforeAll(async () => {
    server = await startPostgres()
  }, 60_000)
  afterAll(() => server.close())

  async function ask<Row extends pg.QueryResultRow>(sql: string): Promise<Row[]> {
    const client = new pg.Client(server.connection)
    await client.connect()
    try {
      return (await client.query<Row>(sql)).rows
    } finally {
      await client.end()
    }
  }

  it.each(FORMATS)(
    '%s twice gives the same table; after a sync only what changed is changed',
    async format => {
      const { out, later, simulator } = await stage(format)
      const where = { connection: server.connection, schema: `as_${format}` }
      const first = await loadPostgres(out, where)
      expect(of(first, 'emissions_historical')).toMatchObject({ inserted: EMISSIONS_ROWS, updated: 0 })
      expect(of(first, 'streamflow_daily')).toMatchObject({ inserted: DAILY_ROWS, updated: 0 })
      const again = await loadPostgres(out, where)
      expect(again.tables.map(({ inserted, updated }) => inserted + updated)).toEqual([0, 0, 0, 0])
      await later()
      expect(of(await loadPostgres(out, where), 'emissions_historical')).toMatchObject({
        inserted: 2 * 288,
        updated: 2 * 36,
      })
      const rows = await ask<{ region: string; point_time: Date; value: number }>(
        `SELECT region, point_time, value FROM as_${format}.emissions_historical ORDER BY region, point_time`,
      )
      const truth = ['CAISO_NORTH', 'PJM_DC'].flatMap(region =>
        simulator.truth
          .historical({ region, start: '2024-03-01', end: '2024-03-11T11:55Z' })
          .map(({ point_time, value }) => ({ region, point_time: new Date(point_time), value })),
      )
      expect(rows).toEqual(truth)
    },
    60_000,
  )

  it('has types that a database can work with', async () => {
    const { out } = await stage('parquet')
    await loadPostgres(out, { connection: server.connection, schema: 'typed' })
    const types = await ask<{ column_name: string; data_type: string }>(
      `SELECT column_name, data_type FROM information_schema.columns WHERE table_schema = 'typed' AND table_name IN ('streamflow_daily', 'emissions_historical_meta')`,
    )
    expect(Object.fromEntries(types.map(({ column_name, data_type }) => [column_name, data_type]))).toMatchObject({
      time: 'date',
      value: 'double precision',
      qualifier: 'jsonb',
      last_modified: 'timestamp with time zone',
      requestedAt: 'timestamp with time zone',
      source: 'jsonb',
    })
  }, 60_000)

  it('leaves everything as it was when something is wrong', async () => {
    const { out } = await stage('csv')
    await ask('CREATE SCHEMA wrong; CREATE TABLE wrong.emissions_historical (region int)')
    await expect(loadPostgres(out, { connection: server.connection, schema: 'wrong' })).rejects.toThrow(
      /column "region" is of type integer|cannot be|COPY|type/,
    )
    expect(await ask(`SELECT count(*)::int AS n FROM information_schema.columns WHERE table_schema = 'wrong'`)).toEqual(
      [{ n: 1 }],
    )
  }, 60_000)
})

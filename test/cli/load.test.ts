import { EventEmitter } from 'node:events'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { askDuckDb } from '../support/duckdb.ts'
import { tempFolder } from '../tooling/temp-folder.ts'
import { startPostgres, type PostgresServer } from '../support/postgres.ts'
import { TEST_PASSWORD } from '../tooling/secrets.ts'
import { binary, inside, simulated, type Left } from './headrace.ts'

const DAYS = ['--service', 'emissions', '--operation', 'historical', '--query', 'region=CAISO_NORTH']
const TIMES = ['--start', '2024-01-01', '--end', '2024-01-05T23:55Z']

async function pulled(): Promise<string> {
  const { env } = await simulated()
  const out = join(tempFolder(), 'data')
  await inside(['pull', ...DAYS, ...TIMES, '--out', out, '--quiet'], { env })
  return out
}

describe('headrace load', () => {
  it('puts a folder into a database; the second time nothing changes', async () => {
    const out = await pulled()
    const database = join(out, '..', 'grid.duckdb')
    const load = ['load', out, '--into', 'duckdb', '--database', database]
    const first = await inside(load)
    expect(first.stderr).toMatch(/^emissions_historical: 1,440 rows: 1,440 added, 0 changed$/m)
    expect(first.code).toBe(0)
    const second = await inside([...load, '--json'])
    expect(JSON.parse(second.stdout)).toMatchObject({
      outcome: 'ok',
      report: { tables: [{ table: 'emissions_historical', rows: 1440, inserted: 0, updated: 0 }, { inserted: 0 }] },
    })
  })

  it('7: into what is no database', async () => {
    const out = await pulled()
    const database = join(out, '..', 'text')
    writeFileSync(database, 'this is no database, but a text that is long enough to be read as the head of one')
    const { stderr, code } = await inside(['load', out, '--into', 'duckdb', '--database', database])
    expect(stderr).toContain('cannot load into')
    expect(code).toBe(7)
  })

  it('7: where no database answers', async () => {
    const out = await pulled()
    const nobody = 'postgres://nobody@127.0.0.1:1/none'
    const { stderr, code } = await inside(['load', out, '--into', 'postgres', '--database', nobody])
    expect(stderr).toContain('ECONNREFUSED')
    expect(code).toBe(7)
  })

  it('130: interrupted, it leaves the tables as they were', async () => {
    const out = await pulled()
    const database = join(out, '..', 'none.duckdb')
    const signals = new EventEmitter()
    const running = inside(['load', out, '--into', 'duckdb', '--database', database], { signals })
    signals.emit('SIGINT')
    const { code, stderr } = await running
    expect(stderr).toContain('error: interrupted (SIGINT); run the command again')
    expect(code).toBe(130)
    if (existsSync(database)) expect(await askDuckDb(database, 'SHOW TABLES')).toEqual([])
  })

  it.each([
    ['no database is named', [], '--into is missing'],
    ['it is one that nobody knows', ['--into', 'sqlite'], '--into must be one of duckdb, postgres'],
    ['no file is named', ['--into', 'duckdb'], '--database is missing'],
    [
      'a password is typed',
      ['--into', 'postgres', '--database', 'postgres://me:hunter2@host/x'],
      'put it into PGPASSWORD',
    ],
    [
      'a password is typed behind a question mark',
      ['--into', 'postgres', '--database', 'postgres://me@host/x?password=hunter2'],
      'put it into PGPASSWORD',
    ],
    ['nothing was pulled', ['--into', 'postgres'], 'nothing was pulled into nowhere'],
  ])('2: when %s', async (_, args, message) => {
    const { stderr, code } = await inside(['load', 'nowhere', ...args])
    expect(stderr).toContain(message)
    expect(stderr).not.toContain('hunter2')
    expect(code).toBe(2)
  })
})

/** A database that lets nobody in without a password. */
describe('headrace load into PostgreSQL', { timeout: 60_000 }, () => {
  let server: PostgresServer
  let address: URL
  beforeAll(async () => {
    server = await startPostgres({ password: TEST_PASSWORD })
    address = new URL(server.connection)
  }, 60_000)
  afterAll(() => server.close())

  const connection = () => ({
    host: address.hostname,
    port: Number(address.port),
    user: 'postgres',
    database: 'postgres',
  })
  const connected = async <Value>(work: (client: pg.Client) => Promise<Value>): Promise<Value> => {
    const client = new pg.Client({ ...connection(), password: TEST_PASSWORD })
    await client.connect()
    try {
      return await work(client)
    } finally {
      await client.end()
    }
  }
  const face = () =>
    connected(async client => {
      const { rows } = await client.query<Record<string, unknown>>(
        'SELECT count(*)::int AS n, count(DISTINCT point_time)::int AS instants, round(sum(value)::numeric, 3)::text AS total FROM emissions_historical',
      )
      return rows[0]
    })
  const silentAbout = ({ stdout, stderr }: Left): void => {
    expect(stdout + stderr).not.toContain(TEST_PASSWORD)
    expect(stdout + stderr).not.toContain(encodeURIComponent(TEST_PASSWORD))
  }

  it.each([
    ['an address', () => ['--database', server.connection], {}],
    [
      'the usual variables',
      () => [],
      () => ({ PGHOST: address.hostname, PGPORT: address.port, PGUSER: 'postgres', PGDATABASE: 'postgres' }),
    ],
  ])('twice gives the same table, by %s, and never shows the password', async (_, where, variables) => {
    const out = await pulled()
    const load = ['load', out, '--into', 'postgres', ...where()]
    const env = { PGPASSWORD: TEST_PASSWORD, ...(typeof variables === 'function' ? variables() : variables) }
    await connected(client => client.query('DROP TABLE IF EXISTS emissions_historical, emissions_historical_meta'))
    const first = await binary([...load, '-vv'], env)
    expect(first.stderr).toMatch(/^emissions_historical: 1,440 rows: 1,440 added, 0 changed$/m)
    expect(first.code).toBe(0)
    const before = await face()
    expect(before).toMatchObject({ n: 1440, instants: 1440 })
    const second = await binary([...load, '--json'], env)
    expect(JSON.parse(second.stdout)).toMatchObject({
      outcome: 'ok',
      report: { tables: [{ table: 'emissions_historical', rows: 1440, inserted: 0, updated: 0 }, { inserted: 0 }] },
    })
    expect(await face()).toEqual(before)
    silentAbout(first)
    silentAbout(second)
  })

  it.each([
    [
      'in PGPASSWORD',
      () => server.connection,
      { PGPASSWORD: `${TEST_PASSWORD}-wrong` },
      7,
      'password authentication failed',
    ],
    [
      'in the address',
      () => server.connection.replace('postgres@', `postgres:${encodeURIComponent(TEST_PASSWORD)}@`),
      {},
      2,
      'put it into PGPASSWORD',
    ],
  ])('never shows a password that is refused %s', async (_, database, env, exitCode, says) => {
    const out = await pulled()
    const load = ['load', out, '--into', 'postgres', '--database', database()]
    for (const more of [[], ['--json', '-vv']]) {
      const left = await binary([...load, ...more], env)
      expect(left.stderr).toContain(says)
      expect(left.code).toBe(exitCode)
      silentAbout(left)
    }
  })

  it('130: interrupted while the database is busy, it leaves the table as it was', async () => {
    const out = await pulled()
    const load = ['load', out, '--into', 'postgres', '--database', server.connection]
    // The driver looks into the environment of this process.
    vi.stubEnv('PGPASSWORD', TEST_PASSWORD)
    onTestFinished(() => void vi.unstubAllEnvs())
    await inside(load)
    await connected(async client => {
      await client.query('DELETE FROM emissions_historical')
      await client.query('BEGIN; LOCK TABLE emissions_historical')
      const signals = new EventEmitter()
      const running = inside(load, { signals })
      const waiting = 'SELECT count(*)::int AS n FROM pg_locks WHERE NOT granted'
      await expect
        .poll(async () => (await client.query<{ n: number }>(waiting)).rows[0]?.n, { timeout: 10_000 })
        .toBe(1)
      signals.emit('SIGINT')
      const left = await running
      expect(left.stderr).toContain('error: interrupted (SIGINT); run the command again')
      expect(left.code).toBe(130)
      await client.query('ROLLBACK')
    })
    expect(await face()).toMatchObject({ n: 0 })
  })
})

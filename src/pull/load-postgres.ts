import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type pg from 'pg'
import type * as CopyStreams from 'pg-copy-streams'
import { ConfigurationError, describeCause } from '../errors.ts'
import { csvLines, type ColumnKind } from '../retrieval/index.ts'
import { systemDisk } from './disk.ts'
import { quoted, tablesIn, type FolderTable, type LoadedTable, type LoadReport } from './load-tables.ts'
import { readTable } from './table-reader.ts'

/** Where a folder is loaded to. */
export interface PostgresOptions {
  /** `postgres://user@host/database`. @defaultValue the usual variables: PGHOST, PGUSER, PGPASSWORD, PGDATABASE */
  readonly connection?: string
  /** @defaultValue 'public' */
  readonly schema?: string
}

/**
 * Loads a folder into a PostgreSQL database, a table for each operation and one for its metadata, each in a transaction
 * of its own: copied to a staging table, then merged by what rows are. A second load changes nothing.
 *
 * @throws ConfigurationError when `pg` or `pg-copy-streams` is not installed; QueryError when rows cannot be told apart
 */
export async function loadPostgres(
  out: string,
  { connection, schema = 'public' }: PostgresOptions = {},
): Promise<LoadReport> {
  const tables = await tablesIn(out)
  const { Client, from } = await loadDriver()
  const client = new Client(connection === undefined ? {} : { connectionString: connection })
  await client.connect()
  try {
    await client.query(`SET TIME ZONE 'UTC'`)
    await client.query(`CREATE SCHEMA IF NOT EXISTS ${quoted(schema)}`)
    const loaded: LoadedTable[] = []
    for (const table of tables) loaded.push(await loadTable(client, from, out, schema, table))
    return { tables: loaded }
  } finally {
    await client.end()
  }
}

const TYPES: Readonly<Record<ColumnKind, string>> = {
  instant: 'timestamptz',
  date: 'date',
  number: 'double precision',
  boolean: 'boolean',
  text: 'text',
  json: 'jsonb',
}

async function loadTable(
  client: pg.Client,
  copyFrom: typeof CopyStreams.from,
  out: string,
  schema: string,
  table: FolderTable,
): Promise<LoadedTable> {
  const { name, columns, identity, files, rows, revised } = table
  const target = `${quoted(schema)}.${quoted(name)}`
  const declared = columns.map(column => `${quoted(column.name)} ${TYPES[column.kind]}`)
  const names = columns.map(column => quoted(column.name)).join(', ')
  const key = identity.map(quoted).join(', ')
  const others = columns.filter(column => !identity.includes(column.name)).map(column => quoted(column.name))

  await client.query('BEGIN')
  try {
    await client.query(`CREATE TABLE IF NOT EXISTS ${target} (${declared.join(', ')})`)
    for (const column of declared) await client.query(`ALTER TABLE ${target} ADD COLUMN IF NOT EXISTS ${column}`)
    await client.query(`CREATE UNIQUE INDEX IF NOT EXISTS ${quoted(`${name}_identity`)} ON ${target} (${key})`)
    await client.query(`CREATE TEMP TABLE staging (${declared.join(', ')}) ON COMMIT DROP`)
    for (const file of files) {
      const head = file.columns.map(column => quoted(column.name)).join(', ')
      const lines = async function* (): AsyncGenerator<string> {
        for await (const part of readTable(systemDisk, out, file))
          yield* csvLines(part, file.columns, { header: false })
      }
      await pipeline(Readable.from(lines()), client.query(copyFrom(`COPY staging (${head}) FROM STDIN (FORMAT csv)`)))
    }
    const newest = revised === undefined ? '' : `, ${quoted(revised)} DESC NULLS LAST`
    const set = others.map(column => `${column} = excluded.${column}`).join(', ')
    const differ = `(${others.map(column => `t.${column}`).join(', ')}) IS DISTINCT FROM (${others.map(column => `excluded.${column}`).join(', ')})`
    const merged = await client.query<{ inserted: string; updated: string }>(
      `WITH merged AS (
         INSERT INTO ${target} AS t (${names})
         SELECT DISTINCT ON (${key}) ${names} FROM staging ORDER BY ${key}${newest}
         ON CONFLICT (${key}) DO ${others.length === 0 ? 'NOTHING' : `UPDATE SET ${set} WHERE ${differ}`}
         RETURNING xmax = 0 AS fresh
       ) SELECT count(*) FILTER (WHERE fresh) AS inserted, count(*) FILTER (WHERE NOT fresh) AS updated FROM merged`,
    )
    await client.query('COMMIT')
    const [counts] = merged.rows
    return { table: name, rows, inserted: Number(counts?.inserted ?? 0), updated: Number(counts?.updated ?? 0) }
  } catch (thrown) {
    await client.query('ROLLBACK').catch(() => undefined)
    throw thrown
  }
}

async function loadDriver(): Promise<{ Client: typeof pg.Client; from: typeof CopyStreams.from }> {
  try {
    const [driver, { from }] = await Promise.all([import('pg'), import('pg-copy-streams')])
    return { Client: driver.default.Client, from }
  } catch (thrown) {
    throw new ConfigurationError(
      `loading into PostgreSQL needs the packages pg and pg-copy-streams: npm install pg pg-copy-streams (${describeCause(thrown).message})`,
      { setting: 'connection', source: 'option' },
    )
  }
}

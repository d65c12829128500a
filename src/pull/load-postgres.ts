import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type pg from 'pg'
import type * as CopyStreams from 'pg-copy-streams'
import { ConfigurationError, describeCause } from '../errors.ts'
import { csvLines, type ColumnKind } from '../retrieval/index.ts'
import { systemDisk } from './disk.ts'
import {
  quoted,
  tablesIn,
  type FolderTable,
  type LoadedTable,
  type LoadOptions,
  type LoadReport,
} from './load-tables.ts'
import { readTable } from './table-reader.ts'

/** Where a folder is loaded to. */
export interface PostgresOptions extends LoadOptions {
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
  { connection, schema = 'public', signal }: PostgresOptions = {},
): Promise<LoadReport> {
  const tables = await tablesIn(out)
  const { Client, from } = await loadDriver()
  const where = connection === undefined ? {} : { connectionString: connection }
  const client = new Client(where)
  // A connection that breaks fails the statement under way; between two of them there is nothing to say.
  client.on('error', () => undefined)
  await client.connect()
  const { rows: own } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')
  const cancel = (): void => void cancelBackend(new Client(where), own[0]?.pid)
  signal?.addEventListener('abort', cancel)
  try {
    await client.query(`SET TIME ZONE 'UTC'`)
    await client.query(`CREATE SCHEMA IF NOT EXISTS ${quoted(schema)}`)
    const loaded: LoadedTable[] = []
    for (const table of tables) {
      signal?.throwIfAborted()
      loaded.push(await loadTable(client, from, out, schema, table, signal))
    }
    return { tables: loaded }
  } catch (thrown) {
    // What the database says when it was cancelled is of no interest.
    signal?.throwIfAborted()
    throw thrown
  } finally {
    signal?.removeEventListener('abort', cancel)
    await client.end()
  }
}

/** Ends what a connection does, from another one. When that fails, the statement runs to its end, and no further one begins. */
async function cancelBackend(client: pg.Client, pid: number | undefined): Promise<void> {
  client.on('error', () => undefined)
  try {
    await client.connect()
    await client.query('SELECT pg_cancel_backend($1)', [pid])
  } catch {
    // Nothing to be done.
  } finally {
    await client.end().catch(() => undefined)
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
  signal?: AbortSignal,
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
        for await (const part of readTable(systemDisk, out, file)) {
          signal?.throwIfAborted()
          yield* csvLines(part, file.columns, { header: false })
        }
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

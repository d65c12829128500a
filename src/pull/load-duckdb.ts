import { join, resolve } from 'node:path'
import type * as DuckDb from '@duckdb/node-api'
import { ConfigurationError, describeCause } from '../errors.ts'
import type { Column, ColumnKind } from '../retrieval/index.ts'
import { quoted, tablesIn, type FolderTable, type LoadOptions, type LoadReport } from './load-tables.ts'

/** Where a folder is loaded to. */
export interface DuckDbOptions extends LoadOptions {
  /** File of the database; made if it is not there. */
  readonly database: string
  /** @defaultValue 'main' */
  readonly schema?: string
}

/**
 * Loads a folder into a DuckDB database, a table for each operation and one for its metadata. Rows are merged by what
 * they are: what is there is brought up to date, what is new is added, and a second load changes nothing.
 *
 * @throws ConfigurationError when `@duckdb/node-api` is not installed; QueryError when rows cannot be told apart
 */
export async function loadDuckDb(
  out: string,
  { database, schema = 'main', signal }: DuckDbOptions,
): Promise<LoadReport> {
  const tables = await tablesIn(out)
  const { DuckDBInstance } = await loadDriver()
  const instance = await DuckDBInstance.create(database)
  const connection = await instance.connect()
  const interrupt = (): void => connection.interrupt()
  signal?.addEventListener('abort', interrupt)
  try {
    await connection.run(`SET TimeZone = 'UTC'; CREATE SCHEMA IF NOT EXISTS ${quoted(schema)}`)
    const loaded = []
    for (const table of tables) {
      signal?.throwIfAborted()
      loaded.push(await loadTable(connection, resolve(out), schema, table))
    }
    return { tables: loaded }
  } catch (thrown) {
    // What the database says when it was interrupted is of no interest.
    signal?.throwIfAborted()
    throw thrown
  } finally {
    signal?.removeEventListener('abort', interrupt)
    connection.closeSync()
    instance.closeSync()
  }
}

const TYPES: Readonly<Record<ColumnKind, string>> = {
  instant: 'TIMESTAMPTZ',
  date: 'DATE',
  number: 'DOUBLE',
  boolean: 'BOOLEAN',
  text: 'VARCHAR',
  json: 'VARCHAR',
}

async function loadTable(
  connection: DuckDb.DuckDBConnection,
  out: string,
  schema: string,
  table: FolderTable,
): Promise<LoadReport['tables'][number]> {
  const { name, columns, identity, rows } = table
  const target = `${quoted(schema)}.${quoted(name)}`
  const declared = columns.map(column => `${quoted(column.name)} ${TYPES[column.kind]}`)
  const names = columns.map(column => quoted(column.name))
  const same = identity.map(column => `t.${quoted(column)} IS NOT DISTINCT FROM s.${quoted(column)}`).join(' AND ')
  const others = columns.filter(column => !identity.includes(column.name)).map(column => quoted(column.name))
  const changed = others.map(column => `t.${column} IS DISTINCT FROM s.${column}`).join(' OR ')
  const run = async (sql: string): Promise<number> => (await connection.run(sql)).rowsChanged

  await run('BEGIN TRANSACTION')
  try {
    await run(`CREATE TABLE IF NOT EXISTS ${target} (${declared.join(', ')})`)
    for (const column of declared) await run(`ALTER TABLE ${target} ADD COLUMN IF NOT EXISTS ${column}`)
    await run(`CREATE OR REPLACE TEMP TABLE staging (${declared.join(', ')})`)
    for (const source of sourcesOf(out, table)) await run(`INSERT INTO staging BY NAME ${source}`)
    // Of several versions of a sample the newest counts.
    const order = table.revised === undefined ? '' : ` ORDER BY ${quoted(table.revised)} DESC NULLS LAST`
    await run(
      `CREATE OR REPLACE TEMP TABLE newest AS SELECT * FROM staging QUALIFY row_number() OVER (PARTITION BY ${identity.map(quoted).join(', ')}${order}) = 1`,
    )
    const updated =
      others.length === 0
        ? 0
        : await run(
            `UPDATE ${target} AS t SET ${others.map(column => `${column} = s.${column}`).join(', ')} FROM newest AS s WHERE ${same} AND (${changed})`,
          )
    const inserted = await run(
      `INSERT INTO ${target} (${names.join(', ')}) SELECT ${names.join(', ')} FROM newest AS s WHERE NOT EXISTS (SELECT 1 FROM ${target} AS t WHERE ${same})`,
    )
    await run('DROP TABLE staging; DROP TABLE newest')
    await run('COMMIT')
    return { table: name, rows, inserted, updated }
  } catch (thrown) {
    await run('ROLLBACK').catch(() => 0)
    throw thrown
  }
}

/** Files with the same columns are read together. */
function sourcesOf(out: string, { files }: FolderTable): string[] {
  const groups = new Map<string, { readonly columns: readonly Column[]; readonly paths: string[] }>()
  for (const { path, columns } of files) {
    const key = columns.map(({ name }) => name).join('\u0000')
    const group = groups.get(key) ?? { columns, paths: [] }
    group.paths.push(`'${join(out, path).replaceAll("'", "''")}'`)
    groups.set(key, group)
  }
  return [...groups.values()].map(({ columns, paths }) => {
    const list = `[${paths.join(', ')}]`
    const types = columns.map(
      ({ name, kind }) =>
        `'${name.replaceAll("'", "''")}': '${kind === 'json' && !paths[0]?.endsWith(".jsonl'") ? 'VARCHAR' : jsonType(kind)}'`,
    )
    if (paths[0]?.endsWith(".parquet'")) return `SELECT * FROM read_parquet(${list}, hive_partitioning = false)`
    const read = paths[0]?.endsWith(".csv'")
      ? `read_csv(${list}, header = true, auto_detect = false, delim = ',', quote = '"', escape = '"', new_line = '\\n', nullstr = '', hive_partitioning = false, columns = {${types.join(', ')}})`
      : `read_json(${list}, format = 'newline_delimited', hive_partitioning = false, columns = {${types.join(', ')}})`
    return `SELECT * FROM ${read}`
  })
}

function jsonType(kind: ColumnKind): string {
  return kind === 'json' ? 'JSON' : TYPES[kind]
}

async function loadDriver(): Promise<typeof DuckDb> {
  try {
    return await import('@duckdb/node-api')
  } catch (thrown) {
    throw new ConfigurationError(
      `loading into DuckDB needs the package @duckdb/node-api: npm install @duckdb/node-api (${describeCause(thrown).message})`,
      { setting: 'database', source: 'option' },
    )
  }
}

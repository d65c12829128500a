import { isHeadraceError } from '../errors.ts'
import type { LoadReport } from '../pull/index.ts'
import type { Command } from './command-tree.ts'
import { LocalFailure, UsageError } from './failures.ts'
import type { Flag } from './flags.ts'
import { knownFolder } from './pull-commands.ts'
import { typedValues } from './run-flags.ts'

const plain = { kind: 'text', list: 'no', required: false, secret: false } as const

const INTO: Flag = {
  ...plain,
  name: 'into',
  flag: '--into',
  required: true,
  choices: ['duckdb', 'postgres'],
  text: 'which database',
}
const DATABASE: Flag = {
  ...plain,
  name: 'database',
  flag: '--database',
  text: 'file of a DuckDB database; or postgres://user@host/name (default there: PGHOST, PGUSER, PGDATABASE)',
}
const SCHEMA: Flag = {
  ...plain,
  name: 'schema',
  flag: '--schema',
  text: 'schema of the tables (default: main, or public)',
}

/** Puts a folder into a database. */
export const loadCommand: Command = {
  name: 'load',
  summary: 'a folder into a database; run again, it changes what has changed',
  about:
    'Needs the package @duckdb/node-api, or pg and pg-copy-streams. The password of PostgreSQL is taken from PGPASSWORD.',
  operands: [{ synopsis: '<folder>', text: 'folder of an earlier pull' }],
  groups: [{ title: 'Where:', flags: [INTO, DATABASE, SCHEMA] }],
  examples: ['headrace load data --into duckdb --database grid.duckdb', 'headrace load data --into postgres'],
  async run(typed, { terminal, json, quiet, signal }) {
    const [out = ''] = typed.operands
    const { into, database, schema } = typedValues([INTO, DATABASE, SCHEMA], typed) as Partial<Record<string, string>>
    if (into === undefined) throw new UsageError('--into is missing: say duckdb or postgres')
    checkDatabase(into, database)
    await knownFolder(out)
    const { loadDuckDb, loadPostgres } = await import('../pull/index.ts')
    const more = { signal, ...(schema === undefined ? {} : { schema }) }
    const report = await guarded(database ?? into, signal, () =>
      into === 'duckdb'
        ? loadDuckDb(out, { database: String(database), ...more })
        : loadPostgres(out, { ...(database === undefined ? {} : { connection: database }), ...more }),
    )
    if (!quiet && !json) terminal.note(loadText(report))
    return { outcome: 'ok', document: { report } }
  },
}

function checkDatabase(into: string, database: string | undefined): void {
  if (into === 'postgres' && database !== undefined && !/^postgres(?:ql)?:\/\//.test(database))
    throw new UsageError('--database must be an address of PostgreSQL and begin with postgres://')
  if (into === 'duckdb' && database === undefined) throw new UsageError('--database is missing: say which file')
  if (into === 'postgres' && database !== undefined && /^\w+:\/\/[^/@]*:[^/@]*@|[?&]password=/i.test(database))
    throw new UsageError('--database holds a password, for all to see in the list of processes; put it into PGPASSWORD')
}

/** What a driver throws is about this machine and its database. */
async function guarded<Value>(database: string, signal: AbortSignal, act: () => Promise<Value>): Promise<Value> {
  try {
    return await act()
  } catch (thrown) {
    signal.throwIfAborted()
    throw isHeadraceError(thrown) ? thrown : new LocalFailure('cannot load into', database, thrown)
  }
}

function loadText({ tables }: LoadReport): string {
  return tables
    .map(({ table, rows, inserted, updated }) =>
      inserted + updated === 0
        ? `${table}: ${rows.toLocaleString('en-US')} rows, as they were`
        : `${table}: ${rows.toLocaleString('en-US')} rows: ${inserted.toLocaleString('en-US')} added, ${updated.toLocaleString('en-US')} changed`,
    )
    .join('\n')
}

import type { AnyRow, Retrieval } from '../retrieval/index.ts'
import { nearest } from '../nearest.ts'
import { callFlags } from './call-flags.ts'
import type { Command } from './command-tree.ts'
import { UsageError } from './failures.ts'
import { valueOf, type Flag } from './flags.ts'
import { OUTPUT_FLAGS } from './output-flags.ts'
import { SERVICES } from './services.ts'

const SEARCH: Flag = {
  name: 'search',
  flag: '--search',
  kind: 'text',
  list: 'no',
  required: false,
  secret: false,
  text: 'only rows that hold this text, whatever its case',
}

const CALL = callFlags([{ name: 'baseUrl', text: 'address of the service' }], [])

/** Tables of codes of all services. */
export const codesCommand: Command = {
  name: 'codes',
  summary: 'tables of codes: which there are, or one of them',
  operands: [{ synopsis: '[table]', text: 'name of a table; without it, the list of tables' }],
  groups: [
    { title: 'Query:', flags: [SEARCH] },
    { title: 'Output:', flags: OUTPUT_FLAGS.filter(({ name }) => name !== 'acceptHoles') },
    { title: 'Client and call:', flags: [...CALL.call, ...CALL.client] },
  ],
  examples: ['headrace codes', 'headrace codes parameter-codes --search discharge --format csv'],
  async run(typed, around) {
    const [table] = typed.operands
    const [{ answer }, { Retrieval }] = await Promise.all([import('./answer.ts'), import('../retrieval/index.ts')])
    const services = await Promise.all(
      Object.entries(SERVICES).map(async ([service, { load }]) => ({ service, description: await load() })),
    )
    const tables = services.flatMap(({ service, description }) =>
      (description.codeTables ?? []).map(name => ({ table: name, service, description })),
    )
    const values = (flags: readonly Flag[]): Record<string, unknown> =>
      Object.fromEntries(
        flags.flatMap(flag => {
          const given = typed.flags[flag.name]
          return given === undefined ? [] : [[flag.name, valueOf(flag, given)]]
        }),
      )
    const wanted = typed.flags['search'] && String(valueOf(SEARCH, typed.flags['search']))
    const chosen = (rows: Retrieval): Retrieval =>
      wanted === undefined
        ? rows
        : new Retrieval({ ...rows.toJSON(), rows: rows.rows.filter(row => holds(row, wanted)) })
    if (table === undefined) {
      const list = new Retrieval({
        service: 'headrace',
        operation: 'codes',
        rows: tables.map(({ table: name, service }) => ({ table: name, service })),
        meta: [],
        columns: ['table', 'service'].map(name => ({ name, kind: 'text' })),
        warnings: [],
        completeness: undefined,
      })
      return answer(async () => chosen(list), typed, { ...around, quiet: true })
    }
    const found = tables.find(one => one.table === table)
    if (!found) {
      const guess = nearest(
        table,
        tables.map(one => one.table),
      )
      throw new UsageError(`there is no table of codes '${table}'${guess ? `; did you mean ${guess}?` : ''}`)
    }
    return answer(
      async (options, call) => {
        const client = found.description.connect({ ...values(CALL.client), env: around.env, ...options })
        const rows = await client.codes?.(table, { ...values(CALL.call), ...call })
        return chosen(rows as Retrieval)
      },
      typed,
      around,
    )
  },
}

function holds(row: AnyRow, wanted: string): boolean {
  return Object.values(row).some(value =>
    String(value ?? '')
      .toLowerCase()
      .includes(wanted.toLowerCase()),
  )
}

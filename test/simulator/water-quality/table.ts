import type { Simulator } from '../../../src/simulator/index.ts'
import { ask, type AskOptions, type Reply } from '../ask.ts'

/** A table as it came: names of columns, and rows as lists of texts. */
export interface Table {
  readonly columns: readonly string[]
  readonly rows: readonly (readonly string[])[]
  /** Texts of one column. */
  column(name: string): readonly string[]
}

/** Reads CSV as the service writes it, and throws where it does not: quotes in the middle, rows that are too short. */
export function readTable(text: string): Table {
  const [columns = [], ...rows] = parse(text)
  const wrong = rows.findIndex(row => row.length !== columns.length)
  if (wrong >= 0) throw new Error(`row ${wrong + 1} has ${rows[wrong]?.length} fields, not ${columns.length}`)
  return {
    columns,
    rows,
    column(name) {
      const index = columns.indexOf(name)
      if (index < 0) throw new Error(`no column ${name}`)
      return rows.map(row => row[index] ?? '')
    },
  }
}

function parse(text: string): string[][] {
  const rows: string[][] = []
  let row: string[] = []
  let at = 0
  while (at <= text.length) {
    const quoted = /"((?:[^"]|"")*)"/y
    const plain = /[^",\n]*/y
    const pattern = text[at] === '"' ? quoted : plain
    pattern.lastIndex = at
    const found = pattern.exec(text)
    if (found === null) throw new Error(`a quote at ${at} is not closed`)
    row.push(pattern === quoted ? (found[1] ?? '').replaceAll('""', '"') : found[0])
    at += found[0].length
    const mark = text[at]
    if (mark !== undefined && mark !== ',' && mark !== '\n')
      throw new Error(`'${mark}' at ${at} stands outside a field`)
    if (mark !== ',') rows.push(row)
    if (mark !== ',') row = []
    at += 1
  }
  return rows
}

/** Asks for a path, with a query written as a text or as names and values. */
export function get(
  simulator: Simulator,
  path: string,
  query: Record<string, string> | string = '',
  options: AskOptions = {},
): Promise<Reply> {
  const text = typeof query === 'string' ? query : new URLSearchParams(query).toString()
  return ask(`${simulator.url}${path}${text === '' ? '' : `?${text}`}`, { patienceMs: 20_000, ...options })
}

/** The table of an answer that is expected to be good. */
export async function tableOf(reply: Promise<Reply>): Promise<Table> {
  const { status, text, failure } = await reply
  if (status !== 200 || failure !== undefined) throw new Error(`${status} ${failure ?? ''} ${text.slice(0, 200)}`)
  return readTable(text)
}

/** Two sites and a year: some fifty results. */
export const SITES = ['USGS-05510007', 'WIDNR_WQX-10001'] as const
export const SMALL = {
  siteid: SITES.join(';'),
  startDateLo: '01-01-2022',
  startDateHi: '12-31-2022',
  mimeType: 'csv',
} as const

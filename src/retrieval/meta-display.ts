import { showsItself } from '../self-display.ts'
import type { ResponseMeta } from '../transport/index.ts'
import type { AnyRow, Column } from './columns.ts'
import { box, paragraphs, tableHtml } from './html.ts'
import { tableLines } from './table.ts'

const WIDTH = 100

const COLUMNS: readonly Column[] = [
  { name: 'start', kind: 'instant' },
  { name: 'end', kind: 'instant' },
  { name: 'page', kind: 'number' },
  { name: 'status', kind: 'number' },
  { name: 'cached', kind: 'boolean' },
  { name: 'rows', kind: 'number' },
  { name: 'attempts', kind: 'number' },
  { name: 'waitedMs', kind: 'number' },
  { name: 'elapsedMs', kind: 'number' },
  { name: 'bytes', kind: 'number' },
  { name: 'requestId', kind: 'text' },
  { name: 'url', kind: 'text' },
]

/** Metadata rows that show themselves as a table, one line for each response. Otherwise the plain list that they are. */
export function showMeta(meta: readonly ResponseMeta[]): readonly ResponseMeta[] {
  return showsItself([...meta], rows => ({
    text: () =>
      [counted(rows.length), ...tableLines(rows.map(flat), COLUMNS, WIDTH - 2).map(line => `  ${line}`)].join('\n'),
    html: () => box(paragraphs([counted(rows.length)]), tableHtml(rows.map(flat), COLUMNS)),
  }))
}

/** Rows with their metadata that show themselves as a short table. Otherwise the plain list that they are. */
export function showFlat<Row extends AnyRow>(table: Row[], columns: readonly Column[]): Row[] {
  return showsItself(table, rows => {
    const known = new Set(columns.map(({ name }) => name))
    const more = Object.entries(rows[0] ?? {}).filter(([name]) => !known.has(name))
    const all = [...columns, ...more.map(([name, value]): Column => ({ name, kind: kindOf(value) }))]
    const head = `${rows.length} ${rows.length === 1 ? 'row' : 'rows'} with metadata`
    return {
      text: () => [head, ...tableLines(rows, all, WIDTH - 2).map(line => `  ${line}`)].join('\n'),
      html: () => box(paragraphs([head]), tableHtml(rows, all)),
    }
  })
}

function kindOf(value: unknown): Column['kind'] {
  if (value instanceof Date) return 'instant'
  return typeof value === 'number' ? 'number' : 'text'
}

function flat({ span, ...row }: ResponseMeta): AnyRow {
  return { ...row, elapsedMs: Math.round(row.elapsedMs), start: span?.start ?? null, end: span?.end ?? null }
}

function counted(count: number): string {
  return `${count} ${count === 1 ? 'response' : 'responses'}`
}

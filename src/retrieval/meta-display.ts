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

function flat({ span, ...row }: ResponseMeta): AnyRow {
  return { ...row, elapsedMs: Math.round(row.elapsedMs), start: span?.start ?? null, end: span?.end ?? null }
}

function counted(count: number): string {
  return `${count} ${count === 1 ? 'response' : 'responses'}`
}

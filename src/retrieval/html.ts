import { visibleText } from '../plain-text.ts'
import { escapeMarkup } from '../self-display.ts'
import { cellText } from './cell.ts'
import type { AnyRow, Column } from './columns.ts'

const HEAD_ROWS = 8
const TAIL_ROWS = 4
const LONGEST_CELL = 200

/** A paragraph for each line of text. */
export function paragraphs(lines: readonly string[]): string {
  return lines.map(line => `<p style="margin:2px 0">${escaped(line)}</p>`).join('\n')
}

/** First and last rows as a table, numbers to the right, every value escaped. */
export function tableHtml(rows: readonly AnyRow[], columns: readonly Column[]): string {
  const all = rows.length <= HEAD_ROWS + TAIL_ROWS
  const head = rows.slice(0, all ? rows.length : HEAD_ROWS)
  const tail = all ? [] : rows.slice(-TAIL_ROWS)
  const line = (row: AnyRow): string =>
    `<tr>${columns.map(({ name, kind }) => cell('td', shownText(row[name]), kind)).join('')}</tr>`
  const left = `<tr><td colspan="${columns.length}">… ${rows.length - head.length - tail.length} more rows …</td></tr>`
  return [
    '<table>',
    `<thead><tr>${columns.map(({ name, kind, unit }) => cell('th', unit === undefined ? name : `${name} (${unit})`, kind)).join('')}</tr></thead>`,
    '<tbody>',
    ...head.map(line),
    ...(all ? [] : [left, ...tail.map(line)]),
    '</tbody>',
    '</table>',
  ].join('\n')
}

/** What belongs together, in a box of its own. */
export function box(...parts: readonly string[]): string {
  return ['<div class="headrace" style="overflow-x:auto">', ...parts, '</div>'].join('\n')
}

function cell(tag: 'td' | 'th', text: string, kind: Column['kind']): string {
  const shown = text.length > LONGEST_CELL ? `${text.slice(0, LONGEST_CELL)}…` : text
  return `<${tag} style="text-align:${kind === 'number' ? 'right' : 'left'};white-space:nowrap">${escaped(shown)}</${tag}>`
}

function shownText(value: unknown): string {
  return value === null || value === undefined ? 'null' : cellText(value)
}

function escaped(text: string): string {
  return escapeMarkup(visibleText(text))
}

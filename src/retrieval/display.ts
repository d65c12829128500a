import type { ResponseMeta } from '../transport/index.ts'
import { instantText } from './cell.ts'
import type { AnyRow, Column } from './columns.ts'
import { box, paragraphs, tableHtml } from './html.ts'
import type { Completeness } from './completeness.ts'
import type { RetrievalParts } from './parts.ts'
import { fitText, wrapParts } from '../plain-text.ts'
import { tableLines } from './table.ts'
import { timeColumn, timeOf } from './time-column.ts'

const WIDTH = 100
const FEW = 3

/**
 * A result at a glance: what it is, its first and last rows, what it took, what is missing. Fits 100 columns and
 * has no colour, so that it can be pasted anywhere.
 */
export function display<Row extends AnyRow>(result: RetrievalParts<Row>): string {
  const table = tableLines(result.rows, result.columns, WIDTH - 2).map(line => `  ${line}`)
  return [...headLines(result), ...table, ...recordLines(result)].join('\n')
}

/** The same as markup, every value escaped. */
export function displayHtml<Row extends AnyRow>(result: RetrievalParts<Row>): string {
  const { rows, columns } = result
  return box(paragraphs(headLines(result)), tableHtml(rows, columns), paragraphs(recordLines(result)))
}

/** The lines that stand above its table, and those below. */
export function summaryOf<Row extends AnyRow>(
  result: RetrievalParts<Row>,
): { readonly head: readonly string[]; readonly tail: readonly string[] } {
  return { head: headLines(result), tail: recordLines(result) }
}

/** What it is. */
function headLines<Row extends AnyRow>({ service, operation, rows, columns }: RetrievalParts<Row>): string[] {
  const parts = [`${service} ${operation}: ${counted(rows.length, 'row')}`, ...extent(rows, columns), ...units(columns)]
  return wrapParts(parts, WIDTH)
}

/** What it took, what is missing. */
function recordLines<Row extends AnyRow>({ meta, completeness, warnings }: RetrievalParts<Row>): string[] {
  return [
    responsesLine(meta),
    ...(completeness ? holeLines(completeness) : []),
    ...(warnings.length > 0 ? ['warnings:', ...few(warnings)] : []),
  ]
}

/** First and last instant. Looks at every row: rows of several series follow one another. */
function extent(rows: readonly AnyRow[], columns: readonly Column[]): string[] {
  const column = timeColumn(rows, columns)
  if (column === undefined) return []
  let [first, last] = [Infinity, -Infinity]
  for (const row of rows) {
    const time = timeOf(row[column.name])
    if (time < first) first = time
    if (time > last) last = time
  }
  if (first > last) return []
  const write = (time: number): string => instantText(new Date(time)).slice(0, column.kind === 'date' ? 10 : undefined)
  return [stretch(write(first), write(last))]
}

/** Which column a unit belongs to is said only where it could be another. */
function units(columns: readonly Column[]): string[] {
  const alone = columns.filter(({ kind }) => kind === 'number').length === 1
  return columns.flatMap(({ name, unit }) => (unit === undefined ? [] : [alone ? `in ${unit}` : `${name} in ${unit}`]))
}

function responsesLine(meta: readonly ResponseMeta[]): string {
  const repeats = sum(meta.map(({ attempts }) => Math.max(0, attempts - 1)))
  const cached = meta.filter(row => row.cached).length
  const waited = sum(meta.map(({ waitedMs }) => waitedMs)) / 1000
  const kept = cached > 0 ? `${cached} from the cache, ` : ''
  return `responses: ${meta.length} (${kept}splits ${countSplits(meta)}, repeats ${repeats}, waited ${waited.toFixed(1)} s)`
}

/**
 * How often a chunk was cut: a chunk that came in n parts was cut n - 1 times. The depth alone does not tell:
 * once a service is known to be slow, later chunks are planned smaller and start deep.
 */
function countSplits(meta: readonly ResponseMeta[]): number {
  const parts = new Map<number, Set<number>>()
  for (const { chunk, span, depth, source } of meta) {
    if (chunk === null || span === null || depth === 0 || source['superseded'] === true) continue
    parts.set(chunk, (parts.get(chunk) ?? new Set()).add(span.start.getTime()))
  }
  return sum([...parts.values()].map(({ size }) => size - 1))
}

function holeLines({ expected, received, missing }: Completeness): string[] {
  if (missing.length === 0) return [`holes: none, ${received} of ${counted(expected, 'sample')} received`]
  const spans = missing.slice(0, FEW).map(({ start, end }) => stretch(instantText(start), instantText(end)))
  return [`holes: ${expected - received} of ${counted(expected, 'sample')} missing`, ...few(spans, missing.length)]
}

/** The first few of a list, one a line, and how many are left out. */
function few(texts: readonly string[], total = texts.length): string[] {
  const lines = texts.slice(0, FEW).map(text => `  ${fitText(text, WIDTH - 2)}`)
  return total > FEW ? [...lines, `  and ${total - FEW} more`] : lines
}

function stretch(first: string, last: string): string {
  return first === last ? first : `${first} to ${last}`
}

function counted(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? '' : 's'}`
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}

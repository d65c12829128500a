import type { BodyStream } from '../../body-stream.ts'
import type { ContentAction, RowsAction } from '../../content-action.ts'
import type { BreakDownAction, IncompleteAction, UpstreamAction } from '../../mishap-action.ts'
import { changeRows } from '../select/row-changes.ts'
import type { Order, Selection } from '../select/selection.ts'
import type { Dialect } from '../wire/dialect.ts'
import { headerOf } from '../wire/layout.ts'
import { textBody } from '../wire/text-body.ts'
import type { Provider } from '../world/organizations.ts'
import type { Table } from './table.ts'

/** A table to be written, and what goes wrong with it. */
export interface Writing {
  readonly table: Table
  readonly selection: Selection
  readonly order: Order
  readonly dialect: Dialect
  readonly changes: readonly ContentAction[]
  /** How many rows there are. */
  total(): number
  /** The same question for the days before its span, and for those after it. Empty without a span. */
  readonly neighbours: { readonly before?: Selection; readonly after?: Selection }
  /** A line feed stands after the last line, too. */
  readonly isClosed?: boolean
}

/** Providers by the names that the newer interface's documents have for them. */
const UPSTREAM: Readonly<Record<UpstreamAction['name'], Provider>> = { usgs: 'NWIS', epa: 'STORET' }

/** The words of a query that broke down, glued to what came before. */
export function sentenceOf({ reference = 1_893_345_127 }: Pick<BreakDownAction, 'reference'>): string {
  return `Something bad happened. Contact us with Reference Number: ${reference}`
}

/** The table as it is sent, header line first. */
export function writeTable(writing: Writing): BodyStream {
  const { table, dialect, changes, isClosed = false } = writing
  const broken = changes.find(change => change.type === 'breakDown')
  const end = broken ? sentenceOf(broken) : isClosed ? '\n' : ''
  return textBody({
    head: headerOf(table.columns, dialect),
    first: '\n',
    between: '\n',
    items: () => linesOf(writing),
    tail: end,
  })
}

function* linesOf(writing: Writing): Generator<string> {
  const { changes, dialect, table } = writing
  const write = table.createWriter(dialect)
  const incomplete = changes.find(change => change.type === 'incomplete')
  const breakDown = changes.find(change => change.type === 'breakDown')
  const breaksAt = breakDown ? placeOf(breakDown, writing) : Infinity
  const marker = incomplete ? { at: placeOf(incomplete, writing), line: markerOf(incomplete, writing) } : undefined
  const lost = changes.filter(change => change.type === 'upstream')
  let place = 0
  for (const row of rowsOf(writing, lost)) {
    if (place === breaksAt) return
    if (marker && place === marker.at) {
      yield marker.line
      if (incomplete?.goesOn !== true) return
    }
    yield write(row)
    place += 1
  }
  if (marker && place <= marker.at) yield marker.line
  if (lost.some(action => action.marker === true)) yield 'ERROR: INCOMPLETE DATA'
}

/** How many rows each provider really sends, when some of them fail. */
export function deliveredBy(changes: readonly ContentAction[], provider: Provider, rows: number): number {
  for (const change of changes) {
    if (change.type === 'upstream' && UPSTREAM[change.name] === provider) return Math.min(rows, change.afterRows ?? 0)
  }
  return rows
}

function* rowsOf(writing: Writing, lost: readonly UpstreamAction[]): Generator<unknown> {
  const { changes, table } = writing
  const sent = new Map<Provider, number>()
  const most = new Map(lost.map(({ name, afterRows = 0 }) => [UPSTREAM[name], afterRows]))
  for (const row of changedRows(
    writing,
    changes.filter(change => change.type === 'rows'),
  )) {
    const provider = table.providerOf(row)
    const count = sent.get(provider) ?? 0
    if (count >= (most.get(provider) ?? Infinity)) continue
    sent.set(provider, count + 1)
    yield row
  }
}

function changedRows(writing: Writing, changes: readonly RowsAction[]): Iterable<unknown> {
  const { table, selection, order, neighbours, total } = writing
  const rows = (): Iterable<unknown> => table.rows(selection, order)
  if (changes.length === 0) return rows()
  const some = (from: Selection | undefined, count: number): readonly unknown[] =>
    from === undefined ? [] : take(table.rows(from, order), count)
  return changeRows<unknown>(
    {
      rows,
      total,
      beyond: count => ({ before: some(neighbours.before, count), after: some(neighbours.after, count) }),
      dayOf: row => table.dayOf(row),
      spoiled: row => (typeof row === 'object' && row !== null && 'text' in row ? { ...row, text: 'NaN' } : row),
    },
    changes,
  ).rows()
}

function placeOf({ afterRows, at }: BreakDownAction | IncompleteAction, { total }: Writing): number {
  return afterRows ?? Math.floor(total() * (at ?? 0.5))
}

function markerOf({ padded = false }: IncompleteAction, { table, dialect }: Writing): string {
  return 'ERROR: INCOMPLETE DATA' + (padded ? dialect.separator.repeat(table.columns.length - 1) : '')
}

function take<Item>(items: Iterable<Item>, count: number): readonly Item[] {
  const taken: Item[] = []
  for (const item of items) {
    if (taken.length >= count) break
    taken.push(item)
  }
  return taken
}

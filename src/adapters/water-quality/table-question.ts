import type { AnyRow, Column, Completeness, Finished, Gathering } from '../../retrieval/index.ts'
import type { SpanMs } from '../../span.ts'
import {
  Failure,
  type CallOptions,
  type Content,
  type Operation,
  type Piece,
  type Reply,
  type ResponseMeta,
  type Transport,
} from '../../transport/index.ts'
import { announced, createShortfalls, type Shortfalls } from './announced.ts'
import { DAY_MS, dayRules, type Days } from './days.ts'
import { keepTableMs } from './keep.ts'
import { noteWarnings, sourceOf } from './notes.ts'
import { arrangeAll, orderOf, type Compare } from './order.ts'
import { mergeRepeats, countRepeats } from './repeats.ts'
import { resultsChart, withUnit } from './results-chart.ts'
import { tableIn, type TableOptions, type TableRead } from './read-table.ts'
import { dayMs } from './zones.ts'

/** A question whose answers are tables. */
export interface TableQuestion {
  readonly transport: Transport
  readonly operation: string
  /** The query as plain data, its span settled. */
  readonly query: Readonly<Record<string, unknown>>
  readonly call: CallOptions
  readonly table: TableOptions
  readonly days: Days
  /** What is asked for, in order. */
  readonly todo: readonly Piece[]
  readonly series: string
  readonly request: Operation<AnyRow>['request']
  readonly confirm?: (shortfalls: Shortfalls) => NonNullable<Operation<AnyRow>['confirm']>
  /** What the headers of counts call the rows. */
  readonly kind: string
  readonly isResult: boolean
  readonly repeats: 'keep' | 'merge'
  /** Goes into every metadata row. */
  readonly source: Readonly<Record<string, unknown>>
  /** What the reader of the result must know, whatever came. */
  readonly warnings: readonly string[]
}

const WITHOUT_TIMES = 'this table states no time of day: rows of a day before and after the window may be among these'
/** Longest stretch that is asked for at once unless counts say otherwise. */
export const CHUNK_DAYS = 366

/** Turns a question about tables into one that can be asked. */
export function tableGathering(question: TableQuestion): Gathering<AnyRow> {
  const { transport, operation, query, call, todo, kind } = question
  const shape = createShape(question)
  const shortfalls = createShortfalls()
  const isDrawn = question.isResult && question.table.derive
  const read = (reply: Reply, piece: Piece): Content<AnyRow> => {
    const table = tableIn(reply, question.table)
    shape.note(table)
    const { rows } = table
    const compare = shape.compare()
    if (compare) rows.sort(compare)
    const promised = announced(reply.headers, kind)
    const short = shortfalls.check(promised, rows.length, keyOf(piece))
    if (short instanceof Failure) throw short
    return {
      rows,
      source: { ...question.source, ...(promised === undefined ? {} : { announced: promised }), ...sourceOf(table) },
      warnings: [...(short === undefined ? [] : [short]), ...serviceWarnings(reply)],
    }
  }
  const facts: Operation<AnyRow> = {
    rules: dayRules(CHUNK_DAYS),
    order: {
      // Where a row has no number of its own, none is taken for another.
      compare: (a, b) => (shape.isNumbered(a) ? (shape.compare()?.(a, b) ?? -1) : -1),
      instant: shape.instant,
      equal: sameCells,
    },
    request: question.request,
    read,
    ...(question.confirm ? { confirm: question.confirm(shortfalls) } : {}),
    dividesSlow: true,
    keepMs: keepTableMs,
  }
  return {
    transport,
    call,
    query,
    question: {
      operation,
      series: question.series,
      facts,
      todo,
      priority: todo.length > 1 ? 'bulk' : 'interactive',
      streaming: false,
    },
    columns: rows => (isDrawn ? withUnit(shape.columns(), rows, shape.layout()) : shape.columns()),
    ...(isDrawn ? { chart: rows => resultsChart(rows, shape.layout()) } : {}),
    finish: rows => finish(rows, question, shape),
    completeness: (_rows, meta) => announcedAgainst(meta),
  }
}

/** What answers tell about all: the service sends one form of table for one query, though it adds a column now and then. */
function createShape({ days, table: options, isResult }: TableQuestion) {
  /** Without its rows, which others must be free to drop. */
  let known: Pick<TableRead, 'layout' | 'columns'> | undefined
  let compare: Compare | undefined
  let dateName: string | undefined
  let startName: string | undefined
  let resultName: string | undefined
  let lastDate: unknown
  let lastDay: number | undefined
  const dayOf = (text: unknown): number | undefined => {
    if (text !== lastDate) {
      lastDate = text
      lastDay = typeof text === 'string' ? dayMs(text) : undefined
    }
    return lastDay
  }
  return {
    note(table: TableRead): void {
      const { layout, columns } = table
      if (known?.layout) known = { ...known, columns: withNew(known.columns, columns) }
      if (known || layout === undefined) return
      known = { layout, columns }
      compare = orderOf(layout, options.derive)
      dateName = layout.nameOf('date')
      startName = layout.triples.find(({ date }) => date === layout.place('date'))?.name
      resultName = isResult ? layout.nameOf('result') : undefined
    },
    columns: () => known?.columns ?? [],
    layout: () => known?.layout,
    compare: () => compare,
    hasTimes: () => startName !== undefined,
    isNumbered: (row: AnyRow): boolean => resultName !== undefined && row[resultName] !== null,
    /** The day by which a span selects; of a window, nothing that any span holds where the row lies outside. */
    instant: (row: AnyRow): number | undefined => {
      if (dateName === undefined) return undefined
      const day = dayOf(row[dateName])
      if (days.window === undefined || isInWindow(row, day, days.window)) return day
      return Number.NEGATIVE_INFINITY
    },
  }

  function isInWindow(row: AnyRow, day: number | undefined, { start, end }: SpanMs): boolean {
    const at = startName === undefined ? undefined : row[startName]
    if (at instanceof Date) return at.getTime() >= start && at.getTime() <= end
    // Nobody knows when: its day decides.
    return day === undefined || (day >= floorDay(start) && day <= floorDay(end))
  }
}

type Shape = ReturnType<typeof createShape>

function finish(rows: AnyRow[], question: TableQuestion, shape: Shape): Finished<AnyRow> {
  const compare = shape.compare()
  const layout = shape.layout()
  if (compare === undefined || layout === undefined) return { rows, warnings: question.warnings }
  const finished = arrangeAll(rows, compare)
  const repeats = question.isResult ? countRepeats(finished.rows, layout) : 0
  const loose = question.days.window !== undefined && !shape.hasTimes() ? [WITHOUT_TIMES] : []
  const warnings = [...question.warnings, ...loose, ...noteWarnings(finished.rows, layout, question.table)]
  if (repeats === 0) return { ...finished, warnings }
  if (question.repeats === 'keep') {
    const what = `${repeats} rows say the same as a row of another provider; all are kept (repeats: 'merge' keeps the first)`
    return { ...finished, warnings: [...warnings, what] }
  }
  return { ...mergeRepeats(finished, layout), warnings }
}

/** The service's set of columns grows: an answer of last month, from the cache, has one less. */
function withNew(known: readonly Column[], came: readonly Column[]): readonly Column[] {
  if (came.length === known.length && came.every(({ name }, at) => name === known[at]?.name)) return known
  return [...known, ...came.filter(({ name }) => !known.some(column => column.name === name))]
}

/** What the service wants to be known about an answer that is good. */
function serviceWarnings({ headers }: Reply): string[] {
  return headers['warning'] === undefined ? [] : [headers['warning']]
}

/** Tells the pieces of one query apart. */
export function keyOf({ span, ids }: Piece): string {
  return `${span?.start} ${span?.end} ${ids?.length} ${ids?.[0]}`
}

function sameCells(a: AnyRow, b: AnyRow): boolean {
  for (const name in a) {
    const [one, other] = [a[name], b[name]]
    if (one !== other && !(one instanceof Date && other instanceof Date && one.getTime() === other.getTime()))
      return false
  }
  return true
}

function floorDay(ms: number): number {
  return Math.floor(ms / DAY_MS) * DAY_MS
}

/** Expected is what the service announced; only where all responses announced something. */
function announcedAgainst(meta: readonly ResponseMeta[]): Completeness | undefined {
  let expected = 0
  let received = 0
  for (const { rows, rowsOutside, rowsMerged, source } of meta) {
    if (source['superseded'] === true) continue
    const promised = source['announced']
    if (typeof promised !== 'number') return undefined
    expected += promised
    received += rows + rowsOutside + rowsMerged
  }
  return meta.length === 0 ? undefined : { expected, received, missing: [] }
}

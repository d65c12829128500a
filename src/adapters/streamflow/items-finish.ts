import { arrange, type AnyRow, type Column, type Finished, type Gathering } from '../../retrieval/index.ts'
import { parseDurationMs, type SpanInput } from '../../time.ts'
import type { Collection } from './collection.ts'
import { seriesCompleteness } from './completeness.ts'
import type { Filter } from './filters.ts'
import type { ItemsTime } from './items-time.ts'
import type { ItemsOrder } from './order.ts'
import { dateMs } from './values.ts'

/** A query of a collection, checked against its entry. */
export type Query = Readonly<Record<string, unknown>> & SpanInput

/** What was asked for, as far as it tells what was due. */
export interface Asked {
  readonly collection: Collection
  readonly filters: readonly Filter[]
  readonly query: Query
  readonly asked: ItemsTime
  /** When it was asked, epoch milliseconds. */
  readonly now: number
  readonly properties: readonly string[] | undefined
}

/** Columns by which single rows of a series are selected: what they leave out is no hole. */
const SELECTING = ['value', 'unit_of_measure', 'approval_status', 'qualifier', 'last_modified']
const DAY_MS = 86_400_000
const SHOWN_NAMES = 5

/**
 * Puts all rows in order, and says of which names nothing came.
 *
 * @param axis - the list that was asked for, where it is due whole
 */
export function finishItems<Row extends AnyRow>(
  rows: Row[],
  order: ItemsOrder<Row>,
  axis: Filter | undefined,
): Finished<Row> {
  const finished = arrange(rows, order)
  const silent = axis ? namesWithoutRows(finished.rows, axis) : []
  return silent.length === 0 ? finished : { ...finished, warnings: [...(finished.warnings ?? []), ...silent] }
}

/** Of daily values, and of others where the caller says how often they come; not where rows were selected one by one. */
export function itemsCompleteness<Row extends AnyRow>(
  { collection, filters, query, asked, now, properties }: Asked,
  order: ItemsOrder<Row>,
): Gathering<Row>['completeness'] {
  const { time, sample = [] } = collection
  const periodMs = time?.by === 'date' ? DAY_MS : cadenceOf(query)
  const selected = query['filter'] !== undefined || filters.some(({ field }) => SELECTING.includes(field))
  const shown = properties === undefined || sample.every(name => properties.includes(name))
  if (time?.perDay === undefined || periodMs === undefined || asked.span === undefined || selected || !shown)
    return undefined
  const instantOf = time.by === 'date' ? (row: Row) => dateMs(row[time.field]) : order.instant
  const [series = ''] = sample
  // Up to now means up to the last period that is over: no service has the mean of a day before its end.
  const dueUntil = query.end === undefined ? now - periodMs : Number.POSITIVE_INFINITY
  return seriesCompleteness<Row>({ periodMs, dueUntil, seriesOf: row => row[series], instantOf })
}

/** How often the series have a value, as the caller says, milliseconds. */
export function cadenceOf(query: Query): number | undefined {
  const cadence = query['cadence'] as string | number | undefined
  return cadence === undefined ? undefined : parseDurationMs(cadence)
}

/** Columns with the unit of the values, where all rows have the same. */
export function withUnit(columns: readonly Column[], rows: readonly AnyRow[]): readonly Column[] {
  const unit = rows[0]?.['unit_of_measure']
  if (typeof unit !== 'string' || rows.some(row => row['unit_of_measure'] !== unit)) return columns
  return columns.map(column => (column.name === 'value' ? { ...column, unit } : column))
}

/** Nobody should have to find out by counting. */
function namesWithoutRows<Row extends AnyRow>(rows: readonly Row[], { field, values }: Filter): string[] {
  const came = new Set<unknown>()
  let last: unknown
  for (const row of rows) {
    const value = row[field]
    if (value === undefined) return []
    if (value === last) continue
    last = value
    came.add(value)
  }
  const missing = values.filter(value => !came.has(value))
  if (missing.length === 0) return []
  const shown = missing.slice(0, SHOWN_NAMES).join(', ')
  return [
    `no rows for ${missing.length} of ${values.length} ${field}: ${shown}${missing.length > SHOWN_NAMES ? ', …' : ''}`,
  ]
}

import type { AnyRow } from '../../retrieval/index.ts'
import type { RowOrder } from '../../transport/index.ts'
import type { Collection } from './collection.ts'
import { dateMs } from './values.ts'

/** How rows of a collection stand, and which of them are the same record. */
export interface ItemsOrder<Row> extends RowOrder<Row> {
  /** Whether two rows that stand at one place are versions of one sample. */
  readonly isSample: (a: Row, b: Row) => boolean
  /** Columns that stand in front of the time in the order. */
  readonly groups: readonly string[]
  /** The order of rows that agree in them. */
  readonly within: (a: Row, b: Row) => number
}

/**
 * Sorted by the collection's own columns. Two rows are one record when they have the same identifier, or when they
 * are the same sample and say the same: a record that is refreshed during a walk comes again under another one.
 */
export function itemsOrder<Row extends AnyRow>({ sort, sample, idName, time }: Collection): ItemsOrder<Row> {
  const isSample = (a: Row, b: Row): boolean =>
    sample !== undefined && sample.every(name => known(a[name]) && compareValues(a[name], b[name]) === 0)
  const timeField = time?.field ?? ''
  const instant =
    time?.by === 'date'
      ? (row: Row) => dateMs(row[timeField])
      : (row: Row) => (row[timeField] as Date | null | undefined)?.getTime()
  const groups = sort.slice(0, Math.max(0, sort.indexOf(timeField)))
  return {
    compare: sort.join() === SERIES_SORT.join() ? compareObservations : compareBy(sort),
    instant,
    equal: (a, b) => sameRecord(a, b, idName) || (isSample(a, b) && sameFields(a, b, idName)),
    revised: row => (row['last_modified'] instanceof Date ? row['last_modified'].getTime() : 0),
    isSample,
    groups,
    within: compareBy(sort.slice(groups.length)),
  }
}

/**
 * What tells a row of a stream from those that came before it: its sample and what it says, since a record that is
 * refreshed during a walk comes again under another identifier. Without a sample, its identifier.
 */
export function identityOf<Row extends AnyRow>({ sample, idName }: Collection): (row: Row) => string | undefined {
  return row => {
    const names = sample?.map(name => row[name])
    if (names === undefined || !names.every(known)) return (row[idName] as string | null) ?? undefined
    const said = [row['value'], row['value_text'], row['approval_status'], row['qualifier']]
    return [...names.map(name => (name instanceof Date ? name.getTime() : name)), ...said].join('|')
  }
}

/** Rows stay as they were sent; only those outside the asked span are left out. */
export function asSent<Row extends AnyRow>({ instant, equal }: RowOrder<Row>): RowOrder<Row> {
  return { compare: () => -1, instant, equal }
}

const SERIES_SORT = ['monitoring_location_id', 'parameter_code', 'statistic_id', 'time', 'time_series_id']

/** The order of values, spelt out: it is asked about for millions of pairs. Says the same as `compareBy`. */
function compareObservations(a: AnyRow, b: AnyRow): number {
  return (
    compareValues(a['monitoring_location_id'], b['monitoring_location_id']) ||
    compareValues(a['parameter_code'], b['parameter_code']) ||
    compareValues(a['statistic_id'], b['statistic_id']) ||
    compareValues(a['time'], b['time']) ||
    compareValues(a['time_series_id'], b['time_series_id'])
  )
}

/** By one column after the other; nothing stands in front of everything. */
export function compareBy(columns: readonly string[]): (a: AnyRow, b: AnyRow) => number {
  return (a, b) => {
    for (let at = 0; at < columns.length; at++) {
      const name = columns[at] as string
      const difference = compareValues(a[name], b[name])
      if (difference !== 0) return difference
    }
    return 0
  }
}

function compareValues(a: unknown, b: unknown): number {
  if (a === b) return 0
  if (a instanceof Date && b instanceof Date) return a.getTime() - b.getTime()
  if (typeof a === 'string' && typeof b === 'string') return a < b ? -1 : a > b ? 1 : 0
  if (!known(a) || !known(b)) return Number(known(a)) - Number(known(b))
  return Number(a) - Number(b) || 0
}

function known(value: unknown): boolean {
  return value !== null && value !== undefined
}

function sameRecord(a: AnyRow, b: AnyRow, idName: string): boolean {
  return known(a[idName]) && a[idName] === b[idName]
}

/** Everything but the identifier and when the record was refreshed. */
function sameFields(a: AnyRow, b: AnyRow, idName: string): boolean {
  const names = new Set([...Object.keys(a), ...Object.keys(b)])
  names.delete(idName)
  names.delete('last_modified')
  return [...names].every(name => a[name] === b[name] || sameValue(a[name], b[name]))
}

function sameValue(a: unknown, b: unknown): boolean {
  if (typeof a !== 'object' || typeof b !== 'object') return false
  return JSON.stringify(a) === JSON.stringify(b)
}

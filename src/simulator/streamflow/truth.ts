import type { ReviseAction } from '../content-action.ts'
import { isWithdrawn, revisionsIn, type Edit } from '../edits.ts'
import { epochMs } from '../epoch.ts'
import type { Condition } from './cql/condition.ts'
import type { Fields, Json } from './json.ts'
import { ratingItems, ratingTable, type RatingType } from './neighbours/rating-files.ts'
import { revisedFields } from './ogc/changes.ts'
import { filterCondition } from './ogc/filters.ts'
import { fieldOf, idText, planOf, walk, type Found } from './ogc/plan.ts'
import type { Table } from './ogc/table.ts'
import type { SeriesTrack } from './tables/observations.ts'
import { siteId } from './world/sites.ts'
import { approvalAt, qualifierAt, valueAt } from './world/values.ts'
import type { World } from './world/world.ts'

/** Which rows of which series. Lists name what is wanted; what is left out is not asked about. */
export interface TruthObservationQuery {
  readonly monitoringLocationId?: string | readonly string[]
  readonly parameterCode?: string | readonly string[]
  readonly statisticId?: string | readonly string[]
  readonly timeSeriesId?: string | readonly string[]
  /** Both included: ISO-8601 text (UTC where it names no zone), a `Date`, or epoch milliseconds. */
  readonly start: string | number | Date
  readonly end: string | number | Date
}

/** One row of `daily` or `continuous`, fields as they are served. */
export interface TruthObservation {
  readonly time_series_id: string
  readonly monitoring_location_id: string
  readonly parameter_code: string
  readonly statistic_id: string
  /** A day, or an instant with `+00:00`. */
  readonly time: string
  /** As text; `null`, `Ice` or empty where there is no number. */
  readonly value: string | null
  readonly approval_status: string | null
  readonly qualifier: readonly string[] | null
}

/** A record of any collection: its fields, and its identifier beside them. */
export interface TruthRecord {
  readonly id: string | number
  readonly coordinates: readonly number[] | null
  readonly properties: Readonly<Record<string, unknown>>
}

/** A rating table: names of the columns, and the rows as texts. */
export interface TruthRating {
  readonly id: string
  readonly columns: readonly string[]
  readonly rows: readonly (readonly string[])[]
}

/** What a correct client must end with, whatever the faults were. Knows no limit on spans, pages or requests. */
export interface StreamflowTruth {
  /** Identifier of the n-th site, from 0. */
  site(n: number): string
  /** By site, parameter, statistic, series, and oldest first within each. */
  daily(query: TruthObservationQuery): TruthObservation[]
  continuous(query: TruthObservationQuery): TruthObservation[]
  /**
   * All records of a collection that fulfil these filters, spelt as in a request, by identifier.
   *
   * @param options - version of the API, by default `v1`
   */
  records(
    collection: string,
    filters?: Readonly<Record<string, string>>,
    options?: { readonly version?: string },
  ): TruthRecord[]
  rating(monitoringLocationId: string, type: RatingType): TruthRating | undefined
}

/** @param edits - tells what has become of values by the time of asking */
export function createStreamflowTruth(world: World, edits: () => readonly Edit[]): StreamflowTruth {
  const now = (): number => world.clock.now()
  const observations = (name: string, query: TruthObservationQuery): TruthObservation[] => {
    const table = tableOf(world, name, 'v1')
    const plan = planOf(table, conditionOf(query), { now: now(), generation: 0 })
    const byTrack = new Map<SeriesTrack, number[]>()
    walk(plan, undefined, ({ track, index }) => {
      const indices = byTrack.get(track as SeriesTrack)
      if (indices) indices.push(index)
      else byTrack.set(track as SeriesTrack, [index])
      return true
    })
    const inForce = edits()
    const revisions = revisionsIn(inForce)
    return [...byTrack].sort(bySeries).flatMap(([track, indices]) =>
      // Instants are few enough for a plain sort, and identifiers say nothing of time.
      indices
        .sort((a, b) => a - b)
        .filter(index => !isWithdrawn(table.timeOf?.(track, index) ?? NaN, inForce))
        .map(index => observationAt(table, track, index, revisions)),
    )
  }

  return {
    site: siteId,
    daily: query => observations('daily', query),
    continuous: query => observations('continuous', query),
    records(collection, filters = {}, { version = 'v1' } = {}) {
      const table = tableOf(world, collection, version)
      const args = Object.entries(filters).map(([name, value]) => filterCondition(table, name, value, now()))
      const plan = planOf(table, { op: 'and', args }, { now: now(), generation: 0 })
      const records: TruthRecord[] = []
      walk(plan, undefined, found => {
        if (!isWithdrawn(table.timeOf?.(found.track, found.index) ?? NaN, edits()))
          records.push(recordOf(table, found, revisionsIn(edits())))
        return true
      })
      return records
    },
    rating(id, type) {
      const item = ratingItems(world.census.sites).find(({ site, type: other }) => site.id === id && other === type)
      return item && { id: item.id, ...ratingTable(item) }
    },
  }
}

function tableOf(world: World, name: string, version: string): Table {
  const table = world.tables.find(name, version)
  if (table === undefined) throw new RangeError(`no such collection: '${name}'`)
  return table
}

function conditionOf(query: TruthObservationQuery): Condition {
  const span = { from: epochMs(query.start), to: epochMs(query.end) }
  if (Number.isNaN(span.from + span.to)) {
    throw new RangeError(`not a span: ${String(query.start)} to ${String(query.end)}`)
  }
  const lists = {
    monitoring_location_id: query.monitoringLocationId,
    parameter_code: query.parameterCode,
    statistic_id: query.statisticId,
    time_series_id: query.timeSeriesId,
  }
  const args = Object.entries(lists).flatMap(([field, value]): Condition[] =>
    value === undefined ? [] : [{ op: 'in', field, values: typeof value === 'string' ? [value] : value }],
  )
  return { op: 'and', args: [...args, { op: 'during', field: 'time', ...span }] }
}

function bySeries(
  [{ series: a }]: readonly [SeriesTrack, unknown],
  [{ series: b }]: readonly [SeriesTrack, unknown],
): number {
  const key = ({ site, parameter, statistic, id }: SeriesTrack['series']): string =>
    `${site.id}|${parameter.code}|${statistic}|${id}`
  return key(a) < key(b) ? -1 : 1
}

function observationAt(
  table: Table,
  { series, ...track }: SeriesTrack,
  index: number,
  revisions: readonly ReviseAction[],
): TruthObservation {
  const at = table.timeOf?.(track, index) ?? NaN
  const time = JSON.parse(table.varying['time']?.(track, index) ?? 'null') as string
  const { value = null } = revisedFields({ value: valueAt(series, at) }, at, revisions)
  return {
    time_series_id: series.id,
    monitoring_location_id: series.site.id,
    parameter_code: series.parameter.code,
    statistic_id: series.statistic,
    time,
    value: value as string | null,
    approval_status: approvalAt(series, at),
    qualifier: qualifierAt(series, at),
  }
}

function recordOf(table: Table, found: Found, revisions: readonly ReviseAction[]): TruthRecord {
  const fields: Fields = Object.fromEntries(table.fields.map(name => [name, fieldOf(table, found, name)]))
  const { site } = found.track
  return {
    id: JSON.parse(idText(table, found)) as string | number,
    coordinates: site === undefined || site.n % 61 === 60 ? null : ([...site.coordinates] satisfies Json),
    properties: revisedFields(fields, table.timeOf?.(found.track, found.index) ?? NaN, revisions),
  }
}

import { QueryError } from '../../errors.ts'
import type { AnyRow, Column, Gathering } from '../../retrieval/index.ts'
import { groupIds, type CallOptions, type Content, type Reply } from '../../transport/index.ts'
import { MOST_REQUEST_BYTES } from './items-request.ts'
import type { StatisticsQuery } from './queries.ts'
import { queryString } from './query-string.ts'
import { badResponse, inspectReply } from './read-features.ts'
import { checkQuery, readEnvelope } from './schemas.ts'
import type { StreamflowService } from './service.ts'
import { stateOf } from './states.ts'
import { tableGathering } from './table-question.ts'
import { readMeasure } from './values.ts'
import { KEEP_TABLES_MS } from './keep.ts'

/** One statistic of one series: of a day or month of the year, or of a month or year. Percentiles have a row each. */
export interface StatisticRow extends AnyRow {
  readonly monitoring_location_id: string | null
  readonly monitoring_location_name: string | null
  readonly site_type: string | null
  readonly site_type_code: string | null
  readonly country_code: string | null
  readonly state_code: string | null
  readonly county_code: string | null
  readonly parameter_code: string | null
  readonly unit_of_measure: string | null
  readonly parent_time_series_id: string | null
  readonly parent_statistic_id: string | null
  readonly parent_statistic_name: string | null
  /** `MM-DD` or `MM`; only of the period of record. */
  readonly time_of_year?: string | null
  readonly time_of_year_type?: string | null
  /** First day; only of a date range. */
  readonly start_date?: string | null
  /** Last day, included; only of a date range. */
  readonly end_date?: string | null
  readonly interval_type?: string | null
  readonly computation: string | null
  /** Also of minimum (0), median (50) and maximum (100). */
  readonly percentile: number | null
  readonly value: number | null
  /** How many values it rests on; may be one. */
  readonly sample_count: number | null
  readonly approval_status: string | null
  readonly computation_id: string | null
  readonly longitude: number | null
  readonly latitude: number | null
}

const SITE = [
  'monitoring_location_id',
  'monitoring_location_name',
  'site_type',
  'site_type_code',
  'country_code',
  'state_code',
  'county_code',
] as const
const SERIES = [
  'parameter_code',
  'unit_of_measure',
  'parent_time_series_id',
  'parent_statistic_id',
  'parent_statistic_name',
] as const
const RANKS: Readonly<Record<string, number>> = { minimum: 0, median: 50, maximum: 100 }

/** The two ways to ask: where, by which stretches, and how days are written. */
const KINDS = {
  periodOfRecord: {
    path: 'observationNormals',
    stretch: ['time_of_year', 'time_of_year_type'],
    day: /^\d\d-\d\d$/,
    form: 'MM-DD',
    other: 'intervalType',
  },
  dateRange: {
    path: 'observationIntervals',
    stretch: ['start_date', 'end_date', 'interval_type'],
    day: /^\d{4}-\d\d-\d\d$/,
    form: 'YYYY-MM-DD',
    other: 'normalType',
  },
} as const

type Kind = (typeof KINDS)[keyof typeof KINDS]
type Item = Readonly<Record<string, unknown>>

/** @throws QueryError before anything is sent */
export function statisticsGathering(
  service: StreamflowService,
  query: StatisticsQuery,
  call: CallOptions,
): Gathering<StatisticRow> {
  checkQuery('getStatistics', query)
  const kind = KINDS[query.of ?? 'periodOfRecord']
  checkDays(query, kind)
  const sites = query.monitoringLocationId === undefined ? undefined : [...new Set([query.monitoringLocationId].flat())]
  const url = (ids: readonly string[] | undefined): string =>
    `${service.address('statistics', `/statistics/v0/${kind.path}`)}?${parametersOf(query, ids)}`
  const groups =
    sites === undefined
      ? [undefined]
      : groupIds(sites, ids => url(ids).length, MOST_REQUEST_BYTES, 'monitoringLocationId')
  return tableGathering<StatisticRow>({
    keepMs: KEEP_TABLES_MS,
    transport: service.transports.statistics,
    operation: 'getStatistics',
    query,
    call,
    columns: columnsOf(kind),
    todo: groups.map(ids => ({ depth: 0, ...(ids ? { ids } : {}) })),
    request: ({ ids }) => ({
      method: 'GET',
      url: url(ids),
      headers: { accept: 'application/json' },
      inspect: inspectReply,
    }),
    read: (reply, { ids }) => readStatistics(reply, kind, url(ids)),
  })
}

function checkDays(query: StatisticsQuery, { day, form, other }: Kind): void {
  for (const argument of ['start', 'end'] as const) {
    const value = query[argument]
    if (value !== undefined && !day.test(value))
      throw new QueryError(`${argument} '${value}' must be ${form} here`, { argument, value })
  }
  if (query[other] !== undefined)
    throw new QueryError(`${other} does not go with of: '${query.of ?? 'periodOfRecord'}'`, {
      argument: other,
      value: query[other],
    })
}

/** Several values are sent under the same name again and again. */
function parametersOf(query: StatisticsQuery, sites: readonly string[] | undefined): string {
  const states = query.state === undefined ? undefined : [query.state].flat().map(state => `US:${stateOf(state).fips}`)
  return queryString([
    ['monitoring_location_id', sites],
    ['parameter_code', query.parameterCode],
    ['parent_time_series_id', query.parentTimeSeriesId],
    ['site_type_code', query.siteTypeCode],
    ['site_type_name', query.siteTypeName],
    ['computation_type', query.computationType],
    ['normal_type', query.normalType],
    ['interval_type', query.intervalType],
    ['country_code', query.countryCode],
    ['state_code', states],
    ['county_code', query.countyCode],
    ['approval_status', query.approvalStatus],
    ['start_date', query.start],
    ['end_date', query.end],
    ['page_size', query.pageSize],
  ])
}

function columnsOf({ stretch }: Kind): readonly Column[] {
  const text = (name: string): Column => ({ name, kind: 'text' })
  const stretchColumns = stretch.map((name): Column => (name.endsWith('_date') ? { name, kind: 'date' } : text(name)))
  const number = (name: string): Column => ({ name, kind: 'number' })
  return [
    ...[...SITE, ...SERIES].map(text),
    ...stretchColumns,
    text('computation'),
    ...['percentile', 'value', 'sample_count'].map(number),
    ...['approval_status', 'computation_id'].map(text),
    ...['longitude', 'latitude'].map(number),
  ]
}

function readStatistics(reply: Reply, kind: Kind, url: string): Content<StatisticRow> {
  const json = reply.json()
  if (json === undefined) return { rows: [], source: {}, warnings: [] }
  const envelope = readEnvelope('statistics', json)
  if ('problem' in envelope) throw badResponse(reply, envelope.problem)
  const { features, next } = envelope.value
  const rows = features.flatMap((feature, at) => {
    const { properties, geometry } = Object(feature) as {
      properties?: Item
      geometry?: { coordinates?: readonly unknown[] } | null
    }
    if (!Array.isArray(properties?.['data']))
      throw badResponse(reply, `features[${at}].properties.data: must be a list`)
    const place = {
      longitude: readMeasure(geometry?.coordinates?.[0]),
      latitude: readMeasure(geometry?.coordinates?.[1]),
    }
    return (properties['data'] as readonly Item[]).flatMap(series =>
      list(series['values']).flatMap(value => rowsOf(properties, series, value, kind, place)),
    )
  })
  return { rows, source: {}, warnings: [], ...(next ? { next: `${url}&next_token=${encodeURIComponent(next)}` } : {}) }
}

function rowsOf(site: Item, series: Item, value: Item, { stretch }: Kind, place: Item): StatisticRow[] {
  const computation = textIn(value, 'computation')
  const row = (percentile: number | null, measured: unknown): StatisticRow =>
    ({
      ...texts(site, SITE),
      ...texts(series, SERIES),
      ...texts(value, stretch),
      computation,
      percentile,
      value: readMeasure(measured),
      sample_count: readMeasure(value['sample_count']),
      ...texts(value, ['approval_status', 'computation_id']),
      ...place,
    }) as unknown as StatisticRow
  if (computation !== 'percentile') return [row(RANKS[computation ?? ''] ?? null, value['value'])]
  const values = list(value['values'])
  return list(value['percentiles']).map((percentile, at) => row(readMeasure(percentile), values[at]))
}

function texts(item: Item, names: readonly string[]): Record<string, string | null> {
  return Object.fromEntries(names.map(name => [name, textIn(item, name)]))
}

function textIn(item: Item, name: string): string | null {
  const value = item[name]
  return value === null || value === undefined ? null : String(value)
}

function list(value: unknown): readonly Item[] {
  return Array.isArray(value) ? (value as readonly Item[]) : []
}

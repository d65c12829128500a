import type { Fields } from '../json.ts'
import { DATA_STYLE, inOrder, LIST, TEXT, TIME, type Table, type Track } from '../ogc/table.ts'
import { writeInstant, writeLocal, writeNaive } from '../times.ts'
import { STATISTICS } from '../world/parameters.ts'
import type { Census } from '../world/census.ts'
import type { Series } from '../world/series.ts'
import type { Site } from '../world/sites.ts'
import { siteFields } from '../world/site-fields.ts'
import { offsetMs } from '../world/states.ts'
import { latestAt } from './latest.ts'
import { LOCATION_FIELDS, LOCATION_FILTERS, rules } from './location-filters.ts'
import { tracksFrom } from './tracks.ts'

const DAY_MS = 86_400_000

/** Metadata are brought up to date once a day at most, so that the end lags behind. */
export function metadataAge(now: number): number {
  return Math.floor(now / DAY_MS)
}

/** Last instant of a series, as its metadata know it. */
export function seriesEnd(series: Series, now: number): number {
  return latestAt(series, metadataAge(now) * DAY_MS)
}

interface SiteTrack extends Track {
  readonly site: Site
}

export function createMonitoringLocations(census: Census): Table<SiteTrack> {
  let all: readonly SiteTrack[] | undefined
  const revision = ['revision_note', 'revision_created', 'revision_modified']
  const trackOf = (site: Site): SiteTrack => ({ site, tail: site.id, first: 0, last: 0 })
  return {
    name: 'monitoring-locations',
    title: 'Monitoring locations',
    style: DATA_STYLE,
    siteField: 'id',
    fields: ['id', ...LOCATION_FIELDS, ...revision],
    filters: { id: LIST, ...LOCATION_FILTERS, ...rules(TEXT, revision) },
    tracks: (_, ids) =>
      ids === undefined
        ? (all ??= inOrder(census.sites.map(trackOf)))
        : inOrder([...new Set(ids)].flatMap(id => census.find(id) ?? []).map(trackOf)),
    fixed: ({ site }) => siteFields(site),
    varying: {},
  }
}

export interface SeriesMetaTrack extends Track {
  readonly series: Series
  /** When the end was looked at. */
  readonly now: number
}

const SERIES_FIELDS = [
  'id',
  'unit_of_measure',
  'parameter_name',
  'parameter_code',
  'statistic_id',
  'hydrologic_unit_code',
  'state_name',
  'last_modified',
  'begin',
  'end',
  'begin_utc',
  'end_utc',
  'computation_period_identifier',
  'computation_identifier',
  'thresholds',
  'sublocation_identifier',
  'primary',
  'monitoring_location_id',
  'web_description',
  'parameter_description',
  'parent_time_series_id',
  'data_gap_interval',
]

/** @param version - of the API: the first one writes local time without its zone */
export function createTimeSeriesMetadata(census: Census, version: string): Table<SeriesMetaTrack> {
  const write = version === 'v0' ? writeNaive : writeLocal
  return {
    name: 'time-series-metadata',
    title: 'Time series metadata',
    style: DATA_STYLE,
    fields: SERIES_FIELDS,
    filters: {
      ...rules(TEXT, SERIES_FIELDS),
      hydrologic_unit_code: { type: 'string', isPrefix: true },
      ...rules(LIST, ['id', 'parameter_code', 'statistic_id', 'monitoring_location_id']),
      ...rules(LIST, ['computation_period_identifier', 'computation_identifier']),
      ...rules(TIME, ['last_modified', 'begin', 'end', 'begin_utc', 'end_utc']),
    },
    tracks: tracksFrom(census, (series, now) => [metaTrack(series, series.id, now)], metadataAge),
    fixed({ series, now }) {
      const { site } = series
      const [begin, end] = [series.begin, seriesEnd(series, now)].map(at => instantOf(series, at)) as [number, number]
      const local = (at: number): string => write(at, offsetMs(site.state.zone, at))
      return {
        id: series.id,
        ...describeSeries(series),
        hydrologic_unit_code: site.hydrologicUnit,
        state_name: site.state.name,
        last_modified: version === 'v0' ? MODIFIED : `${MODIFIED}+00:00`,
        begin: local(begin),
        end: local(end),
        begin_utc: writeInstant(begin),
        end_utc: writeInstant(end),
        computation_period_identifier: series.kind === 'daily' ? 'Daily' : 'Points',
        monitoring_location_id: site.id,
      }
    },
    varying: {},
    age: metadataAge,
  }
}

/** A day begins at midnight of the place. */
function instantOf({ kind, site }: Series, at: number): number {
  return kind === 'daily' ? at - offsetMs(site.state.zone, at) : at
}

const MODIFIED = '2026-06-05T17:16:13.005607'

/** What is said of a series wherever it is listed. */
export function describeSeries({ parameter, statistic, sublocation, kind }: Series): Fields {
  const isSum = parameter.code === '00045'
  const [, , computation = null] = STATISTICS.find(([code]) => code === statistic) ?? []
  return {
    unit_of_measure: parameter.unit,
    parameter_name: parameter.name,
    parameter_code: parameter.code,
    statistic_id: isSum ? null : statistic,
    computation_identifier: isSum ? 'Decumulated' : computation,
    thresholds: [],
    sublocation_identifier: sublocation,
    primary: sublocation === 'Bottom' ? null : 'Primary',
    web_description: sublocation,
    parameter_description: parameter.description,
    parent_time_series_id: null,
    data_gap_interval: kind === 'continuous' ? 'PT1H12M' : null,
  }
}

export function metaTrack(series: Series, id: string, now: number): SeriesMetaTrack {
  return { site: series.site, series, tail: id, first: 0, last: 0, now }
}

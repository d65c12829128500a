import { DATA_STYLE, LIST, TEXT, TIME, type Table } from '../ogc/table.ts'
import { writeInstant } from '../times.ts'
import type { Census } from '../world/census.ts'
import type { Series } from '../world/series.ts'
import { siteFields } from '../world/site-fields.ts'
import { LOCATION_FIELDS, LOCATION_FILTERS, rules } from './location-filters.ts'
import { describeSeries, metadataAge, metaTrack, seriesEnd, type SeriesMetaTrack } from './metadata.ts'
import { FIRST_VISIT, fieldSeriesId, isVisited, readingType, VISIT_TIMING, visitAt } from './visits.ts'
import { tracksFrom } from './tracks.ts'

const FIELD_SERIES_FIELDS = [
  'id',
  'monitoring_location_id',
  'parameter_code',
  'parameter_name',
  'parameter_description',
  'begin',
  'end',
  'last_modified',
  'reading_type',
]

/** Which things are measured by hand where, and since when. */
export function createFieldMeasurementsMetadata(census: Census): Table<SeriesMetaTrack> {
  return {
    name: 'field-measurements-metadata',
    title: 'Field measurements metadata',
    style: DATA_STYLE,
    fields: FIELD_SERIES_FIELDS,
    filters: {
      ...rules(TEXT, FIELD_SERIES_FIELDS.slice(0, -1)),
      ...rules(LIST, ['id', 'monitoring_location_id', 'parameter_code']),
      ...rules(TIME, ['begin', 'end', 'last_modified']),
    },
    tracks: tracksFrom(
      census,
      (series, now) => (isVisited(series) ? [metaTrack(series, fieldSeriesId(series), now)] : []),
      metadataAge,
    ),
    fixed: ({ series, tail, now }) => ({
      id: tail,
      monitoring_location_id: series.site.id,
      parameter_code: series.parameter.code,
      parameter_name: series.parameter.name,
      parameter_description: series.parameter.description,
      ...visitedFromTo(series, now),
      last_modified: '2026-07-30T13:10:33.920488+00:00',
      reading_type: readingType(series),
    }),
    varying: {},
    age: metadataAge,
  }
}

/** One row for each thing that a site has: its series, and what is measured by hand. */
export function createCombinedMetadata(census: Census): Table<SeriesMetaTrack> {
  const ofSeries = [
    'id',
    'unit_of_measure',
    'parameter_name',
    'parameter_code',
    'statistic_id',
    'last_modified',
    'begin',
    'end',
    'data_type',
    'computation_identifier',
    'thresholds',
    'sublocation_identifier',
    'primary',
    'web_description',
    'parameter_description',
    'parent_time_series_id',
  ]
  return {
    name: 'combined-metadata',
    title: 'Combined metadata',
    style: DATA_STYLE,
    fields: ['monitoring_location_id', ...LOCATION_FIELDS, ...ofSeries, 'reading_type', 'data_gap_interval'],
    filters: {
      ...LOCATION_FILTERS,
      ...rules(TEXT, ofSeries),
      ...rules(LIST, ['monitoring_location_id', 'id', 'parameter_code', 'statistic_id']),
      ...rules(LIST, ['data_type', 'computation_identifier']),
      ...rules(TIME, ['last_modified', 'begin', 'end']),
    },
    tracks: tracksFrom(
      census,
      (series, now) => [
        metaTrack(series, series.id, now),
        ...(isVisited(series) ? [metaTrack(series, fieldSeriesId(series), now)] : []),
      ],
      metadataAge,
    ),
    fixed({ series, tail, now }) {
      const isField = tail !== series.id
      const own = isField
        ? { ...describeSeries(series), ...FIELD_ENTRY, ...visitedFromTo(series, now) }
        : { ...describeSeries(series), begin: writeInstant(series.begin), end: writeInstant(seriesEnd(series, now)) }
      return {
        ...siteFields(series.site),
        ...own,
        monitoring_location_id: series.site.id,
        id: tail,
        last_modified: '2026-06-05T17:16:13.005607+00:00',
        data_type: isField ? 'Field measurements' : series.kind === 'daily' ? 'Daily values' : 'Continuous values',
        reading_type: isField ? readingType(series) : null,
      }
    },
    varying: {},
    age: metadataAge,
  }
}

/** What is not said of things that are measured by hand. */
const FIELD_ENTRY = {
  unit_of_measure: null,
  statistic_id: null,
  computation_identifier: null,
  thresholds: null,
  sublocation_identifier: null,
  primary: null,
  web_description: null,
  data_gap_interval: null,
}

function visitedFromTo({ site, end }: Series, now: number): { readonly begin: string; readonly end: string } {
  const last = Math.min(VISIT_TIMING.latest(now), end === undefined ? Infinity : VISIT_TIMING.indexTo(end))
  return { begin: writeInstant(visitAt(site, FIRST_VISIT)), end: writeInstant(visitAt(site, last)) }
}

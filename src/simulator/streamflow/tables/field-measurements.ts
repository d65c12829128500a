import { mix } from '../../hash.ts'
import { DATA_STYLE, LIST, TEXT, TIME, type Table } from '../ogc/table.ts'
import { writeInstant } from '../times.ts'
import { textOf } from '../world/parameters.ts'
import type { Census } from '../world/census.ts'
import { levelAt, PROVISIONAL_FROM } from '../world/values.ts'
import { LOCATION_FILTERS, rules } from './location-filters.ts'
import { isVisited, readingType, VISIT_TIMING, visitAt, visitId, visitTrack, type VisitTrack } from './visits.ts'
import { tracksFrom } from './tracks.ts'

/** Fields in the order in which they are served. */
const FIELDS = [
  'field_measurements_series_id',
  'reading_type',
  'field_visit_id',
  'parameter_code',
  'monitoring_location_id',
  'observing_procedure_code',
  'observing_procedure',
  'value',
  'unit_of_measure',
  'time',
  'qualifier',
  'vertical_datum',
  'approval_status',
  'measuring_agency',
  'last_modified',
  'control_condition',
  'measurement_rated',
  'year',
  'month',
  'day',
  'time_of_day',
]

/** What people measured on their visits. */
export function createFieldMeasurements(census: Census): Table<VisitTrack> {
  const { vertical_datum: datum = TEXT, ...location } = LOCATION_FILTERS
  return {
    name: 'field-measurements',
    title: 'Field measurements',
    style: DATA_STYLE,
    fields: FIELDS,
    filters: {
      ...location,
      // The reading has a datum of its own.
      vertical_datum_site: datum,
      ...rules(TEXT, FIELDS),
      ...rules(LIST, ['parameter_code', 'monitoring_location_id']),
      ...rules(TIME, ['time', 'last_modified']),
      ...rules({ type: 'integer' }, ['year', 'month', 'day']),
    },
    tracks: tracksFrom(census, series => (isVisited(series) ? [visitTrack(series, 'field')] : [])),
    fixed: ({ series, seriesId }) => ({
      field_measurements_series_id: seriesId,
      reading_type: readingType(series),
      parameter_code: series.parameter.code,
      monitoring_location_id: series.site.id,
      observing_procedure_code: 'Z',
      observing_procedure: series.parameter.code === '00060' ? 'Mid-section' : 'Gage height, staff gage',
      unit_of_measure: series.parameter.unit,
      qualifier: null,
      vertical_datum: 'None',
      measuring_agency: 'USGS',
      last_modified: '2026-07-30T13:10:33.920488+00:00',
    }),
    varying: fieldVarying,
    timing: VISIT_TIMING,
    timeOf: ({ site }, index) => visitAt(site, index),
  }
}

/** What differs from visit to visit. */
export const fieldVarying: Table<VisitTrack>['varying'] = {
  field_visit_id: ({ site }, index) => `"${visitId(site, index)}"`,
  value: ({ series }, index) => `"${textOf(series.parameter, levelAt(series, visitAt(series.site, index)))}"`,
  time: ({ site }, index) => `"${writeInstant(visitAt(site, index))}"`,
  approval_status: ({ site }, index) => (visitAt(site, index) < PROVISIONAL_FROM ? '"Approved"' : '"Provisional"'),
  control_condition: ({ site }, index) => (mix(site.hash, index, 52) % 3 === 0 ? 'null' : '"Clear"'),
  measurement_rated: ({ site, series }, index) =>
    series.parameter.code !== '00060' || mix(site.hash, index, 53) % 4 === 0 ? 'null' : '"Good"',
  year: ({ site }, index) => String(new Date(visitAt(site, index)).getUTCFullYear()),
  month: ({ site }, index) => String(new Date(visitAt(site, index)).getUTCMonth() + 1),
  day: ({ site }, index) => String(new Date(visitAt(site, index)).getUTCDate()),
  time_of_day: ({ site }, index) => `"${writeInstant(visitAt(site, index)).slice(11)}"`,
}

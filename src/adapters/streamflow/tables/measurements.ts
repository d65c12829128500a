import type { Collection } from '../collection.ts'
import { LOCATION_FIELDS } from '../fields.ts'
import { HUC, OGC } from './defaults.ts'

const VISIT = [
  'field_measurements_series_id',
  'field_visit_id',
  'parameter_code',
  'monitoring_location_id',
  'observing_procedure_code',
  'observing_procedure',
  'value',
  'unit_of_measure',
] as const
const CIRCUMSTANCES = [
  'approval_status',
  'measuring_agency',
  'last_modified',
  'control_condition',
  'measurement_rated',
  'year',
  'month',
  'day',
  'time_of_day',
] as const

const CHANNEL_VISIT = ['monitoring_location_id', 'field_visit_id', 'measurement_number'] as const
const CHANNEL = [
  'channel_name',
  'channel_flow',
  'channel_flow_unit',
  'channel_width',
  'channel_width_unit',
  'channel_area',
  'channel_area_unit',
  'channel_velocity',
  'channel_velocity_unit',
  'channel_location_distance',
  'channel_location_distance_unit',
  'channel_stability',
  'channel_material',
  'channel_evenness',
  'horizontal_velocity_description',
  'vertical_velocity_description',
  'longitudinal_velocity_description',
  'measurement_type',
  'last_modified',
  'channel_measurement_type',
  'channel_location_direction',
] as const

const PEAK_SERIES = ['time_series_id', 'monitoring_location_id', 'parameter_code'] as const
const PEAK_YEAR = ['water_year', 'year', 'month', 'day', 'time_of_day', 'peak_since', 'qualifier'] as const

/** Collections of what was measured in the field, and of the peaks of each year. */
export const MEASUREMENTS = {
  'field-measurements': {
    ...OGC,
    name: 'field-measurements',
    idName: 'field_measurement_id',
    columns: [...VISIT, 'time', 'qualifier', 'vertical_datum', ...CIRCUMSTANCES, 'reading_type'],
    // `vertical_datum` selects by the measurement's own; that of the site has another name here.
    filters: [...VISIT, 'qualifier', ...CIRCUMSTANCES, 'reading_type', ...LOCATION_FIELDS, 'vertical_datum_site'],
    lists: ['parameter_code', 'monitoring_location_id'],
    prefixes: HUC,
    time: { field: 'time', by: 'instant', parameter: 'time', cut: true },
    sort: ['monitoring_location_id', 'parameter_code', 'time', 'field_measurement_id'],
    state: { field: 'state_code', as: 'fips' },
  },
  'latest-field-measurements': {
    ...OGC,
    name: 'latest-field-measurements',
    idName: 'latest_field_measurement_id',
    idFilter: 'one',
    columns: [...VISIT, 'time', 'qualifier', 'vertical_datum', ...CIRCUMSTANCES],
    filters: [...VISIT, 'qualifier', 'vertical_datum', ...CIRCUMSTANCES],
    lists: ['parameter_code', 'monitoring_location_id'],
    time: { field: 'time', by: 'instant', parameter: 'time', cut: false },
    sort: ['monitoring_location_id', 'parameter_code', 'time', 'latest_field_measurement_id'],
  },
  'channel-measurements': {
    ...OGC,
    name: 'channel-measurements',
    idName: 'channel_measurements_id',
    idFilter: 'one',
    columns: [...CHANNEL_VISIT, 'time', ...CHANNEL],
    filters: [...CHANNEL_VISIT, ...CHANNEL],
    lists: ['monitoring_location_id', 'field_visit_id'],
    time: { field: 'time', by: 'instant', parameter: 'time', cut: true },
    sort: ['monitoring_location_id', 'time', 'channel_measurements_id'],
  },
  // A date may be known in part only; its text stays as it is.
  peaks: {
    ...OGC,
    name: 'peaks',
    idName: 'peak_id',
    idFilter: 'many',
    columns: [...PEAK_SERIES, 'unit_of_measure', 'value', 'last_modified', 'time', ...PEAK_YEAR],
    filters: [...PEAK_SERIES, 'unit_of_measure', 'value', 'last_modified', ...PEAK_YEAR],
    lists: [...PEAK_SERIES, 'water_year', 'year', 'month', 'day', 'peak_since'],
    kinds: { time: 'date' },
    time: { field: 'time', by: 'date', parameter: 'time', cut: false },
    sort: ['monitoring_location_id', 'parameter_code', 'time', 'time_series_id', 'peak_id'],
  },
} as const satisfies Readonly<Record<string, Collection>>

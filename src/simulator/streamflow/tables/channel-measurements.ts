import { mix } from '../../hash.ts'
import { DATA_STYLE, LIST, TEXT, TIME, type Table } from '../ogc/table.ts'
import { writeInstant } from '../times.ts'
import { head, scatter } from '../world/ids.ts'
import { textOf } from '../world/parameters.ts'
import type { Census } from '../world/census.ts'
import type { Series } from '../world/series.ts'
import { levelAt } from '../world/values.ts'
import { rules } from './location-filters.ts'
import { VISIT_TIMING, visitAt, visitId, visitTrack, type VisitTrack } from './visits.ts'
import { tracksFrom } from './tracks.ts'

const FIELDS = [
  'id',
  'monitoring_location_id',
  'field_visit_id',
  'measurement_number',
  'time',
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
]

/** What a visit to a stream found in its channel. Numbers are texts, and may be empty. */
export function createChannelMeasurements(census: Census): Table<VisitTrack> {
  const isStream = ({ kind, parameter, site }: Series): boolean =>
    kind === 'continuous' && parameter.code === '00060' && site.typeCode === 'ST'
  const salt = 0x64d9
  return {
    name: 'channel-measurements',
    title: 'Channel measurements',
    style: DATA_STYLE,
    fields: FIELDS,
    filters: {
      ...rules(TEXT, FIELDS),
      ...rules(LIST, ['monitoring_location_id', 'field_visit_id']),
      ...rules(TIME, ['time', 'last_modified']),
    },
    tracks: tracksFrom(census, series => (isStream(series) ? [visitTrack(series, 'channel')] : [])),
    fixed: ({ site }) => ({
      monitoring_location_id: site.id,
      channel_name: site.n % 2 === 0 ? 'main.' : 'Imported Channel 1',
      channel_flow_unit: 'ft^3/s',
      channel_width_unit: 'ft',
      channel_area_unit: 'ft^2',
      channel_velocity_unit: 'ft/s',
      channel_stability: 'Unspecified',
      channel_material: 'Unspecified',
      channel_evenness: 'Unspecified',
      horizontal_velocity_description: 'Unspecified',
      vertical_velocity_description: 'Unspecified',
      longitudinal_velocity_description: 'Unknown',
      measurement_type: 'Wading',
      last_modified: '2026-07-30T13:10:33.920488+00:00',
      channel_measurement_type: 'point_velocity',
    }),
    varying: {
      id: (track, index) => `"${head(scatter(index, salt))}${track.tail}"`,
      field_visit_id: ({ site }, index) => `"${visitId(site, index)}"`,
      measurement_number: ({ first }, index) => `"${index - first + 1}"`,
      time: ({ site }, index) => `"${writeInstant(visitAt(site, index))}"`,
      channel_flow: ({ series, site }, index) => `"${textOf(series.parameter, levelAt(series, visitAt(site, index)))}"`,
      channel_width: ({ site }, index) => `"${(8 + (mix(site.hash, index, 61) % 400) / 10).toFixed(1)}"`,
      channel_area: ({ site }, index) => `"${(5 + (mix(site.hash, index, 62) % 900) / 10).toFixed(1)}"`,
      channel_velocity: ({ site }, index) => `"${(0.3 + (mix(site.hash, index, 63) % 300) / 100).toFixed(2)}"`,
      channel_location_distance: ({ site }, index) => `"${isMeasured(site.hash, index) ? '20.00' : ''}"`,
      channel_location_distance_unit: ({ site }, index) => `"${isMeasured(site.hash, index) ? 'ft' : ''}"`,
      channel_location_direction: ({ site }, index) =>
        `"${isMeasured(site.hash, index) ? 'Downstream' : 'Unspecified'}"`,
    },
    timing: { ...VISIT_TIMING, salt },
    timeOf: ({ site }, index) => visitAt(site, index),
  }
}

function isMeasured(hash: number, index: number): boolean {
  return mix(hash, index, 64) % 2 === 0
}

import { DATA_STYLE, LIST, TEXT, TIME, type Table } from '../ogc/table.ts'
import { uuid } from '../world/ids.ts'
import type { Census } from '../world/census.ts'
import type { Series } from '../world/series.ts'
import { createFieldMeasurements, fieldVarying } from './field-measurements.ts'
import { rules } from './location-filters.ts'
import { metadataAge } from './metadata.ts'
import { isVisited, VISIT_TIMING, visitAt, visitTrack, type VisitTrack } from './visits.ts'
import { tracksFrom } from './tracks.ts'

interface LatestVisit extends VisitTrack {
  readonly index: number
}

/** What people measured on their newest visit. */
export function createLatestFieldMeasurements(census: Census): Table<LatestVisit> {
  const { fields, fixed } = createFieldMeasurements(census)
  const names = fields.filter(name => name !== 'reading_type')
  return {
    name: 'latest-field-measurements',
    title: 'Latest field measurements',
    style: DATA_STYLE,
    fields: names,
    filters: {
      id: TEXT,
      ...rules(TEXT, names),
      ...rules(LIST, ['parameter_code', 'monitoring_location_id']),
      ...rules(TIME, ['time', 'last_modified']),
      ...rules({ type: 'integer' }, ['year', 'month', 'day']),
    },
    tracks: tracksFrom(census, (series, now) => (isVisited(series) ? [latestOf(series, now)] : []), metadataAge),
    fixed,
    varying: Object.fromEntries(
      Object.entries(fieldVarying).map(([name, write]) => [name, (track: LatestVisit) => write(track, track.index)]),
    ),
    timeOf: ({ site, index }) => visitAt(site, index),
    age: now => VISIT_TIMING.latest(now),
  }
}

function latestOf(series: Series, now: number): LatestVisit {
  const track = visitTrack(series, 'field')
  return {
    ...track,
    tail: uuid(`${series.id}|latest field`),
    first: 0,
    last: 0,
    index: Math.min(VISIT_TIMING.latest(now), track.last),
  }
}

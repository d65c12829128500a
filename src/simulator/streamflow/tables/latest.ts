import { DATA_STYLE, TEXT, type Table, type Track } from '../ogc/table.ts'
import { uuid } from '../world/ids.ts'
import type { Census } from '../world/census.ts'
import type { Series } from '../world/series.ts'
import { hasRow } from '../world/values.ts'
import { DELAY_MS, OBSERVATION_FIELDS, OBSERVATION_FILTERS, seriesFields, timeText, varyingOf } from './observations.ts'
import { tracksFrom } from './tracks.ts'

const DAY_MS = 86_400_000
const QUARTER_MS = 900_000

interface LatestTrack extends Track {
  readonly series: Series
  readonly at: number
}

/** The newest row of each series, however old. */
export function createLatest(census: Census, kind: Series['kind']): Table<LatestTrack> {
  const stepMs = kind === 'daily' ? DAY_MS : QUARTER_MS
  const age = (now: number): number => Math.floor((now - DELAY_MS) / QUARTER_MS)
  return {
    name: `latest-${kind}`,
    title: kind === 'daily' ? 'Latest daily values' : 'Latest continuous',
    style: DATA_STYLE,
    fields: OBSERVATION_FIELDS,
    filters: { id: TEXT, ...OBSERVATION_FILTERS, ...(kind === 'continuous' ? { statistic_id: TEXT } : {}) },
    tracks: tracksFrom(census, (series, now) => (series.kind === kind ? [latestOf(series, now, stepMs)] : []), age),
    fixed: ({ series }) => seriesFields(series),
    varying: {
      time: ({ at }) => timeText(kind, at),
      ...varyingOf<LatestTrack>(({ at }) => at),
    },
    timeOf: ({ at }) => at,
    age,
  }
}

function latestOf(series: Series, now: number, stepMs: number): LatestTrack {
  return {
    site: series.site,
    series,
    at: latestAt(series, now, stepMs),
    tail: uuid(`${series.id}|latest`),
    first: 0,
    last: 0,
  }
}

/** Instant of the newest row. A day has a value when it is over. */
export function latestAt(series: Series, now: number, stepMs: number = series.stepMs): number {
  const present = series.kind === 'daily' ? now - DAY_MS : now - DELAY_MS
  const step = Math.max(stepMs, series.stepMs)
  let at = Math.floor(Math.min(present, series.end ?? Infinity) / step) * step
  while (!hasRow(series, at)) at -= step
  return at
}

import type { Fields } from '../json.ts'
import { DATA_STYLE, LIST, TEXT, TIME, type FilterRule, type Table, type Timing, type Track } from '../ogc/table.ts'
import { tail } from '../world/ids.ts'
import type { Census } from '../world/census.ts'
import type { Series } from '../world/series.ts'
import { approvalAt, dateText, hasRow, modifiedAt, qualifierAt, valueAt } from '../world/values.ts'
import { LOCATION_FILTERS } from './location-filters.ts'
import { tracksFrom } from './tracks.ts'

const DAY_MS = 86_400_000
const QUARTER_MS = 900_000
/** How long an instant takes to appear. */
export const DELAY_MS = 600_000

/** Rows of one series. */
export interface SeriesTrack extends Track {
  readonly series: Series
}

/** The order in which fields come when none are named. */
export const OBSERVATION_FIELDS: readonly string[] = [
  'parameter_code',
  'statistic_id',
  'time',
  'value',
  'unit_of_measure',
  'approval_status',
  'qualifier',
  'last_modified',
  'time_series_id',
  'monitoring_location_id',
]

export const OBSERVATION_FILTERS: Readonly<Record<string, FilterRule>> = {
  time_series_id: LIST,
  monitoring_location_id: LIST,
  parameter_code: LIST,
  statistic_id: LIST,
  time: TIME,
  value: TEXT,
  unit_of_measure: TEXT,
  approval_status: TEXT,
  qualifier: TEXT,
  last_modified: TIME,
}

/** Daily values: one a day and series, up to yesterday. */
export function createDaily(census: Census): Table<SeriesTrack> {
  return {
    name: 'daily',
    title: 'Daily values',
    ...observations(census, 'daily', DAY_MS),
    filters: { ...OBSERVATION_FILTERS, ...LOCATION_FILTERS },
    timing: {
      field: 'time',
      indexFrom: ms => Math.ceil(ms / DAY_MS),
      indexTo: ms => Math.floor(ms / DAY_MS),
      // Today is not over yet.
      latest: now => Math.floor(now / DAY_MS) - 1,
      isExact: true,
      salt: 0x1d2c,
    },
  }
}

/** Values at instants, every quarter of an hour; every hour for wells. */
export function createContinuous(census: Census): Table<SeriesTrack> {
  const table = observations(census, 'continuous', QUARTER_MS)
  const timing: Timing = {
    field: 'time',
    indexFrom: ms => Math.ceil(ms / QUARTER_MS),
    indexTo: ms => Math.floor(ms / QUARTER_MS),
    latest: now => Math.floor((now - DELAY_MS) / QUARTER_MS),
    isExact: true,
    salt: 0x7c3b,
  }
  return {
    name: 'continuous',
    title: 'Continuous values',
    ...table,
    has: (track, index) => (index * QUARTER_MS) % track.series.stepMs === 0 && hasRow(track.series, index * QUARTER_MS),
    filters: { ...OBSERVATION_FILTERS, statistic_id: TEXT, ...LOCATION_FILTERS },
    timing,
    window: { widestMs: 1100 * DAY_MS, defaultMs: 365 * DAY_MS },
  }
}

type Observations = Pick<Table<SeriesTrack>, 'style' | 'fields' | 'tracks' | 'fixed' | 'varying' | 'has' | 'timeOf'>

function observations(census: Census, kind: Series['kind'], stepMs: number): Observations {
  const at = (index: number): number => index * stepMs
  return {
    style: DATA_STYLE,
    fields: OBSERVATION_FIELDS,
    tracks: tracksFrom(census, series => (series.kind === kind ? [trackOf(series, stepMs)] : [])),
    fixed: ({ series }) => seriesFields(series),
    varying: {
      time: (_, index) => timeText(kind, at(index)),
      ...varyingOf<SeriesTrack>((_, index) => at(index)),
    },
    has: ({ series }, index) => hasRow(series, at(index)),
    timeOf: (_, index) => at(index),
  }
}

function trackOf(series: Series, stepMs: number): SeriesTrack {
  return {
    site: series.site,
    series,
    tail: tail(`${series.id}|${series.kind}`),
    first: Math.ceil(series.begin / stepMs),
    last: series.end === undefined ? Infinity : Math.floor(series.end / stepMs),
  }
}

export function seriesFields({ id, site, parameter, statistic }: Series): Fields {
  return {
    time_series_id: id,
    monitoring_location_id: site.id,
    parameter_code: parameter.code,
    statistic_id: statistic,
    unit_of_measure: parameter.unit,
  }
}

/** What every row says of its value. */
export function varyingOf<T extends Track & { readonly series: Series }>(
  at: (track: T, index: number) => number,
): Table<T>['varying'] {
  return {
    value: (track, index) => quote(valueAt(track.series, at(track, index))),
    approval_status: (track, index) => quote(approvalAt(track.series, at(track, index))),
    qualifier: (track, index) => qualifierText(track.series, at(track, index)),
    last_modified: (track, index) => `"${modifiedAt(track.series, at(track, index))}"`,
  }
}

function qualifierText(series: Series, at: number): string {
  const qualifiers = qualifierAt(series, at)
  return qualifiers === null ? 'null' : JSON.stringify(qualifiers)
}

function quote(text: string | null): string {
  return text === null ? 'null' : `"${text}"`
}

const CLOCKS = Array.from({ length: 96 }, (_, slot) => new Date(slot * QUARTER_MS).toISOString().slice(11, 19))

/** A day, or an instant on the quarter of an hour. */
export function timeText(kind: Series['kind'], at: number): string {
  const day = Math.floor(at / DAY_MS)
  if (kind === 'daily') return `"${dateText(day)}"`
  return `"${dateText(day)}T${CLOCKS[(at - day * DAY_MS) / QUARTER_MS]}+00:00"`
}

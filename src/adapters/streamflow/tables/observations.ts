import type { Collection } from '../collection.ts'
import { LOCATION_FIELDS } from '../fields.ts'
import { HUC, OGC } from './defaults.ts'

const SERIES = ['time_series_id', 'monitoring_location_id', 'parameter_code', 'statistic_id'] as const
const REPORTED = ['value', 'unit_of_measure', 'approval_status', 'qualifier', 'last_modified'] as const

/** What the four collections of values have in common. */
const VALUES = {
  ...OGC,
  columns: [...SERIES, 'time', ...REPORTED],
  lists: ['time_series_id', 'monitoring_location_id', 'parameter_code'],
  sort: ['monitoring_location_id', 'parameter_code', 'statistic_id', 'time', 'time_series_id'],
  sample: ['time_series_id', 'time'],
} as const
const LISTS_WITH_STATISTIC = [...VALUES.lists, 'statistic_id'] as const
const LATEST = { ...VALUES, idFilter: 'one', filters: [...SERIES, ...REPORTED] } as const

/** Collections of values. */
export const OBSERVATIONS = {
  daily: {
    ...VALUES,
    name: 'daily',
    idName: 'daily_id',
    filters: [...SERIES, ...REPORTED, ...LOCATION_FIELDS],
    lists: LISTS_WITH_STATISTIC,
    prefixes: HUC,
    kinds: { time: 'date' },
    time: { field: 'time', by: 'date', parameter: 'time', cut: true, perDay: 1 },
    state: { field: 'state_code', as: 'fips' },
  },
  continuous: {
    ...VALUES,
    name: 'continuous',
    idName: 'continuous_id',
    filters: [...SERIES, ...REPORTED, ...LOCATION_FIELDS],
    prefixes: HUC,
    // Spans above 1,100 days are refused. At a value in 15 (5, 1) minutes, 1,040 days fill 2 (6, 30) whole pages.
    time: {
      field: 'time',
      by: 'instant',
      parameter: 'time',
      cut: true,
      required: true,
      mostDays: 1100,
      chunkDays: 1040,
      perDay: 96,
    },
    state: { field: 'state_code', as: 'fips' },
  },
  'latest-daily': {
    ...LATEST,
    name: 'latest-daily',
    idName: 'latest_daily_id',
    lists: LISTS_WITH_STATISTIC,
    kinds: { time: 'date' },
    time: { field: 'time', by: 'date', parameter: 'time', cut: false },
  },
  'latest-continuous': {
    ...LATEST,
    name: 'latest-continuous',
    idName: 'latest_continuous_id',
    time: { field: 'time', by: 'instant', parameter: 'time', cut: false },
  },
} as const satisfies Readonly<Record<string, Collection>>

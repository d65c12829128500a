import { createEmissions } from '../adapters/emissions/index.ts'
import { createStreamflow } from '../adapters/streamflow/index.ts'
import { createWaterQuality } from '../adapters/water-quality/index.ts'
import { QueryError } from '../errors.ts'
import { nearest } from '../nearest.ts'
import { parseDurationMs } from '../time.ts'
import type { KeyEntry, OperationEntry, PlainQuery, ServiceEntry, VersionEntry } from './service-entry.ts'

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS
const FIVE_MINUTES_MS = 5 * MINUTE_MS

const SIGNAL_KEYS: Readonly<Record<string, KeyEntry>> = {
  region: { column: 'region' },
  signalType: { column: 'signal_type', otherwise: 'co2_moer' },
}
const MODEL: VersionEntry = { source: 'model_date', option: 'model' }
/** Models are named by their dates. The list of what an account may see says nothing of forecasts by their generation time. */
const modelOf = (endpoint: string): VersionEntry => ({
  ...MODEL,
  offered: {
    getter: 'Access',
    newestOf: (rows, { region, signal_type: signal }) =>
      rows
        .filter(
          row =>
            row['endpoint'] === endpoint &&
            row['region'] === region &&
            (signal ?? row['signal_type']) === row['signal_type'],
        )
        .flatMap(({ model }) => (typeof model === 'string' ? [model] : []))
        .sort()
        .at(-1),
  },
})
const stated = (name: string) => (_query: PlainQuery, source: PlainQuery) => {
  const seconds = source[name]
  return typeof seconds === 'number' && seconds > 0 ? seconds * 1000 : FIVE_MINUTES_MS
}
const gridRows =
  (factor: (query: PlainQuery) => number) =>
  ({ start, end }: { start: number; end: number }, query: PlainQuery): number =>
    (Math.floor(end / FIVE_MINUTES_MS) - Math.ceil(start / FIVE_MINUTES_MS) + 1) * factor(query)

const EMISSIONS: Readonly<Record<string, OperationEntry>> = {
  historical: {
    getter: 'Historical',
    time: { column: 'point_time', by: 'instant', stepMs: FIVE_MINUTES_MS },
    keys: SIGNAL_KEYS,
    version: modelOf('v3/historical'),
    identity: ['region', 'signal_type', 'point_time'],
    cadenceMs: stated('data_point_period_seconds'),
    expectedRows: gridRows(() => 1),
    always: true,
    revisions: { since: instant => ({ updatedSince: instant }), extra: ['last_updated'] },
  },
  historicalForecast: {
    getter: 'HistoricalForecast',
    time: { column: 'generated_at', by: 'instant', stepMs: FIVE_MINUTES_MS, segment: 'month' },
    keys: SIGNAL_KEYS,
    version: MODEL,
    identity: ['region', 'signal_type', 'generated_at', 'point_time'],
    cadenceMs: stated('generated_at_period_seconds'),
    expectedRows: gridRows(({ horizonHours = 24 }) => Math.max(1, Number(horizonHours) * 12)),
    always: true,
  },
  fuelMix: {
    getter: 'FuelMix',
    time: { column: 'point_time', by: 'instant', stepMs: FIVE_MINUTES_MS },
    keys: { region: { column: 'region' } },
    version: modelOf('v3/fuel-mix'),
    identity: ['region', 'point_time', 'fuel_type'],
    cadenceMs: stated('data_point_period_seconds'),
    always: true,
  },
  access: { getter: 'Access', identity: ['signal_type', 'region', 'endpoint', 'model'], whole: true },
  maps: { getter: 'Maps', identity: ['region'], whole: true },
}

const OBSERVED = ['time_series_id', 'time']
const MODIFIED: OperationEntry['revisions'] = { since: instant => ({ lastModified: { start: instant } }) }

const STREAMFLOW: Readonly<Record<string, OperationEntry>> = {
  continuous: {
    getter: 'Continuous',
    time: { column: 'time', by: 'instant', stepMs: 1000 },
    identity: OBSERVED,
    within: 'time_series_id',
    cadenceMs: ({ cadence }) => (cadence === undefined ? undefined : parseDurationMs(cadence as string | number)),
    revisions: MODIFIED,
  },
  daily: {
    getter: 'Daily',
    time: { column: 'time', by: 'date', stepMs: DAY_MS, segment: 'all' },
    identity: OBSERVED,
    within: 'time_series_id',
    cadenceMs: () => DAY_MS,
    revisions: MODIFIED,
  },
  fieldMeasurements: {
    getter: 'FieldMeasurements',
    time: { column: 'time', by: 'instant', stepMs: 1000, segment: 'all' },
    identity: ['field_measurement_id'],
    revisions: MODIFIED,
  },
  waterLevels: {
    getter: 'WaterLevels',
    time: { column: 'sample_time', by: 'instant', stepMs: 1000, segment: 'all' },
    identity: ['id'],
  },
  monitoringLocations: { getter: 'MonitoringLocations', identity: ['monitoring_location_id'], whole: true },
  timeSeriesMetadata: { getter: 'TimeSeriesMetadata', identity: ['time_series_id'], whole: true },
  peaks: { getter: 'Peaks', identity: ['peak_id'], whole: true },
}

/** Laboratories deliver months late, and nobody can be asked what is new. */
const SAMPLED = {
  time: { column: 'Activity_StartDate', by: 'date', stepMs: DAY_MS },
  lookBack: 'P1Y',
} as const

const WATER_QUALITY: Readonly<Record<string, OperationEntry>> = {
  results: {
    ...SAMPLED,
    getter: 'Results',
    identity: ['ProviderName', 'Result_MeasureIdentifier'],
    isWhole: ({ verified }) => verified !== false,
    // The older interface has other names, and numbers rows otherwise.
    only: { interface: ['wqx3'], profile: ['narrow', 'basicPhysChem', 'fullPhysChem'] },
    // What is planned is what is streamed.
    defaults: { pieceRows: 20_000 },
    unasked: { count: false },
  },
  samples: {
    ...SAMPLED,
    getter: 'Samples',
    identity: ['Result_MeasureIdentifier'],
    only: { resource: ['results'], profile: ['fullphyschem', 'basicphyschem', 'fullbio', 'basicbio', 'narrow'] },
  },
}

/** The services that can be pulled. A further one is a line here, and its operations a table like those above. */
export const SERVICES: Readonly<Record<string, ServiceEntry>> = {
  emissions: {
    create: createEmissions,
    answerSeconds: 1,
    quota: { requests: 3000, seconds: 300 },
    operations: EMISSIONS,
  },
  streamflow: { create: createStreamflow, answerSeconds: 3, operations: STREAMFLOW },
  'water-quality': { create: createWaterQuality, answerSeconds: 10, operations: WATER_QUALITY },
}

/** An operation as it is known here, under its own name. */
export interface KnownOperation {
  readonly service: string
  readonly name: string
  readonly entry: OperationEntry
}

/**
 * Finds an operation, with or without `get` in front.
 *
 * @param place - where it is named, for the error
 * @throws QueryError with the nearest name that is known
 */
export function operationNamed(service: string, operation: string, place = 'pulls'): KnownOperation {
  const known = Object.hasOwn(SERVICES, service) ? SERVICES[service] : undefined
  if (known === undefined) throw unknown(`${place}.service`, service, Object.keys(SERVICES))
  const bare = operation
    .replace(/^get(?=[A-Z])/, '')
    .replace(/[-_]+([a-z])/g, (_, letter: string) => letter.toUpperCase())
  const name = bare.charAt(0).toLowerCase() + bare.slice(1)
  const entry = Object.hasOwn(known.operations, name) ? known.operations[name] : undefined
  if (entry === undefined) throw unknown(`${place}.operation`, operation, Object.keys(known.operations))
  return { service, name, entry }
}

function unknown(argument: string, value: string, known: readonly string[]): QueryError {
  const guess = nearest(value.replace(/^get/, ''), known)
  return new QueryError(
    `${argument} '${value}' cannot be pulled; ${guess ? `did you mean '${guess}'?` : `known are ${known.join(', ')}`}`,
    { argument, value },
  )
}

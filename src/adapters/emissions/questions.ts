import { QueryError } from '../../errors.ts'
import { mergeSpans, type SpanMs } from '../../span.ts'
import { isoText, parseInstant, parseSpan, startOfDays } from '../../time.ts'
import {
  measureCompleteness,
  type AnyRow,
  type ChartHints,
  type Column,
  type Completeness,
} from '../../retrieval/index.ts'
import { spansOf, type Operation, type Piece, type ResponseMeta, type SpanRules } from '../../transport/index.ts'
import type {
  ForecastQuery,
  FuelMixQuery,
  HistoricalForecastQuery,
  HistoricalQuery,
  SignalIndexQuery,
} from './queries.ts'
import { keepForecastMs, keepPresentMs, keepRunsMs, keepValuesMs } from './keep.ts'
import { readForecast, readFuelMix, readHistorical, readHistoricalForecast } from './read-series.ts'
import { COLUMNS, type ForecastRow, type FuelMixRow, type HistoricalRow } from './rows.ts'
import { inspectReply } from './service.ts'

/** One getter's question as data: what to ask, in which order rows stand, what came of it. */
export interface SeriesQuestion<Row extends AnyRow> {
  readonly operation: string
  readonly facts: Operation<Row>
  readonly todo: readonly Piece[]
  readonly series: string
  readonly pin: string | undefined
  readonly columns: (rows: readonly Row[], meta: readonly ResponseMeta[]) => readonly Column[]
  readonly chart?: () => ChartHints
  readonly completeness?: (
    rows: readonly Row[],
    meta: readonly ResponseMeta[],
    asked: readonly Piece[],
  ) => Completeness | undefined
}

const FIVE_MINUTES_MS = 300_000
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** Both ends are included by the service, so pieces end one step before the next begins (contract, section 5.2). */
const SERIES_RULES: SpanRules = { stepMs: FIVE_MINUTES_MS, chunkMs: 30 * DAY_MS, mostMs: 32 * DAY_MS, ends: 'trimmed' }
/** One day of runs at a time, selected by when they were made (contract, section 5.4). */
const RUN_RULES: SpanRules = { stepMs: FIVE_MINUTES_MS, chunkMs: DAY_MS, mostMs: DAY_MS, ends: 'trimmed' }

export const DEFAULT_SIGNAL = 'co2_moer'

type Parameters = Readonly<Record<string, string | number | boolean | undefined>>

export function historicalQuestion(query: HistoricalQuery, baseUrl: URL, now: number): SeriesQuestion<HistoricalRow> {
  const { region, signalType = DEFAULT_SIGNAL, model, includeImputedMarker, updatedSince, zone } = query
  const todo = [spanPiece(parseSpan(query, now))]
  const since = updatedSince === undefined ? undefined : isoText(parseInstant(updatedSince, 'updatedSince', zone))
  const extra = [
    ...(since === undefined ? [] : [{ name: 'last_updated', kind: 'instant' } as const]),
    ...(includeImputedMarker ? [{ name: 'imputed_data_used', kind: 'boolean' } as const] : []),
  ]
  return {
    operation: 'getHistorical',
    series: `${region} ${signalType}`,
    todo,
    pin: model,
    columns: columnsOf([...COLUMNS.historical, ...extra]),
    // Only revised rows were asked for: what did not come is no hole.
    ...(since === undefined ? { completeness: gridOf(row => row.point_time) } : {}),
    facts: {
      rules: SERIES_RULES,
      order: {
        compare: (a, b) => a.point_time.getTime() - b.point_time.getTime(),
        instant: row => row.point_time.getTime(),
        equal: sameFields,
        revised: row => row.last_updated?.getTime() ?? 0,
      },
      request: (piece, pin) =>
        get(baseUrl, '/v3/historical', {
          region,
          signal_type: signalType,
          ...spanParameters(piece),
          model: model ?? pin,
          include_imputed_marker: includeImputedMarker || undefined,
          updated_since: since,
        }),
      read: readHistorical,
      // Who asks what was revised wants to know what is new.
      keepMs: since === undefined ? keepValuesMs : keepPresentMs,
    },
  }
}

export function fuelMixQuestion(query: FuelMixQuery, baseUrl: URL, now: number): SeriesQuestion<FuelMixRow> {
  const { region, signalType = 'marginal_fuel_mix', model } = query
  const todo = [spanPiece(parseSpan(query, now))]
  return {
    operation: 'getFuelMix',
    series: region,
    todo,
    pin: model,
    columns: columnsOf(COLUMNS.fuelMix),
    chart: () => ({ series: ['fuel_type'] }),
    completeness: gridOf(row => row.point_time),
    facts: {
      rules: SERIES_RULES,
      order: {
        compare: (a, b) =>
          a.point_time.getTime() - b.point_time.getTime() ||
          (a.fuel_type < b.fuel_type ? -1 : a.fuel_type > b.fuel_type ? 1 : 0),
        instant: row => row.point_time.getTime(),
        equal: sameFields,
      },
      request: (piece, pin) =>
        get(baseUrl, '/v3/fuel-mix', {
          region,
          signal_type: signalType,
          ...spanParameters(piece),
          model: model ?? pin,
        }),
      read: readFuelMix,
      keepMs: keepValuesMs,
    },
  }
}

export function historicalForecastQuestion(
  query: HistoricalForecastQuery,
  baseUrl: URL,
  now: number,
): SeriesQuestion<ForecastRow> {
  const { region, signalType = DEFAULT_SIGNAL, model, horizonHours, dates, zone } = query
  const todo = dates === undefined ? [spanPiece(parseSpan(query, now))] : dayPieces(query, dates, zone)
  return {
    operation: 'getHistoricalForecast',
    series: `${region} ${signalType} ${horizonHours ?? ''}`,
    todo,
    pin: model,
    columns: columnsOf(COLUMNS.forecast),
    completeness: gridOf(row => row.generated_at, 'generated_at_period_seconds'),
    facts: {
      rules: RUN_RULES,
      order: { ...FORECAST_ORDER, instant: row => row.generated_at.getTime() },
      request: (piece, pin) =>
        get(baseUrl, '/v3/forecast/historical', {
          region,
          signal_type: signalType,
          ...spanParameters(piece),
          model: model ?? pin,
          horizon_hours: horizonHours,
        }),
      read: readHistoricalForecast,
      keepMs: keepRunsMs,
    },
  }
}

export function forecastQuestion(query: ForecastQuery, baseUrl: URL): SeriesQuestion<ForecastRow> {
  const { region, signalType = DEFAULT_SIGNAL, model, horizonHours } = query
  const parameters = { region, signal_type: signalType, model, horizon_hours: horizonHours }
  return {
    operation: 'getForecast',
    series: region,
    todo: [{ depth: 0 }],
    pin: undefined,
    columns: columnsOf(COLUMNS.forecast),
    facts: {
      rules: RUN_RULES,
      order: { ...FORECAST_ORDER, instant: () => undefined },
      request: () => get(baseUrl, '/v3/forecast', parameters),
      read: readForecast,
      keepMs: keepForecastMs,
    },
  }
}

export function signalIndexQuestion(
  { region, signalType = DEFAULT_SIGNAL }: SignalIndexQuery,
  baseUrl: URL,
): SeriesQuestion<HistoricalRow> {
  return {
    operation: 'getSignalIndex',
    series: region,
    todo: [{ depth: 0 }],
    pin: undefined,
    columns: columnsOf(COLUMNS.historical),
    facts: {
      rules: SERIES_RULES,
      order: {
        compare: (a, b) => a.point_time.getTime() - b.point_time.getTime(),
        instant: () => undefined,
        equal: sameFields,
      },
      request: () => get(baseUrl, '/v3/signal-index', { region, signal_type: signalType }),
      read: readHistorical,
      keepMs: keepPresentMs,
    },
  }
}

const FORECAST_ORDER = {
  compare: (a: ForecastRow, b: ForecastRow) =>
    a.generated_at.getTime() - b.generated_at.getTime() || a.point_time.getTime() - b.point_time.getTime(),
  equal: sameFields,
}

/** A request with the parameters that are set; instants end in `Z`, so that no plus sign needs care. */
export function get(baseUrl: URL, path: string, parameters: Parameters): ReturnType<Operation<unknown>['request']> {
  const url = new URL(`.${path}`, baseUrl)
  for (const [name, value] of Object.entries(parameters))
    if (value !== undefined) url.searchParams.set(name, String(value))
  return { method: 'GET', url: url.href, inspect: inspectReply }
}

function spanPiece(span: SpanMs): Piece {
  return { span, depth: 0 }
}

function dayPieces(query: HistoricalForecastQuery, dates: readonly unknown[], zone: string | undefined): Piece[] {
  const given = (['start', 'end', 'last'] as const).find(name => query[name] !== undefined)
  if (given) throw new QueryError(`give dates or ${given}, not both`, { argument: 'dates', value: dates })
  const days = startOfDays(dates, 'dates', zone).map(({ start, end }) => ({ start, end: end - FIVE_MINUTES_MS }))
  return days.map(spanPiece)
}

function spanParameters({ span }: Piece): Parameters {
  return span ? { start: isoText(span.start), end: isoText(span.end) } : {}
}

/** The documented columns, those that came on top of them, and the unit that the service states. */
export function columnsOf<Row extends AnyRow>(documented: readonly Column[]) {
  return (rows: readonly Row[], meta: readonly ResponseMeta[]): readonly Column[] => {
    const unit = meta.map(({ source }) => source['units']).find(units => typeof units === 'string')
    const known = new Set(documented.map(column => column.name))
    const extra = new Set<string>()
    const usual = [...known]
    for (const row of rows) {
      let at = 0
      for (const name in row) if (name !== usual[at++] && !known.has(name)) extra.add(name)
    }
    return [
      ...documented.map(column => (column.name === 'value' && unit ? { ...column, unit } : column)),
      ...[...extra].map((name): Column => ({
        name,
        kind: name === 'last_updated' ? 'instant' : name === 'imputed_data_used' ? 'boolean' : 'text',
      })),
    ]
  }
}

/** Completeness against the cadence that the service states; as long as it has stated none, against the grid of the plan. */
function gridOf<Row extends AnyRow>(instantOf: (row: Row) => Date, period = 'data_point_period_seconds') {
  return (rows: readonly Row[], meta: readonly ResponseMeta[], asked: readonly Piece[]): Completeness => {
    const seconds = meta.map(({ source }) => source[period]).find(value => typeof value === 'number')
    const periodMs = typeof seconds === 'number' ? seconds * 1000 : FIVE_MINUTES_MS
    const instants = rows.map(row => instantOf(row).getTime())
    const parts = mergeSpans(spansOf(asked), 0).map(span => measureCompleteness(instants, span, periodMs))
    return {
      expected: parts.reduce((sum, part) => sum + part.expected, 0),
      received: parts.reduce((sum, part) => sum + part.received, 0),
      missing: parts.flatMap(part => part.missing),
    }
  }
}

function sameFields(a: AnyRow, b: AnyRow): boolean {
  const names = new Set([...Object.keys(a), ...Object.keys(b)])
  return [...names].every(
    name =>
      a[name] === b[name] ||
      (a[name] instanceof Date && b[name] instanceof Date && a[name].getTime() === b[name].getTime()),
  )
}

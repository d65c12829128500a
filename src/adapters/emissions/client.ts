import type { Checkpoint } from '../../checkpoint.ts'
import { isoText, zoneOffsets } from '../../time.ts'
import type { Span } from '../../span.ts'
import { spanOf } from '../../span.ts'
import {
  collect,
  showsPlan,
  stream,
  takeUp,
  type AnyRow,
  type Gathering,
  type Retrieval,
  type StreamBatch,
} from '../../retrieval/index.ts'
import { mostRows, type CallOptions, type SettingOrigin } from '../../transport/index.ts'
import { register, requestPasswordReset, type AccountAnswer } from './account.ts'
import type {
  AccessQuery,
  ForecastQuery,
  FuelMixQuery,
  HistoricalForecastQuery,
  HistoricalQuery,
  MapsQuery,
  PasswordResetQuery,
  RegionQuery,
  RegisterQuery,
  SignalIndexQuery,
  TypicalYearQuery,
} from './queries.ts'
import {
  forecastQuestion,
  fuelMixQuestion,
  historicalForecastQuestion,
  historicalQuestion,
  signalIndexQuestion,
  type SeriesQuestion,
} from './questions.ts'
import type { AccessRow, ForecastRow, FuelMixRow, HistoricalRow, MapRow, RegionRow, TypicalYearRow } from './rows.ts'
import { checkQuery, type QueryName } from './schemas.ts'
import { createService, type EmissionsOptions } from './service.ts'
import { holidayCalendar } from './holidays.ts'
import { historyOf, typicalYear } from './typical-year.ts'
import { accessQuestion, createRegionCache, mapsQuestion, regionQuestion } from './lookups.ts'

/** How a query would be asked if nothing had to be split. No data request is sent to find out. */
export interface EmissionsPlan {
  readonly operation: string
  /** One request each, both ends included. */
  readonly chunks: readonly Span[]
  /** Least number of data requests. */
  readonly requests: number
}

/** A client of the emissions service. As many as you like; those of one account share its rate. */
export interface EmissionsClient {
  /**
   * What the account may ask for, one row per signal, region, endpoint and model.
   *
   * @throws RequestError
   * @see GET /v3/my-access
   */
  getAccess(query?: AccessQuery, options?: CallOptions): Promise<Retrieval<AccessRow>>
  /**
   * The grid region of a place; no rows where none covers it. Kept for a week: see `regionCacheMs`.
   *
   * @throws QueryError before any request, RequestError
   * @see GET /v3/region-from-loc
   */
  getRegion(query: RegionQuery, options?: CallOptions): Promise<Retrieval<RegionRow>>
  /**
   * Published values of a signal, oldest first, each sample once. Cut into requests of 30 days, halved where the
   * service is too slow; `completeness` says which samples the service did not have.
   *
   * @returns `rows`: one per sample; `meta`: one per response, splits included
   * @throws QueryError before any request; RetrievalInterrupted when a part fails for good
   * @see GET /v3/historical
   */
  getHistorical(query: HistoricalQuery, options?: CallOptions): Promise<Retrieval<HistoricalRow>>
  /** The same in batches, in order, with bounded memory. */
  streamHistorical(
    query: HistoricalQuery,
    options?: CallOptions,
  ): AsyncGenerator<StreamBatch<HistoricalRow>, void, void>
  planHistorical(query: HistoricalQuery, options?: CallOptions): EmissionsPlan
  /**
   * The newest forecast: one row per five minutes from now to the horizon.
   *
   * @throws QueryError before any request, RequestError
   * @see GET /v3/forecast
   */
  getForecast(query: ForecastQuery, options?: CallOptions): Promise<Retrieval<ForecastRow>>
  /**
   * Forecasts as they were made between two instants (or on given days), ordered by when they were made, then by
   * what they are about. `completeness` counts runs, not rows.
   *
   * @throws QueryError before any request; RetrievalInterrupted when a part fails for good
   * @see GET /v3/forecast/historical
   */
  getHistoricalForecast(query: HistoricalForecastQuery, options?: CallOptions): Promise<Retrieval<ForecastRow>>
  streamHistoricalForecast(
    query: HistoricalForecastQuery,
    options?: CallOptions,
  ): AsyncGenerator<StreamBatch<ForecastRow>, void, void>
  planHistoricalForecast(query: HistoricalForecastQuery, options?: CallOptions): EmissionsPlan
  /**
   * How the present compares, 0 (clean) to 100 (dirty): one row.
   *
   * @see GET /v3/signal-index
   */
  getSignalIndex(query: SignalIndexQuery, options?: CallOptions): Promise<Retrieval<HistoricalRow>>
  /**
   * Share of each fuel at the margin (beta), one row per instant and fuel. A fuel that is left out has no row.
   *
   * @throws QueryError before any request; RetrievalInterrupted when a part fails for good
   * @see GET /v3/fuel-mix
   */
  getFuelMix(query: FuelMixQuery, options?: CallOptions): Promise<Retrieval<FuelMixRow>>
  streamFuelMix(query: FuelMixQuery, options?: CallOptions): AsyncGenerator<StreamBatch<FuelMixRow>, void, void>
  planFuelMix(query: FuelMixQuery, options?: CallOptions): EmissionsPlan
  /**
   * Outlines of all regions of a signal, as GeoJSON geometries. Several megabytes.
   *
   * @see GET /v3/maps
   */
  getMaps(query?: MapsQuery, options?: CallOptions): Promise<Retrieval<MapRow>>
  /**
   * A typical carbon year: three years of history averaged by month, hour and kind of day (working day or not), laid
   * on the calendar of a year, one row per hour. `meta` and `completeness` are those of the history. Needs the optional
   * package `date-holidays`.
   *
   * @throws QueryError before any request; RetrievalInterrupted, about the history, when a part of it fails for good
   */
  getTypicalYear(query: TypicalYearQuery, options?: CallOptions): Promise<Retrieval<TypicalYearRow>>
  /**
   * Opens an account. Sent once, never repeated; needs no credentials.
   *
   * @throws QueryError before any request; RequestError with the service's words when it refuses
   * @see POST /register
   */
  register(query: RegisterQuery, options?: CallOptions): Promise<AccountAnswer>
  /**
   * Has a link to a new password sent to the account's e-mail address.
   *
   * @see GET /password
   */
  requestPasswordReset(query?: PasswordResetQuery, options?: CallOptions): Promise<AccountAnswer>
  /**
   * Takes up an interrupted retrieval, also one of another process, and returns what was missing.
   *
   * @throws QueryError when the checkpoint is not one of this service
   */
  resumeFrom(checkpoint: Checkpoint, options?: CallOptions): Promise<Retrieval>
  /**
   * Takes up an interrupted retrieval, and hands on what was missing batch by batch, as the `stream...` getters do: for
   * what does not fit in memory, or should be kept as it comes.
   *
   * @throws QueryError when the checkpoint is not one of this service; RetrievalInterrupted after the batches in front
   */
  streamFrom(checkpoint: Checkpoint, options?: CallOptions): AsyncGenerator<StreamBatch<AnyRow>, void, void>
  /** Every setting with its value and where it came from; secrets only as set or not set. */
  describeSettings(): readonly SettingOrigin[]
}

/**
 * Makes a client. Sends nothing yet.
 *
 * @throws ConfigurationError naming a setting that makes no sense, and where it came from
 */
export function createEmissions(options: EmissionsOptions = {}): EmissionsClient {
  const service = createService(options)
  const { transport, baseUrl } = service
  const regions = createRegionCache(transport.clock, service.regionCacheMs)

  const gathering = <Row extends AnyRow>(
    question: SeriesQuestion<Row>,
    query: object,
    call: CallOptions,
  ): Gathering<Row> => ({
    transport,
    question: { ...question, priority: 'interactive', streaming: false },
    call,
    query: plainQuery(query, question),
    columns: question.columns,
    chart: question.chart,
    completeness: question.completeness,
  })

  /** Checks a query, then makes its question. Nothing has been sent when either throws. */
  const asked =
    <Query extends object, Row extends AnyRow>(
      name: QueryName,
      make: (query: Query, baseUrl: URL, now: number) => SeriesQuestion<Row>,
    ) =>
    (query: Query, call: CallOptions = {}): Gathering<Row> => {
      checkQuery(name, query)
      return gathering(make(query, baseUrl, transport.clock.now()), query, call)
    }

  const historical = asked('historical', historicalQuestion)
  const historicalForecast = asked('historicalForecast', historicalForecastQuestion)
  const fuelMix = asked('fuelMix', fuelMixQuestion)
  /** How each getter of a span makes its question, for going on from a checkpoint. */
  const spans = new Map<string, (query: never, call?: CallOptions) => Gathering<never>>([
    ['getHistorical', historical as never],
    ['getHistoricalForecast', historicalForecast as never],
    ['getFuelMix', fuelMix as never],
  ])

  /** What a checkpoint says is missing. */
  const rest = (given: Checkpoint, call?: CallOptions): Gathering<never> =>
    takeUp(given, transport.service, [...spans.keys()], (operation, query) => {
      const make = spans.get(operation) as (query: never, call?: CallOptions) => Gathering<never>
      return make(query as never, call)
    })

  const planOf = <Row extends AnyRow>({ question, call }: Gathering<Row>): EmissionsPlan => {
    const pieces = transport.plan(question, call)
    const plan: EmissionsPlan = {
      operation: question.operation,
      chunks: pieces.flatMap(({ span }) => (span ? [spanOf(span)] : [])),
      requests: pieces.length,
    }
    return showsPlan(plan, ({ operation, requests, chunks }) => ({
      operation,
      requests,
      parts: chunks.map(span => ({ span })),
    }))
  }

  return {
    getAccess: async (query = {}, call = {}) => collect(asked('access', accessQuestion)(query, call)),
    async getRegion(query, call = {}) {
      const question = asked('region', regionQuestion)(query, call)
      return regions.through(query, () => collect(question), call.refresh)
    },
    getHistorical: async (query, call) => collect(historical(query, call)),
    streamHistorical: (query, call) => stream(historical(query, call)),
    planHistorical: (query, call) => planOf(historical(query, call)),
    getForecast: async (query, call = {}) => collect(asked('forecast', forecastQuestion)(query, call)),
    getHistoricalForecast: async (query, call) => collect(historicalForecast(query, call)),
    streamHistoricalForecast: (query, call) => stream(historicalForecast(query, call)),
    planHistoricalForecast: (query, call) => planOf(historicalForecast(query, call)),
    getSignalIndex: async (query, call = {}) => collect(asked('signalIndex', signalIndexQuestion)(query, call)),
    getFuelMix: async (query, call) => collect(fuelMix(query, call)),
    streamFuelMix: (query, call) => stream(fuelMix(query, call)),
    planFuelMix: (query, call) => planOf(fuelMix(query, call)),
    getMaps: async (query = {}, call = {}) => collect(asked('maps', mapsQuestion)(query, call)),
    async getTypicalYear(query, call) {
      checkQuery('typicalYear', query)
      const { zone: _zone, year: _year, end: _end, holidays: country = 'US', ...series } = query
      const span = historyOf(query, transport.clock.now())
      // A cap is one on the hours of the year, not on the history.
      const most = mostRows(call ?? {})
      const { maxRows: _maxRows, ...uncapped } = call ?? {}
      const question = historical({ ...series, ...span }, uncapped)
      // A zone or a country that nobody knows is found before any request.
      zoneOffsets(query.zone)
      const holidays = await holidayCalendar(country)
      return typicalYear(await collect(question), query, holidays, most)
    },
    register: async (query, call = {}) => register(service, query, call),
    requestPasswordReset: async (query = {}, call = {}) => requestPasswordReset(service, query, call),
    resumeFrom: async (checkpoint, call = {}) => collect(rest(checkpoint, call)) as Promise<Retrieval>,
    streamFrom: (checkpoint, call = {}) => stream(rest(checkpoint, call)),
    describeSettings: service.describeSettings,
  }
}

/** A query as a checkpoint keeps it: its span settled, whatever `last` and "now" meant. */
function plainQuery<Row extends AnyRow>(
  query: object,
  { todo }: SeriesQuestion<Row>,
): Readonly<Record<string, unknown>> {
  const { last: _last, dates: _dates, ...rest } = query as Record<string, unknown>
  const spans = todo.flatMap(({ span }) => (span ? [span] : []))
  const first = spans[0]
  const last = spans.at(-1)
  const span = first && last ? { start: isoText(first.start), end: isoText(last.end) } : {}
  return JSON.parse(JSON.stringify({ ...rest, ...span })) as Record<string, unknown>
}

import type { Checkpoint } from '../../checkpoint.ts'
import { QueryError } from '../../errors.ts'
import { nearest } from '../../nearest.ts'
import { collect, stream, takeUp, type AnyRow, type Gathering, type Retrieval } from '../../retrieval/index.ts'
import { shareBounds, type CallOptions } from '../../transport/index.ts'
import type { Collection } from './collection.ts'
import { collectionNamed, COLLECTIONS, GROUNDWATER, REFERENCE_NAMES } from './collections.ts'
import { itemsGetters, type GatheringMode, type ItemsGetters } from './items.ts'
import { basinGathering, featuresGathering, featureSourcesGathering, flowlinesGathering } from './navigation.ts'
import { nearestGathering } from './nearest-continuous.ts'
import type {
  ChannelMeasurementsQuery,
  CombinedMetadataQuery,
  ContinuousQuery,
  DailyQuery,
  FieldMeasurementsMetadataQuery,
  FieldMeasurementsQuery,
  GroundwaterProvidersQuery,
  GroundwaterSitesQuery,
  LatestContinuousQuery,
  LatestDailyQuery,
  LatestFieldMeasurementsQuery,
  LithologyQuery,
  MonitoringLocationsQuery,
  PeaksQuery,
  QueryablesQuery,
  TimeSeriesMetadataQuery,
  WaterLevelsQuery,
  WellConstructionQuery,
} from './queries.ts'
import { createQueryablesCheck, queryablesGathering } from './queryables.ts'
import { getRatings, ratingsGathering } from './ratings.ts'
import type {
  ChannelMeasurementRow,
  CombinedMetadataRow,
  ContinuousRow,
  DailyRow,
  FieldMeasurementRow,
  FieldSeriesRow,
  GroundwaterProviderRow,
  GroundwaterSiteRow,
  LatestContinuousRow,
  LatestDailyRow,
  LatestFieldMeasurementRow,
  LithologyRow,
  MonitoringLocationRow,
  PeakRow,
  TimeSeriesRow,
  WaterLevelRow,
  WellConstructionRow,
} from './rows.ts'
import { checkQuery } from './schemas.ts'
import { createService, SERVICE, type StreamflowOptions, type StreamflowService } from './service.ts'
import { statisticsGathering } from './statistics.ts'
import type { StreamflowClient } from './streamflow-client.ts'
import { waterUseGathering } from './water-use.ts'
import { watershedGathering } from './watershed.ts'

/** Getters whose rows come as a stream as well. */
const STREAMED = ['getContinuous', 'getDaily', 'getFieldMeasurements', 'getWaterLevels', 'getCollection']

/** Makes a question from a query. */
type Maker<Query, Row extends AnyRow> = (service: StreamflowService, query: Query, call: CallOptions) => Gathering<Row>

/**
 * Makes a client. Sends nothing yet.
 *
 * @throws ConfigurationError naming a setting that makes no sense, and where it came from
 */
export function createStreamflow(options: StreamflowOptions = {}): StreamflowClient {
  const service = createService(options)
  const queryables = createQueryablesCheck(service)
  const kit = { service, queryables }
  /** How each getter makes its question, for going on from a checkpoint. */
  const makers = new Map<string, (query: never, call: CallOptions, mode: GatheringMode) => Gathering<never>>()

  /** The getters of a collection, from its entry in the table. */
  const items = <Query extends object, Row extends AnyRow>(
    operation: string,
    collection: Collection,
  ): ItemsGetters<Query, Row> => {
    const getters = itemsGetters<Query, Row>(kit, operation, collection)
    makers.set(operation, getters.gathering as never)
    return getters
  }
  /** The getters of a collection that the caller names. */
  const named = (operation: string, name: string): ItemsGetters<object, AnyRow> =>
    itemsGetters(kit, operation, collectionNamed(checkCollection(name)), { collection: name })
  for (const operation of ['getCollection', 'getReferenceTable']) {
    const again = (
      { collection, ...query }: { readonly collection: string },
      call: CallOptions,
      mode: GatheringMode,
    ): Gathering<AnyRow> => named(operation, collection).gathering(query, call, mode)
    makers.set(operation, again as never)
  }
  /** A getter whose question is a single table. */
  const table = <Query, Row extends AnyRow>(operation: string, make: Maker<Query, Row>) => {
    makers.set(operation, ((query: Query, call: CallOptions) => make(service, query, call)) as never)
    return async (query: Query, call: CallOptions = {}): Promise<Retrieval<Row>> => collect(make(service, query, call))
  }

  const continuous = items<ContinuousQuery, ContinuousRow>('getContinuous', COLLECTIONS.continuous)
  const daily = items<DailyQuery, DailyRow>('getDaily', COLLECTIONS.daily)
  const measurements = items<FieldMeasurementsQuery, FieldMeasurementRow>(
    'getFieldMeasurements',
    COLLECTIONS['field-measurements'],
  )
  const levels = items<WaterLevelsQuery, WaterLevelRow>('getWaterLevels', GROUNDWATER.waterLevelObs)
  const nearestReadings = table('getNearestContinuous', nearestGathering)
  const sources = table('getFeatureSources', featureSourcesGathering)
  makers.set('getRatings', ((query: never, call: CallOptions) => ratingsGathering(service, query, call)) as never)

  /** What a checkpoint says is missing. */
  const rest = (
    given: Checkpoint,
    call: CallOptions = {},
    operations: readonly string[],
    mode: GatheringMode,
  ): Gathering<never> =>
    takeUp(given, SERVICE, operations, (operation, query) => {
      const make = makers.get(operation) as (query: never, ...how: [CallOptions, GatheringMode]) => Gathering<never>
      return make(query as never, call, mode)
    })

  return {
    getContinuous: continuous.get,
    streamContinuous: continuous.stream,
    planContinuous: continuous.plan,
    getDaily: daily.get,
    streamDaily: daily.stream,
    planDaily: daily.plan,
    getLatestContinuous: items<LatestContinuousQuery, LatestContinuousRow>(
      'getLatestContinuous',
      COLLECTIONS['latest-continuous'],
    ).get,
    getLatestDaily: items<LatestDailyQuery, LatestDailyRow>('getLatestDaily', COLLECTIONS['latest-daily']).get,
    getFieldMeasurements: measurements.get,
    streamFieldMeasurements: measurements.stream,
    planFieldMeasurements: measurements.plan,
    getLatestFieldMeasurements: items<LatestFieldMeasurementsQuery, LatestFieldMeasurementRow>(
      'getLatestFieldMeasurements',
      COLLECTIONS['latest-field-measurements'],
    ).get,
    getFieldMeasurementsMetadata: items<FieldMeasurementsMetadataQuery, FieldSeriesRow>(
      'getFieldMeasurementsMetadata',
      COLLECTIONS['field-measurements-metadata'],
    ).get,
    getChannelMeasurements: items<ChannelMeasurementsQuery, ChannelMeasurementRow>(
      'getChannelMeasurements',
      COLLECTIONS['channel-measurements'],
    ).get,
    getPeaks: items<PeaksQuery, PeakRow>('getPeaks', COLLECTIONS.peaks).get,
    getMonitoringLocations: items<MonitoringLocationsQuery, MonitoringLocationRow>(
      'getMonitoringLocations',
      COLLECTIONS['monitoring-locations'],
    ).get,
    getTimeSeriesMetadata: items<TimeSeriesMetadataQuery, TimeSeriesRow>(
      'getTimeSeriesMetadata',
      COLLECTIONS['time-series-metadata'],
    ).get,
    getCombinedMetadata: items<CombinedMetadataQuery, CombinedMetadataRow>(
      'getCombinedMetadata',
      COLLECTIONS['combined-metadata'],
    ).get,
    getReferenceTable: (async (name: string, query?: object, call?: CallOptions) =>
      named('getReferenceTable', checkReference(name)).get(query, call)) as StreamflowClient['getReferenceTable'],
    getCollection: async (name, query, call) => named('getCollection', name).get(query, call),
    streamCollection: (name, query, call) => named('getCollection', name).stream(query, call),
    planCollection: (name, query, call) => named('getCollection', name).plan(query, call),
    getQueryables: table('getQueryables', (_service, query: QueryablesQuery, call) => {
      checkQuery('getQueryables', query)
      return queryablesGathering(service, collectionNamed(checkCollection(query.collection)), query, call)
    }),
    async getNearestContinuous(query, call = {}) {
      const bounds = shareBounds(call, service.clock)
      await queryables.check(COLLECTIONS.continuous, { ...query }, bounds.next())
      return nearestReadings(query, bounds.next())
    },
    getStatistics: table('getStatistics', statisticsGathering),
    getRatings: (async (query: never, call: CallOptions = {}) =>
      getRatings(service, query, call)) as StreamflowClient['getRatings'],
    getFlowlines: table('getFlowlines', flowlinesGathering),
    getBasin: table('getBasin', basinGathering),
    getFeatures: table('getFeatures', featuresGathering),
    getFeatureSources: call => sources({}, call),
    getWatershed: table('getWatershed', watershedGathering),
    getGroundwaterSites: items<GroundwaterSitesQuery, GroundwaterSiteRow>('getGroundwaterSites', GROUNDWATER.sites).get,
    getWaterLevels: levels.get,
    streamWaterLevels: levels.stream,
    planWaterLevels: levels.plan,
    getLithology: items<LithologyQuery, LithologyRow>('getLithology', GROUNDWATER.lithologyObs).get,
    getWellConstruction: items<WellConstructionQuery, WellConstructionRow>(
      'getWellConstruction',
      GROUNDWATER.constructionObs,
    ).get,
    getGroundwaterProviders: items<GroundwaterProvidersQuery, GroundwaterProviderRow>(
      'getGroundwaterProviders',
      GROUNDWATER.providers,
    ).get,
    getWaterUse: table('getWaterUse', waterUseGathering),
    resumeFrom: async (checkpoint, call) =>
      collect(rest(checkpoint, call, [...makers.keys()], 'whole')) as Promise<Retrieval>,
    streamFrom: (checkpoint, call) => stream(rest(checkpoint, call, STREAMED, 'stream')),
    describeSettings: service.describeSettings,
  }
}

/** A collection's name becomes part of an address. */
function checkCollection(name: unknown): string {
  if (typeof name === 'string' && /^[A-Za-z][\w-]*$/.test(name)) return name
  throw new QueryError(`collection must be a name such as 'daily'; got ${JSON.stringify(name)}`, {
    argument: 'collection',
    value: name,
  })
}

function checkReference(name: string): string {
  if (REFERENCE_NAMES.includes(name)) return name
  const guess = nearest(String(name), REFERENCE_NAMES)
  throw new QueryError(`'${name}' is no table of codes${guess ? `; did you mean '${guess}'?` : ''}`, {
    argument: 'name',
    value: name,
  })
}

import { createStreamflow } from './client.ts'
import type { StreamflowClient } from './streamflow-client.ts'

/**
 * Streamflow and its neighbours (USGS Water Data, the network-linked data index, the groundwater network and others).
 * The getters here use a client that is made from the environment when one of them is first called: API_USGS_PAT,
 * which is optional. For a client of your own, see `createStreamflow`.
 */
let shared: StreamflowClient | undefined
const client = (): StreamflowClient => (shared ??= createStreamflow())

/** See {@link StreamflowClient.getContinuous}. */
export const getContinuous: StreamflowClient['getContinuous'] = async (query, options) =>
  client().getContinuous(query, options)
/** See {@link StreamflowClient.streamContinuous}. */
export const streamContinuous: StreamflowClient['streamContinuous'] = (query, options) =>
  client().streamContinuous(query, options)
/** See {@link StreamflowClient.planContinuous}. */
export const planContinuous: StreamflowClient['planContinuous'] = (query, options) =>
  client().planContinuous(query, options)
/** See {@link StreamflowClient.getDaily}. */
export const getDaily: StreamflowClient['getDaily'] = async (query, options) => client().getDaily(query, options)
/** See {@link StreamflowClient.streamDaily}. */
export const streamDaily: StreamflowClient['streamDaily'] = (query, options) => client().streamDaily(query, options)
/** See {@link StreamflowClient.planDaily}. */
export const planDaily: StreamflowClient['planDaily'] = (query, options) => client().planDaily(query, options)
/** See {@link StreamflowClient.getLatestContinuous}. */
export const getLatestContinuous: StreamflowClient['getLatestContinuous'] = async (query, options) =>
  client().getLatestContinuous(query, options)
/** See {@link StreamflowClient.getLatestDaily}. */
export const getLatestDaily: StreamflowClient['getLatestDaily'] = async (query, options) =>
  client().getLatestDaily(query, options)
/** See {@link StreamflowClient.getFieldMeasurements}. */
export const getFieldMeasurements: StreamflowClient['getFieldMeasurements'] = async (query, options) =>
  client().getFieldMeasurements(query, options)
/** See {@link StreamflowClient.streamFieldMeasurements}. */
export const streamFieldMeasurements: StreamflowClient['streamFieldMeasurements'] = (query, options) =>
  client().streamFieldMeasurements(query, options)
/** See {@link StreamflowClient.planFieldMeasurements}. */
export const planFieldMeasurements: StreamflowClient['planFieldMeasurements'] = (query, options) =>
  client().planFieldMeasurements(query, options)
/** See {@link StreamflowClient.getLatestFieldMeasurements}. */
export const getLatestFieldMeasurements: StreamflowClient['getLatestFieldMeasurements'] = async (query, options) =>
  client().getLatestFieldMeasurements(query, options)
/** See {@link StreamflowClient.getFieldMeasurementsMetadata}. */
export const getFieldMeasurementsMetadata: StreamflowClient['getFieldMeasurementsMetadata'] = async (query, options) =>
  client().getFieldMeasurementsMetadata(query, options)
/** See {@link StreamflowClient.getChannelMeasurements}. */
export const getChannelMeasurements: StreamflowClient['getChannelMeasurements'] = async (query, options) =>
  client().getChannelMeasurements(query, options)
/** See {@link StreamflowClient.getPeaks}. */
export const getPeaks: StreamflowClient['getPeaks'] = async (query, options) => client().getPeaks(query, options)
/** See {@link StreamflowClient.getMonitoringLocations}. */
export const getMonitoringLocations: StreamflowClient['getMonitoringLocations'] = async (query, options) =>
  client().getMonitoringLocations(query, options)
/** See {@link StreamflowClient.getTimeSeriesMetadata}. */
export const getTimeSeriesMetadata: StreamflowClient['getTimeSeriesMetadata'] = async (query, options) =>
  client().getTimeSeriesMetadata(query, options)
/** See {@link StreamflowClient.getCombinedMetadata}. */
export const getCombinedMetadata: StreamflowClient['getCombinedMetadata'] = async (query, options) =>
  client().getCombinedMetadata(query, options)
/** See {@link StreamflowClient.getReferenceTable}. */
export const getReferenceTable: StreamflowClient['getReferenceTable'] = (async (
  name: never,
  query?: never,
  options?: never,
) => client().getReferenceTable(name, query, options)) as never
/** See {@link StreamflowClient.getCollection}. */
export const getCollection: StreamflowClient['getCollection'] = async (name, query, options) =>
  client().getCollection(name, query, options)
/** See {@link StreamflowClient.streamCollection}. */
export const streamCollection: StreamflowClient['streamCollection'] = (name, query, options) =>
  client().streamCollection(name, query, options)
/** See {@link StreamflowClient.planCollection}. */
export const planCollection: StreamflowClient['planCollection'] = (name, query, options) =>
  client().planCollection(name, query, options)
/** See {@link StreamflowClient.getQueryables}. */
export const getQueryables: StreamflowClient['getQueryables'] = async (query, options) =>
  client().getQueryables(query, options)
/** See {@link StreamflowClient.getNearestContinuous}. */
export const getNearestContinuous: StreamflowClient['getNearestContinuous'] = async (query, options) =>
  client().getNearestContinuous(query, options)
/** See {@link StreamflowClient.getStatistics}. */
export const getStatistics: StreamflowClient['getStatistics'] = async (query, options) =>
  client().getStatistics(query, options)
/** See {@link StreamflowClient.getRatings}. */
export const getRatings: StreamflowClient['getRatings'] = (async (query: never, options?: never) =>
  client().getRatings(query, options)) as never
/** See {@link StreamflowClient.getFlowlines}. */
export const getFlowlines: StreamflowClient['getFlowlines'] = async (query, options) =>
  client().getFlowlines(query, options)
/** See {@link StreamflowClient.getBasin}. */
export const getBasin: StreamflowClient['getBasin'] = async (query, options) => client().getBasin(query, options)
/** See {@link StreamflowClient.getFeatures}. */
export const getFeatures: StreamflowClient['getFeatures'] = async (query, options) =>
  client().getFeatures(query, options)
/** See {@link StreamflowClient.getFeatureSources}. */
export const getFeatureSources: StreamflowClient['getFeatureSources'] = async options =>
  client().getFeatureSources(options)
/** See {@link StreamflowClient.getWatershed}. */
export const getWatershed: StreamflowClient['getWatershed'] = async (query, options) =>
  client().getWatershed(query, options)
/** See {@link StreamflowClient.getGroundwaterSites}. */
export const getGroundwaterSites: StreamflowClient['getGroundwaterSites'] = async (query, options) =>
  client().getGroundwaterSites(query, options)
/** See {@link StreamflowClient.getWaterLevels}. */
export const getWaterLevels: StreamflowClient['getWaterLevels'] = async (query, options) =>
  client().getWaterLevels(query, options)
/** See {@link StreamflowClient.streamWaterLevels}. */
export const streamWaterLevels: StreamflowClient['streamWaterLevels'] = (query, options) =>
  client().streamWaterLevels(query, options)
/** See {@link StreamflowClient.planWaterLevels}. */
export const planWaterLevels: StreamflowClient['planWaterLevels'] = (query, options) =>
  client().planWaterLevels(query, options)
/** See {@link StreamflowClient.getLithology}. */
export const getLithology: StreamflowClient['getLithology'] = async (query, options) =>
  client().getLithology(query, options)
/** See {@link StreamflowClient.getWellConstruction}. */
export const getWellConstruction: StreamflowClient['getWellConstruction'] = async (query, options) =>
  client().getWellConstruction(query, options)
/** See {@link StreamflowClient.getGroundwaterProviders}. */
export const getGroundwaterProviders: StreamflowClient['getGroundwaterProviders'] = async (query, options) =>
  client().getGroundwaterProviders(query, options)
/** See {@link StreamflowClient.getWaterUse}. */
export const getWaterUse: StreamflowClient['getWaterUse'] = async (query, options) =>
  client().getWaterUse(query, options)
/** See {@link StreamflowClient.resumeFrom}. */
export const resumeFrom: StreamflowClient['resumeFrom'] = async (checkpoint, options) =>
  client().resumeFrom(checkpoint, options)
/** See {@link StreamflowClient.streamFrom}. */
export const streamFrom: StreamflowClient['streamFrom'] = (checkpoint, options) =>
  client().streamFrom(checkpoint, options)

export { createStreamflow }
export { streamflowDescription } from './describe.ts'
export { type Batches, type StreamflowClient } from './streamflow-client.ts'
export { type OneOrMany, type TimeFilter } from './collection.ts'
export { type Cql2 } from './cql.ts'
export { type PlannedPart, type QuotaOutlook, type StreamflowPlan } from './items.ts'
export { type BasinRow, type FeatureRow, type FeatureSourceRow, type FlowlineRow } from './navigation.ts'
export {
  type BasinQuery,
  type ChannelMeasurementsQuery,
  type CollectionQuery,
  type CombinedMetadataQuery,
  type ContinuousQuery,
  type DailyQuery,
  type FeaturesQuery,
  type FieldMeasurementsMetadataQuery,
  type FieldMeasurementsQuery,
  type FlowlinesQuery,
  type GroundwaterProvidersQuery,
  type GroundwaterSitesQuery,
  type ItemsOptions,
  type ItemsQuery,
  type LatestContinuousQuery,
  type LatestDailyQuery,
  type LatestFieldMeasurementsQuery,
  type LithologyQuery,
  type MonitoringLocationsQuery,
  type Navigation,
  type NavigationOrigin,
  type NearestContinuousQuery,
  type PeaksQuery,
  type QueryablesQuery,
  type RatingsQuery,
  type ReferenceQuery,
  type ReferenceTable,
  type SpanQuery,
  type StateQuery,
  type StatisticsQuery,
  type TimeSeriesMetadataQuery,
  type WaterLevelsQuery,
  type WaterUseQuery,
  type WatershedQuery,
  type WellConstructionQuery,
} from './queries.ts'
export { type RatingFileRow, type RatingRow } from './ratings.ts'
export { parseRdb, RdbError, type RdbTable } from './rdb.ts'
export { type GeometryChoice } from './read-row.ts'
export {
  type ChannelMeasurementRow,
  type CombinedMetadataRow,
  type ContinuousRow,
  type DailyRow,
  type FieldMeasurementRow,
  type FieldSeriesRow,
  type GroundwaterProviderRow,
  type GroundwaterSiteRow,
  type LatestContinuousRow,
  type LatestDailyRow,
  type LatestFieldMeasurementRow,
  type LithologyRow,
  type MonitoringLocationRow,
  type NearestContinuousRow,
  type PeakRow,
  type QueryableRow,
  type ReferenceRow,
  type RowOf,
  type TimeSeriesRow,
  type WaterLevelRow,
  type WellConstructionRow,
} from './rows.ts'
export { type ApiVersion, type StreamflowOptions } from './service.ts'
export { type StatisticRow } from './statistics.ts'
export { type WatershedRow } from './watershed.ts'
export { type WaterUseRow } from './water-use.ts'

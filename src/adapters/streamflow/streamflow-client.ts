import type { Checkpoint } from '../../checkpoint.ts'
import type { AnyRow, Retrieval, StreamBatch } from '../../retrieval/index.ts'
import type { CallOptions, SettingOrigin } from '../../transport/index.ts'
import type { StreamflowPlan } from './items.ts'
import type { BasinRow, FeatureRow, FeatureSourceRow, FlowlineRow } from './navigation.ts'
import type {
  BasinQuery,
  ChannelMeasurementsQuery,
  CollectionQuery,
  CombinedMetadataQuery,
  ContinuousQuery,
  DailyQuery,
  FieldMeasurementsMetadataQuery,
  FieldMeasurementsQuery,
  FeaturesQuery,
  FlowlinesQuery,
  GroundwaterProvidersQuery,
  GroundwaterSitesQuery,
  LatestContinuousQuery,
  LatestDailyQuery,
  LatestFieldMeasurementsQuery,
  LithologyQuery,
  MonitoringLocationsQuery,
  NearestContinuousQuery,
  PeaksQuery,
  QueryablesQuery,
  RatingsQuery,
  ReferenceQuery,
  ReferenceTable,
  StatisticsQuery,
  TimeSeriesMetadataQuery,
  WaterLevelsQuery,
  WatershedQuery,
  WaterUseQuery,
  WellConstructionQuery,
} from './queries.ts'
import type { RatingFileRow, RatingRow } from './ratings.ts'
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
  NearestContinuousRow,
  PeakRow,
  QueryableRow,
  ReferenceRow,
  TimeSeriesRow,
  WaterLevelRow,
  WellConstructionRow,
} from './rows.ts'
import type { StatisticRow } from './statistics.ts'
import type { WatershedRow } from './watershed.ts'
import type { WaterUseRow } from './water-use.ts'

/** Batches of a stream, in order, with bounded memory. */
export type Batches<Row extends AnyRow> = AsyncGenerator<StreamBatch<Row>, void, void>

/**
 * A client of the streamflow services. As many as you like; those of one key share its quota.
 *
 * Every `get…` refuses a query that cannot work with a `QueryError` before any request, and ends in
 * `RetrievalInterrupted` when a part fails for good, or in `RequestError` when there is only one part.
 */
export interface StreamflowClient {
  /**
   * Readings as the instruments take them, every quarter of an hour mostly. Any span: it is cut to what the service
   * takes, and halved where the service is too slow. Needs `start` or `last`.
   *
   * @returns rows sorted by site, parameter, statistic and time; `completeness` where the query states a `cadence`
   * @see collection `continuous`
   */
  getContinuous(query: ContinuousQuery, options?: CallOptions): Promise<Retrieval<ContinuousRow>>
  /** The same in batches: in order within each response, responses in the order of the plan. */
  streamContinuous(query: ContinuousQuery, options?: CallOptions): Batches<ContinuousRow>
  planContinuous(query: ContinuousQuery, options?: CallOptions): StreamflowPlan
  /**
   * One value for a day: mean, maximum, minimum and so on. Without `start` the whole record.
   *
   * @returns rows sorted by site, parameter, statistic and day; `completeness` where a span was asked for
   * @see collection `daily`
   */
  getDaily(query?: DailyQuery, options?: CallOptions): Promise<Retrieval<DailyRow>>
  streamDaily(query?: DailyQuery, options?: CallOptions): Batches<DailyRow>
  planDaily(query?: DailyQuery, options?: CallOptions): StreamflowPlan
  /** The newest reading of each series; with `last: 'P7D'` those of series that still report. @see collection `latest-continuous` */
  getLatestContinuous(query?: LatestContinuousQuery, options?: CallOptions): Promise<Retrieval<LatestContinuousRow>>
  /** The newest daily value of each series. @see collection `latest-daily` */
  getLatestDaily(query?: LatestDailyQuery, options?: CallOptions): Promise<Retrieval<LatestDailyRow>>
  /** What people measured on site: discharge, stage, water level. @see collection `field-measurements` */
  getFieldMeasurements(query?: FieldMeasurementsQuery, options?: CallOptions): Promise<Retrieval<FieldMeasurementRow>>
  streamFieldMeasurements(query?: FieldMeasurementsQuery, options?: CallOptions): Batches<FieldMeasurementRow>
  planFieldMeasurements(query?: FieldMeasurementsQuery, options?: CallOptions): StreamflowPlan
  /** The newest of them for each series. @see collection `latest-field-measurements` */
  getLatestFieldMeasurements(
    query?: LatestFieldMeasurementsQuery,
    options?: CallOptions,
  ): Promise<Retrieval<LatestFieldMeasurementRow>>
  /**
   * Which series of field measurements there are. `field_series_id` is what measurements name in
   * `field_measurements_series_id`.
   *
   * @see collection `field-measurements-metadata`
   */
  getFieldMeasurementsMetadata(
    query?: FieldMeasurementsMetadataQuery,
    options?: CallOptions,
  ): Promise<Retrieval<FieldSeriesRow>>
  /** Width, area and velocity of the channel at the time of a measurement. @see collection `channel-measurements` */
  getChannelMeasurements(
    query?: ChannelMeasurementsQuery,
    options?: CallOptions,
  ): Promise<Retrieval<ChannelMeasurementRow>>
  /** The highest stage and discharge of each water year. Dates that are known in part are text as the service has it. @see collection `peaks` */
  getPeaks(query?: PeaksQuery, options?: CallOptions): Promise<Retrieval<PeakRow>>
  /** Sites, with what is known of them. @see collection `monitoring-locations` */
  getMonitoringLocations(
    query?: MonitoringLocationsQuery,
    options?: CallOptions,
  ): Promise<Retrieval<MonitoringLocationRow>>
  /** Which series of values there are, from when to when. @see collection `time-series-metadata` */
  getTimeSeriesMetadata(query?: TimeSeriesMetadataQuery, options?: CallOptions): Promise<Retrieval<TimeSeriesRow>>
  /** Sites and their series in one table. @see collection `combined-metadata` */
  getCombinedMetadata(query?: CombinedMetadataQuery, options?: CallOptions): Promise<Retrieval<CombinedMetadataRow>>
  /** A table of codes, such as `'parameter-codes'` or `'states'`; `completeness` says whether all of it came. */
  getReferenceTable<Name extends ReferenceTable>(
    name: Name,
    query?: ReferenceQuery<Name>,
    options?: CallOptions,
  ): Promise<Retrieval<ReferenceRow<Name>>>
  /**
   * Any collection by its name, with a condition in CQL2 if you like. Of a collection that is not known here the
   * filters are taken as they are named, and the columns are those that come.
   */
  getCollection(name: string, query?: CollectionQuery, options?: CallOptions): Promise<Retrieval>
  streamCollection(name: string, query?: CollectionQuery, options?: CallOptions): Batches<AnyRow>
  planCollection(name: string, query?: CollectionQuery, options?: CallOptions): StreamflowPlan
  /** What the service says a collection can be selected by. */
  getQueryables(query: QueryablesQuery, options?: CallOptions): Promise<Retrieval<QueryableRow>>
  /**
   * For every target and every series, the reading nearest to it, with `target_time` and `offset_seconds` in front.
   * Targets without a reading in their window have no row; a warning counts them.
   */
  getNearestContinuous(query: NearestContinuousQuery, options?: CallOptions): Promise<Retrieval<NearestContinuousRow>>
  /**
   * Statistics of daily values: of each day or month of the year over the whole record, or of each month and year of
   * a date range. Percentiles have a row each.
   *
   * @see the statistics service, observationNormals and observationIntervals
   */
  getStatistics(query: StatisticsQuery, options?: CallOptions): Promise<Retrieval<StatisticRow>>
  /**
   * Tables that turn a stage into a discharge, line by line; with `files: 'listed'` only which files there are.
   * A file that is gone is passed over with a warning.
   */
  getRatings(
    query: RatingsQuery & { readonly files: 'listed' },
    options?: CallOptions,
  ): Promise<Retrieval<RatingFileRow>>
  getRatings(query: RatingsQuery, options?: CallOptions): Promise<Retrieval<RatingRow>>
  /** Reaches up or down the river network from a feature or a reach. @see the network-linked data index */
  getFlowlines(query: FlowlinesQuery, options?: CallOptions): Promise<Retrieval<FlowlineRow>>
  /** The land that drains to a feature. @see the network-linked data index */
  getBasin(query: BasinQuery, options?: CallOptions): Promise<Retrieval<BasinRow>>
  /** Features along the network; one feature; the reach at a place; or all of a source. @see the network-linked data index */
  getFeatures(query: FeaturesQuery, options?: CallOptions): Promise<Retrieval<FeatureRow>>
  /** Where features come from. @see the network-linked data index */
  getFeatureSources(options?: CallOptions): Promise<Retrieval<FeatureSourceRow>>
  /** The land that drains to a place, with its characteristics. A place off the network is refused. @see the watershed service */
  getWatershed(query: WatershedQuery, options?: CallOptions): Promise<Retrieval<WatershedRow>>
  /** Wells of the groundwater network, of many agencies. */
  getGroundwaterSites(query?: GroundwaterSitesQuery, options?: CallOptions): Promise<Retrieval<GroundwaterSiteRow>>
  /** Water levels in wells. Spans are those of `sample_time`. */
  getWaterLevels(query?: WaterLevelsQuery, options?: CallOptions): Promise<Retrieval<WaterLevelRow>>
  streamWaterLevels(query?: WaterLevelsQuery, options?: CallOptions): Batches<WaterLevelRow>
  planWaterLevels(query?: WaterLevelsQuery, options?: CallOptions): StreamflowPlan
  /** What was met when a well was drilled, by depth. */
  getLithology(query?: LithologyQuery, options?: CallOptions): Promise<Retrieval<LithologyRow>>
  /** Casings and screens of wells. */
  getWellConstruction(query?: WellConstructionQuery, options?: CallOptions): Promise<Retrieval<WellConstructionRow>>
  /** Agencies that provide the groundwater network. One state at a time. */
  getGroundwaterProviders(
    query?: GroundwaterProvidersQuery,
    options?: CallOptions,
  ): Promise<Retrieval<GroundwaterProviderRow>>
  /** Modelled water use of small basins, by month or year. @see the national water availability data companion */
  getWaterUse(query: WaterUseQuery, options?: CallOptions): Promise<Retrieval<WaterUseRow>>
  /**
   * Takes up an interrupted retrieval, also one of another process, and returns what was missing.
   *
   * @throws QueryError when the checkpoint is not one of these services
   */
  resumeFrom(checkpoint: Checkpoint, options?: CallOptions): Promise<Retrieval>
  /**
   * Takes up an interrupted retrieval, and hands on what was missing batch by batch, as the `stream...` getters do: for
   * what does not fit in memory, or should be kept as it comes.
   *
   * @throws QueryError when the checkpoint is not one of theirs; RetrievalInterrupted after the batches in front
   */
  streamFrom(checkpoint: Checkpoint, options?: CallOptions): AsyncGenerator<StreamBatch<AnyRow>, void, void>
  /** Every setting with its value and where it came from; secrets only as set or not set. */
  describeSettings(): readonly SettingOrigin[]
}

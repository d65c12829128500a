import type { Checkpoint } from '../../checkpoint.ts'
import type { AnyRow, Retrieval, StreamBatch } from '../../retrieval/index.ts'
import type { CallOptions, SettingOrigin } from '../../transport/index.ts'
import type { WaterQualityPlan } from './plan.ts'
import type {
  ActivitiesQuery,
  CodesQuery,
  LegacyQuery,
  LegacySpanQuery,
  ResultsQuery,
  SamplesQuery,
  SamplesSummaryQuery,
  SitesQuery,
  SummaryQuery,
} from './queries.ts'
import type { ResultRow, ServiceRow, SiteRow } from './rows.ts'

/** Batches of a stream, in order, with bounded memory. */
export type Batches<Row extends AnyRow> = AsyncGenerator<StreamBatch<Row>, void, void>

/**
 * A client of the Water Quality Portal and of USGS Samples. As many as you like.
 *
 * Every `get…` refuses a query that cannot work with a `QueryError` before any request, and ends in
 * `RetrievalInterrupted` when a part fails for good, or in `RequestError` when there is only one part. An answer that
 * says of itself that it is not whole is never returned as if it were.
 */
export interface WaterQualityClient {
  /**
   * Results of samples and of measurements in the field. Plain dates are days as each site counts them, both ends
   * included; rows without a date match no span.
   *
   * @returns rows by day, then instant, then site; `completeness` by the service's own counts where it states them
   * @see the Portal's `Result/search`
   */
  getResults(query: ResultsQuery, options?: CallOptions): Promise<Retrieval<ResultRow>>
  /** The same in batches: in order within each response, responses in the order of their days. */
  streamResults(query: ResultsQuery, options?: CallOptions): Batches<ResultRow>
  /** How the query would be asked. The service may be asked for counts, but not for rows. */
  planResults(query: ResultsQuery, options?: CallOptions): Promise<WaterQualityPlan>
  /** Sites that match; with a span, those that have data in it. @see the Portal's `Station/search` */
  getSites(query: SitesQuery, options?: CallOptions): Promise<Retrieval<SiteRow>>
  /** Visits and samples, without their results. @see the Portal's `Activity/search` */
  getActivities(query: ActivitiesQuery, options?: CallOptions): Promise<Retrieval<ServiceRow>>
  /** Metrics of activities. Older interface only. @see the Portal's `ActivityMetric/search` */
  getActivityMetrics(query: LegacySpanQuery, options?: CallOptions): Promise<Retrieval<ServiceRow>>
  /** Biological metrics of habitats. Older interface only. @see the Portal's `BiologicalMetric/search` */
  getHabitatMetrics(query: LegacyQuery, options?: CallOptions): Promise<Retrieval<ServiceRow>>
  /** All limits of results, several rows for one. Older interface only. @see the Portal's `ResultDetectionQuantitationLimit/search` */
  getDetectionLimits(query: LegacySpanQuery, options?: CallOptions): Promise<Retrieval<ServiceRow>>
  /** Older interface only. @see the Portal's `Organization/search` */
  getOrganizations(query: LegacyQuery, options?: CallOptions): Promise<Retrieval<ServiceRow>>
  /** Older interface only. @see the Portal's `Project/search` */
  getProjects(query: LegacyQuery, options?: CallOptions): Promise<Retrieval<ServiceRow>>
  /** How projects weigh sites. Older interface only. @see the Portal's `ProjectMonitoringLocationWeighting/search` */
  getProjectWeights(query: LegacyQuery, options?: CallOptions): Promise<Retrieval<ServiceRow>>
  /**
   * How many activities and results there are, by site, year and characteristic. Older interface only.
   *
   * @see the Portal's `summary/monitoringLocation/search`, profile `periodOfRecord`
   */
  getSummary(query: SummaryQuery, options?: CallOptions): Promise<Retrieval<ServiceRow>>
  /**
   * Results, sites, activities, projects or organizations of the U.S. Geological Survey alone, in the spelling of the
   * newer interface. The service announces no counts.
   *
   * @see `/samples-data/{resource}/{profile}`
   */
  getSamples(query: SamplesQuery, options?: CallOptions): Promise<Retrieval<ResultRow>>
  streamSamples(query: SamplesQuery, options?: CallOptions): Batches<ResultRow>
  /** How the query would be asked. Sends nothing. */
  planSamples(query: SamplesQuery, options?: CallOptions): WaterQualityPlan
  /** What sites have of each characteristic, and since when. One request for each site. @see `/samples-data/summary/{site}` */
  getSamplesSummary(query: SamplesSummaryQuery, options?: CallOptions): Promise<Retrieval<ServiceRow>>
  /** A list of codes, as the service has it now; see `findCodes` for those that are kept here. @see `/Codes/{list}` */
  getCodes(query: CodesQuery, options?: CallOptions): Promise<Retrieval<ServiceRow>>
  /**
   * Takes up what a checkpoint says is missing, in this or another process. What had been received before is not in
   * the result.
   */
  resumeFrom(checkpoint: Checkpoint, options?: CallOptions): Promise<Retrieval>
  /** The same, batch by batch, as `streamResults` and `streamSamples` do. */
  streamFrom(checkpoint: Checkpoint, options?: CallOptions): AsyncGenerator<StreamBatch<AnyRow>, void, void>
  /** Every setting with its value and where it came from; secrets only as set or not set. */
  describeSettings(): readonly SettingOrigin[]
}

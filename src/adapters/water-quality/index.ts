import { createWaterQuality } from './client.ts'
import type { WaterQualityClient } from './water-quality-client.ts'

/**
 * Discrete water quality: the Water Quality Portal (USGS, EPA, states and tribes) and USGS Samples. The getters here use
 * a client that is made from the environment when one of them is first called: API_USGS_PAT, which is optional. For a
 * client of your own, see `createWaterQuality`.
 */
let shared: WaterQualityClient | undefined
const client = (): WaterQualityClient => (shared ??= createWaterQuality())

/** See {@link WaterQualityClient.getResults}. */
export const getResults: WaterQualityClient['getResults'] = async (query, options) =>
  client().getResults(query, options)
/** See {@link WaterQualityClient.streamResults}. */
export const streamResults: WaterQualityClient['streamResults'] = (query, options) =>
  client().streamResults(query, options)
/** See {@link WaterQualityClient.planResults}. */
export const planResults: WaterQualityClient['planResults'] = async (query, options) =>
  client().planResults(query, options)
/** See {@link WaterQualityClient.getSites}. */
export const getSites: WaterQualityClient['getSites'] = async (query, options) => client().getSites(query, options)
/** See {@link WaterQualityClient.getActivities}. */
export const getActivities: WaterQualityClient['getActivities'] = async (query, options) =>
  client().getActivities(query, options)
/** See {@link WaterQualityClient.getActivityMetrics}. */
export const getActivityMetrics: WaterQualityClient['getActivityMetrics'] = async (query, options) =>
  client().getActivityMetrics(query, options)
/** See {@link WaterQualityClient.getHabitatMetrics}. */
export const getHabitatMetrics: WaterQualityClient['getHabitatMetrics'] = async (query, options) =>
  client().getHabitatMetrics(query, options)
/** See {@link WaterQualityClient.getDetectionLimits}. */
export const getDetectionLimits: WaterQualityClient['getDetectionLimits'] = async (query, options) =>
  client().getDetectionLimits(query, options)
/** See {@link WaterQualityClient.getOrganizations}. */
export const getOrganizations: WaterQualityClient['getOrganizations'] = async (query, options) =>
  client().getOrganizations(query, options)
/** See {@link WaterQualityClient.getProjects}. */
export const getProjects: WaterQualityClient['getProjects'] = async (query, options) =>
  client().getProjects(query, options)
/** See {@link WaterQualityClient.getProjectWeights}. */
export const getProjectWeights: WaterQualityClient['getProjectWeights'] = async (query, options) =>
  client().getProjectWeights(query, options)
/** See {@link WaterQualityClient.getSummary}. */
export const getSummary: WaterQualityClient['getSummary'] = async (query, options) =>
  client().getSummary(query, options)
/** See {@link WaterQualityClient.getSamples}. */
export const getSamples: WaterQualityClient['getSamples'] = async (query, options) =>
  client().getSamples(query, options)
/** See {@link WaterQualityClient.streamSamples}. */
export const streamSamples: WaterQualityClient['streamSamples'] = (query, options) =>
  client().streamSamples(query, options)
/** See {@link WaterQualityClient.planSamples}. */
export const planSamples: WaterQualityClient['planSamples'] = (query, options) => client().planSamples(query, options)
/** See {@link WaterQualityClient.getSamplesSummary}. */
export const getSamplesSummary: WaterQualityClient['getSamplesSummary'] = async (query, options) =>
  client().getSamplesSummary(query, options)
/** See {@link WaterQualityClient.getCodes}. */
export const getCodes: WaterQualityClient['getCodes'] = async (query, options) => client().getCodes(query, options)
/** See {@link WaterQualityClient.resumeFrom}. */
export const resumeFrom: WaterQualityClient['resumeFrom'] = async (checkpoint, options) =>
  client().resumeFrom(checkpoint, options)
/** See {@link WaterQualityClient.streamFrom}. */
export const streamFrom: WaterQualityClient['streamFrom'] = (checkpoint, options) =>
  client().streamFrom(checkpoint, options)

export { createWaterQuality }
export { type Censored } from './censoring.ts'
export {
  CHARACTERISTIC_TYPES,
  CODES_DATE,
  findCodes,
  PROVIDERS,
  SAMPLE_MEDIA,
  SITE_TYPES,
  STATE_CODES,
  type Code,
  type CodeList,
} from './code-lists.ts'
export { waterQualityDescription } from './describe.ts'
export { type PortalInterface } from './endpoints.ts'
export { type PlannedPart, type WaterQualityPlan } from './plan.ts'
export { type Circle } from './parameters.ts'
export {
  type ActivitiesQuery,
  type CodesQuery,
  type Cutting,
  type LegacyQuery,
  type LegacySpanQuery,
  type OneOrMany,
  type PortalFilters,
  type ResultsQuery,
  type RowChoices,
  type PortalList,
  type SamplesList,
  type SamplesQuery,
  type SamplesSummaryQuery,
  type SitesQuery,
  type SummaryQuery,
} from './queries.ts'
export { type ResultRow, type ServiceRow, type SiteRow } from './rows.ts'
export { type WaterQualityOptions } from './service.ts'
export { ZONE_OFFSETS } from './zones.ts'
export { type Batches, type WaterQualityClient } from './water-quality-client.ts'

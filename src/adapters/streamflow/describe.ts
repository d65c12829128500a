import {
  describedSchema,
  type ConnectedService,
  type OperationDescription,
  type OptionDescription,
  type QuerySchema,
  type Retrieval,
  type ServiceDescription,
} from '../../retrieval/index.ts'
import type { CallOptions } from '../../transport/index.ts'
import { createStreamflow } from './client.ts'
import { collectionNamed, COLLECTIONS, GROUNDWATER, REFERENCE_NAMES } from './collections.ts'
import { kindOf, type Collection } from './collection.ts'
import { camelCase } from './names.ts'
import { querySchema, type QueryName } from './schemas.ts'
import { SERVICE } from './service.ts'
import type { StreamflowClient } from './streamflow-client.ts'

type Getter = Extract<keyof StreamflowClient, `get${string}`>

const OPTIONS: readonly OptionDescription[] = [
  { name: 'apiKey', text: 'raises the hourly quota', secret: true, variable: 'API_USGS_PAT' },
  { name: 'apiVersion', text: "version of the service's interface: v0 or v1 (default: v1)" },
  { name: 'baseUrl', text: 'address of collections, statistics, ratings and groundwater' },
  { name: 'waterUrl', text: 'address of network navigation and water use' },
  { name: 'streamStatsUrl', text: 'address of watersheds' },
]

/** What arguments mean, where their name and kind do not say it. */
const ARGUMENTS: Readonly<Record<string, QuerySchema>> = {
  start: { format: 'date-time', description: 'first instant or day, included' },
  end: { format: 'date-time', description: 'last instant or day, included (default: now)' },
  last: { description: 'in place of start: an ISO-8601 duration such as P7D, ending now' },
  zone: { description: 'zone of times that state none (default: UTC)' },
  state: { description: 'a name, postal code or FIPS code' },
  bbox: { description: 'west,south,east,north in degrees' },
  filter: { description: 'a condition in CQL2, as text or as JSON' },
  properties: { description: 'columns that the service is to send (default: all)' },
  geometry: { description: 'how places are shown (default: columns)' },
  pageSize: { description: 'records of a page; no limit of the result: for that, --max-rows' },
  checkQueryables: { description: 'first ask whether the service knows the fields that are selected by' },
  cadence: { description: 'how often the series have a value, such as PT15M: tells what is missing' },
  targets: { type: 'array', items: { format: 'date-time' }, description: 'instants in question' },
  window: { description: 'how far from a target a reading may be, to either side (default: PT7M30S)' },
  ties: { description: 'which of two readings at the same distance (default: first)' },
  comid: { description: 'number of a reach, in place of a feature' },
  featureSource: { description: 'such as nwissite or WQP; see feature-sources' },
  featureId: { description: "with the agency's prefix: USGS-05428500" },
  navigation: { description: 'upstream (UM, UT with tributaries) or downstream (DM, DD with diversions)' },
  distanceKm: { description: 'how far to go, kilometres' },
  dataSource: { description: 'which features to look for along the way' },
  latitude: { description: 'degrees north' },
  longitude: { description: 'degrees east' },
  of: { description: 'the whole record, or a range of dates (default: periodOfRecord)' },
  files: { description: 'read the files, or only list them (default: parsed)' },
  collection: { description: 'name of a collection, such as daily' },
  normalType: { description: 'days or months of the year; only for the period of record' },
  approvalStatus: { description: 'such as approved' },
  trimStart: { description: 'cut the first reach at the feature' },
  stopComid: { description: 'reach at which to stop' },
  simplified: { description: 'fewer corners (default: yes)' },
  splitCatchment: { description: 'cut the catchment at the feature' },
  region: { description: 'code of a regional study area, in place of a state' },
  includeParameters: { description: 'characteristics of the basin (default: yes)' },
  includeFlowTypes: { description: 'which statistics of flow can be had' },
  includeFeatures: { description: 'outlines (default: yes)' },
  simplify: { description: 'outlines with fewer corners (default: yes)' },
  model: { description: 'such as wu-public-supply-wd' },
  variable: { description: 'such as pswdtot' },
  county: { description: "five digits: the state's and the county's FIPS code" },
  huc: { description: '2 to 12 digits' },
  resolution: { description: "months, calendar years or water years (default: the service's)" },
  intersection: { description: 'whether areas on the border count (default: overlap)' },
}

const SITE = { monitoringLocationId: 'USGS-05428500' }
const DISCHARGE = { ...SITE, parameterCode: '00060' }
const YEAR = { start: '2024-01-01', end: '2024-12-31' }
const DAY = { start: '2024-01-01', end: '2024-01-01T23:45' }

/** Getters of one collection: what they are and a query that works. */
const ITEMS: Readonly<Partial<Record<Getter, readonly [collection: Collection, summary: string, example: object]>>> = {
  getContinuous: [COLLECTIONS.continuous, 'readings as the instruments take them', { ...DISCHARGE, ...DAY }],
  getDaily: [COLLECTIONS.daily, 'one value for a day', { ...DISCHARGE, ...YEAR }],
  getLatestContinuous: [COLLECTIONS['latest-continuous'], 'the newest reading of each series', DISCHARGE],
  getLatestDaily: [COLLECTIONS['latest-daily'], 'the newest daily value of each series', DISCHARGE],
  getFieldMeasurements: [COLLECTIONS['field-measurements'], 'what people measured on site', SITE],
  getLatestFieldMeasurements: [COLLECTIONS['latest-field-measurements'], 'the newest of them for each series', SITE],
  getFieldMeasurementsMetadata: [
    COLLECTIONS['field-measurements-metadata'],
    'which series of field measurements there are',
    SITE,
  ],
  getChannelMeasurements: [COLLECTIONS['channel-measurements'], 'width, area and velocity of the channel', SITE],
  getPeaks: [COLLECTIONS.peaks, 'the highest stage and discharge of each water year', SITE],
  getMonitoringLocations: [COLLECTIONS['monitoring-locations'], 'sites, with what is known of them', SITE],
  getTimeSeriesMetadata: [COLLECTIONS['time-series-metadata'], 'which series of values there are', SITE],
  getCombinedMetadata: [COLLECTIONS['combined-metadata'], 'sites and their series in one table', SITE],
  getGroundwaterSites: [GROUNDWATER.sites, 'wells of the groundwater network', { state: 'WI' }],
  getWaterLevels: [GROUNDWATER.waterLevelObs, 'water levels in wells', YEAR],
  getLithology: [GROUNDWATER.lithologyObs, 'what was met when a well was drilled, by depth', {}],
  getWellConstruction: [GROUNDWATER.constructionObs, 'casings and screens of wells', {}],
  getGroundwaterProviders: [GROUNDWATER.providers, 'agencies that provide the groundwater network', { state: 'WI' }],
}

const FEATURE = { featureSource: 'nwissite', featureId: 'USGS-05428500' }

/** Getters of services that are no collections. */
const QUERIES: Readonly<Partial<Record<Getter & QueryName, readonly [summary: string, example: object]>>> = {
  getStatistics: ['statistics of daily values', DISCHARGE],
  getRatings: ['tables that turn a stage into a discharge', SITE],
  getFlowlines: ['reaches up or down the river network', { ...FEATURE, navigation: 'UM', distanceKm: 10 }],
  getBasin: ['the land that drains to a feature', FEATURE],
  getFeatures: ['features along the network, one feature, or the reach at a place', FEATURE],
  getFeatureSources: ['where features come from', {}],
  getWatershed: ['the land that drains to a place', { state: 'WI', longitude: -89.4, latitude: 43.07 }],
  getWaterUse: [
    'modelled water use of small basins',
    { model: 'wu-public-supply-wd', variable: 'pswdtot', state: 'RI', resolution: 'annualcy', start: '2020' },
  ],
  getQueryables: ['what the service says a collection can be selected by', { collection: 'daily' }],
}

const OPERATIONS: readonly OperationDescription[] = [
  ...Object.entries(ITEMS).map(([operation, [collection, summary, query]]) => ({
    operation,
    summary,
    query: () => describedSchema(querySchema(collection), aboutFilters(collection)),
    example: { query: { ...query } },
  })),
  {
    operation: 'getNearestContinuous',
    summary: 'for every instant in question, the reading nearest to it',
    query: () => describedSchema(querySchema(COLLECTIONS.continuous, 'nearest'), aboutFilters(COLLECTIONS.continuous)),
    example: { query: { ...DISCHARGE, targets: ['2024-01-01T12:00', '2024-01-02T12:00'] } },
  },
  {
    operation: 'getReferenceTable',
    summary: 'a table of codes',
    name: { text: 'name of the table', choices: REFERENCE_NAMES },
    query: () => describedSchema(querySchema(collectionNamed(''), 'any'), ARGUMENTS),
    example: { name: 'site-types', query: {} },
  },
  {
    operation: 'getCollection',
    summary: 'any collection by its name',
    name: { text: 'name of the collection, such as daily' },
    query: () => describedSchema(querySchema(collectionNamed(''), 'any'), ARGUMENTS),
    example: { name: 'daily', query: { ...YEAR, monitoringLocationId: SITE.monitoringLocationId } },
  },
  ...Object.entries(QUERIES).map(([operation, [summary, query]]) => ({
    operation,
    summary,
    query: () => describedSchema(querySchema(operation as QueryName), ARGUMENTS),
    example: { query: { ...query } },
  })),
]

/** The streamflow services as data, for programs that are made from their getters. */
export const streamflowDescription: ServiceDescription = {
  service: SERVICE,
  options: OPTIONS,
  operations: OPERATIONS,
  codeTables: REFERENCE_NAMES,
  connect(options = {}): ConnectedService {
    const client = createStreamflow(options)
    return {
      describeSettings: () => client.describeSettings(),
      ask: async (operation, query, call = {}, name = '') =>
        ask(client, operation as Getter, query as never, call, name),
      codes: async (table, call = {}) => ask(client, 'getReferenceTable', {} as never, call, table),
    }
  },
}

function ask(
  client: StreamflowClient,
  operation: Getter,
  query: never,
  call: CallOptions,
  name: string,
): Promise<Retrieval> {
  switch (operation) {
    case 'getReferenceTable':
    case 'getCollection':
      return client[operation](name as never, query, call) as Promise<Retrieval>
    case 'getFeatureSources':
      return client.getFeatureSources(call)
    default:
      return client[operation](query, call) as Promise<Retrieval>
  }
}

/** What the filters of a collection may say, beside the arguments that all collections have. */
function aboutFilters(collection: Collection): Readonly<Record<string, QuerySchema>> {
  const filters = collection.filters.map((field): [string, QuerySchema] => {
    const isTime = ['instant', 'utc', 'zoned'].includes(kindOf(collection, field))
    return [
      camelCase(field),
      isTime
        ? { format: 'interval', description: 'an instant, a stretch such as 2024-01-01/.., or a duration such as P7D' }
        : {},
    ]
  })
  return { ...Object.fromEntries(filters), ...ARGUMENTS }
}

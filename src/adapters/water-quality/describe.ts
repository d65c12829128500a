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
import { createWaterQuality } from './client.ts'
import { PORTAL_LISTS } from './codes-question.ts'
import { querySchema, type QueryName } from './schemas.ts'
import { SERVICE } from './service.ts'
import type { WaterQualityClient } from './water-quality-client.ts'

const OPTIONS: readonly OptionDescription[] = [
  { name: 'apiKey', text: 'raises the hourly quota of Samples', secret: true, variable: 'API_USGS_PAT' },
  { name: 'baseUrl', text: 'address of the Water Quality Portal' },
  { name: 'samplesUrl', text: 'address of USGS Samples' },
]

/** What arguments mean, where their name and kind do not say it. */
const ARGUMENTS: Readonly<Record<string, QuerySchema>> = {
  start: { format: 'date-time', description: 'first day, as each site counts it, or instant; included' },
  end: { format: 'date-time', description: 'last day or instant, included (default: today)' },
  last: { description: 'in place of start: an ISO-8601 duration such as P1Y, ending now' },
  zone: { description: 'zone of times that state none (default: UTC)' },
  derive: { description: "columns made of the service's own, such as value and censored (default: yes)" },
  zones: { description: 'zone codes beside those that are known: hours from UTC, such as {"SST":-11}' },
  bbox: { description: 'west,south,east,north in degrees' },
  near: { description: 'a place and miles around it: {"latitude":43,"longitude":-89,"miles":5}' },
  siteId: { description: 'with the prefix of the agency: USGS-05406500' },
  stateCode: { description: 'such as US:17' },
  countyCode: { description: 'such as US:17:031' },
  countryCode: { description: 'such as US' },
  huc: { description: '2 to 12 digits: whatever lies in the unit' },
  parameterCode: { description: 'five digits; only rows of the Survey have one' },
  analyticalMethod: { description: 'address of a method' },
  minActivities: { description: 'only sites with so many activities or more' },
  minResults: { description: 'only sites with so many results or more' },
  nldiUrl: { description: 'address of a navigation: the sites that it leads to' },
  interface: { description: 'the newer one, or the older one (default: the newer one, where it has the table)' },
  profile: { description: 'which columns (default: see the guide)' },
  repeats: { description: 'rows of several providers that say the same (default: keep)' },
  pieceRows: { description: 'rows that a request is planned to bring; no limit of the result: for that, --max-rows' },
  count: { description: 'first ask how many rows there are, to divide the query (default: where it is large)' },
  years: { description: 'how many years back (default: all)' },
  resource: { description: 'what is asked for (default: results)' },
  monitoringLocationIdentifier: { description: 'with the prefix of the agency: USGS-05406500' },
  list: { description: 'name of the list, such as characteristicname' },
  from: { description: 'whose list (default: portal)' },
  text: { description: 'only codes that hold this text' },
  group: { description: 'characteristics of this group; only of Samples' },
}

const PHOSPHORUS = { stateCode: 'US:55', characteristicName: 'Phosphorus' }
const MONTH = { start: '2022-06-01', end: '2022-06-30' }
const SITE = { monitoringLocationIdentifier: 'USGS-05406500' }

/** What each getter asks, and a query that works. */
const ENTRIES: Readonly<Record<QueryName, readonly [summary: string, example: object]>> = {
  getResults: ['results of samples and field measurements', { ...PHOSPHORUS, ...MONTH }],
  getSites: ['sites that match; with a span, those that have data in it', PHOSPHORUS],
  getActivities: ['visits and samples without their results', { ...PHOSPHORUS, ...MONTH }],
  getActivityMetrics: ['metrics of activities', { stateCode: 'US:55', ...MONTH }],
  getHabitatMetrics: ['metrics of habitats', { stateCode: 'US:55' }],
  getDetectionLimits: ['all limits of results, several rows for one', { ...PHOSPHORUS, ...MONTH }],
  getOrganizations: ['who sampled', { stateCode: 'US:55' }],
  getProjects: ['what samples were taken for', { stateCode: 'US:55' }],
  getProjectWeights: ['how projects weigh sites', { stateCode: 'US:55' }],
  getSummary: ['counts by site, year and characteristic', { ...PHOSPHORUS, years: 5 }],
  getSamples: ['results, sites, activities, projects or organizations of the Survey', { ...SITE, ...MONTH }],
  getSamplesSummary: ['what a site has of each characteristic, and since when', SITE],
  getCodes: ['a list of codes as it is now', { list: 'characteristicname', text: 'phosph' }],
}

/** The water-quality services as data, for programs that are made from their getters. */
export const waterQualityDescription: ServiceDescription = {
  service: SERVICE,
  options: OPTIONS,
  operations: Object.entries(ENTRIES).map(([operation, [summary, query]]): OperationDescription => ({
    operation,
    summary,
    query: () => describedSchema(querySchema(operation as QueryName), ARGUMENTS),
    example: { query: { ...query } },
  })),
  codeTables: PORTAL_LISTS,
  connect(options = {}): ConnectedService {
    const client = createWaterQuality(options)
    return {
      describeSettings: () => client.describeSettings(),
      ask: async (operation, query, call) => ask(client, operation as QueryName, query as never, call),
      codes: async (list, call) => ask(client, 'getCodes', { list } as never, call),
    }
  },
}

/** The query is checked by the getter itself. */
function ask(client: WaterQualityClient, operation: QueryName, query: never, call?: CallOptions): Promise<Retrieval> {
  return client[operation](query, call)
}

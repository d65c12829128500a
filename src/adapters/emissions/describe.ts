import {
  Retrieval,
  describedSchema,
  type OperationDescription,
  type OptionDescription,
  type QuerySchema,
  type ServiceDescription,
} from '../../retrieval/index.ts'
import type { CallOptions } from '../../transport/index.ts'
import type { AccountAnswer } from './account.ts'
import { createEmissions, type EmissionsClient } from './client.ts'
import { querySchema, type QueryName } from './schemas.ts'
import { SERVICE } from './service.ts'

/** Calls one getter. The query is checked by the getter itself. */
type Ask = (client: EmissionsClient, query: never, options: CallOptions) => Promise<Retrieval>

interface Entry {
  readonly operation: string
  readonly query: QueryName
  readonly summary: string
  readonly example: Readonly<Record<string, unknown>>
  readonly ask: Ask
}

const OPTIONS: readonly OptionDescription[] = [
  { name: 'username', text: 'user name of the account', secret: true, variable: 'WATTTIME_USER' },
  { name: 'password', text: 'password of the account', secret: true, variable: 'WATTTIME_PASSWORD' },
  { name: 'baseUrl', text: 'address of the service', variable: 'WATTTIME_API_URL' },
]

/** What arguments mean. The schemas say what they may be. */
const ARGUMENTS: Readonly<Record<string, QuerySchema>> = {
  region: { description: 'code of the grid region, such as CAISO_NORTH' },
  signalType: { description: "signal, such as co2_moer, co2_aoer or health_damage (default: the operation's own)" },
  model: { description: "date of the model version, such as 2023-03-01 (default: the service's)" },
  start: { format: 'date-time', description: 'first instant, included' },
  end: { format: 'date-time', description: 'last instant, included (default: now)' },
  last: { description: 'in place of start: an ISO-8601 duration such as P7D, ending now' },
  zone: { description: 'zone of times that state none (default: UTC)' },
  includeImputedMarker: { description: 'adds the column imputed_data_used' },
  updatedSince: { format: 'date-time', description: 'only rows revised since; adds the column last_updated' },
  horizonHours: { description: 'hours ahead, 0 to 72 (default: 24)' },
  year: { description: 'year on whose calendar the averages are laid' },
  holidays: {
    description: 'country whose public holidays count as weekend, or a part of one, such as US-CA (default: US)',
  },
  dates: { items: { format: 'date-time' }, description: 'in place of a span: days' },
  latitude: { description: 'degrees north' },
  longitude: { description: 'degrees east' },
  username: { format: 'password', description: 'user name of the account' },
  password: { format: 'password', description: 'at least 8 characters with a letter, a digit and a special character' },
  email: { description: 'where the service writes to' },
  org: { description: 'organisation' },
}

const MONTH = { region: 'CAISO_NORTH', start: '2024-01-01', end: '2024-01-31T23:55' }

const ENTRIES: readonly Entry[] = [
  {
    operation: 'getHistorical',
    query: 'historical',
    summary: 'published values of a signal, oldest first',
    example: MONTH,
    ask: (client, query, options) => client.getHistorical(query, options),
  },
  {
    operation: 'getForecast',
    query: 'forecast',
    summary: 'the newest forecast',
    example: { region: 'CAISO_NORTH', horizonHours: 24 },
    ask: (client, query, options) => client.getForecast(query, options),
  },
  {
    operation: 'getHistoricalForecast',
    query: 'historicalForecast',
    summary: 'forecasts as they were made, by when they were made',
    example: { region: 'CAISO_NORTH', start: '2024-01-01', end: '2024-01-01T01:00', horizonHours: 1 },
    ask: (client, query, options) => client.getHistoricalForecast(query, options),
  },
  {
    operation: 'getSignalIndex',
    query: 'signalIndex',
    summary: 'how the present compares, 0 (clean) to 100 (dirty)',
    example: { region: 'CAISO_NORTH' },
    ask: (client, query, options) => client.getSignalIndex(query, options),
  },
  {
    operation: 'getFuelMix',
    query: 'fuelMix',
    summary: 'share of each fuel at the margin (beta)',
    example: MONTH,
    ask: (client, query, options) => client.getFuelMix(query, options),
  },
  {
    operation: 'getRegion',
    query: 'region',
    summary: 'the grid region of a place',
    example: { latitude: 42.372, longitude: -72.519 },
    ask: (client, query, options) => client.getRegion(query, options),
  },
  {
    operation: 'getAccess',
    query: 'access',
    summary: 'what the account may ask for',
    example: {},
    ask: (client, query, options) => client.getAccess(query, options),
  },
  {
    operation: 'getMaps',
    query: 'maps',
    summary: 'outlines of all regions of a signal, as GeoJSON geometries',
    example: { signalType: 'co2_moer' },
    ask: (client, query, options) => client.getMaps(query, options),
  },
  {
    operation: 'getTypicalYear',
    query: 'typicalYear',
    summary: 'hour by hour, what is usual in a year: averages of three years of history',
    example: { region: 'CAISO_NORTH', zone: 'America/Los_Angeles', year: 2026, end: '2025-12-31' },
    ask: (client, query, options) => client.getTypicalYear(query, options),
  },
  {
    operation: 'register',
    query: 'register',
    summary: 'opens an account; sent once, never repeated',
    example: { email: 'someone@example.org', org: 'Example' },
    ask: async (client, query, options) => accountTable('register', await client.register(query, options)),
  },
  {
    operation: 'requestPasswordReset',
    query: 'passwordReset',
    summary: "has a link to a new password sent to the account's e-mail address",
    example: {},
    ask: async (client, query, options) =>
      accountTable('requestPasswordReset', await client.requestPasswordReset(query, options)),
  },
]

/** The emissions service as data, for programs that are made from its getters. */
export const emissionsDescription: ServiceDescription = {
  service: SERVICE,
  options: OPTIONS,
  operations: ENTRIES.map(({ operation, query, summary, example }): OperationDescription => ({
    operation,
    summary,
    query: () => describedSchema(querySchema(query), ARGUMENTS),
    example: { query: example },
  })),
  connect(options = {}) {
    const client = createEmissions(options)
    return {
      describeSettings: () => client.describeSettings(),
      async ask(operation, query, call = {}) {
        const entry = ENTRIES.find(one => one.operation === operation) as Entry
        return entry.ask(client, query as never, call)
      },
    }
  },
}

/** The service's words on an account as a table of one row. Not whose account it is: that is half of a credential. */
function accountTable(operation: string, { ok }: AccountAnswer): Retrieval {
  return new Retrieval({
    service: SERVICE,
    operation,
    rows: [{ ok }],
    meta: [],
    columns: [{ name: 'ok', kind: 'text' }],
    warnings: [],
    completeness: undefined,
  })
}

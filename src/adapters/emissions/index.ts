import { createEmissions, type EmissionsClient } from './client.ts'

/**
 * Grid-emission signals (WattTime). The getters here use a client that is made from the environment when one of
 * them is first called: WATTTIME_USER, WATTTIME_PASSWORD, WATTTIME_API_URL. For a client of your own, see
 * `createEmissions`.
 */
let shared: EmissionsClient | undefined

function client(): EmissionsClient {
  if (shared) return shared
  const made = createEmissions()
  // Without credentials it is made anew the next time: they may have been set by then.
  const lacking = made.describeSettings().some(({ value }) => value === 'not set')
  if (!lacking) shared = made
  return made
}

/** See {@link EmissionsClient.getAccess}. */
export const getAccess: EmissionsClient['getAccess'] = async (query, options) => client().getAccess(query, options)
/** See {@link EmissionsClient.getRegion}. */
export const getRegion: EmissionsClient['getRegion'] = async (query, options) => client().getRegion(query, options)
/** See {@link EmissionsClient.getHistorical}. */
export const getHistorical: EmissionsClient['getHistorical'] = async (query, options) =>
  client().getHistorical(query, options)
/** See {@link EmissionsClient.streamHistorical}. */
export const streamHistorical: EmissionsClient['streamHistorical'] = (query, options) =>
  client().streamHistorical(query, options)
/** See {@link EmissionsClient.planHistorical}. */
export const planHistorical: EmissionsClient['planHistorical'] = (query, options) =>
  client().planHistorical(query, options)
/** See {@link EmissionsClient.getForecast}. */
export const getForecast: EmissionsClient['getForecast'] = async (query, options) =>
  client().getForecast(query, options)
/** See {@link EmissionsClient.getHistoricalForecast}. */
export const getHistoricalForecast: EmissionsClient['getHistoricalForecast'] = async (query, options) =>
  client().getHistoricalForecast(query, options)
/** See {@link EmissionsClient.streamHistoricalForecast}. */
export const streamHistoricalForecast: EmissionsClient['streamHistoricalForecast'] = (query, options) =>
  client().streamHistoricalForecast(query, options)
/** See {@link EmissionsClient.planHistoricalForecast}. */
export const planHistoricalForecast: EmissionsClient['planHistoricalForecast'] = (query, options) =>
  client().planHistoricalForecast(query, options)
/** See {@link EmissionsClient.getSignalIndex}. */
export const getSignalIndex: EmissionsClient['getSignalIndex'] = async (query, options) =>
  client().getSignalIndex(query, options)
/** See {@link EmissionsClient.getFuelMix}. */
export const getFuelMix: EmissionsClient['getFuelMix'] = async (query, options) => client().getFuelMix(query, options)
/** See {@link EmissionsClient.streamFuelMix}. */
export const streamFuelMix: EmissionsClient['streamFuelMix'] = (query, options) =>
  client().streamFuelMix(query, options)
/** See {@link EmissionsClient.planFuelMix}. */
export const planFuelMix: EmissionsClient['planFuelMix'] = (query, options) => client().planFuelMix(query, options)
/** See {@link EmissionsClient.getMaps}. */
export const getMaps: EmissionsClient['getMaps'] = async (query, options) => client().getMaps(query, options)
/** See {@link EmissionsClient.getTypicalYear}. */
export const getTypicalYear: EmissionsClient['getTypicalYear'] = async (query, options) =>
  client().getTypicalYear(query, options)
/** See {@link EmissionsClient.register}. */
export const register: EmissionsClient['register'] = async (query, options) => client().register(query, options)
/** See {@link EmissionsClient.requestPasswordReset}. */
export const requestPasswordReset: EmissionsClient['requestPasswordReset'] = async (query, options) =>
  client().requestPasswordReset(query, options)
/** See {@link EmissionsClient.resumeFrom}. */
export const resumeFrom: EmissionsClient['resumeFrom'] = async (checkpoint, options) =>
  client().resumeFrom(checkpoint, options)
/** See {@link EmissionsClient.streamFrom}. */
export const streamFrom: EmissionsClient['streamFrom'] = (checkpoint, options) =>
  client().streamFrom(checkpoint, options)

export { createEmissions, type EmissionsClient, type EmissionsPlan } from './client.ts'
export { emissionsDescription } from './describe.ts'
export { type AccountAnswer } from './account.ts'
export {
  type AccessQuery,
  type ForecastQuery,
  type FuelMixQuery,
  type HistoricalForecastQuery,
  type HistoricalQuery,
  type MapsQuery,
  type PasswordResetQuery,
  type RegionQuery,
  type RegisterQuery,
  type SignalIndexQuery,
  type SignalQuery,
  type SpanQuery,
  type TypicalYearQuery,
} from './queries.ts'
export {
  type AccessRow,
  type ForecastRow,
  type FuelMixRow,
  type HistoricalRow,
  type MapRow,
  type RegionRow,
  type TypicalYearRow,
} from './rows.ts'
export { type EmissionsOptions } from './service.ts'

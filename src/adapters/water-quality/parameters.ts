import { QueryError } from '../../errors.ts'
import { dateText } from './zones.ts'

/** Filters of the Portal by our names, with the service's own. There are no others: it ignores unknown names without a word. */
export const PORTAL_FILTERS = {
  siteId: 'siteid',
  stateCode: 'statecode',
  countyCode: 'countycode',
  countryCode: 'countrycode',
  huc: 'huc',
  siteType: 'siteType',
  sampleMedia: 'sampleMedia',
  characteristicName: 'characteristicName',
  characteristicType: 'characteristicType',
  organization: 'organization',
  project: 'project',
  providers: 'providers',
  assemblage: 'assemblage',
  subjectTaxonomicName: 'subjectTaxonomicName',
  parameterCode: 'pCode',
  analyticalMethod: 'analyticalmethod',
  minActivities: 'minactivities',
  minResults: 'minresults',
  nldiUrl: 'nldiurl',
} as const

/** The same of Samples. */
export const SAMPLES_FILTERS = {
  monitoringLocationIdentifier: 'monitoringLocationIdentifier',
  countryFips: 'countryFips',
  stateFips: 'stateFips',
  countyFips: 'countyFips',
  hydrologicUnit: 'hydrologicUnit',
  activityMediaName: 'activityMediaName',
  activityTypeCode: 'activityTypeCode',
  siteTypeCode: 'siteTypeCode',
  siteTypeName: 'siteTypeName',
  characteristicGroup: 'characteristicGroup',
  characteristic: 'characteristic',
  characteristicUserSupplied: 'characteristicUserSupplied',
  usgsPCode: 'usgsPCode',
  projectIdentifier: 'projectIdentifier',
  organizationIdentifier: 'organizationIdentifier',
  recordIdentifierUserSupplied: 'recordIdentifierUserSupplied',
} as const

/** A name of the service with its values, in order. */
export type Pair = readonly [name: string, values: readonly string[]]

/** A place and how far around it. */
export interface Circle {
  readonly latitude: number
  readonly longitude: number
  readonly miles: number
}

/** The filters of a query in the service's words. */
export function pairsOf(
  query: Readonly<Record<string, unknown>>,
  filters: Readonly<Record<string, string>>,
  circle: readonly [latitude: string, longitude: string, miles: string],
  box: string,
): Pair[] {
  const pairs = Object.entries(filters).flatMap(([ours, theirs]): Pair[] => {
    const values = valuesOf(query[ours]).map(value => spelled(ours, value))
    return values.length === 0 ? [] : [[theirs, values]]
  })
  const bbox = query['bbox'] as readonly number[] | undefined
  const near = query['near'] as Circle | undefined
  if (bbox) pairs.push([box, [bbox.join(',')]])
  if (near) {
    pairs.push([circle[0], [String(near.latitude)]], [circle[1], [String(near.longitude)]])
    pairs.push([circle[2], [String(near.miles)]])
  }
  return pairs
}

/** A code with only digits would be compared with `US:17`, and match nothing. */
function spelled(name: string, value: string): string {
  if (name === 'stateCode' && /^\d{1,2}$/.test(value)) return `US:${value.padStart(2, '0')}`
  if (name === 'countyCode' && /^\d{1,2}:\d{3}$/.test(value)) return `US:${value.padStart(6, '0')}`
  if (name === 'stateFips' && /^\d{1,2}$/.test(value)) return `US:${value.padStart(2, '0')}`
  if (name === 'countyFips' && /^\d{1,2}:\d{3}$/.test(value)) return `US:${value.padStart(6, '0')}`
  return value
}

function valuesOf(given: unknown): string[] {
  if (given === undefined) return []
  return [...new Set([given].flat().map(value => String(value).trim()))]
}

/**
 * Values of lists are parted at semicolons by the older interface, so none may hold one. Commas are part of names.
 *
 * @throws QueryError
 */
export function checkSemicolons(pairs: readonly Pair[]): void {
  for (const [name, values] of pairs) {
    const odd = values.find(value => value.includes(';'))
    if (odd !== undefined)
      throw new QueryError(`${name}: '${odd}' holds a semicolon, at which the service would part it in two`, {
        argument: name,
        value: odd,
      })
  }
}

/** A day as the Portal takes it: `MM-DD-YYYY`. */
export function portalDate(ms: number): string {
  const [year, month, day] = dateText(ms).split('-')
  return `${month}-${day}-${year}`
}

/** A value as it stands in an address. */
export function encode(text: string): string {
  return encodeURIComponent(text).replaceAll("'", '%27')
}

/** Names with their values: lists repeat their name, or stand in one value with semicolons between. */
export function queryText(pairs: readonly Pair[], lists: 'repeated' | 'semicolons'): string {
  return pairs
    .flatMap(([name, values]) =>
      lists === 'semicolons'
        ? [`${encode(name)}=${values.map(encode).join('%3B')}`]
        : values.map(value => `${encode(name)}=${encode(value)}`),
    )
    .join('&')
}

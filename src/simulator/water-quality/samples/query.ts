import { daysBetween } from '../select/selection.ts'
import type { Filter } from '../select/filter.ts'
import { dayOf } from '../world/calendar.ts'
import { newerTypeOf } from '../world/details.ts'
import type { SiteKind } from '../world/sites.ts'
import { badRequest } from './errors.ts'

/** Codes of the kinds of sites. */
export const KIND_CODES: Readonly<Record<string, SiteKind>> = {
  ST: 'Stream',
  LK: 'Lake, Reservoir, Impoundment',
  GW: 'Well',
  SP: 'Spring',
}

/**
 * What the parameters ask for. Lists are repeated names, never divided; names that nobody knows are passed over.
 *
 * @throws Refusal for a value that makes no sense
 */
export function readQuery(query: URLSearchParams): Filter {
  const set = (name: string): ReadonlySet<string> | undefined => {
    const values = query.getAll(name).filter(value => value !== '')
    return values.length === 0 ? undefined : new Set(values)
  }
  const types = set('activityTypeCode')
  const organizations = set('organizationIdentifier')
  const countries = set('countryFips')
  const areas = areasOf(query)
  const circle = circleOf(query)
  const wanted = {
    sites: set('monitoringLocationIdentifier'),
    areas,
    hucs: hucsOf(query),
    box: boxOf(query),
    boxHasEdges: true,
    circle,
    kinds: kindsOf(query),
    days: daysBetween(dateOf(query, 'activityStartDateLower'), dateOf(query, 'activityStartDateUpper')),
    media: set('activityMediaName'),
    projects: set('projectIdentifier'),
    isActivity: types && ((activity: Parameters<typeof newerTypeOf>[0]) => types.has(newerTypeOf(activity))),
    names: set('characteristic'),
    longNames: set('characteristicUserSupplied'),
    groups: set('characteristicGroup'),
    pcodes: set('usgsPCode'),
    isHopeless:
      (organizations !== undefined && !organizations.has('USGS')) ||
      (areas === undefined && countries !== undefined && !countries.has('US')) ||
      query.has('recordIdentifierUserSupplied'),
  }
  return Object.fromEntries(Object.entries(wanted).filter(([, value]) => value !== undefined)) as Filter
}

function dateOf(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name)
  if (text === null || text === '') return undefined
  const day = dayOf(text)
  if (day === undefined) throw badRequest(`${name} must be a date in the format YYYY-MM-DD, got ${text}`)
  return day
}

function boxOf(query: URLSearchParams): Filter['box'] | undefined {
  const text = query.get('boundingBox')
  if (text === null) return undefined
  const parts = text.split(',').map(Number)
  if (parts.length !== 4 || parts.some(Number.isNaN)) throw badRequest('boundingBox must be west,south,east,north')
  const [west = 0, south = 0, east = 0, north = 0] = parts
  return [west, south, east, north]
}

function circleOf(query: URLSearchParams): Filter['circle'] | undefined {
  const names = ['pointLocationLatitude', 'pointLocationLongitude', 'pointLocationWithinMiles']
  const given = names.filter(name => query.has(name))
  if (given.length === 0) return undefined
  if (given.length < names.length) throw badRequest(`${names.join(', ')} must be given together`)
  const [latitude = 0, longitude = 0, miles = 0] = names.map(name => Number(query.get(name)))
  return { latitude, longitude, miles }
}

function areasOf(query: URLSearchParams): ReadonlySet<string> | undefined {
  const states = query.getAll('stateFips')
  const counties = query.getAll('countyFips')
  if (states.length + counties.length === 0) return undefined
  return new Set([...states, ...counties].map(code => code.replace(/^US:/, '')))
}

function hucsOf(query: URLSearchParams): readonly string[] | undefined {
  const hucs = query.getAll('hydrologicUnit')
  if (hucs.length === 0) return undefined
  const wrong = hucs.find(huc => !/^(\d\d){1,6}$/.test(huc))
  if (wrong !== undefined) throw badRequest(`hydrologicUnit must have 2 to 12 digits, got ${wrong}`)
  return hucs
}

function kindsOf(query: URLSearchParams): ReadonlySet<string> | undefined {
  const codes = query.getAll('siteTypeCode')
  const names = query.getAll('siteTypeName')
  if (codes.length + names.length === 0) return undefined
  return new Set([...names, ...codes.map(code => KIND_CODES[code] ?? code)])
}

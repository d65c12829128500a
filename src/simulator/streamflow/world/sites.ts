import { hashText, mix, unit } from '../../hash.ts'
import type { Fields } from '../json.ts'
import { COUNTIES, STATES, type State } from './states.ts'

/** Kinds of place: code and name. */
export const SITE_TYPES: readonly (readonly [code: string, name: string, description: string])[] = [
  ['GW', 'Well', 'A hole or shaft constructed in the earth'],
  ['LK', 'Lake, Reservoir, Impoundment', 'An inland body of standing fresh or saline water'],
  ['SP', 'Spring', 'A location at which the water table intersects the land surface'],
  ['ST', 'Stream', 'A body of running water moving under gravity flow in a defined channel'],
]

/** A monitoring location. */
export interface Site {
  /** Place in the list, from 0. What a site has follows from it. */
  readonly n: number
  readonly id: string
  readonly agency: string
  readonly number: string
  readonly typeCode: string
  readonly state: State
  readonly county: readonly [code: string, name: string]
  readonly hydrologicUnit: string
  readonly coordinates: readonly [longitude: number, latitude: number]
  readonly hash: number
}

/** Number of the first site that need not be a stream: those before it all are, and have discharge. */
export const FIRST_MIXED = 1000

/** Identifier of the n-th site, counted from 0: `USGS-01000000` and on. */
export function siteId(n: number): string {
  return `USGS-${String(1_000_000 + n).padStart(8, '0')}`
}

/** @param n - its place, which says what it has */
export function createSite(id: string, n: number): Site {
  const hash = hashText(id)
  const state = STATES[Math.floor(n / 20) % STATES.length] ?? (STATES[0] as State)
  const [west, south, east, north] = state.box
  const dash = id.indexOf('-')
  return {
    n,
    id,
    agency: id.slice(0, dash),
    number: id.slice(dash + 1),
    typeCode: typeOf(n),
    state,
    county: COUNTIES[n % COUNTIES.length] ?? ['001', ''],
    hydrologicUnit: unitOf(state.region, n),
    coordinates: [
      round(west + (east - west) * unit(mix(hash, 11)), 10),
      round(south + (north - south) * unit(mix(hash, 12)), 10),
    ],
    hash,
  }
}

function typeOf(n: number): string {
  if (n < FIRST_MIXED) return 'ST'
  return { 7: 'GW', 8: 'LK', 9: 'SP' }[n % 10] ?? 'ST'
}

/** Eight digits for some, twelve for the rest. */
function unitOf(region: string, n: number): string {
  const pairs = [9, 7, 5, 8, 6].map(step => String(1 + (n % step)).padStart(2, '0'))
  return region + (n % 9 === 4 ? pairs.slice(0, 3) : pairs).join('')
}

function round(value: number, digits: number): number {
  return Number(value.toFixed(digits))
}

/** The record of a site, fields as `monitoring-locations` serves them. */
export function describeSite(site: Site): Fields {
  const { n, hash, state, county } = site
  const isWell = site.typeCode === 'GW'
  const [, type] = SITE_TYPES.find(([code]) => code === site.typeCode) ?? []
  const area = isWell ? null : round(5 + 900 * unit(mix(hash, 13)), 1)
  return {
    id: site.id,
    agency_code: site.agency,
    agency_name: site.agency === 'USGS' ? 'U.S. Geological Survey' : `Agency ${site.agency}`,
    monitoring_location_number: site.number,
    monitoring_location_name: nameOf(site),
    district_code: state.fips,
    country_code: 'US',
    country_name: 'United States of America',
    state_code: state.fips,
    state_name: state.name,
    county_code: county[0],
    county_name: county[1],
    minor_civil_division_code: n % 4 === 0 ? String(10_000 + (n % 80_000)) : null,
    site_type_code: site.typeCode,
    site_type: type ?? null,
    hydrologic_unit_code: site.hydrologicUnit,
    basin_code: null,
    altitude: n % 13 === 12 ? null : round(2000 * unit(mix(hash, 14)), 1),
    altitude_accuracy: n % 13 === 12 ? null : 0.1,
    altitude_method_code: n % 13 === 12 ? null : 'N',
    altitude_method_name: n % 13 === 12 ? null : 'Interpolated from Digital Elevation Model',
    vertical_datum: n % 3 === 0 ? 'NGVD29' : 'NAVD88',
    vertical_datum_name:
      n % 3 === 0 ? 'National Geodetic Vertical Datum of 1929' : 'North American Vertical Datum of 1988',
    horizontal_positional_accuracy_code: 'S',
    horizontal_positional_accuracy: 'Accurate to + or - 1 sec.',
    horizontal_position_method_code: 'M',
    horizontal_position_method_name: 'Interpolated from map',
    original_horizontal_datum: 'NAD83',
    original_horizontal_datum_name: 'North American Datum of 1983',
    drainage_area: area,
    contributing_drainage_area: area === null || n % 6 !== 0 ? null : round(area * 0.8, 1),
    time_zone_abbreviation: state.zone.code,
    uses_daylight_savings: state.zone.hasSummerTime ? 'Y' : 'N',
    // A bare year, as it stands in old records.
    construction_date: isWell ? String(1950 + (n % 70)) : null,
    aquifer_code: isWell ? '112TILL' : null,
    national_aquifer_code: isWell ? 'N100GLCIAL' : null,
    aquifer_type_code: isWell ? 'U' : null,
    well_constructed_depth: isWell ? 20 + (n % 300) : null,
    hole_constructed_depth: isWell && n % 2 === 0 ? 25 + (n % 300) : null,
    depth_source_code: isWell ? 'D' : null,
    revision_note: n % 50 === 7 ? REVISION_NOTE : null,
    revision_created: n % 50 === 7 ? '2021-03-04T15:20:11.123456+00:00' : null,
    revision_modified: n % 50 === 7 ? '2021-03-05T09:00:00.654321+00:00' : null,
  }
}

/** Comes with its tags escaped. */
const REVISION_NOTE =
  '&lt;span style="font-size: 12pt;"&gt;pH daily mean published in error for Oct 04, 2010 - Oct 07, 2010.&nbsp;&lt;/span&gt;'

const RIVERS = ['BEAR RIVER', "STRICKER'S CREEK", 'YAHARA RIVER', 'MILL BROOK', 'SALT FORK', 'CLEAR CREEK']

function nameOf({ n, typeCode, state }: Site): string {
  const water = RIVERS[n % RIVERS.length] ?? ''
  switch (typeCode) {
    case 'GW':
      return `${state.postal}-${String(n).padStart(5, ' ')}  WELL`
    case 'LK':
      return `LAKE ${n} NEAR TOWN ${n % 97}, ${state.postal}`
    default:
      return `${water} AT TOWN ${n % 97}, ${state.postal}`
  }
}

import type { Fields } from '../json.ts'
import { DATA_STYLE, inOrder, TEXT, type PageStyle, type Table, type Track } from '../ogc/table.ts'
import { writeLocal } from '../times.ts'
import { PARAMETERS, STATISTICS } from '../world/parameters.ts'
import { SITE_TYPES } from '../world/sites.ts'
import { COUNTIES, offsetMs, STATES, ZONES, type Zone } from '../world/states.ts'
import { rules } from './location-filters.ts'

interface RowTrack extends Track {
  readonly row: Fields
}

const REFERENCE_STYLE: PageStyle = {
  ...DATA_STYLE,
  paging: 'offset',
  counts: 'both',
  geometry: 'null',
  defaultLimit: 10_000,
}

/** As many as the service has: enough for a second page. */
const PARAMETER_COUNT = 19_200

/** Tables of codes. The first field of a row is its identifier. */
export function createReferenceTables(): readonly Table<RowTrack>[] {
  return [
    table('agency-codes', 'Agency codes', ['agency_name'], () => [
      ['AK001', 'Alaska Department of Transportation and Public Facilities'],
      ['AK008', 'Alaska Department of Fish and Game'],
      ['USGS', 'U.S. Geological Survey'],
    ]),
    described('altitude-datums', 'Altitude datums', 'altitude_datum_description', {
      NAVD88: 'North American Vertical Datum of 1988',
      NGVD29: 'National Geodetic Vertical Datum of 1929',
    }),
    described('aquifer-codes', 'Aquifer codes', 'aquifer_name', {
      '112TILL': 'Pleistocene Till',
      '300NCBC': 'Bedrock',
    }),
    described('aquifer-types', 'Aquifer types', 'aquifer_type_description', {
      C: 'Confined single aquifer',
      U: 'Unconfined single aquifer',
    }),
    described('citations', 'Citations', 'citation_description', { ASTM: 'American Society for Testing and Materials' }),
    described('coordinate-accuracy-codes', 'Coordinate accuracy codes', 'coordinate_accuracy_description', {
      S: 'Accurate to + or - 1 sec.',
      U: 'Unknown',
    }),
    described('coordinate-datum-codes', 'Coordinate datum codes', 'coordinate_datum_description', {
      NAD27: 'North American Datum of 1927',
      NAD83: 'North American Datum of 1983',
    }),
    described('coordinate-method-codes', 'Coordinate method codes', 'coordinate_method_description', {
      G: 'Mapping grade GPS unit',
      M: 'Interpolated from map',
    }),
    table(
      'counties',
      'County identifiers',
      ['country_code', 'state_fips_code', 'county_fips_code', 'county_name'],
      () =>
        STATES.flatMap(({ fips }) => COUNTIES.map(([code, name]) => [`US-${fips}-${code}`, 'US', fips, code, name])),
    ),
    described('countries', 'Country identifiers', 'country_name', { CA: 'Canada', US: 'United States of America' }),
    table(
      'hydrologic-unit-codes',
      'Hydrologic unit codes (HUCs)',
      ['hydrologic_unit_name', 'hydrologic_unit_classification_code'],
      () =>
        Array.from({ length: 21 }, (_, n) => String(n + 1).padStart(2, '0')).map(code => [
          code,
          `Region ${code}`,
          'Region',
        ]),
    ),
    table('medium-codes', 'Medium codes', ['medium_name', 'medium_description', 'legacy_medium_code'], () => [
      ['WS', 'Surface water', 'Water on the surface of the Earth', '9'],
    ]),
    table('method-categories', 'Method categories', ['method_category_name', 'method_category_description'], () => [
      ['PHY', 'Physical', 'Physical property'],
    ]),
    table(
      'method-citations',
      'Method citations',
      ['method_id', 'citation_name', 'citation_method_number', 'method_source'],
      () => [['1', 'ALGOR', 'Computation by algorithm', null, 'USGS']],
    ),
    table(
      'methods',
      'Water measurement methods',
      ['method_type', 'method_category', 'method_name', 'method_description'],
      () => [['ALGOR', 'analysis', 'PHY', 'Computation by NWIS algorithm', null]],
    ),
    described('national-aquifer-codes', 'National aquifer codes', 'national_aquifer_name', {
      N100GLCIAL: 'Sand and gravel aquifers (glaciated regions)',
      N600NECRSN: 'New York and New England crystalline-rock aquifers',
    }),
    table('parameter-codes', 'Parameter codes', PARAMETER_FIELDS, parameterRows),
    described('reliability-codes', 'Reliability codes', 'reliability_description', { C: 'Data have been checked' }),
    table('site-types', 'Site types', ['site_type_primary_flag', 'site_type_name', 'site_type_description'], () =>
      SITE_TYPES.map(([code, name, description]) => [code, 'Y', name, description]),
    ),
    table('states', 'State identifiers', ['country_code', 'state_fips_code', 'state_name', 'state_postal_code'], () =>
      STATES.map(({ fips, name, postal }) => [`US-${fips}`, 'US', fips, name, postal]),
    ),
    table('statistic-codes', 'Statistic codes', ['statistic_name', 'statistic_description'], () =>
      STATISTICS.map(([code, name]) => [code, name.toUpperCase(), `${name} values`]),
    ),
    table('time-zone-codes', 'Time zone codes', TIME_ZONE_FIELDS, () =>
      ZONES.map(zone => {
        const [winter, summer] = [0, 6].map(month => offsetText(zone, Date.UTC(2024, month, 15)))
        const { code, name, hasSummerTime } = zone
        const own = [code, name, name, winter ?? null]
        const other = name.replace('Standard', 'Daylight')
        return hasSummerTime ? [...own, code.replace('S', 'D'), other, summer ?? null] : [...own, null, null, null]
      }),
    ),
    table(
      'topographic-codes',
      'Topographic codes',
      ['topography_name', 'short_topography_description', 'full_topography_description'],
      () => [['V', 'Valley flat', 'Valley', 'A flat area in a valley']],
    ),
  ]
}

type Row = readonly (string | null)[]

function table(name: string, title: string, fields: readonly string[], rows: () => readonly Row[]): Table<RowTrack> {
  let tracks: readonly RowTrack[] | undefined
  const names = ['id', ...fields]
  const trackOf = (row: Row): RowTrack => ({
    site: undefined,
    tail: row[0] ?? '',
    first: 0,
    last: 0,
    row: Object.fromEntries(names.map((field, place) => [field, row[place] ?? null])),
  })
  return {
    name,
    title,
    style: REFERENCE_STYLE,
    fields: names,
    filters: rules(TEXT, names),
    tracks: () => (tracks ??= inOrder(rows().map(trackOf))),
    fixed: ({ row }) => row,
    varying: {},
  }
}

function described(
  name: string,
  title: string,
  field: string,
  rows: Readonly<Record<string, string>>,
): Table<RowTrack> {
  return table(name, title, [field], () => Object.entries(rows))
}

const TIME_ZONE_FIELDS = [
  'time_zone_name',
  'time_zone_description',
  'time_zone_utc_offset',
  'time_zone_daylight_savings_time_code',
  'time_zone_daylight_savings_time_name',
  'time_zone_daylight_savings_utc_offset',
]

/** `-06:00` */
function offsetText(zone: Zone, at: number): string {
  return writeLocal(at, offsetMs(zone, at)).slice(-6)
}

const PARAMETER_FIELDS = [
  'parameter_name',
  'unit_of_measure',
  'parameter_group_code',
  'parameter_description',
  'medium',
  'statistical_basis',
  'time_basis',
  'weight_basis',
  'particle_size_basis',
  'sample_fraction',
  'temperature_basis',
  'epa_equivalence',
]

function parameterRows(): readonly Row[] {
  const known = new Map(PARAMETERS.map(parameter => [parameter.code, parameter]))
  const invented = Array.from({ length: PARAMETER_COUNT - known.size }, (_, n) => String(80_000 + n))
  return [...known.keys(), ...invented].map(code => {
    const { name, unit, group, description } = known.get(code) ?? {
      name: `Parameter ${code}`,
      unit: 'mg/l',
      group: 'OPE',
      description: `Parameter ${code}, water, milligrams per liter`,
    }
    return [code, name, unit, group, description, null, null, null, null, null, null, null, 'Agree']
  })
}

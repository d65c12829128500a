import type { Collection } from '../collection.ts'

const EMPTY = [] as const

/** An entry: the table, what its identifier is called, and its fields. */
function reference<const Name extends string, const Id extends string, const Fields extends readonly string[]>(
  name: Name,
  idName: Id,
  fields: Fields,
) {
  return {
    name,
    family: 'waterdata',
    idName,
    idFilter: 'one',
    idFirst: true,
    columns: fields,
    filters: fields,
    lists: EMPTY,
    prefixes: EMPTY,
    kinds: {},
    sort: [idName],
    places: false,
    pageSize: 50_000,
  } as const satisfies Collection
}

/** Tables of codes: pages by offset, totals stated, no lists, no places. */
export const REFERENCES = {
  'agency-codes': reference('agency-codes', 'agency_code', ['agency_name']),
  'altitude-datums': reference('altitude-datums', 'altitude_datum', ['altitude_datum_description']),
  'aquifer-codes': reference('aquifer-codes', 'aquifer_code', ['aquifer_name']),
  'aquifer-types': reference('aquifer-types', 'aquifer_type', ['aquifer_type_description']),
  citations: reference('citations', 'citation', ['citation_description']),
  'coordinate-accuracy-codes': reference('coordinate-accuracy-codes', 'coordinate_accuracy_code', [
    'coordinate_accuracy_description',
  ]),
  'coordinate-datum-codes': reference('coordinate-datum-codes', 'coordinate_datum_code', [
    'coordinate_datum_description',
  ]),
  'coordinate-method-codes': reference('coordinate-method-codes', 'coordinate_method_code', [
    'coordinate_method_description',
  ]),
  counties: reference('counties', 'county', ['country_code', 'state_fips_code', 'county_fips_code', 'county_name']),
  countries: reference('countries', 'country', ['country_name']),
  'hydrologic-unit-codes': reference('hydrologic-unit-codes', 'hydrologic_unit_code', [
    'hydrologic_unit_name',
    'hydrologic_unit_classification_code',
  ]),
  'medium-codes': reference('medium-codes', 'medium_code', ['medium_name', 'medium_description', 'legacy_medium_code']),
  'method-categories': reference('method-categories', 'method_category', [
    'method_category_name',
    'method_category_description',
  ]),
  'method-citations': reference('method-citations', 'method_citation', [
    'method_id',
    'citation_name',
    'citation_method_number',
    'method_source',
  ]),
  methods: reference('methods', 'method', ['method_type', 'method_category', 'method_name', 'method_description']),
  'national-aquifer-codes': reference('national-aquifer-codes', 'national_aquifer_code', ['national_aquifer_name']),
  'parameter-codes': reference('parameter-codes', 'parameter_code', [
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
  ]),
  'reliability-codes': reference('reliability-codes', 'reliability_code', ['reliability_description']),
  'site-types': reference('site-types', 'site_type', [
    'site_type_primary_flag',
    'site_type_name',
    'site_type_description',
  ]),
  states: reference('states', 'state', ['country_code', 'state_fips_code', 'state_name', 'state_postal_code']),
  'statistic-codes': reference('statistic-codes', 'statistic_code', ['statistic_name', 'statistic_description']),
  'time-zone-codes': reference('time-zone-codes', 'time_zone_code', [
    'time_zone_name',
    'time_zone_description',
    'time_zone_utc_offset',
    'time_zone_daylight_savings_time_code',
    'time_zone_daylight_savings_time_name',
    'time_zone_daylight_savings_utc_offset',
  ]),
  'topographic-codes': reference('topographic-codes', 'topographic_code', [
    'topography_name',
    'short_topography_description',
    'full_topography_description',
  ]),
} as const

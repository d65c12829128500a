import type { FilterRule } from '../ogc/table.ts'

/** Numbers among the fields of a site. */
const NUMBERS = new Set([
  'altitude',
  'altitude_accuracy',
  'contributing_drainage_area',
  'drainage_area',
  'hole_constructed_depth',
  'well_constructed_depth',
])

/** Fields of a site, in the order in which they are served. */
export const LOCATION_FIELDS: readonly string[] = [
  'agency_code',
  'agency_name',
  'monitoring_location_number',
  'monitoring_location_name',
  'district_code',
  'country_code',
  'country_name',
  'state_code',
  'state_name',
  'county_code',
  'county_name',
  'minor_civil_division_code',
  'site_type_code',
  'site_type',
  'hydrologic_unit_code',
  'basin_code',
  'altitude',
  'altitude_accuracy',
  'altitude_method_code',
  'altitude_method_name',
  'vertical_datum',
  'vertical_datum_name',
  'horizontal_positional_accuracy_code',
  'horizontal_positional_accuracy',
  'horizontal_position_method_code',
  'horizontal_position_method_name',
  'original_horizontal_datum',
  'original_horizontal_datum_name',
  'drainage_area',
  'contributing_drainage_area',
  'time_zone_abbreviation',
  'uses_daylight_savings',
  'construction_date',
  'aquifer_code',
  'national_aquifer_code',
  'aquifer_type_code',
  'well_constructed_depth',
  'hole_constructed_depth',
  'depth_source_code',
]

/** Filters on the place of a record: taken, although the record does not show them. */
export const LOCATION_FILTERS: Readonly<Record<string, FilterRule>> = Object.fromEntries(
  LOCATION_FIELDS.map(name => [
    name,
    {
      type: NUMBERS.has(name) ? 'number' : 'string',
      ofSite: name,
      ...(name === 'hydrologic_unit_code' ? { isPrefix: true } : {}),
    },
  ]),
)

/** One rule for many fields. */
export function rules(rule: FilterRule, names: readonly string[]): Readonly<Record<string, FilterRule>> {
  return Object.fromEntries(names.map(name => [name, rule]))
}

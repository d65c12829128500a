/**
 * What the fields of the service hold. A field has the same meaning in every collection, so its kind stands here
 * once; a collection says where it departs from it.
 */

/**
 * What a field holds.
 *
 * - `text`: text, codes with their leading zeros among it
 * - `number`: a number that the service writes as one
 * - `measure`: a number that the service writes as text, to keep its precision
 * - `instant`: an instant with its offset
 * - `utc`: an instant, without an offset where it is meant in UTC
 * - `zoned`: an instant with an offset, or a local time without one: which of the two depends on the API version
 * - `date`: a calendar date
 * - `terms`: a list of terms
 * - `json`: a value of any shape
 */
export type FieldKind = 'text' | 'number' | 'measure' | 'instant' | 'utc' | 'zoned' | 'date' | 'terms' | 'json'

/** Kinds of the fields that are not text. */
export const FIELD_KINDS = {
  value: 'measure',
  channel_flow: 'measure',
  channel_width: 'measure',
  channel_area: 'measure',
  channel_velocity: 'measure',
  channel_location_distance: 'measure',
  altitude: 'number',
  altitude_accuracy: 'number',
  drainage_area: 'number',
  contributing_drainage_area: 'number',
  well_constructed_depth: 'number',
  hole_constructed_depth: 'number',
  year: 'number',
  month: 'number',
  day: 'number',
  water_year: 'number',
  peak_since: 'number',
  time: 'instant',
  last_modified: 'instant',
  begin: 'instant',
  end: 'instant',
  begin_utc: 'instant',
  end_utc: 'instant',
  sample_time: 'instant',
  monitoring_location_obs_number: 'number',
  accuracy_value: 'measure',
  orig_value: 'measure',
  water_depth_below_land_surface_ft: 'measure',
  water_level_above_site_datum_ft: 'measure',
  water_level_above_navd88_ft: 'measure',
  lithology_depth_from: 'measure',
  lithology_depth_to: 'measure',
  depth_from: 'measure',
  depth_to: 'measure',
  diameter: 'measure',
  qualifier: 'terms',
  thresholds: 'json',
} as const satisfies Readonly<Record<string, FieldKind>>

/** Kind of a field by its name. */
type GeneralKind<Name> = Name extends keyof typeof FIELD_KINDS ? (typeof FIELD_KINDS)[Name] : 'text'

/** Kind of a field of a collection that departs from the general kinds as `Kinds` says. */
export type KindOf<Name, Kinds> = Name extends keyof Kinds ? Kinds[Name] : GeneralKind<Name>

/** What a row holds for a kind of field. */
export type ValueOf<Kind> = Kind extends 'text' | 'date'
  ? string | null
  : Kind extends 'number' | 'measure'
    ? number | null
    : Kind extends 'instant' | 'utc'
      ? Date | null
      : Kind extends 'zoned'
        ? Date | string | null
        : Kind extends 'terms'
          ? readonly string[] | string | null
          : unknown

/** Fields of a monitoring location. Some collections can be filtered by them without returning them. */
export const LOCATION_FIELDS = [
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
] as const

import type { Collection } from '../collection.ts'

/** What holds for the groundwater network: its own paths, no totals, a next link also on the last page. */
const NETWORK = {
  family: 'groundwater',
  idName: 'id',
  prefixes: [],
  kinds: {},
  lists: ['monitoring_location_id'],
  pageSize: 50_000,
  endsEmpty: true,
} as const
const OBSERVED = {
  ...NETWORK,
  places: false,
  sort: ['monitoring_location_id', 'monitoring_location_obs_number', 'id'],
} as const

const SITE = [
  'monitoring_location_id',
  'agency_code',
  'monitoring_location_number',
  'monitoring_location_name',
  'altitude',
  'national_aquifer_code',
  'national_aquifer_description',
  'country_code',
  'country_name',
  'state_name',
  'county_name',
  'aquifer_name',
  'site_type',
  'aquifer_type_code',
  'qw_sys_name',
  'qw_sn_flag',
  'qw_baseline_flag',
  'qw_well_chars',
  'qw_well_type',
  'qw_well_purpose',
  'wl_sys_name',
  'wl_sn_flag',
  'wl_baseline_flag',
  'wl_well_chars',
  'wl_well_type',
  'wl_well_purpose',
] as const
const PLACE_OF_OBSERVATION = [
  'agency_code',
  'monitoring_location_number',
  'monitoring_location_id',
  'monitoring_location_obs_number',
] as const
const LEVEL = [
  'orig_unit',
  'orig_value',
  'accuracy_unit',
  'accuracy_value',
  'water_depth_below_land_surface_ft',
  'water_level_above_site_datum_ft',
  'monitoring_location_vertical_datum',
  'water_level_above_navd88_ft',
  'data_provided_by',
] as const
const LITHOLOGY = [
  ...PLACE_OF_OBSERVATION,
  'lithology_id',
  'lithology_description',
  'lithology_controlled_concept',
  'lithology_depth_from',
  'lithology_depth_from_unit',
  'lithology_depth_to',
  'lithology_depth_to_unit',
] as const
const CONSTRUCTION = [
  ...PLACE_OF_OBSERVATION,
  'type',
  'depth_from',
  'depth_from_unit',
  'depth_to',
  'depth_to_unit',
  'material',
  'diameter',
  'diameter_unit',
] as const
const PROVIDER = ['agency_name', 'agency_code', 'organization_type'] as const

/** Collections of the national groundwater monitoring network. */
export const GROUNDWATER = {
  sites: {
    ...NETWORK,
    name: 'sites',
    places: true,
    columns: SITE,
    filters: SITE,
    sort: ['monitoring_location_id', 'id'],
    kinds: { altitude: 'measure' },
    state: { field: 'state_name', as: 'name' },
  },
  waterLevelObs: {
    ...OBSERVED,
    name: 'waterLevelObs',
    columns: [...PLACE_OF_OBSERVATION, 'sample_time', ...LEVEL],
    filters: [...PLACE_OF_OBSERVATION, ...LEVEL],
    sort: ['monitoring_location_id', 'sample_time', 'id'],
    time: { field: 'sample_time', by: 'instant', parameter: 'datetime', cut: true },
  },
  lithologyObs: { ...OBSERVED, name: 'lithologyObs', columns: LITHOLOGY, filters: LITHOLOGY },
  constructionObs: { ...OBSERVED, name: 'constructionObs', columns: CONSTRUCTION, filters: CONSTRUCTION },
  // Takes one state at a time: a list finds nothing.
  providers: {
    ...NETWORK,
    name: 'providers',
    places: false,
    lists: [],
    columns: [...PROVIDER, 'state', 'link'],
    filters: PROVIDER,
    sort: ['state', 'agency_name', 'id'],
    state: { field: 'state', as: 'postal' },
  },
} as const satisfies Readonly<Record<string, Collection>>

import { mix } from '../../hash.ts'
import type { Fields } from '../json.ts'
import { DATA_STYLE, LIST, TEXT, type PageStyle, type Table, type Track } from '../ogc/table.ts'
import { rules } from '../tables/location-filters.ts'
import { plain } from '../tables/registry.ts'
import { siteFields } from '../world/site-fields.ts'
import { createSite, siteId, type Site } from '../world/sites.ts'
import { parameterOf, textOf } from '../world/parameters.ts'

const DAY_MS = 86_400_000
const STYLE: PageStyle = { ...DATA_STYLE, paging: 'offset', counts: 'none', alwaysNext: true }
const OBSERVED: PageStyle = { ...STYLE, geometry: 'absent' }

interface WellTrack extends Track {
  readonly site: Site
  /** Place in the list, from 0. */
  readonly place: number
}

/** Wells of many agencies: those of every tenth place, and a few with other prefixes. */
function wells(): readonly WellTrack[] {
  const own = Array.from({ length: 40 }, (_, n) => 1007 + 10 * n).map(n => createSite(siteId(n), n))
  const others = ['AKDNR-535134236016630', 'MBMG-702934', 'MBMG-3762'].map((id, n) =>
    createSite(id, 7 + 1000 * (n + 1)),
  )
  return [...own, ...others]
    .toSorted((a, b) => (a.id < b.id ? -1 : 1))
    .map((site, place) => ({ site, place, tail: site.id, first: 0, last: 0 }))
}

/** Collections of the groundwater network. They have rules of their own for pages, identifiers and geometry. */
export function createGroundwaterTables(): readonly Table[] {
  const all = wells()
  return [
    plain(createSitesTable(all)),
    plain(createLevels(all)),
    plain(createLogs(all, 'lithologyObs', 'Lithology', 3, lithology)),
    plain(createLogs(all, 'constructionObs', 'Construction', 2, construction)),
    plain(createProviders()),
  ]
}

function createSitesTable(all: readonly WellTrack[]): Table<WellTrack> {
  const flags = ['qw_sys_name', 'qw_sn_flag', 'qw_baseline_flag', 'qw_well_chars', 'qw_well_type', 'qw_well_purpose']
  const names = [
    'monitoring_location_id',
    'agency_code',
    'agency_name',
    'monitoring_location_number',
    'monitoring_location_name',
    'country_code',
    'country_name',
    'state_name',
    'county_name',
    'site_type',
    'altitude',
    'aquifer_name',
    'national_aquifer_code',
    'national_aquifer_description',
    'aquifer_type_code',
    ...flags,
    ...flags.map(name => name.replace('qw', 'wl')),
  ]
  return {
    name: 'sites',
    title: 'Sites',
    style: STYLE,
    fields: names,
    filters: { ...rules(TEXT, names), monitoring_location_id: LIST },
    tracks: () => all,
    fixed: ({ site }) => ({
      ...siteFields(site),
      monitoring_location_id: site.id,
      site_type: 'WELL',
      aquifer_name: 'Cambrian-Ordovician aquifer system',
      national_aquifer_code: 'S300CAMORD',
      national_aquifer_description: 'Cambrian-Ordovician aquifer system',
      aquifer_type_code: site.n % 2 === 0 ? 'CONFINED' : 'UNCONFINED',
      qw_sn_flag: 'No',
      wl_sn_flag: site.n % 2 === 0 ? 'Yes' : 'No',
      wl_well_type: 'Trend',
    }),
    varying: {},
    idText: ({ site }) => JSON.stringify(site.id),
  }
}

/** Levels once a month since 1978. */
function createLevels(all: readonly WellTrack[]): Table<WellTrack> {
  const names = [
    'agency_code',
    'monitoring_location_number',
    'monitoring_location_id',
    'monitoring_location_obs_number',
    'sample_time',
    'orig_unit',
    'orig_value',
    'accuracy_unit',
    'accuracy_value',
    'water_depth_below_land_surface_ft',
    'water_level_above_site_datum_ft',
    'monitoring_location_vertical_datum',
    'water_level_above_navd88_ft',
  ]
  const everyMs = 30 * DAY_MS
  const first = Math.ceil(Date.UTC(1978, 4, 17) / everyMs)
  const depth = ({ site }: WellTrack, index: number): string =>
    textOf(parameterOf('72019'), 300 + (mix(site.hash, index) % 4000))
  const at = ({ site }: WellTrack, index: number): number => index * everyMs + (site.hash % 1440) * 60_000
  return {
    name: 'waterLevelObs',
    title: 'Water level observations',
    style: OBSERVED,
    fields: names,
    filters: { ...rules(TEXT, names), data_provided_by: TEXT, monitoring_location_id: LIST },
    tracks: () => all.map(track => ({ ...track, first, last: Infinity })),
    fixed: ({ site }) => ({
      agency_code: site.agency,
      monitoring_location_number: site.number,
      monitoring_location_id: site.id,
      orig_unit: 'ft',
      accuracy_unit: 'ft',
      accuracy_value: 'Unknown',
      water_level_above_site_datum_ft: null,
      monitoring_location_vertical_datum: 'NAVD88',
      data_provided_by: site.agency,
    }),
    varying: {
      monitoring_location_obs_number: (_, index) => String(index - first + 1),
      sample_time: (track, index) => `"${new Date(at(track, index)).toISOString().slice(0, 19)}-00:00"`,
      orig_value: (track, index) => `"${depth(track, index)}"`,
      water_depth_below_land_surface_ft: (track, index) => `"${depth(track, index)}"`,
      water_level_above_navd88_ft: (track, index) => `"${(900 - Number(depth(track, index))).toFixed(2)}"`,
    },
    timing: {
      field: 'sample_time',
      indexFrom: ms => Math.floor(ms / everyMs) - 1,
      indexTo: ms => Math.floor(ms / everyMs),
      latest: now => Math.floor(now / everyMs) - 1,
      isExact: false,
      salt: undefined,
    },
    timeOf: at,
    idText: ({ place }, index) => String(1_872_300 + place * 1000 + index),
  }
}

/** What was found, or put in, at a depth: so many rows a well. */
function createLogs(
  all: readonly WellTrack[],
  name: string,
  title: string,
  count: number,
  describe: (track: WellTrack, entry: number) => Fields,
): Table<WellTrack> {
  const entries = all.flatMap(track =>
    Array.from({ length: count }, (_, entry) => ({ ...track, place: track.place * count + entry })),
  )
  const fixed = (track: WellTrack): Fields => {
    const entry = track.place % count
    const { site } = track
    return {
      agency_code: site.agency,
      monitoring_location_number: site.number,
      monitoring_location_id: site.id,
      monitoring_location_obs_number: entry + 1,
      ...describe(track, entry),
    }
  }
  const names = Object.keys(fixed(entries[0] as WellTrack))
  return {
    name,
    title,
    style: OBSERVED,
    fields: names,
    filters: { ...rules(TEXT, names), monitoring_location_id: LIST },
    tracks: () => entries,
    fixed,
    varying: {},
    idText: ({ place }) => String(place + 9),
  }
}

function lithology({ site }: WellTrack, entry: number): Fields {
  const depths = ['0', '12', '70', '180']
  return {
    lithology_id: `${site.agency}.${site.number}.LITH.${entry + 1}`,
    lithology_description: ['top soil', 'glacial alluvium', 'dolomite'][entry] ?? '',
    lithology_controlled_concept: ['soil', 'unknown', 'dolomite'][entry] ?? '',
    lithology_depth_from: depths[entry] ?? '',
    lithology_depth_to: depths[entry + 1] ?? '',
    lithology_depth_from_unit: 'ft',
    lithology_depth_to_unit: 'ft',
  }
}

function construction(_: WellTrack, entry: number): Fields {
  const isCasing = entry === 0
  return {
    type: isCasing ? 'casing' : 'screen',
    depth_from: isCasing ? '0' : '80',
    depth_from_unit: 'ft',
    depth_to: isCasing ? '80' : '100',
    depth_to_unit: 'ft',
    material: isCasing ? 'PVC' : 'stainless steel',
    diameter: '6',
    diameter_unit: 'in',
  }
}

interface ProviderTrack extends Track {
  readonly row: Fields
}

function createProviders(): Table<ProviderTrack> {
  const provider = (code: string, name: string, state: string): ProviderTrack => ({
    site: undefined,
    tail: code,
    first: 0,
    last: 0,
    row: { agency_name: name, agency_code: code, organization_type: 'NWIS', state, link: '' },
  })
  const names = ['agency_name', 'agency_code', 'organization_type', 'state', 'link']
  const tracks = [
    provider('AKDNR', 'ALASKA DEPARTMENT OF NATURAL RESOURCES', 'AK'),
    provider('MBMG', 'MONTANA BUREAU OF MINES AND GEOLOGY', 'MT'),
    provider('USGS', 'U.S. GEOLOGICAL SURVEY', 'WI'),
  ]
  return {
    name: 'providers',
    title: 'Providers',
    style: { ...STYLE, geometry: 'null' },
    fields: names,
    filters: rules(TEXT, names),
    tracks: () => tracks,
    fixed: ({ row }) => row,
    varying: {},
  }
}

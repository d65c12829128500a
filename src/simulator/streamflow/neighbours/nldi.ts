import { jsonAnswer, type Answer, type Ask } from '../../service.ts'
import type { Fields, Json } from '../json.ts'
import { siteFields } from '../world/site-fields.ts'
import type { World } from '../world/world.ts'
import { createNetwork, type Mode, type Network, type Reach } from './network.ts'

const ROOT = '/nldi/linked-data'

/** Names of the sources that features come from, and what they call themselves. Most have nothing here. */
const SOURCES: readonly (readonly [source: string, name: string])[] = [
  ['ca_gages', 'Streamgage catalog for CA SB19'],
  ['census2020-nhdpv2', '2020 Census Block - NHDPlusV2 Catchment Intersections'],
  ['epa_nrsa', 'EPA National Rivers and Streams Assessment'],
  ['geoconnex-demo', 'geoconnex contribution demo sites'],
  ['gfv11_pois', 'USGS Geospatial Fabric V1.1 Points of Interest'],
  ['huc12pp', 'HUC12 Pour Points NHDPlusV2'],
  ['huc12pp_102020', 'HUC12 Pour Points circa 10-2020'],
  ['nmwdi-st', 'New Mexico Water Data Initative Sites'],
  ['npdes', 'NPDES Facilities that Discharge to Water'],
  ['nwisgw', 'NWIS Groundwater Sites'],
  ['nwissite', 'NWIS Surface Water Sites'],
  ['ref_gage', 'geoconnex.us reference gages'],
  ['vigil', 'Vigil Network Data'],
  ['wade', 'Water Data Exchange 2.0 Sites'],
  ['WQP', 'Water Quality Portal'],
  ['comid', 'NHDPlus comid'],
]

/** Sources whose features are the sites. */
const OF_SITES = ['nwissite', 'WQP', 'ref_gage', 'nwisgw']

/** The river network: sources, features, walks along the rivers, basins. */
export function nldi(ask: Ask, world: World): Answer | undefined {
  const { path, method } = ask
  if (!path.startsWith(ROOT) || method !== 'GET') return undefined
  const parts = path.slice(ROOT.length).split('/').filter(Boolean).map(decodeURIComponent)
  const base = `${ask.base}${ROOT}`
  const [source, id, what, mode, target] = parts
  if (source === undefined) {
    return jsonAnswer(
      200,
      SOURCES.map(([name, title]) => ({ source: name, sourceName: title, features: `${base}/${name}` })),
    )
  }
  if (!SOURCES.some(([name]) => name === source)) return missing(`The feature source ${source} does not exist.`)
  const network = networkOf(world)
  if (id === undefined) return collection(sitesOf(world, source).map(reach => pointOf(reach, source, base, false)))
  if (source === 'comid' && id === 'position') return position(ask, network, base)
  const from =
    source === 'comid' ? network.ofComid(id) : sitesOf(world, source).length > 0 ? network.ofSite(id) : undefined
  if (from === undefined) return missing(`The feature ID does not exist: ${source}/${id}`)
  if (what === undefined)
    return collection([source === 'comid' ? lineOf(from, base) : pointOf(from, source, base, true)])
  if (what === 'basin') return collection([basinOf(from)])
  if (what !== 'navigation' || target === undefined || !['UM', 'UT', 'DM', 'DD'].includes(mode ?? '')) {
    return missing('Not Found')
  }
  return navigation(ask, { world, network, from, base, mode: mode as Mode, target })
}

interface Walk {
  readonly world: World
  readonly network: Network
  readonly from: Reach
  readonly base: string
  readonly mode: Mode
  readonly target: string
}

function navigation({ query }: Ask, { world, network, from, base, mode, target }: Walk): Answer {
  const distance = Number(query.get('distance') ?? NaN)
  // The real one falls over where the distance is missing.
  if (!(distance >= 0)) return rejected('distance')
  const reaches = network.navigate(from, mode, distance, query.get('stopComid') ?? undefined)
  if (target === 'flowlines') {
    return collection(
      reaches.map(reach =>
        feature({ nhdplus_comid: reach.comid }, { type: 'LineString', coordinates: lineText(reach) }),
      ),
    )
  }
  if (!SOURCES.some(([name]) => name === target)) return missing(`The data source ${target} does not exist.`)
  const isOfSites = sitesOf(world, target).length > 0
  return collection(isOfSites ? reaches.map(reach => pointOf(reach, target, base, true)) : [])
}

function position({ query }: Ask, network: Network, base: string): Answer {
  const [, longitude, latitude] = /^POINT\(\s*(-?[\d.]+)\s+(-?[\d.]+)\s*\)$/i.exec(query.get('coords') ?? '') ?? []
  if (longitude === undefined) return rejected('coords')
  const reach = network.nearest(Number(longitude), Number(latitude))
  return reach === undefined ? missing('No comid found at this position.') : collection([lineOf(reach, base)])
}

function sitesOf(world: World, source: string): readonly Reach[] {
  if (!OF_SITES.includes(source)) return []
  const network = networkOf(world)
  return world.census.sites.map(({ id }) => network.ofSite(id)).filter(reach => reach !== undefined)
}

const networks = new WeakMap<World, Network>()

function networkOf(world: World): Network {
  const known = networks.get(world) ?? createNetwork(world.census.sites)
  networks.set(world, known)
  return known
}

function pointOf({ site, comid, n }: Reach, source: string, base: string, isWhole: boolean): Json {
  const [, sourceName = ''] = SOURCES.find(([name]) => name === source) ?? []
  const fields: Fields = {
    identifier: site.id,
    navigation: `${base}/${source}/${site.id}/navigation`,
    ...(isWhole
      ? { measure: (n * 7.3) % 100, reachcode: `${site.hydrologicUnit.slice(0, 8)}${String(n).padStart(6, '0')}` }
      : {}),
    name: siteFields(site)['monitoring_location_name'] ?? null,
    source,
    sourceName,
    comid,
    type: source === 'WQP' ? 'varies' : 'hydrolocation',
    uri: `https://waterdata.usgs.gov/monitoring-location/${site.number}`,
    mainstem: `https://geoconnex.us/ref/mainstems/${500_000 + Math.floor(n / 40)}`,
  }
  return feature(fields, { type: 'Point', coordinates: [...site.coordinates] })
}

function lineOf(reach: Reach, base: string): Json {
  const { comid } = reach
  const fields: Fields = {
    identifier: comid,
    navigation: `${base}/comid/${comid}/navigation`,
    source: 'comid',
    sourceName: 'NHDPlus comid',
    comid,
  }
  return feature(fields, { type: 'LineString', coordinates: lineText(reach) })
}

function basinOf({ site }: Reach): Json {
  const [x, y] = site.coordinates
  const corners = [0, 1, 2, 3, 4, 5, 0].map(corner => {
    const turn = (Math.PI * corner) / 3
    return [Number((x + 0.05 * Math.cos(turn)).toFixed(9)), Number((y + 0.05 * Math.sin(turn)).toFixed(9))]
  })
  return feature({}, { type: 'Polygon', coordinates: [corners] })
}

function lineText({ line }: Reach): Json {
  return line.map(point => [...point])
}

function feature(properties: Fields, geometry: Json): Json {
  return { type: 'Feature', geometry, properties }
}

function collection(features: readonly Json[]): Answer {
  return jsonAnswer(200, { type: 'FeatureCollection', features })
}

function missing(detail: string): Answer {
  return jsonAnswer(404, { type: 'about:blank', title: 'Not Found', status: 404, detail })
}

/** A query that cannot be answered is a 500 here. */
function rejected(parameter: string): Answer {
  return jsonAnswer(500, {
    status: 500,
    error: 'Internal Server Error',
    message: `bad or missing parameter: ${parameter}`,
  })
}

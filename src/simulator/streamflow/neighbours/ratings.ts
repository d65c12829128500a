import { Refusal } from '../../refusal.ts'
import { jsonAnswer, type Answer, type Ask } from '../../service.ts'
import { compile } from '../cql/evaluate.ts'
import { boxRing, type Condition } from '../cql/condition.ts'
import { readCqlText } from '../cql/read-text.ts'
import type { Fields, Json } from '../json.ts'
import { invalid, notFound } from '../refusals.ts'
import { readStretch } from '../times.ts'
import type { World } from '../world/world.ts'
import { ratingFile, ratingItems, type RatingItem } from './rating-files.ts'

const LARGEST_LIMIT = 10_000
const PARAMETERS = ['limit', 'filter', 'filter-lang', 'datetime', 'bbox', 'token', 'api_key']

/** `GET /stac/v0/search`, `/stac/v0/collections[/ratings]` and the files that it leads to. */
export function ratings(ask: Ask, world: World): Answer | undefined {
  if (ask.method !== 'GET') return undefined
  if (ask.path === '/stac/v0/search') return search(ask, world)
  if (ask.path === '/stac/v0/collections/ratings') return jsonAnswer(200, COLLECTION)
  if (ask.path === '/stac/v0/collections') return jsonAnswer(200, { collections: [COLLECTION], links: [] })
  const [, name] = /^\/stac-files\/ratings\/([^/]+)$/.exec(ask.path) ?? []
  if (name === undefined) return undefined
  const item = ratingItems(world.census.sites).find(found => found.file === decodeURIComponent(name))
  if (item === undefined) throw notFound('No such file')
  return { status: 200, headers: { 'content-type': 'text/plain;charset=UTF-8' }, body: ratingFile(item) }
}

const COLLECTION = {
  id: 'ratings',
  type: 'Collection',
  stac_version: '1.0.0',
  title: 'Stage-discharge ratings',
  description: 'Rating tables of active streamgages',
  license: 'CC0-1.0',
  links: [],
}

function search(ask: Ask, world: World): Answer {
  const { query } = ask
  const stray = [...query.keys()].find(name => !PARAMETERS.includes(name))
  if (stray !== undefined) throw invalid(`unknown query parameter: ${stray}`)
  const limit = Math.min(readLimit(query.get('limit')), LARGEST_LIMIT)
  const test = compile({ op: 'and', args: conditionsOf(query) })
  const found = ratingItems(world.census.sites).filter(item => {
    const fields = propertiesOf(item)
    return test(name => (name === 'geometry' ? [...item.site.coordinates] : (fields[name] ?? null))) === true
  })
  const first = Number(query.get('token')?.replace(/^next:/, '') ?? 0)
  const page = found.slice(first, first + limit)
  const href = (token?: string): string => {
    const next = new URLSearchParams(query)
    if (token !== undefined) next.set('token', token)
    return `${ask.base}${ask.path}?${next}`
  }
  const assets = `${world.options.assetOrigin ?? ask.base}/stac-files/ratings`
  return jsonAnswer(200, {
    type: 'FeatureCollection',
    features: page.map(item => featureOf(item, assets)),
    numberReturned: page.length,
    links: [
      { rel: 'self', type: 'application/geo+json', href: href() },
      ...(first + limit < found.length
        ? [{ rel: 'next', method: 'GET', type: 'application/geo+json', href: href(`next:${first + limit}`) }]
        : []),
    ],
  } satisfies Json)
}

function readLimit(text: string | null): number {
  const limit = Number(text ?? LARGEST_LIMIT)
  if (!(limit >= 1)) throw invalid('limit should be positive')
  return limit
}

function conditionsOf(query: URLSearchParams): readonly Condition[] {
  const conditions: Condition[] = []
  const [filter, datetime, bbox] = ['filter', 'datetime', 'bbox'].map(name => query.get(name))
  try {
    if (filter) conditions.push(readCqlText(filter))
  } catch (error) {
    if (error instanceof Refusal) throw error
    throw invalid(`Bad CQL: ${error instanceof Error ? error.message : ''}`)
  }
  if (datetime) {
    const stretch = datetime.startsWith('P') ? undefined : readStretch(datetime, NaN)
    if (stretch === undefined) throw invalid(`datetime '${datetime}' is not valid`)
    conditions.push({ op: 'during', field: 'datetime', ...stretch })
  }
  if (bbox) {
    const [west = NaN, south = NaN, east = NaN, north = NaN] = bbox.split(',').map(Number)
    conditions.push({ op: 'inside', shapes: [boxRing(west, south, east, north)] })
  }
  return conditions
}

function propertiesOf({ site, type, datetime }: RatingItem): Fields {
  return { datetime, file_type: type, monitoring_location_id: site.id }
}

function featureOf(item: RatingItem, assets: string): Json {
  const { site, type, id, file } = item
  return {
    type: 'Feature',
    stac_version: '1.0.0',
    id,
    collection: 'ratings',
    geometry: { type: 'Point', coordinates: [...site.coordinates] },
    bbox: [...site.coordinates, ...site.coordinates],
    properties: propertiesOf(item),
    links: [],
    assets: {
      data: {
        href: `${assets}/${encodeURIComponent(file)}`,
        type: 'text/plain',
        title: `${site.id} ${type} rating`,
        description: `Stage-discharge rating of ${site.id} in RDB format`,
        roles: ['data'],
      },
    },
  }
}

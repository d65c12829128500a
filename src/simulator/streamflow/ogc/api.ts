import type { ContentAction } from '../../content-action.ts'
import { jsonAnswer, type Answer, type Ask } from '../../service.ts'
import { notFound } from '../refusals.ts'
import { describeCollection, describeFields, listCollections, oneItem } from './describe.ts'
import type { ItemsService } from './items.ts'
import type { Table } from './table.ts'

const CONFORMANCE = [
  'http://www.opengis.net/spec/ogcapi-common-1/1.0/conf/core',
  'http://www.opengis.net/spec/ogcapi-features-1/1.0/conf/core',
  'http://www.opengis.net/spec/ogcapi-features-1/1.0/conf/geojson',
  'http://www.opengis.net/spec/ogcapi-features-3/1.0/conf/queryables',
  'http://www.opengis.net/spec/cql2/1.0/conf/cql2-json',
  'http://www.opengis.net/spec/cql2/1.0/conf/cql2-text',
]

/** One API of collections. */
export interface Api {
  /** What its paths begin with. */
  readonly root: string
  /** Version it states, if it does. */
  readonly version: string | undefined
  readonly tables: readonly Table[]
  find(name: string): Table | undefined
}

/** Answers whatever lies below an API's root. */
export function answerApi(ask: Ask, api: Api, { items, now, changes }: Asked): Answer {
  const answer = route(ask, api, { items, now, changes })
  return api.version === undefined ? answer : { ...answer, headers: { 'api-version': api.version, ...answer.headers } }
}

interface Asked {
  readonly items: ItemsService
  readonly now: number
  readonly changes: readonly ContentAction[]
}

function route(ask: Ask, api: Api, { items, now, changes }: Asked): Answer {
  const parts = ask.path.slice(api.root.length).split('/').filter(Boolean).map(decodeURIComponent)
  const [first, name, what, id, ...more] = parts
  if (more.length > 0) throw notFound('The requested URL was not found')
  if (first !== 'collections') return landing(ask, api, first)
  if (name === undefined) return listCollections(ask, api.tables)
  const table = api.find(name)
  if (table === undefined) throw notFound('Collection not found')
  switch (what) {
    case undefined:
      return describeCollection(ask, table)
    case 'queryables':
    case 'schema':
      return describeFields(ask, table, what)
    case 'items':
      if (ask.method === 'OPTIONS') return { status: 200, headers: { allow: 'GET, POST, OPTIONS' }, body: '' }
      if (ask.method !== 'GET' && ask.method !== 'POST') throw notFound('method not allowed')
      return id === undefined ? items(ask, table, now, changes) : oneItem(ask, table, id, now)
    default:
      throw notFound('The requested URL was not found')
  }
}

function landing({ base }: Ask, { root, tables, version = '0.56.0' }: Api, page: string | undefined): Answer {
  const href = `${base}${root}`
  switch (page) {
    case undefined:
      return jsonAnswer(200, {
        title: 'USGS Water Data APIs',
        links: [{ rel: 'data', type: 'application/json', title: 'Collections', href: `${href}/collections` }],
      })
    case 'conformance':
      return jsonAnswer(200, { conformsTo: CONFORMANCE })
    case 'openapi':
      return jsonAnswer(200, {
        openapi: '3.0.2',
        info: { title: 'USGS Water Data APIs', version },
        servers: [{ url: href }],
        paths: Object.fromEntries(
          tables.map(({ name, title }) => [`/collections/${name}/items`, { get: { summary: title } }]),
        ),
      })
    default:
      throw notFound('The requested URL was not found')
  }
}

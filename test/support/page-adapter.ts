import { systemClock, systemRandom, type Clock, type Random } from '../../src/clock.ts'
import { collect, type AnyRow, type Column, type Gathering, type Retrieval } from '../../src/retrieval/index.ts'
import {
  CALL_OPTIONS,
  checkOptionNames,
  createTransport,
  Failure,
  keyCredential,
  resolveSettings,
  serverWords,
  type CallOptions,
  type Content,
  type Operation,
  type Piece,
  type Reply,
  type ServicePolicy,
  type Transport,
  type TransportOptions,
} from '../../src/transport/index.ts'
import { SHORT } from './emissions.ts'

/** How a streamflow service means its statuses: a 500 passes by itself, and what was slow may be quick next time. */
export const STREAMFLOW_POLICY: ServicePolicy = {
  retryStatuses: [500, 502, 503],
  slowStatuses: [504],
  onTimeout: 'retry',
}
/** How a water-quality service means them: there, a 500 is a refused query. */
export const WATER_QUALITY_POLICY: ServicePolicy = {
  retryStatuses: [502, 503],
  slowStatuses: [504],
  onTimeout: 'retry',
}

export interface PagedOptions extends TransportOptions {
  /** @defaultValue that of a streamflow service */
  readonly policy?: ServicePolicy
  readonly apiKey?: string | undefined
  readonly clock?: Clock | undefined
  readonly random?: Random | undefined
}

export interface ItemsQuery {
  /** One request each, in this order. @defaultValue one request for everything */
  readonly sites?: readonly string[]
  readonly pageSize?: number
}

/** One feature: its properties, and its identity where it has one. */
export interface ItemRow extends AnyRow {
  readonly id: string | null
}

export interface PagedClient {
  readonly transport: Transport
  getItems(query?: ItemsQuery, options?: CallOptions): Promise<Retrieval<ItemRow>>
}

/** The smallest adapter of a service with pages: what the transport does for one, without the rest of it. */
export function createPaged({ url }: { readonly url: string }, given: PagedOptions = {}): PagedClient {
  const {
    policy = STREAMFLOW_POLICY,
    apiKey,
    clock = { ...systemClock },
    random = SHORT.random ?? systemRandom,
    ...options
  } = given
  const { random: _random, ...limits } = SHORT
  const baseUrl = new URL(url)
  const layers = [
    { source: 'client option', values: { ...options } },
    { source: 'short limits', values: { ...limits } },
  ]
  const transport = createTransport({
    service: 'paged',
    baseUrl,
    policy,
    clock,
    random,
    ...(apiKey === undefined ? {} : { credential: () => keyCredential('x-api-key', apiKey, 'paged-account') }),
    optionsFor(call) {
      checkOptionNames({ ...call }, CALL_OPTIONS, 'call option')
      return resolveSettings([{ source: 'call option', values: { ...call } }, ...layers]).options
    },
  })
  return {
    transport,
    getItems: async (query = {}, call = {}) => collect(gathering(transport, baseUrl, query, call)),
  }
}

function gathering(transport: Transport, baseUrl: URL, query: ItemsQuery, call: CallOptions): Gathering<ItemRow> {
  const { sites } = query
  return {
    transport,
    question: {
      operation: 'getItems',
      series: '',
      facts: itemsOperation(baseUrl, query),
      todo: sites === undefined ? [{ depth: 0 }] : sites.map(site => ({ ids: [site], depth: 0 })),
      priority: 'interactive',
      streaming: false,
    },
    call,
    query: { ...query },
    columns: columnsOf,
  }
}

function itemsOperation(baseUrl: URL, { pageSize }: ItemsQuery): Operation<ItemRow> {
  return {
    rules: { stepMs: 1, chunkMs: 1, mostMs: Number.MAX_SAFE_INTEGER, ends: 'shared' },
    order: { compare: () => -1, instant: () => undefined, equal: (a, b) => a === b },
    identity: row => row.id ?? undefined,
    request({ ids }: Piece) {
      const url = new URL('/ogcapi/v0/collections/daily/items', baseUrl)
      url.searchParams.set('f', 'json')
      if (ids) url.searchParams.set('monitoring_location_id', ids.join(','))
      if (pageSize !== undefined) url.searchParams.set('limit', String(pageSize))
      return { method: 'GET', url: url.href, inspect: hiddenFailure }
    },
    read: readPage,
  }
}

interface Feature {
  readonly id?: string
  readonly geometry?: unknown
  readonly properties?: Readonly<Record<string, unknown>>
}

/** A failure inside a success. */
function hiddenFailure(reply: Reply): Failure | undefined {
  const body = Object(reply.json()) as Readonly<Record<string, unknown>>
  if (body['features'] !== undefined || (body['error'] ?? body['code']) === undefined) return undefined
  const words = serverWords(reply.body)
  const tooMany = /rate.?limit/i.test(JSON.stringify([body['error'], body['code']]))
  return new Failure('the answer is an error in place of data', {
    class: tooMany ? 'status' : 'bad_response',
    status: tooMany ? 429 : reply.status,
    serverMessage: words,
  })
}

function readPage(reply: Reply): Content<ItemRow> {
  const json = reply.json()
  if (json === undefined) return { rows: [], source: {}, warnings: [] }
  const { features, links = [] } = Object(json) as {
    features?: readonly Feature[]
    links?: readonly { rel?: string; href?: string }[]
  }
  if (!Array.isArray(features)) {
    throw new Failure('the answer is not as promised: features must be a list', {
      class: 'bad_response',
      status: reply.status,
    })
  }
  const rows = (features as readonly Feature[]).map((feature): ItemRow => ({
    id: feature.id ?? null,
    ...(feature.geometry === undefined ? {} : { geometry: feature.geometry }),
    ...feature.properties,
  }))
  const next = links.find(({ rel }) => rel === 'next')?.href
  return { rows, source: {}, warnings: [], ...(next === undefined ? {} : { next }) }
}

/** The identity, then everything that any row has. */
function columnsOf(rows: readonly ItemRow[]): readonly Column[] {
  const names = new Set(['id', ...rows.flatMap(row => Object.keys(row))])
  return [...names].map(name => ({ name, kind: 'text' }))
}

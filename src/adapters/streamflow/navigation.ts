import { QueryError } from '../../errors.ts'
import type { AnyRow, Column, Gathering } from '../../retrieval/index.ts'
import { looksLikeMarkup, type CallOptions, type Content, type Reply } from '../../transport/index.ts'
import type { BasinQuery, FeaturesQuery, FlowlinesQuery, NavigationOrigin } from './queries.ts'
import { queryString } from './query-string.ts'
import { badResponse, inspectReply } from './read-features.ts'
import { checkQuery, readEnvelope } from './schemas.ts'
import type { StreamflowService } from './service.ts'
import { tableGathering } from './table-question.ts'
import { KEEP_LAND_MS } from './keep.ts'

/** A reach of the river network. */
export interface FlowlineRow extends AnyRow {
  readonly nhdplus_comid: string | null
  /** GeoJSON line. */
  readonly geometry: unknown
}

/** The land that drains to a feature. */
export interface BasinRow extends AnyRow {
  /** GeoJSON polygon. */
  readonly geometry: unknown
}

/** Something that lies on the river network. */
export interface FeatureRow extends AnyRow {
  readonly identifier: string | null
  readonly name: string | null
  readonly source: string | null
  readonly sourceName: string | null
  readonly comid: string | null
  readonly type: string | null
  readonly uri: string | null
  readonly navigation: string | null
  readonly reachcode: string | null
  readonly measure: number | null
  readonly mainstem: string | null
  /** Of a point; `null` of a line. */
  readonly longitude: number | null
  readonly latitude: number | null
  /** GeoJSON. */
  readonly geometry: unknown
}

/** A source of features. */
export interface FeatureSourceRow extends AnyRow {
  readonly source: string
  readonly sourceName: string | null
  readonly features: string | null
}

type Parameters = Readonly<Record<string, string | number | boolean | undefined>>

const text = (name: string): Column => ({ name, kind: 'text' })
const GEOMETRY: Column = { name: 'geometry', kind: 'json' }
const FEATURE_COLUMNS: readonly Column[] = [
  ...['identifier', 'name', 'source', 'sourceName', 'comid', 'type', 'uri', 'navigation', 'reachcode'].map(text),
  { name: 'measure', kind: 'number' },
  text('mainstem'),
  { name: 'longitude', kind: 'number' },
  { name: 'latitude', kind: 'number' },
  GEOMETRY,
]

export function flowlinesGathering(
  service: StreamflowService,
  query: FlowlinesQuery,
  call: CallOptions,
): Gathering<FlowlineRow> {
  checkQuery('getFlowlines', query)
  const { navigation, distanceKm = 5, trimStart, stopComid } = query
  const path = `${originPath(query)}/navigation/${navigation}/flowlines`
  return network<FlowlineRow>(
    service,
    'getFlowlines',
    query,
    call,
    path,
    { f: 'json', distance: distanceKm, trimStart, stopComid },
    [text('nhdplus_comid'), GEOMETRY],
  )
}

export function basinGathering(service: StreamflowService, query: BasinQuery, call: CallOptions): Gathering<BasinRow> {
  checkQuery('getBasin', query)
  const { simplified = true, splitCatchment = false } = query
  return network<BasinRow>(
    service,
    'getBasin',
    query,
    call,
    `${originPath(query)}/basin`,
    { f: 'json', simplified, splitCatchment },
    [GEOMETRY],
  )
}

export function featuresGathering(
  service: StreamflowService,
  query: FeaturesQuery,
  call: CallOptions,
): Gathering<FeatureRow> {
  checkQuery('getFeatures', query)
  const { path, parameters } = featuresAddress(query)
  return network<FeatureRow>(service, 'getFeatures', query, call, path, parameters, FEATURE_COLUMNS)
}

export function featureSourcesGathering(
  service: StreamflowService,
  query: object,
  call: CallOptions,
): Gathering<FeatureSourceRow> {
  checkQuery('getFeatureSources', query)
  return tableGathering<FeatureSourceRow>({
    keepMs: KEEP_LAND_MS,
    transport: service.transports.navigation,
    operation: 'getFeatureSources',
    query,
    call,
    columns: ['source', 'sourceName', 'features'].map(text),
    request: () => ({ method: 'GET', url: service.address('navigation', '/nldi/linked-data?f=json') }),
    read(reply) {
      const json = reply.json()
      if (!Array.isArray(json)) throw badResponse(reply, 'the answer: must be a list')
      const rows = (json as Readonly<Record<string, unknown>>[]).map((one): FeatureSourceRow => ({
        source: String(one['source']),
        sourceName: textOf(one['sourceName']),
        features: textOf(one['features']),
      }))
      return { rows, source: {}, warnings: [] }
    },
  })
}

/** Where to look: at a place, at one feature, along the network, or at everything that a source has. */
function featuresAddress(query: FeaturesQuery): { readonly path: string; readonly parameters: Parameters } {
  const {
    latitude,
    longitude,
    navigation,
    dataSource,
    distanceKm = 50,
    stopComid,
    comid,
    featureSource,
    featureId,
  } = query
  if (latitude !== undefined || longitude !== undefined) {
    if (latitude === undefined || longitude === undefined)
      throw new QueryError('give latitude and longitude together', { argument: 'latitude', value: latitude })
    const other = [comid, featureSource, featureId, navigation, dataSource].find(value => value !== undefined)
    if (other !== undefined)
      throw new QueryError('give a place, a feature or a comid: one of them', { argument: 'latitude', value: latitude })
    return { path: '/comid/position', parameters: { f: 'json', coords: `POINT(${longitude} ${latitude})` } }
  }
  const isAll = [comid, featureSource, featureId, navigation].every(value => value === undefined)
  if (isAll && dataSource !== undefined)
    return { path: `/${encodeURIComponent(dataSource)}`, parameters: { f: 'json' } }
  const origin = originPath(query)
  if (navigation === undefined) {
    if (dataSource !== undefined)
      throw new QueryError('dataSource beside an origin needs a navigation: UM, UT, DM or DD', {
        argument: 'navigation',
        value: undefined,
      })
    return { path: origin, parameters: { f: 'json' } }
  }
  if (dataSource === undefined)
    throw new QueryError('navigation needs a dataSource: what to look for along the way', {
      argument: 'dataSource',
      value: undefined,
    })
  return {
    path: `${origin}/navigation/${navigation}/${encodeURIComponent(dataSource)}`,
    parameters: { f: 'json', distance: distanceKm, stopComid },
  }
}

function originPath({ featureSource, featureId, comid }: NavigationOrigin): string {
  if (comid !== undefined && featureSource === undefined && featureId === undefined)
    return `/comid/${encodeURIComponent(String(comid))}`
  if (comid === undefined && featureSource !== undefined && featureId !== undefined)
    return `/${encodeURIComponent(featureSource)}/${encodeURIComponent(featureId)}`
  throw new QueryError('give featureSource and featureId, or comid: one of them', {
    argument: comid === undefined ? 'featureId' : 'comid',
    value: comid ?? featureId,
  })
}

function network<Row extends AnyRow>(
  service: StreamflowService,
  operation: string,
  query: object,
  call: CallOptions,
  path: string,
  parameters: Parameters,
  columns: readonly Column[],
): Gathering<Row> {
  const url = `${service.address('navigation', `/nldi/linked-data${path}`)}?${queryString(Object.entries(parameters))}`
  return tableGathering<Row>({
    keepMs: KEEP_LAND_MS,
    transport: service.transports.navigation,
    operation,
    query,
    call,
    columns,
    request: () => ({ method: 'GET', url, headers: { accept: 'application/json' }, inspect: inspectNetwork }),
    read: reply => readNetwork<Row>(reply, columns),
  })
}

/** An answer without anything in it, or with something that is no JSON, is how the service says that it has nothing. */
function readNetwork<Row extends AnyRow>(reply: Reply, columns: readonly Column[]): Content<Row> {
  const body = reply.body.toString('utf8').trim()
  if (reply.status === 204 || body === '') return { rows: [], source: {}, warnings: [] }
  if (!looksLikeMarkup(body) && !/^[[{]/.test(body))
    return { rows: [], source: { answer: body.slice(0, 200) }, warnings: [] }
  const envelope = readEnvelope('features', reply.json())
  if ('problem' in envelope) throw badResponse(reply, envelope.problem)
  return { rows: envelope.value.features.map(feature => rowOf(feature, columns) as Row), source: {}, warnings: [] }
}

/** An error in place of features; what is no JSON says that there are none. */
function inspectNetwork(reply: Reply): ReturnType<typeof inspectReply> {
  return /^\s*\{/.test(reply.body.toString('utf8', 0, 100)) ? inspectReply(reply) : undefined
}

function rowOf(feature: unknown, columns: readonly Column[]): AnyRow {
  const { properties, geometry } = Object(feature) as {
    properties?: Readonly<Record<string, unknown>>
    geometry?: { type?: string; coordinates?: readonly unknown[] } | null
  }
  const point = geometry?.type === 'Point' ? geometry.coordinates : undefined
  const documented = columns.map(({ name, kind }) => {
    if (name === 'geometry') return [name, geometry ?? null]
    if (name === 'longitude' || name === 'latitude') return [name, point?.[name === 'longitude' ? 0 : 1] ?? null]
    const value = properties?.[name]
    return [name, kind === 'text' ? textOf(value) : (value ?? null)]
  })
  return { ...Object.fromEntries(documented), ...extrasOf(properties, columns) }
}

function extrasOf(
  properties: Readonly<Record<string, unknown>> | undefined,
  columns: readonly Column[],
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(properties ?? {}).filter(([name]) => !columns.some(column => column.name === name)),
  )
}

function textOf(value: unknown): string | null {
  return value === null || value === undefined ? null : String(value)
}

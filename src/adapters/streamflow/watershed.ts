import { QueryError } from '../../errors.ts'
import type { AnyRow, Column, Gathering } from '../../retrieval/index.ts'
import type { CallOptions, Content, Reply } from '../../transport/index.ts'
import type { WatershedQuery } from './queries.ts'
import { badResponse, inspectWithout } from './read-features.ts'
import { checkQuery, readEnvelope } from './schemas.ts'
import type { StreamflowService } from './service.ts'
import { stateOf } from './states.ts'
import { tableGathering } from './table-question.ts'
import { readMeasure } from './values.ts'
import { KEEP_LAND_MS } from './keep.ts'

/** The land that drains to a place, with a column for each of its characteristics, named by its code. */
export interface WatershedRow extends AnyRow {
  /** Under which the service keeps it for a while. */
  readonly workspaceID: string | null
  readonly rcode: string
  readonly longitude: number
  readonly latitude: number
  /** Outline, as GeoJSON. */
  readonly geometry: unknown
  /** The place as the service moved it onto its network, as GeoJSON. */
  readonly point: unknown
  /** The characteristics with their names and units, as the service sends them. */
  readonly parameters: unknown
}

const COLUMNS: readonly Column[] = [
  { name: 'workspaceID', kind: 'text' },
  { name: 'rcode', kind: 'text' },
  { name: 'longitude', kind: 'number' },
  { name: 'latitude', kind: 'number' },
  { name: 'geometry', kind: 'json' },
  { name: 'point', kind: 'json' },
  { name: 'parameters', kind: 'json' },
]

/** @throws QueryError before anything is sent */
export function watershedGathering(
  service: StreamflowService,
  query: WatershedQuery,
  call: CallOptions,
): Gathering<WatershedRow> {
  checkQuery('getWatershed', query)
  const {
    longitude,
    latitude,
    includeParameters = true,
    includeFlowTypes = false,
    includeFeatures = true,
    simplify = true,
  } = query
  const rcode = studyArea(query)
  const parameters = new URLSearchParams({
    rcode,
    xlocation: String(longitude),
    ylocation: String(latitude),
    crs: '4326',
    includeparameters: String(includeParameters),
    includeflowtypes: String(includeFlowTypes),
    includefeatures: String(includeFeatures),
    simplify: String(simplify),
  })
  const url = `${service.address('watersheds', '/streamstatsservices/watershed.geojson')}?${parameters.toString()}`
  return tableGathering<WatershedRow>({
    keepMs: KEEP_LAND_MS,
    transport: service.transports.watersheds,
    operation: 'getWatershed',
    query,
    call,
    columns: COLUMNS,
    request: () => ({
      method: 'GET',
      url,
      headers: { accept: 'application/json' },
      inspect: inspectWithout('featurecollection'),
    }),
    read: reply => readWatershed(reply, { rcode, longitude, latitude }),
  })
}

function studyArea({ state, region }: WatershedQuery): string {
  if (state !== undefined && region !== undefined)
    throw new QueryError('give state or region, not both', { argument: 'region', value: region })
  if (state === undefined && region === undefined)
    throw new QueryError('state is missing: the service has a study area for each', {
      argument: 'state',
      value: undefined,
    })
  return region ?? stateOf(state ?? '').postal
}

function readWatershed(
  reply: Reply,
  where: { readonly rcode: string; readonly longitude: number; readonly latitude: number },
): Content<WatershedRow> {
  const json = reply.json()
  if (json === undefined) return { rows: [], source: {}, warnings: [] }
  const envelope = readEnvelope('watershed', json)
  if ('problem' in envelope) throw badResponse(reply, envelope.problem)
  const { featurecollection, parameters, workspaceID = null } = envelope.value
  if (!featurecollection && !parameters && workspaceID === null)
    throw badResponse(reply, 'featurecollection: is missing, and everything else')
  const shape = (name: string): unknown => geometryIn(featurecollection?.find(one => one.name === name)?.feature)
  const row: WatershedRow = {
    workspaceID,
    ...where,
    geometry: shape('globalwatershed'),
    point: shape('globalwatershedpoint'),
    parameters: parameters ?? null,
    ...Object.fromEntries((parameters ?? []).flatMap(characteristic)),
  }
  return { rows: [row], source: workspaceID === null ? {} : { workspaceID }, warnings: [] }
}

function characteristic(parameter: unknown): [string, number | null][] {
  const { code, value } = Object(parameter) as { code?: unknown; value?: unknown }
  return typeof code === 'string' && code !== '' ? [[code, readMeasure(value)]] : []
}

/** Of a feature, or of a collection that holds one. */
function geometryIn(feature: unknown): unknown {
  const { geometry, features } = Object(feature) as { geometry?: unknown; features?: readonly unknown[] }
  return geometry ?? (features?.[0] === undefined ? null : geometryIn(features[0]))
}

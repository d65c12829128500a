import { mix, hashText, unit } from '../../hash.ts'
import { jsonAnswer, type Answer, type Ask } from '../../service.ts'
import type { Json } from '../json.ts'
import { STATES } from '../world/states.ts'

/** Nothing packed: what stands at the end of every zip file. */
const EMPTY_ZIP = Uint8Array.of(0x50, 0x4b, 0x05, 0x06, ...Array.from({ length: 18 }, () => 0))

/** Watersheds of a point, and what can be downloaded of them. */
export function streamStats({ method, path, query }: Ask): Answer | undefined {
  if (method !== 'GET') return undefined
  switch (path) {
    case '/streamstatsservices/watershed.geojson':
      return watershed(query)
    case '/streamstatsservices/download':
      return download(query)
    default:
      return undefined
  }
}

function watershed(query: URLSearchParams): Answer {
  const [x, y] = ['xlocation', 'ylocation'].map(name => Number(query.get(name) ?? NaN)) as [number, number]
  const state = STATES.find(({ postal }) => postal === query.get('rcode')?.toUpperCase())
  const [west, south, east, north] = state?.box ?? [0, 0, 0, 0]
  // A degree around the rough box of the state; what lies beyond is off the network.
  if (state === undefined || !(x > west - 1 && x < east + 1 && y > south - 1 && y < north + 1)) {
    return {
      status: 500,
      headers: { 'content-type': 'text/plain' },
      body: 'An error occurred while delineating the watershed\n',
    }
  }
  const workspace = `${state.postal}${new Date(Date.UTC(2026, 0, 1) + (hashText(`${x}|${y}`) % 1_000_000) * 1000)
    .toISOString()
    .replaceAll(/\D/g, '')}`
  const hash = hashText(workspace)
  const outline = [0, 1, 2, 3, 4, 0].map(corner => {
    const turn = (Math.PI * corner) / 2.5
    return [Number((x + 0.03 * Math.cos(turn)).toFixed(6)), Number((y + 0.03 * Math.sin(turn)).toFixed(6))]
  })
  const hasFeatures = isTrue(query.get('includefeatures'), true)
  const body = {
    workspaceID: workspace,
    ...(hasFeatures
      ? {
          featurecollection: [
            { name: 'globalwatershedpoint', feature: collection({ type: 'Point', coordinates: [x, y] }) },
            { name: 'globalwatershed', feature: collection({ type: 'Polygon', coordinates: [outline] }) },
          ],
        }
      : {}),
    ...(isTrue(query.get('includeparameters'), true) ? { parameters: parametersOf(hash) } : {}),
    messages: [],
  } satisfies Json
  return jsonAnswer(200, body, { 'usgswim-hostname': 'simulated' })
}

function parametersOf(hash: number): Json {
  const value = (word: number, most: number): number => Number((most * unit(mix(hash, word))).toFixed(2))
  return [
    {
      ID: 0,
      name: 'Drainage Area',
      description: 'Area that drains to a point on a stream',
      code: 'DRNAREA',
      unit: 'square miles',
      value: value(1, 500),
    },
    {
      ID: 0,
      name: 'Mean Annual Precipitation',
      description: 'Mean annual precipitation',
      code: 'PRECIP',
      unit: 'inches',
      value: value(2, 60),
    },
    {
      ID: 0,
      name: 'Percent Forest',
      description: 'Percentage of area covered by forest',
      code: 'FOREST',
      unit: 'percent',
      value: value(3, 100),
    },
  ]
}

function collection(geometry: Json): Json {
  return { type: 'FeatureCollection', features: [{ type: 'Feature', geometry, properties: {} }] }
}

function download(query: URLSearchParams): Answer {
  if (!/^[A-Z]{2}\d+$/.test(query.get('workspaceID') ?? '')) {
    return { status: 404, headers: { 'content-type': 'text/plain' }, body: 'workspace not found\n' }
  }
  return { status: 200, headers: { 'content-type': 'application/zip' }, body: EMPTY_ZIP }
}

function isTrue(text: string | null, fallback: boolean): boolean {
  return text === null ? fallback : text.toLowerCase() === 'true'
}

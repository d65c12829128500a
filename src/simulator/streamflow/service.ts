import type { Clock } from '../../clock.ts'
import type { ContentAction } from '../content-action.ts'
import { answerOf } from '../refusal.ts'
import type { Answer, Ask, Route, Service } from '../service.ts'
import { createGate } from './gate.ts'
import { createGroundwaterTables } from './neighbours/groundwater.ts'
import { nldi } from './neighbours/nldi.ts'
import { ratings } from './neighbours/ratings.ts'
import { statistics } from './neighbours/statistics.ts'
import { streamStats } from './neighbours/streamstats.ts'
import { waterUse } from './neighbours/water-use.ts'
import { answerApi, type Api } from './ogc/api.ts'
import { createItems } from './ogc/items.ts'
import { resolveStreamflow, type StreamflowOptions } from './options.ts'
import { errorAnswer, gatewayError, notFound } from './refusals.ts'
import { readStretch } from './times.ts'
import { createWorld, type World } from './world/world.ts'

const WATER_DATA = 'https://api.waterdata.usgs.gov'
const WATER = 'https://api.water.usgs.gov'
const STREAM_STATS = 'https://streamstats.usgs.gov'

/** What the paths of each service begin with, and where it lives. */
const ROOTS: readonly (readonly [root: string, origin: string])[] = [
  ['/ogcapi', WATER_DATA],
  ['/statistics', WATER_DATA],
  ['/stac', WATER_DATA],
  ['/stac-files', WATER_DATA],
  ['/ngwmn', WATER_DATA],
  ['/nldi', WATER],
  ['/nwaa-data', WATER],
  ['/streamstatsservices', STREAM_STATS],
]

const DAY_MS = 86_400_000

/** The streamflow services, and the world they speak of. */
export interface StreamflowService extends Service {
  readonly world: World
}

/** The Water Data family and its neighbours, as their contract describes them. */
export function createStreamflowService(options: StreamflowOptions, clock: Clock): StreamflowService {
  const world = createWorld(resolveStreamflow(options), clock)
  const gate = createGate(world.options, clock)
  const items = createItems(world.options)
  const groundwater = createGroundwater()

  const route = (ask: Ask, changes: readonly ContentAction[]): Answer => {
    const asked = { items, now: clock.now(), changes }
    const [, version] = /^\/ogcapi\/(v[01])(?:\/|$)/.exec(ask.path) ?? []
    if (version !== undefined) return answerApi(ask, waterData(world, version), asked)
    if (ask.path.startsWith(groundwater.root)) return answerApi(ask, groundwater, asked)
    const answer =
      statistics(ask, world) ?? ratings(ask, world) ?? nldi(ask, world) ?? streamStats(ask) ?? waterUse(ask)
    if (answer === undefined) throw notFound('The requested URL was not found')
    return answer
  }

  return {
    world,
    routes: ROOTS.flatMap(([root, origin]) =>
      (['GET', 'POST'] as const).map((method): Route => ({ method, path: `${root}/*`, origin })),
    ),
    owns: path => ROOTS.some(([root]) => path === root || path.startsWith(`${root}/`)),
    isAccountPath: () => false,
    isLoginPath: () => false,
    whoAsks(ask) {
      const key = keyOf(ask)
      return key === undefined ? {} : { key }
    },
    spanOf: ask => spanOf(ask, clock.now()),
    keyOf({ method, path, query, body }) {
      return [method, path, ...[...query].map(pair => pair.join('=')).sort(), body].join('|')
    },
    answer: (ask, changes) => answerOf(() => route(ask, changes)),
    admit: (ask, { key }, at) => gate.admit(ask, key, at),
    resetLimits: gate.reset,
    requestIdHeader: () => 'x-api-umbrella-request-id',
    errorAnswer: (status, { query }) => errorAnswer(status, query.get('f')),
    refuseToken: ({ query }) => gatewayError('API_KEY_INVALID', query.get('f')),
    expireTokens: () => undefined,
  }
}

function waterData({ tables }: World, version: string): Api {
  return {
    root: `/ogcapi/${version}`,
    version: version === 'v0' ? undefined : '1.2.0',
    get tables() {
      return tables.all(version)
    },
    find: name => tables.find(name, version),
  }
}

function createGroundwater(): Api {
  let tables: Api['tables'] | undefined
  return {
    root: '/ngwmn/ogcapi',
    version: undefined,
    get tables() {
      return (tables ??= createGroundwaterTables())
    },
    find(name) {
      return this.tables.find(table => table.name === name)
    },
  }
}

/** A header, an older one, or the query may carry it; the gateway takes the name of Basic credentials for one, too. */
function keyOf({ headers, query }: Ask): string | undefined {
  const basic = /^Basic +(.+)$/i.exec(headers['authorization'] ?? '')?.[1]
  const name = basic === undefined ? undefined : Buffer.from(basic, 'base64').toString('utf8').split(':')[0]
  return [headers['x-api-key'], headers['api_key'], query.get('api_key') ?? undefined, name].find(key => key)
}

/** A span of instants that is asked for without naming one is a year. */
function spanOf({ path, query }: Ask, now: number): { start: number; end: number } | undefined {
  const text = query.get('time') ?? query.get('datetime')
  if (text === null) {
    return path.endsWith('/continuous/items') ? { start: now - 365 * DAY_MS, end: now } : undefined
  }
  const stretch = readStretch(text, now)
  if (stretch === undefined) return undefined
  return { start: Math.max(stretch.from, Date.UTC(1900, 0, 1)), end: Math.min(stretch.to, now) }
}

import type { ContentAction } from '../content-action.ts'
import { createLimiter } from '../limits.ts'
import type { SimulationOptions } from '../options.ts'
import { answerOf } from '../refusal.ts'
import { jsonAnswer, type Answer, type Ask, type Service } from '../service.ts'
import { myAccess } from './access.ts'
import { login, register, resetPassword } from './accounts.ts'
import { createBlocks } from './blocks.ts'
import { forecast, historicalForecast, signalIndex } from './forecast.ts'
import { fuelMix } from './fuel-mix.ts'
import { historical } from './historical.ts'
import { readInstant } from './instants.ts'
import { maps, regionFromLocation } from './places.ts'
import { errorAnswer, unauthorized } from './refusals.ts'
import { createTokens } from './tokens.ts'
import type { DataAsk, World } from './world.ts'

type DataPath = (ask: DataAsk, world: World, changes: readonly ContentAction[]) => Answer

const DATA_PATHS: Readonly<Record<string, DataPath>> = {
  '/v3/my-access': myAccess,
  '/v3/region-from-loc': regionFromLocation,
  '/v3/maps': maps,
  '/v3/historical': historical,
  '/v3/forecast': forecast,
  '/v3/forecast/historical': historicalForecast,
  '/v3/signal-index': signalIndex,
  '/v3/fuel-mix': fuelMix,
}

const ACCOUNT_PATHS = ['/login', '/register', '/password']

const ORIGIN = 'https://api.watttime.org'

/** The emissions service, and the world it speaks of. */
export interface EmissionsService extends Service {
  readonly world: World
}

/** WattTime v3, as its contract describes it. */
export function createEmissionsService(
  options: Required<Pick<SimulationOptions, 'clock' | 'accounts' | 'tokenLifeMs' | 'models' | 'limits'>>,
): EmissionsService {
  const { clock, models } = options
  const world: World = { clock, models, blocks: createBlocks() }
  const tokens = createTokens(options.accounts, clock, options.tokenLifeMs)
  const limiter = createLimiter(options.limits)

  const route = (ask: Ask, changes: readonly ContentAction[]): Answer => {
    switch (`${ask.method} ${plainPath(ask.path)}`) {
      case 'GET /login':
        return login(ask, tokens)
      case 'POST /register':
        return register(ask, tokens)
      case 'GET /password':
        return resetPassword(ask)
    }
    const answerData = DATA_PATHS[ask.path]
    if (answerData === undefined || ask.method !== 'GET') return jsonAnswer(404, { detail: 'Not Found' })
    const account = tokens.holder(ask.headers['authorization'])
    if (account === undefined) throw unauthorized()
    return answerData({ ...ask, account }, world, changes)
  }

  return {
    world,
    routes: [...ACCOUNT_PATHS, ...Object.keys(DATA_PATHS)].map(path => ({
      method: path === '/register' ? 'POST' : 'GET',
      path,
      origin: ORIGIN,
    })),
    owns: path => path.startsWith('/v3/') || ACCOUNT_PATHS.includes(plainPath(path)),
    isAccountPath: path => ACCOUNT_PATHS.includes(plainPath(path)),
    isLoginPath: path => plainPath(path) === '/login',
    whoAsks: ask => tokens.identify(ask.headers['authorization']),
    spanOf,
    keyOf,
    answer: (ask, changes) => answerOf(() => route(ask, changes)),
    admit(ask, { user = '' }, at) {
      const headers = limiter.check(user, plainPath(ask.path) === '/login', at)
      if (headers === undefined) return { headers: {} }
      const answer = errorAnswer(429)
      return { headers, refusal: { ...answer, headers: { ...answer.headers, ...headers } } }
    },
    resetLimits: limiter.reset,
    requestIdHeader: () => 'x-request-id',
    errorAnswer,
    refuseToken(ask) {
      tokens.refuse(ask.headers['authorization'])
      return unauthorized().answer
    },
    expireTokens: tokens.refuseAll,
  }
}

/** The documentation's own sample puts a slash after `/password`. */
function plainPath(path: string): string {
  return path.replace(/\/$/, '')
}

function spanOf({ query }: Ask): { start: number; end: number } | undefined {
  const start = readInstant(query.get('start') ?? '')
  const end = readInstant(query.get('end') ?? '')
  return start === undefined || end === undefined ? undefined : { start, end }
}

function keyOf({ method, path, query }: Ask): string {
  const parts = [...query].map(([name, value]) => `${name}=${readInstant(value) ?? value}`)
  return [method, path, ...parts.sort()].join('|')
}

import type { ContentAction } from '../content-action.ts'
import type { SimulationOptions } from '../options.ts'
import { jsonAnswer, type Answer, type Ask, type Service } from '../service.ts'
import { myAccess } from './access.ts'
import { login, register, resetPassword } from './accounts.ts'
import { createBlocks } from './blocks.ts'
import { forecast, historicalForecast, signalIndex } from './forecast.ts'
import { fuelMix } from './fuel-mix.ts'
import { historical } from './historical.ts'
import { readInstant } from './instants.ts'
import { maps, regionFromLocation } from './places.ts'
import { errorAnswer, Refusal, unauthorized } from './refusals.ts'
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

/** The emissions service, and the world it speaks of. */
export interface EmissionsService extends Service {
  readonly world: World
}

/** WattTime v3, as its contract describes it. */
export function createEmissionsService(
  options: Required<Pick<SimulationOptions, 'clock' | 'accounts' | 'tokenLifeMs' | 'models'>>,
): EmissionsService {
  const { clock, models } = options
  const world: World = { clock, models, blocks: createBlocks() }
  const tokens = createTokens(options.accounts, clock, options.tokenLifeMs)

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
    origin: 'https://api.watttime.org',
    routes: [...ACCOUNT_PATHS, ...Object.keys(DATA_PATHS)].map(path => ({
      method: path === '/register' ? 'POST' : 'GET',
      path,
    })),
    isAccountPath: path => ACCOUNT_PATHS.includes(plainPath(path)),
    isLoginPath: path => plainPath(path) === '/login',
    whoAsks: ask => tokens.identify(ask.headers['authorization']),
    spanOf,
    keyOf,
    answer(ask, changes) {
      try {
        return route(ask, changes)
      } catch (error) {
        if (error instanceof Refusal) return error.answer
        throw error
      }
    },
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

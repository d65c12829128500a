import type { Clock } from '../../clock.ts'
import type { ContentAction } from '../content-action.ts'
import { createLimiter, type Limiter } from '../limits.ts'
import { answerOf } from '../refusal.ts'
import type { Admission, Answer, Ask, Asker, Route, Service } from '../service.ts'
import { createCodeLists } from './codes.ts'
import { answerCodes } from './codes-answer.ts'
import type { Desk } from './desk.ts'
import { answerLegacy } from './legacy/answer.ts'
import { ENDPOINTS } from './legacy/endpoints.ts'
import { portalError } from './legacy/errors.ts'
import { readRequest } from './legacy/read-request.ts'
import { readDate, type CodeLists } from './legacy/validation.ts'
import { resolveWaterQuality, type WaterQualityOptions } from './options.ts'
import { answerSamples } from './samples/answer.ts'
import { overLimit, samplesError, unknownKey } from './samples/errors.ts'
import { RESOURCES } from './samples/tables.ts'
import { dayOf } from './world/calendar.ts'
import { createWorld, type World } from './world/world.ts'
import { answerWqx3 } from './wqx3/answer.ts'
import { createStatusBook } from './wqx3/status-book.ts'

/** The Portal with both of its interfaces, and Samples. */
export interface WaterQualityService extends Service {
  readonly world: World
}

const DAY_MS = 86_400_000
const PORTAL = 'https://www.waterqualitydata.us'
const SAMPLES = 'https://api.waterdata.usgs.gov'

export function createWaterQualityService(options: WaterQualityOptions, clock: Clock): WaterQualityService {
  const settings = resolveWaterQuality(options)
  const world = createWorld(clock)
  let known: CodeTable | undefined
  // Made when it is asked for first, like the world.
  const lists = (): CodeTable => (known ??= createCodeLists(world))
  const book = createStatusBook(clock, settings.statusLifeMs)
  const limiters = { portal: limiterOf(settings.portalLimit), samples: limiterOf(settings.samplesLimit) }
  let turns = 0

  const deskFor = (changes: readonly ContentAction[]): Desk => ({
    world,
    settings,
    codes: codesUnder(changes, lists),
    nextTurn: () => (turns += 1),
  })

  const answer = (ask: Ask, changes: readonly ContentAction[]): Answer => {
    switch (partOf(ask.path)) {
      case 'codes':
        return answerCodes(lists(), ask)
      case 'wqx3':
        return answerWqx3(deskFor(changes), book, ask, changes)
      case 'samples-data':
        return answerSamples(deskFor(changes), ask, changes)
      default:
        return answerLegacy(deskFor(changes), ask, changes)
    }
  }

  const admit = (ask: Ask, { key }: Asker, at: number): Admission => {
    const isSamples = partOf(ask.path) === 'samples-data'
    if (ask.path.length + ask.search.length > settings.longestAddress) {
      return { refusal: isSamples ? samplesError(414) : portalError(414, ask.path), headers: {} }
    }
    if (isSamples && key !== undefined && settings.samplesKeys !== null && !settings.samplesKeys.includes(key)) {
      return { refusal: unknownKey(), headers: {} }
    }
    const verdict = (isSamples ? limiters.samples : limiters.portal).check(key ?? '', false, at)
    if (verdict === undefined) return { headers: {} }
    const limit = isSamples ? settings.samplesLimit : settings.portalLimit
    const refusal = isSamples ? overLimit() : portalError(429, ask.path)
    const retryAfter = String(Math.ceil((limit?.perMs ?? 0) / 1000))
    return { refusal: { ...refusal, headers: { ...refusal.headers, 'retry-after': retryAfter } }, headers: {} }
  }

  return {
    world,
    routes: ROUTES,
    owns: path => partOf(path) !== undefined,
    isAccountPath: () => false,
    isLoginPath: () => false,
    whoAsks: ({ headers, path }) => {
      const key = headers['x-api-key']
      return partOf(path) === 'samples-data' && key !== undefined ? { key } : {}
    },
    spanOf: ask => spanOf(ask, world),
    keyOf,
    answer: (ask, changes) => answerOf(() => answer(ask, changes)),
    admit,
    resetLimits() {
      limiters.portal.reset()
      limiters.samples.reset()
    },
    requestIdHeader: path => (partOf(path) === 'samples-data' ? 'x-api-umbrella-request-id' : 'x-request-id'),
    errorAnswer: (status, { path }) =>
      partOf(path) === 'samples-data' ? samplesError(status) : portalError(status, path),
    refuseToken: ({ path }) => (partOf(path) === 'samples-data' ? unknownKey() : portalError(403, path)),
    expireTokens: () => undefined,
  }
}

type CodeTable = ReturnType<typeof createCodeLists>

type Part = 'data' | 'wqx3' | 'codes' | 'samples-data'

/** Which of the services a path belongs to. */
function partOf(path: string): Part | undefined {
  return /^\/(data|wqx3|codes|samples-data)(?=\/|$)/i.exec(path)?.[1]?.toLowerCase() as Part | undefined
}

/** In both of the spellings that clients use. */
const ROUTES: readonly Route[] = [
  ...ENDPOINTS.flatMap(({ path }) =>
    [path, path.replace(/search$/, 'Search')].flatMap(spelling => [
      { method: 'GET' as const, path: spelling, origin: PORTAL },
      { method: 'POST' as const, path: spelling, origin: PORTAL },
    ]),
  ),
  ...ENDPOINTS.map(({ path }) => ({ method: 'POST' as const, path: `${path}/count`, origin: PORTAL })),
  ...['Result', 'Station', 'Activity'].map(name => ({
    method: 'GET' as const,
    path: `/wqx3/${name}/search`,
    origin: PORTAL,
  })),
  ...['/wqx3/status/:id', '/Codes/:name', '/Codes/:name/validate'].map(path => ({
    method: 'GET' as const,
    path,
    origin: PORTAL,
  })),
  ...Object.entries(RESOURCES).flatMap(([resource, profiles]) =>
    Object.keys(profiles).map(profile => ({
      method: 'GET' as const,
      path: `/samples-data/${resource}/${profile}`,
      origin: SAMPLES,
    })),
  ),
  ...['summary/:site', 'codeservice/:name', 'reference-list'].map(rest => ({
    method: 'GET' as const,
    path: `/samples-data/${rest}`,
    origin: SAMPLES,
  })),
]

function limiterOf(limit: { readonly count: number; readonly perMs: number } | null): Limiter {
  return createLimiter({ requests: limit, logins: null, perSecond: null })
}

function codesUnder(changes: readonly ContentAction[], lists: () => CodeTable): CodeLists {
  const down = changes.find(change => change.type === 'codesDown')
  if (down) return { has: () => (down.as === 'unavailable' ? undefined : false) }
  return { has: (list, value) => lists()[list]?.some(code => code.value === value) ?? false }
}

/** Whole local days, as if they were days of UTC. An end left open is far away: 1900, or today. */
function spanOf(ask: Ask, world: World): { start: number; end: number } | undefined {
  const given = new Map(pairsOf(ask))
  const isSamples = partOf(ask.path) === 'samples-data'
  const dayBy = (name: string): number | undefined => (isSamples ? dayOf : readDate)(given.get(name) ?? '')
  const first = dayBy(isSamples ? 'activityStartDateLower' : 'startDateLo')
  const last = dayBy(isSamples ? 'activityStartDateUpper' : 'startDateHi')
  if (first === undefined && last === undefined) return undefined
  const start = first === undefined ? Date.UTC(1900, 0) : first * DAY_MS
  // The last instant of the last day: one day is one day long.
  return { start, end: ((last ?? world.today()) + 1) * DAY_MS - 1 }
}

/** The same for every spelling of lists and paths, and for every method that reads. */
function keyOf(ask: Ask): string {
  const parts = pairsOf(ask).flatMap(([name, value]) =>
    value.split(';').flatMap(piece => (piece === '' ? [] : [`${name}=${piece}`])),
  )
  return [ask.path.toLowerCase(), ...parts.sort()].join('|')
}

/** Names and values, or none where the body cannot be read. */
function pairsOf(ask: Ask): readonly (readonly [string, string])[] {
  try {
    return readRequest(ask)
  } catch {
    return [...ask.query]
  }
}

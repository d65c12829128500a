import type { Clock } from '../../src/clock.ts'
import type { ManualClock } from './clocks.ts'
import { features, page } from './feature-pages.ts'
import { createPaged, type PagedClient, type PagedOptions } from './page-adapter.ts'
import { DEFAULTS } from './paged-replay.ts'
import { answer, startScripted, type Script, type ScriptedServer } from './scripted-server.ts'

export const MINUTE_MS = 60_000
export const REQUESTS_A_MINUTE = 200
export const granting: Script = visit => answer(visit, { body: page(features(1, 1)) })

/** What an exchange keeps about a client. */
export interface Exchange extends ScriptedServer {
  /** How often it said "too many". */
  readonly refusals: number
  /** How often it was asked while it had said to stay away. */
  readonly strikes: number
  readonly banned: boolean
  /** Which wishes it has granted, in order. */
  readonly granted: string[]
}

const STRIKES_TO_BAN = 5

/**
 * An exchange that takes 200 requests a minute, 20 of them at once; says for how long to stay away when it has had
 * enough; and bans whoever does not.
 */
export async function openExchange(clock: Clock, burst = 20): Promise<Exchange> {
  const perMs = REQUESTS_A_MINUTE / MINUTE_MS
  const state = { refusals: 0, strikes: 0, banned: false, granted: [] as string[] }
  let tokens = burst
  let at = clock.monotonic()
  let saidAt = Number.NEGATIVE_INFINITY
  let awayUntil = Number.NEGATIVE_INFINITY
  const server = await startScripted(visit => {
    const now = clock.monotonic()
    tokens = Math.min(burst, tokens + (now - at) * perMs)
    at = now
    // What was under way when it said so is no offence.
    if (now < awayUntil && now > saidAt) state.strikes += 1
    state.banned ||= state.strikes >= STRIKES_TO_BAN
    if (state.banned) return answer(visit, { status: 403, body: { message: 'you are banned' } })
    if (now >= awayUntil && tokens >= 1) {
      tokens -= 1
      state.granted.push(visit.arrival.query.get('monitoring_location_id') ?? '')
      return granting(visit)
    }
    state.refusals += 1
    if (now >= awayUntil) saidAt = now
    awayUntil = now + 6_000
    answer(visit, { status: 429, headers: { 'retry-after': '6' } })
  }, clock)
  return Object.defineProperties(
    server,
    Object.getOwnPropertyDescriptors({
      get refusals() {
        return state.refusals
      },
      get strikes() {
        return state.strikes
      },
      get banned() {
        return state.banned
      },
      granted: state.granted,
    }),
  ) as Exchange
}

export function botOf(server: { readonly url: string }, clock: ManualClock, options: PagedOptions = {}): PagedClient {
  let draws = 0
  // Chance that is spread evenly and is the same on every run.
  const random = (): number => ((draws += 1) * 0.618) % 1
  return createPaged(server, { ...DEFAULTS, clock, random, ...options })
}

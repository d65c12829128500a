import { REGION, type BenchSpec, type Scenario } from './spec.ts'

/** A job of the public bench. Names are those of the neutral bench, whose jobs these are. */
export interface Job {
  readonly about: string
  readonly spec: BenchSpec
  /** Flags of our client. @defaultValue none: everything as it comes */
  readonly flags?: readonly string[]
  /** Whether the job is expected to end in an error. */
  readonly raises?: boolean
  /** Run once for each seed from 1 to this, in place of several times with the same. */
  readonly seeds?: number
}

interface Wanted {
  readonly about: string
  readonly days: number
  readonly start?: string
  readonly endpoint?: 'historical' | 'forecast'
  readonly timeScale?: number
  readonly scenario?: Scenario
  readonly flags?: readonly string[]
  readonly raises?: boolean
  readonly seeds?: number
}

const THREE_YEARS = 1095
/** 15 s for half a month, 180 s for more than that. */
const slowMonth = (timeScale: number): Scenario => ({
  spanLatency: [
    { upToDays: 15.5, ms: 15_000 / timeScale },
    { upToDays: null, ms: 180_000 / timeScale },
  ],
})
const DEAD: Scenario = { spanLatency: [{ upToDays: null, ms: 1800 }] }
/** The rate is scaled like everything else: twenty times the default where the clock is twenty times as fast. */
const FOUR_AT_A_TIME = ['--concurrency', '4', '--rate', '200']
const DECADE = { days: 3650, start: '2016-01-01' }

const WANTED: Readonly<Record<string, Wanted>> = {
  J1: { about: 'three years of five-minute values', days: THREE_YEARS },
  J1decade: { about: 'ten years, streamed', ...DECADE, flags: ['--stream'] },
  J1slow: {
    about: 'ten years, streamed to a consumer that takes 100 ms a batch',
    ...DECADE,
    flags: ['--stream', '--pause-ms', '100'],
  },
  J4: {
    about: 'a slow month: one request of 30 days (clock / 100)',
    days: 30,
    scenario: slowMonth(100),
    timeScale: 100,
  },
  J4year: {
    about: 'a slow month: one year, four at a time (clock / 20)',
    days: 360,
    scenario: slowMonth(20),
    timeScale: 20,
    flags: FOUR_AT_A_TIME,
  },
  J4dead: {
    about: 'a service that never answers in time (clock / 100)',
    days: 30,
    scenario: DEAD,
    timeScale: 100,
    raises: true,
  },
  J5: {
    about: 'thirty per cent random 503, twenty seeds (clock / 20)',
    days: THREE_YEARS,
    scenario: { error: { p: 0.3 } },
    timeScale: 20,
    seeds: 20,
    flags: ['--resume', '5'],
  },
  J5patient: {
    about: 'the same with eight repeats, never resumed',
    days: THREE_YEARS,
    scenario: { error: { p: 0.3 } },
    timeScale: 20,
    seeds: 20,
    flags: ['--retries', '8'],
  },
  J6: {
    about: 'ten requests a second allowed',
    days: THREE_YEARS,
    scenario: { rateLimit: { rps: 10, retryAfter: 1 } },
  },
  J6half: {
    about: 'five requests a second allowed, half of what is sent by default',
    days: THREE_YEARS,
    scenario: { rateLimit: { rps: 5, retryAfter: 1 } },
  },
  J7: { about: 'a token lasts for ten requests', days: THREE_YEARS, scenario: { token: { maxUses: 10 } } },
  J8: {
    about: 'one body in ten goes silent half way (clock / 60)',
    days: THREE_YEARS,
    scenario: { stall: { p: 0.1, attempts: 1, at: 0.5, holdMs: 4000 } },
    timeScale: 60,
  },
  J9: {
    about: 'bodies drip for 2 s, the silence limit is 1 s (clock / 60)',
    days: 120,
    scenario: { drip: { pieces: 40, everyMs: 50 } },
    timeScale: 60,
  },
  J10: { about: 'thirty days of forecasts', days: 30, endpoint: 'forecast' },
  J12reset: {
    about: 'one body in ten is cut by a reset (clock / 20)',
    days: THREE_YEARS,
    scenario: { reset: { p: 0.1, attempts: 1, at: 0.5 } },
    timeScale: 20,
  },
  J12trunc: {
    about: 'one body in ten ends early, cleanly (clock / 20)',
    days: THREE_YEARS,
    scenario: { truncate: { p: 0.1, attempts: 1, at: 0.5 } },
    timeScale: 20,
  },
}

const DAY_MS = 86_400_000

export const JOBS: readonly Job[] = Object.entries(WANTED).map(([job, wanted]) => {
  const {
    about,
    days,
    start = '2022-01-01',
    endpoint = 'historical',
    timeScale = 1,
    scenario = {},
    flags,
    raises,
    seeds,
  } = wanted
  const end = new Date(Date.parse(start) + days * DAY_MS).toISOString()
  const path = endpoint === 'forecast' ? '/v3/forecast/historical' : '/v3/historical'
  const expectUrl = `${path}?region=${REGION}&start=${start}&end=${end}`
  return {
    about,
    spec: { job, timeScale, scenario, expectUrl, endpoint, start, days },
    ...(flags ? { flags } : {}),
    ...(raises ? { raises } : {}),
    ...(seeds ? { seeds } : {}),
  }
})

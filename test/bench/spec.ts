import { parseArgs } from 'node:util'

/** What is to be done, as the neutral bench states it. */
export interface BenchSpec {
  readonly job: string
  /** Every wait of the server is divided by this already; clients divide theirs. */
  readonly timeScale: number
  readonly scenario: Scenario
  /** Data address that describes the whole job: where the truth is asked for. */
  readonly expectUrl: string
  /** Emissions: what is asked for, in one region. */
  readonly endpoint?: 'historical' | 'forecast'
  readonly start?: string
  /** Days from `start`; the last instant is included. */
  readonly days?: number
  /** Streamflow: discharge of these sites from a collection. */
  readonly collection?: 'daily' | 'continuous'
  readonly sites?: readonly string[]
  /** First and last day or instant, with a slash between. */
  readonly time?: string
  /** Rows of a page. @defaultValue the client's own */
  readonly limit?: number
}

/** A misbehaviour of the server that strikes a share `p` of requests, on their first so many `attempts`. */
interface Chance {
  readonly p?: number
  readonly attempts?: number
}

/** How the server behaves, in the words of the neutral bench. What is absent is well-behaved. */
export interface Scenario {
  readonly seed?: number
  readonly latencyMs?: number
  /** The first rung that holds the span says how long the answer takes. */
  readonly spanLatency?: readonly { readonly upToDays: number | null; readonly ms: number }[]
  readonly rateLimit?: { readonly rps: number; readonly retryAfter: number | null }
  readonly error?: Chance & { readonly status?: number }
  readonly reset?: Chance & { readonly at: number }
  readonly stall?: Chance & { readonly at: number; readonly holdMs: number }
  readonly truncate?: Chance & { readonly at: number }
  readonly drip?: { readonly pieces: number; readonly everyMs: number }
  readonly token?: { readonly maxUses: number }
}

/** What a run changes of our client's defaults. */
export interface Tuning {
  /** Batch by batch, without keeping rows. */
  readonly stream: boolean
  /** How long the consumer takes over each batch, milliseconds. */
  readonly pauseMs: number
  /** How often an interrupted pull is taken up again, at most. */
  readonly resume: number
  /** Everything in one walk from page to page, however large: a cap on rows keeps a query from being divided. */
  readonly walk: boolean
  readonly concurrency?: number
  readonly rate?: number
  readonly retries?: number
}

/** The one region that is asked for. */
export const REGION = 'CAISO_NORTH'

const DAY_MS = 86_400_000

/** First and last instant of an emissions job, both included, epoch milliseconds. */
export function spanOfJob({ job, start, days }: BenchSpec): { readonly start: number; readonly end: number } {
  if (start === undefined || days === undefined) throw new TypeError(`job ${job} states no span`)
  const first = Date.parse(start)
  return { start: first, end: first + days * DAY_MS }
}

/** The spec and the flags that a runner was started with. */
export function readFlags() {
  const text = { type: 'string' } as const
  const { values } = parseArgs({
    options: {
      spec: text,
      concurrency: text,
      rate: text,
      stream: { type: 'boolean', default: false },
      walk: { type: 'boolean', default: false },
      'pause-ms': text,
      retries: text,
      resume: text,
    },
  })
  if (values.spec === undefined) throw new TypeError("--spec '<json>' is missing")
  return {
    spec: JSON.parse(values.spec) as BenchSpec,
    concurrency: whole(values.concurrency),
    rate: whole(values.rate),
    stream: values.stream,
    retries: whole(values.retries),
    resume: whole(values.resume) ?? 0,
    walk: values.walk,
    pauseMs: whole(values['pause-ms']) ?? 0,
  }
}

function whole(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Number(text)
}

/** A client's own waits, divided like the server's. */
export function scaledWaits({ timeScale }: BenchSpec) {
  const scaled = (ms: number): number => ms / timeScale
  return {
    readTimeoutMs: scaled(60_000),
    connectTimeoutMs: scaled(10_000),
    stallMs: scaled(60_000),
    backoff: { baseDelayMs: scaled(500), maxDelayMs: scaled(30_000) },
    retryAfterCapMs: scaled(60_000),
  }
}

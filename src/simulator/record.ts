/** How a request ended: the status sent, or what was done to the connection in its place. */
export type Ending = number | 'hung' | 'reset' | 'cut' | 'aborted'

/** What is kept of a request. No secret is kept in clear. */
export interface SimulatorRequest {
  /** Place in the order of arrival, from 1. */
  readonly n: number
  /** When it arrived, milliseconds of the clock's monotonic time. */
  readonly at: number
  readonly method: string
  readonly path: string
  /** Query string exactly as sent, with its question mark, an API key aside; empty when there is none. */
  readonly search: string
  /** The query, decoded; the last one of a name given twice. */
  readonly query: Readonly<Record<string, string>>
  /** Names in lower case; secrets as `fingerprint` shows them. */
  readonly headers: Readonly<Record<string, string>>
  /** Number of the connection it came on, from 1; 0 where there is no connection. */
  readonly connection: number
  /** User named by Basic credentials, or owner of the token. Left out when the record is printed or serialised. */
  readonly user?: string | undefined
  /** Fingerprint of the bearer token. */
  readonly token?: string
  /** Fingerprint of the API key, wherever it was carried. */
  readonly key?: string
  /** What was sent with the request; absent when nothing was, and for accounts. */
  readonly body?: string
  /** Which of the tokens issued it is, from 1; absent for a token never issued here. */
  readonly tokenNumber?: number
  /** Length of the span asked for, milliseconds. */
  readonly spanMs?: number
  /** True for login and the like. */
  readonly isAccount: boolean
  /** True when it came while a `Retry-After` given here was still running. */
  readonly duringPause: boolean
  /** Absent as long as the request is open, except for `hung`, which is known at once. */
  readonly status?: Ending
  /** When it ended, in the same time as `at`. */
  readonly endedAt?: number
  /** True when the client left before the answer was whole. */
  readonly abortedByClient?: boolean
}

/** Figures over all requests since the start or the last reset. */
export interface SimulatorStats {
  /** Everything asked, logins included. */
  readonly requests: number
  /** Everything asked of data paths: no login, no account. */
  readonly dataRequests: number
  readonly logins: number
  /** Most arrivals within any second, everything counted. */
  readonly peakPerSecond: number
  /** Most requests open at once, everything counted. */
  readonly peakOpen: number
  /** How often each ending was met. Open requests are in none. */
  readonly statuses: Readonly<Record<string, number>>
  /** Requests that came while a `Retry-After` given here was still running. */
  readonly duringPause: number
  /** Data requests whose very path, query and body had been asked before. */
  readonly repeats: number
  /** Requests that were accepted and never answered. */
  readonly timesHung: number
}

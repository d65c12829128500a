import type { OptionDescription } from '../retrieval/index.ts'
import { kebabCase } from './flag-names.ts'
import type { Flag } from './flags.ts'

/** Settings of the transport that can be said in text. They are read and refused where those of the environment are. */
const TRANSPORT: Readonly<Record<string, string>> = {
  retries: 'repeats after the first attempt',
  retryAfterCapMs: 'longest wait that a service may ask for',
  stallMs: 'longest silence of a request over all attempts',
  connectTimeoutMs: 'longest time to get a connection',
  readTimeoutMs: 'longest gap between two bytes',
  concurrency: 'requests at a time',
  rate: 'request starts a second',
  maxSplitDepth: 'how often a slow span is halved',
  learnSpans: 'whether a split makes later chunks smaller: true or false',
  chunk: 'length of a chunk, such as P10D',
  quotaReserve: 'requests of a quota to leave alone',
  maxPages: 'pages of one walk; more is an error',
  maxBytes: 'bytes of one answer, unpacked',
  userAgent: 'how the client names itself',
  proxy: 'environment, none, or an address',
  cache: 'answers kept on disk and used again: true, false, or a folder such as ./cache',
  refresh: 'asks again for what is kept: true or false',
  offline: 'sends nothing, and answers from the cache alone: true or false',
}

/** Bounds of a call. */
const CALL: Readonly<Record<string, string>> = {
  deadlineMs: 'longest time for the whole call',
  maxRequests: 'most requests to send, every attempt counted',
  maxRows: 'most rows to return',
}

/** Flags for everything that is no argument of the query. */
export interface CallFlags {
  /** For the client: its own options, then those of the transport. */
  readonly client: readonly Flag[]
  /** For the call. */
  readonly call: readonly Flag[]
}

/**
 * @param options - the service's own
 * @param taken - names that the query has already: a flag fills one thing only
 */
export function callFlags(options: readonly OptionDescription[], taken: readonly string[]): CallFlags {
  const own = options.map(({ name, text, secret, variable }) => ({
    ...textFlag(name, variable === undefined ? text : `${text} (environment: ${variable})`),
    secret: secret === true,
  }))
  const transport = Object.entries(TRANSPORT).map(([name, text]) => textFlag(name, text))
  return {
    client: [...own, ...transport].filter(({ name }) => !taken.includes(name)),
    call: Object.entries(CALL).map(([name, text]) => ({ ...textFlag(name, text), kind: 'number' })),
  }
}

function textFlag(name: string, text: string): Flag {
  return { name, flag: `--${kebabCase(name)}`, kind: 'text', list: 'no', required: false, secret: false, text }
}

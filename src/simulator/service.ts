import type { Body } from './body-stream.ts'
import type { ContentAction } from './content-action.ts'

/** One request, as a service sees it. */
export interface Ask {
  /** Address that the path hangs from, as the client knows it: origin and prefix, no slash at the end. */
  readonly base: string
  readonly method: string
  readonly path: string
  /** Query string exactly as sent, with its question mark. */
  readonly search: string
  readonly query: URLSearchParams
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** Text of the body; empty when there is none. */
  readonly body: string
}

/** What is sent back. */
export interface Answer {
  readonly status: number
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: Body
  /** Silence before the first byte. What is `lost` in it never gets an answer: somebody in between closes the connection. */
  readonly silence?: { readonly ms: number; readonly isLost: boolean }
}

/** Who asks. */
export interface Asker {
  /** Name of the user, as far as the request tells. */
  readonly user?: string
  /** Which of the tokens issued it used, counted from 1. */
  readonly tokenNumber?: number
  /** API key it carried, in clear. The record keeps its fingerprint. */
  readonly key?: string
}

/** Whether a request may pass the limits of a service. */
export interface Admission {
  /** The answer that says no. */
  readonly refusal?: Answer
  /** Go with whatever is answered. */
  readonly headers: Readonly<Record<string, string>>
}

/** A path of a service, and where the real one lives: origin without a trailing slash. */
export interface Route {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly origin: string
}

/** A service that can be simulated. It knows neither sockets nor faults, save those of its own rows. */
export interface Service {
  readonly routes: readonly Route[]
  /** True for a path that is this service's to answer, were it only with a 404. */
  owns(path: string): boolean
  /** True for a path that hands out tokens or keeps accounts: no target of a fault that names no path. */
  isAccountPath(path: string): boolean
  /** True for the path that hands out tokens. */
  isLoginPath(path: string): boolean
  whoAsks(ask: Ask): Asker
  /** Span asked for, epoch milliseconds, both ends included. */
  spanOf(ask: Ask): { readonly start: number; readonly end: number } | undefined
  /** The question without its spelling: the same for two requests that must get the same answer. */
  keyOf(ask: Ask): string
  /** The service's own answer, its rows changed by `changes`. */
  answer(ask: Ask, changes: readonly ContentAction[]): Answer
  /** Counts a request against the service's limits. `at` is in the clock's monotonic time. */
  admit(ask: Ask, asker: Asker, at: number): Admission
  /** Forgets what was counted. */
  resetLimits(): void
  /** Name of the header that carries the number of a request, in lower case. */
  requestIdHeader(path: string): string
  /** The service's own way to say this status. */
  errorAnswer(status: number, ask: Ask): Answer
  /** Refuses the token of this request from now on, and says so. */
  refuseToken(ask: Ask): Answer
  /** Refuses every token issued so far. */
  expireTokens(): void
}

/** An answer in JSON. */
export function jsonAnswer(status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): Answer {
  return { status, headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(body) }
}

/** An answer in HTML, as gateways give it. */
export function htmlAnswer(status: number, title: string): Answer {
  const body = `<html>\n<head><title>${title}</title></head>\n<body>\n<center><h1>${title}</h1></center>\n<hr><center>nginx</center>\n</body>\n</html>\n`
  return { status, headers: { 'content-type': 'text/html' }, body }
}

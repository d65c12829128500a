import type { ContentAction } from './content-action.ts'

/** One request, as a service sees it. */
export interface Ask {
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
  readonly body: string | Uint8Array
}

/** Who asks. */
export interface Asker {
  /** Name of the user, as far as the request tells. */
  readonly user?: string
  /** Which of the tokens issued it used, counted from 1. */
  readonly tokenNumber?: number
}

/** A service that can be simulated. It knows neither sockets nor faults, save those of its own rows. */
export interface Service {
  /** Where the real one lives: origin without a trailing slash. */
  readonly origin: string
  readonly routes: readonly { readonly method: 'GET' | 'POST'; readonly path: string }[]
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
  /** The service's own way to say this status. */
  errorAnswer(status: number): Answer
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

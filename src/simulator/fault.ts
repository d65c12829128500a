import type { ContentAction } from './content-action.ts'

/** A misbehaviour: what is done, to which requests. Several may strike one request. */
export interface Fault {
  /** Paths it is for. A text must equal the path. @defaultValue every path but those of accounts (login and the like) */
  readonly path?: string | RegExp
  /** All of these must hold. @defaultValue every request */
  readonly when?: FaultCondition
  /** What happens. */
  readonly do: FaultAction
}

/**
 * Which requests a fault strikes. Requests that a rate limit refuses are neither struck nor counted.
 * A request without a time span meets none of the four span conditions.
 */
export interface FaultCondition {
  /** Span longer than this, milliseconds. */
  readonly spanOverMs?: number
  /** Span of this length or shorter, milliseconds. */
  readonly spanUpToMs?: number
  /** Span starts at or after this instant: ISO-8601 text, or epoch milliseconds. */
  readonly startsFrom?: string | number
  /** Span starts before this instant. */
  readonly startsBefore?: string | number
  /** Each of these parameters of the query has this value, as text. */
  readonly query?: Readonly<Record<string, string>>
  /** Carries the token that was issued as the n-th, counted from 1. */
  readonly tokenNumber?: number
  /** Only these of the requests that match `path`, counted from 1. */
  readonly nth?: number | readonly number[]
  /** Strikes no more often than this in all. */
  readonly upTo?: number
  /** Strikes only the first so many attempts at the same question. */
  readonly attempts?: number
  /**
   * Share of requests, 0 to 1. Drawn from the seed, the fault's place in the list, the question and the number of the
   * attempt at it, never from the order of arrival: two clients that ask the same questions meet the same faults.
   */
  readonly probability?: number
}

/** What a fault does. Times and delays combine with the rest; of answers, and of ways to deliver, the first wins. */
export type FaultAction = LatencyAction | AnswerAction | DeliveryAction | ContentAction

/** Waits before anything else happens: `ms`, plus `perDayMs` for each day of the span. */
export interface LatencyAction {
  readonly type: 'latency'
  readonly ms?: number
  readonly perDayMs?: number
}

/** Puts another answer in place of the service's own. */
export type AnswerAction =
  /** An error status. The body is the service's own for that status unless given. */
  | {
      readonly type: 'status'
      readonly status: number
      readonly headers?: Readonly<Record<string, string>>
      readonly body?: string | object
      readonly contentType?: string
    }
  /** A 200 with a maintenance page, labelled `text/html` or as told. */
  | { readonly type: 'html'; readonly label?: string }
  /** A 200 with this text. */
  | { readonly type: 'body'; readonly text: string; readonly contentType?: string }
  /** The token used is refused now and from now on. */
  | { readonly type: 'expireToken' }
  /** Sends the client elsewhere. A location that starts with a slash is on this server. */
  | { readonly type: 'redirect'; readonly location: string; readonly status?: 301 | 302 | 303 | 307 | 308 }

/** Mistreats the connection. Needs a real socket: request handlers refuse all of these but `hang` and `reset`. */
export type DeliveryAction =
  /** Accepts the request and never answers. */
  | { readonly type: 'hang' }
  /** Headers, then so much of the body (nothing by default), then silence: for `forMs`, or until the client leaves. */
  | { readonly type: 'silent'; readonly afterBytes?: number; readonly at?: number; readonly forMs?: number }
  /** The whole body, in equal pieces with pauses between them. */
  | { readonly type: 'drip'; readonly pieces: number; readonly everyMs: number }
  /** The connection is reset, before the headers or after this share of the body. */
  | { readonly type: 'reset'; readonly at: number | 'before-headers' }
  /** The body ends after this share of it. How that looks to the client is told by `lie`. */
  | { readonly type: 'cut'; readonly at: number; readonly lie?: CutLie }

/**
 * How a body that ends early looks.
 *
 * - `length`: the length header promises the whole; the connection closes
 * - `chunked`: chunks without an end mark; the connection closes
 * - `clean`: a proper answer in every respect, but for its text
 * - `gzip`: compressed, cut after compression, with the length header of what is left
 * - `close`: no length at all, the end of the connection is the end of the body
 *
 * @defaultValue 'length'
 */
export type CutLie = 'length' | 'chunked' | 'clean' | 'gzip' | 'close'

/** The kinds of action. Of `answer` and of `delivery`, one request takes the first only. */
export type FaultFamily = 'delay' | 'answer' | 'delivery' | 'content'

/** Which kind each action is. */
export const FAULT_FAMILIES: Readonly<Record<FaultAction['type'], FaultFamily>> = Object.freeze({
  latency: 'delay',
  status: 'answer',
  html: 'answer',
  body: 'answer',
  expireToken: 'answer',
  redirect: 'answer',
  hang: 'delivery',
  silent: 'delivery',
  drip: 'delivery',
  reset: 'delivery',
  cut: 'delivery',
  rows: 'content',
  model: 'content',
  meta: 'content',
  revise: 'content',
  withdraw: 'content',
  cursor: 'content',
  reissue: 'content',
  breakDown: 'content',
  incomplete: 'content',
  announce: 'content',
  upstream: 'content',
  codesDown: 'content',
})

export const isAnswerAction = (action: FaultAction): action is AnswerAction => FAULT_FAMILIES[action.type] === 'answer'
export const isDeliveryAction = (action: FaultAction): action is DeliveryAction =>
  FAULT_FAMILIES[action.type] === 'delivery'
export const isContentAction = (action: FaultAction): action is ContentAction =>
  FAULT_FAMILIES[action.type] === 'content'

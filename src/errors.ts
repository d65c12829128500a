import type { Checkpoint } from './checkpoint.ts'
import type { Span } from './span.ts'
import { errorDisplay } from './error-display.ts'
import { redactText, redactUrl } from './redact.ts'
import { showsItself } from './self-display.ts'

/**
 * What went wrong with a request, as a closed list: branch on it, and read the message.
 *
 * - `timeout`: no byte for as long as the read time-out, or a 504, and no smaller request was left to try
 * - `stalled`: the call received nothing for longer than its stall budget
 * - `deadline`: the caller's own deadline or expiry came first
 * - `connection`: not connected, or the connection broke before the answer was whole
 * - `http_401`, `http_4xx`, `http_5xx`: the service answered with that status and repeating does not help
 * - `rate_limited`: the service, or the quota it states, asks for more patience than allowed
 * - `too_large`: the request or the answer is over a size limit
 * - `bad_response`: an answer that is not what the service promises
 * - `pagination`: a page walk that repeats itself or leaves the host
 * - `login`: no token could be had
 * - `other`: none of these
 */
export type FailureKind =
  | 'timeout'
  | 'stalled'
  | 'deadline'
  | 'connection'
  | 'http_401'
  | 'http_4xx'
  | 'http_5xx'
  | 'rate_limited'
  | 'too_large'
  | 'bad_response'
  | 'pagination'
  | 'login'
  | 'other'

/** Base of every error that this package throws, the caller's own abort reason excepted. Holds no secret. */
export abstract class HeadraceError extends Error {
  /** Stable text to branch on: `HEADRACE_…`. */
  abstract readonly code: `HEADRACE_${string}`

  constructor(message: string, cause?: ErrorCause) {
    super(redactText(message), cause === undefined ? undefined : { cause: withoutSecrets(cause) })
  }

  /** Everything the error knows, as plain data that is safe to log. */
  toJSON(): Record<string, unknown> {
    const { stack: _stack, ...fields } = this as unknown as Record<string, unknown>
    return { ...fields, name: this.name, code: this.code, message: this.message }
  }
}

showsItself(HeadraceError.prototype, error => {
  const { code, message, stack, cause: _cause, ...facts } = error as HeadraceError & Record<string, unknown>
  const { name, failure: _failure, ...own } = facts as Record<string, unknown>
  return errorDisplay({
    name: `${String(name ?? error.name)} (${String(own['kind'] ?? code)})`,
    message,
    stack,
    facts: { ...own, kind: undefined },
  })
})

/** What is kept of a lower-level error: never the error itself, which may hold headers. */
export interface ErrorCause {
  readonly name: string
  readonly code?: string
  readonly message: string
}

/** Reduces any thrown value to what may be shown. */
export function describeCause(thrown: unknown, redact: (text: string) => string = redactText): ErrorCause {
  if (!(thrown instanceof Error)) return { name: 'Error', message: redact(String(thrown)).slice(0, 500) }
  const code = (thrown as { code?: unknown }).code
  return {
    name: thrown.name,
    ...(typeof code === 'string' ? { code } : {}),
    message: redact(thrown.message).slice(0, 500),
  }
}

/** A setting that makes no sense, found before any request. */
export class ConfigurationError extends HeadraceError {
  override readonly name = 'ConfigurationError'
  readonly code = 'HEADRACE_CONFIGURATION'
  /** The setting as the caller knows it: an option's or an environment variable's name. */
  readonly setting: string
  /** Where the value came from. */
  readonly source: string

  constructor(message: string, about: { readonly setting: string; readonly source: string }) {
    super(message)
    this.setting = about.setting
    this.source = about.source
  }
}

/** A query that cannot work, found before any request. */
export class QueryError extends HeadraceError {
  override readonly name = 'QueryError'
  readonly code = 'HEADRACE_QUERY'
  /** The argument at fault. */
  readonly argument: string
  /** Its value, as text. */
  readonly value: string

  constructor(message: string, about: { readonly argument: string; readonly value: unknown }) {
    super(message)
    this.argument = about.argument
    this.value = redactText(showValue(about.value))
  }
}

/** Facts about a failed request. Addresses are without secrets. */
export interface RequestErrorFacts {
  readonly service: string
  readonly operation: string
  readonly method: string
  readonly url: string
  readonly status?: number | undefined
  readonly requestId?: string | undefined
  /** How long the service asked to wait, milliseconds. */
  readonly retryAfterMs?: number | undefined
  /** What the service said is left of a quota. */
  readonly quotaRemaining?: number | undefined
  /** Times the request was sent. */
  readonly attempts: number
  /** The part of the asked span that the request stood for. */
  readonly span?: Span | undefined
  /** The service's own words. */
  readonly serverMessage?: string | undefined
  /** Pages of the walk that had been read before. */
  readonly pagesRead?: number | undefined
}

/** A request that did not end in data. Branch on `kind`; read the message. Safe to log and to serialise. */
export class RequestError extends HeadraceError implements RequestErrorFacts {
  override readonly name = 'RequestError'
  readonly code = 'HEADRACE_REQUEST'
  readonly kind: FailureKind
  readonly service: string
  readonly operation: string
  readonly method: string
  readonly url: string
  readonly status: number | undefined
  readonly requestId: string | undefined
  readonly retryAfterMs: number | undefined
  readonly quotaRemaining: number | undefined
  readonly attempts: number
  readonly span: Span | undefined
  readonly serverMessage: string | undefined
  readonly pagesRead: number | undefined

  constructor(kind: FailureKind, message: string, facts: RequestErrorFacts, cause?: ErrorCause) {
    super(message, cause)
    this.kind = kind
    this.service = facts.service
    this.operation = facts.operation
    this.method = facts.method
    this.url = redactUrl(facts.url)
    this.status = facts.status
    this.requestId = facts.requestId
    this.retryAfterMs = facts.retryAfterMs
    this.quotaRemaining = facts.quotaRemaining
    this.attempts = facts.attempts
    this.span = facts.span
    this.serverMessage = facts.serverMessage === undefined ? undefined : redactText(facts.serverMessage)
    this.pagesRead = facts.pagesRead
  }

  /** The part of the address behind the question mark, by name. */
  get params(): Readonly<Record<string, string>> {
    const cut = this.url.indexOf('?')
    return cut < 0 ? {} : Object.fromEntries(new URLSearchParams(this.url.slice(cut + 1)))
  }
}

/** How an interrupted retrieval can be looked at and taken up. */
export interface Interruption<Result> {
  readonly done: readonly Span[]
  readonly left: readonly Span[]
  readonly partial: () => Result
  readonly resume: (options?: ResumeOptions) => Promise<Result>
  readonly checkpoint: () => Checkpoint
}

/**
 * Bounds of the continuation. Those of the first call do not hold for it; everything else that was said to the first call
 * does.
 */
export interface ResumeOptions {
  /** Ends the continuation; it then rejects with the signal's own reason. */
  readonly signal?: AbortSignal | undefined
  /** Longest time for the continuation, milliseconds. */
  readonly deadlineMs?: number | undefined
  /** Most requests the continuation may send, every attempt counted. */
  readonly maxRequests?: number | undefined
}

/**
 * A retrieval that ended before it was whole. What had been received is kept: look at it with `partial()`,
 * ask for the rest with `resume()`, or take `checkpoint()` to another process. Never a shorter result.
 */
export class RetrievalInterrupted<Result = unknown> extends HeadraceError {
  override readonly name = 'RetrievalInterrupted'
  readonly code = 'HEADRACE_INTERRUPTED'
  /** Kind of the failure behind it. */
  readonly kind: FailureKind
  /** Spans whose rows had been received, both ends included. */
  readonly done: readonly Span[]
  /** Spans that are missing, both ends included. */
  readonly left: readonly Span[]
  /** The failure that ended it; also its `cause`. */
  declare readonly failure: RequestError
  readonly #interruption: Interruption<Result>

  constructor(failure: RequestError, interruption: Interruption<Result>) {
    const { done, left } = interruption
    super(
      `${failure.message} (received ${count(done)}, missing ${count(left)}: call resume() to ask for the missing part only)`,
      failure,
    )
    this.kind = failure.kind
    // Node prints an error that nobody caught with all its fields and its cause: the failure should stand there once.
    Object.defineProperty(this, 'failure', { value: failure, enumerable: false })
    this.done = done
    this.left = left
    this.#interruption = interruption
  }

  get status(): number | undefined {
    return this.failure.status
  }

  get retryAfterMs(): number | undefined {
    return this.failure.retryAfterMs
  }

  override toJSON(): Record<string, unknown> {
    const { message, ...fields } = super.toJSON()
    return { ...fields, failure: this.failure, message }
  }

  /** What had been received, in order, with the missing spans listed in its completeness. */
  partial(): Result {
    return this.#interruption.partial()
  }

  /** Asks for what is missing, nothing else, and returns the whole. */
  resume(options?: ResumeOptions): Promise<Result> {
    return this.#interruption.resume(options)
  }

  /** The same as plain data without secrets, for another process. */
  checkpoint(): Checkpoint {
    return this.#interruption.checkpoint()
  }
}

/** Whether a thrown value is one of ours. */
export function isHeadraceError(thrown: unknown): thrown is HeadraceError {
  return thrown instanceof HeadraceError
}

/** Whether a thrown value is a request that did not end in data. */
export function isRequestError(thrown: unknown): thrown is RequestError {
  return thrown instanceof RequestError
}

/** Whether a thrown value is a retrieval that can be taken up again. */
export function isRetrievalInterrupted(thrown: unknown): thrown is RetrievalInterrupted {
  return thrown instanceof RetrievalInterrupted
}

/** One of our own errors as it is; anything else only by what may be shown, whatever else hangs on it. */
function withoutSecrets(cause: ErrorCause): ErrorCause {
  if (cause instanceof HeadraceError) return cause
  return {
    name: cause.name,
    ...(cause.code === undefined ? {} : { code: cause.code }),
    message: redactText(cause.message),
  }
}

function showValue(value: unknown): string {
  if (typeof value === 'string' || typeof value === 'number') return String(value)
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? 'Invalid Date' : value.toISOString()
  return (
    JSON.stringify(value, (_name, inner: unknown) => (typeof inner === 'string' ? redactText(inner) : inner)) ??
    String(value)
  )
}

function count(spans: readonly Span[]): string {
  return spans.length === 1 ? '1 span' : `${spans.length} spans`
}

import type { FailureKind } from '../errors.ts'

/**
 * What happened to one attempt, before anybody decided what it deserves.
 *
 * - `not_connected`: refused, no connection in time, a temporary resolver failure, or reset before the request was written
 * - `unreachable`: settled before sending: unknown host, unsupported scheme, malformed address, certificate refused
 * - `lost`: connection lost after sending, or an answer cut short
 * - `read_timeout`: no byte for as long as the read time-out, before or inside the body
 * - `status`: an answer with a status that is not a success
 * - `bad_response`: a success of the wrong shape, or one whose body says that it failed
 * - `incomplete`: a success that says of itself that it is not whole, or that brings less than it announced
 * - `too_large`: more bytes than `maxBytes`
 * - `deadline`, `requests_spent`, `quota_spent`: a bound of the caller's or of the service's was reached
 * - `redirect`, `pagination`: an address that is not followed
 * - `login`: the service refuses the credentials
 * - `offline`: nothing may be sent, and the answer is not kept
 */
export type FailureClass =
  | 'not_connected'
  | 'unreachable'
  | 'lost'
  | 'read_timeout'
  | 'status'
  | 'bad_response'
  | 'incomplete'
  | 'too_large'
  | 'deadline'
  | 'requests_spent'
  | 'quota_spent'
  | 'redirect'
  | 'pagination'
  | 'login'
  | 'offline'

/** Facts about a failed attempt, as the verdict sees them. */
export interface FailureFacts {
  readonly class: FailureClass
  /** HTTP status, where there was an answer. */
  readonly status?: number | undefined
  /** Headers of the answer, names in lower case. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** The wait that the service asked for, milliseconds. */
  readonly retryAfterMs?: number | undefined
  /** The service's own words. */
  readonly serverMessage?: string | undefined
  /** Error code of the system, such as `ECONNRESET`. */
  readonly systemCode?: string | undefined
  /** Whether some of the body had arrived when it fell silent. */
  readonly begun?: boolean | undefined
}

/** A failed attempt on its way to a verdict. Internal: callers see a `RequestError`. */
export class Failure extends Error implements FailureFacts {
  override readonly name = 'Failure'
  readonly class: FailureClass
  readonly status: number | undefined
  readonly headers: Readonly<Record<string, string>> | undefined
  readonly retryAfterMs: number | undefined
  readonly serverMessage: string | undefined
  readonly systemCode: string | undefined
  readonly begun: boolean | undefined

  constructor(message: string, facts: FailureFacts) {
    super(message)
    this.class = facts.class
    this.status = facts.status
    this.headers = facts.headers
    this.retryAfterMs = facts.retryAfterMs
    this.serverMessage = facts.serverMessage
    this.systemCode = facts.systemCode
    this.begun = facts.begun
  }
}

/** The public kind of a failure that is final. */
export function kindOf({ class: failureClass, status = 0 }: FailureFacts): FailureKind {
  switch (failureClass) {
    case 'read_timeout':
      return 'timeout'
    case 'not_connected':
    case 'unreachable':
    case 'lost':
      return 'connection'
    case 'bad_response':
    case 'incomplete':
      return 'bad_response'
    case 'too_large':
      return 'too_large'
    case 'deadline':
      return 'deadline'
    case 'quota_spent':
      return 'rate_limited'
    case 'pagination':
      return 'pagination'
    case 'login':
      return 'login'
    case 'status':
      return kindOfStatus(status)
    case 'requests_spent':
    case 'redirect':
    case 'offline':
      return 'other'
  }
}

function kindOfStatus(status: number): FailureKind {
  if (status === 429) return 'rate_limited'
  if (status === 504) return 'timeout'
  if (status === 401) return 'http_401'
  if (status === 413 || status === 414) return 'too_large'
  if (status >= 500) return 'http_5xx'
  return status >= 400 ? 'http_4xx' : 'other'
}

import { RequestError, describeCause, type FailureKind } from '../errors.ts'
import type { Redactor } from '../redact.ts'
import { spanOf, type SpanMs } from '../span.ts'
import { isoText } from '../time.ts'
import { kindOf, type Failure } from './failure.ts'
import type { ResolvedOptions } from './options.ts'

/** Why no further attempt was made, where the failure alone does not say so. */
export type GaveUp = 'stalled' | 'deadline' | 'server_wait' | 'too_large' | undefined

/** What is known about a request when it has failed for good. */
export interface FailedRequest {
  readonly service: string
  readonly operation: string
  readonly method: string
  /** Without secrets. */
  readonly url: string
  readonly span: SpanMs | undefined
  readonly depth: number
  readonly attempts: number
  readonly silentMs: number
  readonly gaveUp: GaveUp
  readonly requestId: string | undefined
  readonly quotaRemaining: number | undefined
  readonly pagesRead: number | undefined
}

/** Turns a final failure into the error people see: what happened, what was tried, what to change. */
export function explain(
  failure: Failure,
  request: FailedRequest,
  options: ResolvedOptions,
  redact: Redactor,
): RequestError {
  const kind = finalKind(failure, request.gaveUp)
  const parts = [
    `${request.service} ${request.operation}: ${redact(whatHappened(failure))}`,
    request.span ? `span ${isoText(request.span.start)} to ${isoText(request.span.end)}` : '',
    whatWasTried(request),
  ]
  const message = `${parts.filter(Boolean).join('; ')}. ${whatToChange(kind, failure, request, options)}`.trim()
  const { service, operation, method, url, requestId, quotaRemaining, attempts, pagesRead } = request
  return new RequestError(
    kind,
    message,
    {
      service,
      operation,
      method,
      url,
      requestId,
      quotaRemaining,
      attempts,
      pagesRead,
      status: failure.status,
      retryAfterMs: failure.retryAfterMs,
      span: request.span && spanOf(request.span),
      serverMessage: failure.serverMessage && redact(failure.serverMessage),
    },
    { ...describeCause(failure, redact), ...(failure.systemCode ? { code: failure.systemCode } : {}) },
  )
}

function finalKind(failure: Failure, gaveUp: GaveUp): FailureKind {
  if (gaveUp === 'deadline') return 'deadline'
  if (gaveUp === 'stalled') return 'stalled'
  if (gaveUp === 'server_wait') return 'rate_limited'
  if (gaveUp === 'too_large') return 'too_large'
  return kindOf(failure)
}

function whatHappened({ message, status, serverMessage }: Failure): string {
  const words = serverMessage && !message.includes(serverMessage) ? `: ${serverMessage}` : ''
  return status !== undefined && !message.includes(String(status))
    ? `${message} (status ${status})${words}`
    : `${message}${words}`
}

function whatWasTried({ attempts, depth, gaveUp, silentMs, pagesRead }: FailedRequest): string {
  const tried = [
    attempts === 1 ? 'sent once' : attempts === 0 ? 'nothing was sent' : `sent ${attempts} times`,
    depth > 0 ? `after halving the span ${depth === 1 ? 'once' : `${depth} times`}` : '',
    pagesRead ? `${pagesRead} ${pagesRead === 1 ? 'page was' : 'pages were'} read before` : '',
    gaveUp === 'stalled' ? `nothing received for ${Math.round(silentMs)} ms` : '',
  ]
  return tried.filter(Boolean).join(', ')
}

function whatToChange(kind: FailureKind, failure: Failure, request: FailedRequest, options: ResolvedOptions): string {
  const { readTimeoutMs, maxSplitDepth, connectTimeoutMs, retries, stallMs, retryAfterCapMs, maxBytes, quotaReserve } =
    options
  switch (kind) {
    case 'timeout':
      return request.span
        ? `Ask for a shorter span or chunk, or raise readTimeoutMs (now ${readTimeoutMs}) or maxSplitDepth (now ${maxSplitDepth})`
        : `Raise readTimeoutMs (now ${readTimeoutMs}), or try again later`
    case 'stalled':
      return `The service has gone quiet: try again later, or raise stallMs (now ${stallMs}; 0 waits without end)`
    case 'deadline':
      return 'Allow more time with deadlineMs or expiresAt, or ask for less'
    case 'connection':
      return failure.class === 'unreachable'
        ? 'Check the address and the network'
        : `Check the network, or raise retries (now ${retries}) or connectTimeoutMs (now ${connectTimeoutMs})`
    case 'rate_limited':
      if (failure.retryAfterMs === undefined) return `Lower rate or concurrency, or raise retries (now ${retries})`
      return `Come back in ${Math.ceil(failure.retryAfterMs / 1000)} s, or ${
        failure.class === 'quota_spent'
          ? `lower quotaReserve (now ${quotaReserve})`
          : `raise retryAfterCapMs (now ${retryAfterCapMs})`
      }`
    case 'http_5xx':
      return `The service is in trouble: try again later, or raise retries (now ${retries})`
    case 'http_401':
    case 'login':
      return 'Check the user name, password or key'
    case 'http_4xx':
      return 'The request is refused as it is: change the query, or ask for access'
    case 'too_large':
      return failure.class === 'too_large'
        ? `Ask for less, or raise maxBytes (now ${maxBytes})`
        : 'Ask for less at a time'
    case 'bad_response':
      if (failure.class === 'incomplete')
        return `Ask for less at a time, try again later, or raise retries (now ${retries})`
      return 'The service does not keep its contract: report it with the request id, if there is one'
    case 'pagination':
      return 'The service does not keep its contract: report it with the request id, if there is one'
    case 'other':
      if (failure.class === 'offline') return 'Ask once without offline, so that it can be kept'
      return failure.class === 'requests_spent' ? 'Raise maxRequests, or ask for less' : ''
  }
}

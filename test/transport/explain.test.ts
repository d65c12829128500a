import { inspect } from 'node:util'
import { describe, expect, it } from 'vitest'
import type { FailureKind } from '../../src/errors.ts'
import { createRedactor } from '../../src/redact.ts'
import { explain, type FailedRequest } from '../../src/transport/explain.ts'
import { Failure, type FailureFacts } from '../../src/transport/failure.ts'
import { optionsOf } from '../support/transport.ts'

const options = optionsOf({
  readTimeoutMs: 301,
  connectTimeoutMs: 302,
  retries: 3,
  stallMs: 304,
  retryAfterCapMs: 305,
  maxBytes: 306,
  maxSplitDepth: 7,
  quotaReserve: 8,
})

const request: FailedRequest = {
  service: 'toy',
  operation: 'getSeries',
  method: 'GET',
  url: 'https://toy.test/series?start=1',
  span: undefined,
  depth: 0,
  attempts: 1,
  silentMs: 0,
  gaveUp: undefined,
  requestId: undefined,
  quotaRemaining: undefined,
  pagesRead: undefined,
}
const span = { start: Date.UTC(2024, 0, 1), end: Date.UTC(2024, 0, 2) }
const asIs = createRedactor(() => [])

function explained(facts: FailureFacts, more: Partial<FailedRequest> = {}, words = 'something happened') {
  return explain(new Failure(words, facts), { ...request, ...more }, options, asIs)
}

describe('explain', () => {
  it.each<[FailureFacts, Partial<FailedRequest>, FailureKind, string]>([
    [{ class: 'read_timeout' }, {}, 'timeout', 'Raise readTimeoutMs (now 301), or try again later'],
    [
      { class: 'read_timeout' },
      { span },
      'timeout',
      'Ask for a shorter span or chunk, or raise readTimeoutMs (now 301) or maxSplitDepth (now 7)',
    ],
    [{ class: 'status', status: 504 }, { span }, 'timeout', 'raise readTimeoutMs (now 301) or maxSplitDepth (now 7)'],
    [
      { class: 'lost' },
      { gaveUp: 'stalled' },
      'stalled',
      'try again later, or raise stallMs (now 304; 0 waits without end)',
    ],
    [
      { class: 'lost' },
      { gaveUp: 'deadline' },
      'deadline',
      'Allow more time with deadlineMs or expiresAt, or ask for less',
    ],
    [{ class: 'deadline' }, {}, 'deadline', 'Allow more time with deadlineMs or expiresAt, or ask for less'],
    [{ class: 'unreachable' }, {}, 'connection', 'Check the address and the network'],
    [{ class: 'not_connected' }, {}, 'connection', 'raise retries (now 3) or connectTimeoutMs (now 302)'],
    [{ class: 'lost' }, {}, 'connection', 'raise retries (now 3) or connectTimeoutMs (now 302)'],
    [{ class: 'status', status: 429 }, {}, 'rate_limited', 'Lower rate or concurrency, or raise retries (now 3)'],
    [
      { class: 'status', status: 429, retryAfterMs: 3_600_000 },
      { gaveUp: 'server_wait' },
      'rate_limited',
      'Come back in 3600 s, or raise retryAfterCapMs (now 305)',
    ],
    [
      { class: 'status', status: 503, retryAfterMs: 1500 },
      { gaveUp: 'server_wait' },
      'rate_limited',
      'Come back in 2 s, or raise retryAfterCapMs (now 305)',
    ],
    [
      { class: 'quota_spent', retryAfterMs: 60_000 },
      {},
      'rate_limited',
      'Come back in 60 s, or lower quotaReserve (now 8)',
    ],
    [{ class: 'status', status: 503 }, {}, 'http_5xx', 'try again later, or raise retries (now 3)'],
    [{ class: 'status', status: 401 }, {}, 'http_401', 'Check the user name, password or key'],
    [{ class: 'login', status: 401 }, {}, 'login', 'Check the user name, password or key'],
    [
      { class: 'status', status: 403 },
      {},
      'http_4xx',
      'The request is refused as it is: change the query, or ask for access',
    ],
    [{ class: 'too_large' }, {}, 'too_large', 'Ask for less, or raise maxBytes (now 306)'],
    [{ class: 'status', status: 414 }, {}, 'too_large', 'Ask for less at a time'],
    [{ class: 'bad_response', status: 200 }, {}, 'bad_response', 'report it with the request id, if there is one'],
    [{ class: 'pagination' }, {}, 'pagination', 'report it with the request id, if there is one'],
    [{ class: 'requests_spent' }, {}, 'other', 'Raise maxRequests, or ask for less'],
  ])('R44: %j with %j is of kind %s and says what to change', (facts, more, kind, advice) => {
    const error = explained(facts, more)
    expect(error.kind).toBe(kind)
    expect(error.message).toContain(advice)
    expect(error.message.endsWith(advice)).toBe(true)
  })

  it('F10: a time-out names the span, what was tried and the settings with their present values', () => {
    const error = explained({ class: 'read_timeout' }, { span, depth: 2, attempts: 1 }, 'no byte for 301 ms')
    expect(error.message).toBe(
      'toy getSeries: no byte for 301 ms; span 2024-01-01T00:00:00Z to 2024-01-02T00:00:00Z; ' +
        'sent once, after halving the span 2 times. ' +
        'Ask for a shorter span or chunk, or raise readTimeoutMs (now 301) or maxSplitDepth (now 7)',
    )
    expect(error.span).toEqual({ start: new Date(span.start), end: new Date(span.end) })
  })

  it.each<[Partial<FailedRequest>, string]>([
    [{ attempts: 0 }, 'nothing was sent'],
    [{ attempts: 1 }, 'sent once'],
    [{ attempts: 4 }, 'sent 4 times'],
    [{ depth: 1 }, 'sent once, after halving the span once'],
    [{ depth: 3 }, 'sent once, after halving the span 3 times'],
    [{ pagesRead: 0 }, 'sent once.'],
    [{ pagesRead: 1 }, 'sent once, 1 page was read before'],
    [{ pagesRead: 4 }, 'sent once, 4 pages were read before'],
    [{ gaveUp: 'stalled', silentMs: 1234.5 }, 'sent once, nothing received for 1235 ms'],
  ])('F25: %j reads "%s"', (more, words) => {
    expect(explained({ class: 'lost' }, more).message).toContain(`something happened; ${words}`)
  })

  it('R8: carries the words of the service, its status and its request id', () => {
    const error = explained(
      { class: 'status', status: 403, serverMessage: 'Invalid scope' },
      { requestId: 'r-7', quotaRemaining: 12, pagesRead: 3, attempts: 2 },
      'the service answered 403',
    )
    expect(error.message).toBe(
      'toy getSeries: the service answered 403: Invalid scope; sent 2 times, 3 pages were read before. ' +
        'The request is refused as it is: change the query, or ask for access',
    )
    expect(error).toMatchObject({
      name: 'RequestError',
      code: 'HEADRACE_REQUEST',
      service: 'toy',
      operation: 'getSeries',
      method: 'GET',
      url: 'https://toy.test/series?start=1',
      status: 403,
      requestId: 'r-7',
      quotaRemaining: 12,
      pagesRead: 3,
      attempts: 2,
      serverMessage: 'Invalid scope',
      retryAfterMs: undefined,
      span: undefined,
    })
  })

  it('R8: says neither status nor words twice', () => {
    const facts: FailureFacts = { class: 'bad_response', status: 200, serverMessage: 'Bad thing' }
    expect(explained(facts, {}, 'in place of data: Bad thing').message).toContain(
      'in place of data: Bad thing (status 200); sent',
    )
    expect(explained({ class: 'status', status: 500 }, {}, 'the service answered 500').message).not.toContain('(status')
  })

  it('keeps of the cause its name, code and words only', () => {
    const error = explained({ class: 'lost', systemCode: 'ECONNRESET' }, {}, 'the connection was lost')
    expect(error.cause).toEqual({ name: 'Failure', code: 'ECONNRESET', message: 'the connection was lost' })
    expect(explained({ class: 'lost' }).cause).toEqual({ name: 'Failure', message: 'something happened' })
  })

  it('R44: shows no secret that the service repeats in its words', () => {
    const redact = createRedactor(() => ['s3cret value'])
    const failure = new Failure('refused: s3cret value', {
      class: 'status',
      status: 400,
      serverMessage: 'your key s3cret%20value is bad',
    })
    const error = explain(failure, request, options, redact)
    for (const shown of [inspect(error, { depth: 9, showHidden: true }), JSON.stringify(error), String(error.cause)]) {
      expect(shown).not.toMatch(/s3cret(?: |%20)value/)
    }
    expect(error.serverMessage).toBe('your key [redacted] is bad')
  })
})

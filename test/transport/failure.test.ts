import { describe, expect, it } from 'vitest'
import type { FailureKind } from '../../src/errors.ts'
import { Failure, kindOf, type FailureClass } from '../../src/transport/failure.ts'

describe('kindOf', () => {
  it.each<[FailureClass, FailureKind]>([
    ['not_connected', 'connection'],
    ['unreachable', 'connection'],
    ['lost', 'connection'],
    ['read_timeout', 'timeout'],
    ['bad_response', 'bad_response'],
    ['too_large', 'too_large'],
    ['deadline', 'deadline'],
    ['requests_spent', 'other'],
    ['quota_spent', 'rate_limited'],
    ['redirect', 'other'],
    ['pagination', 'pagination'],
    ['login', 'login'],
  ])('a final %s is of kind %s', (failureClass, kind) => {
    expect(kindOf({ class: failureClass })).toBe(kind)
    // Some other classes carry a status as well; it does not decide.
    expect(kindOf({ class: failureClass, status: 429 })).toBe(kind)
  })

  it.each<[number | undefined, FailureKind]>([
    [400, 'http_4xx'],
    [401, 'http_401'],
    [402, 'http_4xx'],
    [403, 'http_4xx'],
    [404, 'http_4xx'],
    [412, 'http_4xx'],
    [413, 'too_large'],
    [414, 'too_large'],
    [415, 'http_4xx'],
    [429, 'rate_limited'],
    [499, 'http_4xx'],
    [500, 'http_5xx'],
    [503, 'http_5xx'],
    [504, 'timeout'],
    [505, 'http_5xx'],
    [399, 'other'],
    [304, 'other'],
    [undefined, 'other'],
  ])('R8: a final status %s is of kind %s', (status, kind) => {
    expect(kindOf({ class: 'status', status })).toBe(kind)
  })
})

describe('Failure', () => {
  it('carries what is known of the attempt', () => {
    const facts = {
      class: 'status' as const,
      status: 429,
      headers: { a: 'b' },
      retryAfterMs: 5,
      serverMessage: 'slow down',
      systemCode: 'X',
    }
    const failure = new Failure('what happened', facts)
    expect(failure).toBeInstanceOf(Error)
    expect({ ...failure }).toEqual({ name: 'Failure', ...facts })
    expect(failure.message).toBe('what happened')
  })
})

import { describe, expect, it } from 'vitest'
import { defaultVerdict, isTooLarge, type RequestFacts, type ServicePolicy } from '../../src/transport/verdict.ts'

const POLICY: ServicePolicy = {
  retryStatuses: [500, 502, 503],
  slowStatuses: [504],
  onTimeout: 'retry',
  onStall: 'retry',
}
const SPAN: RequestFacts = {
  operation: 'getSeries',
  method: 'GET',
  idempotent: true,
  splittable: true,
  divisible: true,
  attempt: 1,
}

describe('a service whose pages are no shorter when the span is', () => {
  it('R4: asks again for an answer that broke off in silence, and halves what never began', () => {
    expect(defaultVerdict({ class: 'read_timeout', begun: true }, SPAN, POLICY)).toBe('retry')
    expect(defaultVerdict({ class: 'read_timeout', begun: false }, SPAN, POLICY)).toBe('split')
    expect(defaultVerdict({ class: 'read_timeout' }, SPAN, POLICY)).toBe('split')
    expect(defaultVerdict({ class: 'read_timeout', begun: true }, { ...SPAN, idempotent: false }, POLICY)).toBe('fail')
  })

  it('R4: is the exception: unless a policy says so, silence inside an answer is a time-out like any other', () => {
    const { onStall: _onStall, ...usual } = POLICY
    expect(defaultVerdict({ class: 'read_timeout', begun: true }, SPAN, usual)).toBe('split')
  })
})

describe('a status with two meanings', () => {
  const policy: ServicePolicy = { ...POLICY, saysTooLarge: (status, words) => status === 403 && !/key/.test(words) }

  it.each<[number, string | undefined, boolean]>([
    [403, 'Access Denied', true],
    [403, undefined, true],
    [403, 'an invalid key was supplied', false],
    [414, 'key', true],
    [400, 'Access Denied', false],
  ])('R9: %d with %j says that the request names too much: %s', (status, words, tooLarge) => {
    expect(isTooLarge(status, policy, words)).toBe(tooLarge)
    expect(defaultVerdict({ class: 'status', status, serverMessage: words }, SPAN, policy)).toBe(
      tooLarge ? 'split' : 'fail',
    )
    expect(
      defaultVerdict({ class: 'status', status, serverMessage: words }, { ...SPAN, divisible: false }, policy),
    ).toBe('fail')
  })

  it('R9: means what it always means unless a policy says so', () => {
    expect(isTooLarge(403, POLICY, 'Access Denied')).toBe(false)
  })
})

describe('an answer that is not whole', () => {
  const second = { ...SPAN, attempt: 2 }
  const alone = { ...second, splittable: false, divisible: false }

  it('is asked for once more as it was, then in parts where there are any', () => {
    expect(defaultVerdict({ class: 'incomplete' }, SPAN, POLICY)).toBe('retry')
    expect(defaultVerdict({ class: 'incomplete' }, second, POLICY)).toBe('split')
    expect(defaultVerdict({ class: 'incomplete' }, { ...second, splittable: false }, POLICY)).toBe('split')
    expect(defaultVerdict({ class: 'incomplete' }, alone, POLICY)).toBe('retry')
    expect(defaultVerdict({ class: 'incomplete' }, { ...SPAN, idempotent: false }, POLICY)).toBe('fail')
  })

  it('R3: is repeated as it was when it was cut short, unless the policy says that too much work does that', () => {
    expect(defaultVerdict({ class: 'lost' }, second, POLICY)).toBe('retry')
    const breaking: ServicePolicy = { ...POLICY, onLost: 'split' }
    expect(defaultVerdict({ class: 'lost' }, SPAN, breaking)).toBe('retry')
    expect(defaultVerdict({ class: 'lost' }, second, breaking)).toBe('split')
    expect(defaultVerdict({ class: 'lost' }, alone, breaking)).toBe('retry')
  })
})

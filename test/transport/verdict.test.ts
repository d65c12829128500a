import { describe, expect, it } from 'vitest'
import type { FailureClass, FailureFacts } from '../../src/transport/failure.ts'
import {
  DEFAULT_POLICY,
  defaultVerdict,
  isTooLarge,
  retryReadTimeouts,
  type RequestFacts,
  type RetryWhen,
  type ServicePolicy,
  type Verdict,
} from '../../src/transport/verdict.ts'

/** The emissions service: a 500 passes, a time-out does not. */
const EMISSIONS: ServicePolicy = { retryStatuses: [500, 502, 503], slowStatuses: [504], onTimeout: 'fail' }
/** A streamflow-like service: a time-out of a request without a span is repeated. */
const STREAMFLOW: ServicePolicy = { retryStatuses: [500, 502, 503], slowStatuses: [504], onTimeout: 'retry' }
/** A water-quality-like service: a 500 says that the query is too large. */
const WATER_QUALITY: ServicePolicy = { retryStatuses: [502, 503], slowStatuses: [500, 504], onTimeout: 'retry' }

/** Every kind of request, in this order: may be repeated and split, repeated only, neither; the last is a POST span. */
const REQUESTS: readonly Partial<RequestFacts>[] = [
  { idempotent: true, splittable: true },
  { idempotent: true, splittable: false },
  { idempotent: false, splittable: false },
  { idempotent: false, splittable: true },
]

function request(facts: Partial<RequestFacts>): RequestFacts {
  return { operation: 'getSeries', method: 'GET', idempotent: true, splittable: false, attempt: 1, ...facts }
}

function verdicts(failure: FailureFacts, policy?: ServicePolicy): Verdict[] {
  return REQUESTS.map(facts =>
    policy ? defaultVerdict(failure, request(facts), policy) : defaultVerdict(failure, request(facts)),
  )
}

const same = (verdict: Verdict): Verdict[] => REQUESTS.map(() => verdict)
/** What the four kinds of request get when a failure is repeated for the idempotent. */
const RETRY_IF_IDEMPOTENT: Verdict[] = ['retry', 'retry', 'fail', 'fail']
const SPLIT_OR_FAIL: Verdict[] = ['split', 'fail', 'fail', 'fail']
const SPLIT_OR_RETRY: Verdict[] = ['split', 'retry', 'fail', 'fail']

describe('R1 R2 R3 R4 R10 R13: defaultVerdict by class of failure', () => {
  it.each<[rule: string, failureClass: FailureClass, emissions: Verdict[], streamflow: Verdict[]]>([
    ['R1', 'not_connected', same('retry'), same('retry')],
    ['R2', 'unreachable', same('fail'), same('fail')],
    ['R3', 'lost', RETRY_IF_IDEMPOTENT, RETRY_IF_IDEMPOTENT],
    ['R4', 'read_timeout', SPLIT_OR_FAIL, SPLIT_OR_RETRY],
    ['R10', 'bad_response', same('fail'), same('fail')],
    ['R53', 'too_large', same('fail'), same('fail')],
    ['R22', 'deadline', same('fail'), same('fail')],
    ['R23', 'requests_spent', same('fail'), same('fail')],
    ['R38', 'quota_spent', same('fail'), same('fail')],
    ['R46', 'redirect', same('fail'), same('fail')],
    ['R47', 'pagination', same('fail'), same('fail')],
    ['R43', 'login', same('fail'), same('fail')],
  ])('%s: %s', (_rule, failureClass, emissions, streamflow) => {
    expect(verdicts({ class: failureClass }, EMISSIONS)).toEqual(emissions)
    expect(verdicts({ class: failureClass }, STREAMFLOW)).toEqual(streamflow)
  })
})

describe('R4 R5 R6 R7 R8 R9 R11 R13: defaultVerdict by status', () => {
  it.each<[string, number | undefined, Verdict[], Verdict[], Verdict[]]>([
    // rule, status, emissions, streamflow, water quality
    ['R8', 400, same('fail'), same('fail'), same('fail')],
    ['R7', 401, same('refresh'), same('refresh'), same('refresh')],
    ['R8', 403, same('fail'), same('fail'), same('fail')],
    ['R8', 404, same('fail'), same('fail'), same('fail')],
    ['R8', 408, same('fail'), same('fail'), same('fail')],
    ['R9', 413, same('fail'), same('fail'), same('fail')],
    ['R9', 414, same('fail'), same('fail'), same('fail')],
    ['R5', 429, same('retry'), same('retry'), same('retry')],
    ['R6', 500, RETRY_IF_IDEMPOTENT, RETRY_IF_IDEMPOTENT, SPLIT_OR_RETRY],
    ['R6', 501, same('fail'), same('fail'), same('fail')],
    ['R6', 502, RETRY_IF_IDEMPOTENT, RETRY_IF_IDEMPOTENT, RETRY_IF_IDEMPOTENT],
    ['R6', 503, RETRY_IF_IDEMPOTENT, RETRY_IF_IDEMPOTENT, RETRY_IF_IDEMPOTENT],
    ['R4', 504, SPLIT_OR_FAIL, SPLIT_OR_RETRY, SPLIT_OR_RETRY],
    ['R8', 304, same('fail'), same('fail'), same('fail')],
    ['R11', undefined, same('fail'), same('fail'), same('fail')],
  ])('%s: %s', (_rule, status, emissions, streamflow, waterQuality) => {
    const failure: FailureFacts = { class: 'status', status }
    expect(verdicts(failure, EMISSIONS)).toEqual(emissions)
    expect(verdicts(failure, STREAMFLOW)).toEqual(streamflow)
    expect(verdicts(failure, WATER_QUALITY)).toEqual(waterQuality)
  })

  it('R6: knows 502, 503 and 504 without a policy, and fails on 500', () => {
    expect(DEFAULT_POLICY).toEqual({ retryStatuses: [502, 503], slowStatuses: [504], onTimeout: 'fail' })
    expect(Object.isFrozen(DEFAULT_POLICY) && Object.isFrozen(DEFAULT_POLICY.retryStatuses)).toBe(true)
    expect(verdicts({ class: 'status', status: 500 })).toEqual(same('fail'))
    expect(verdicts({ class: 'status', status: 503 })).toEqual(RETRY_IF_IDEMPOTENT)
    expect(verdicts({ class: 'status', status: 504 })).toEqual(SPLIT_OR_FAIL)
    expect(verdicts({ class: 'read_timeout' })).toEqual(SPLIT_OR_FAIL)
  })

  it('R9 R27: what names too much is divided where it can be, whatever the method', () => {
    const divisible = REQUESTS.map(facts => request({ ...facts, divisible: true }))
    const given = (status: number, policy: ServicePolicy): Verdict[] =>
      divisible.map(facts => defaultVerdict({ class: 'status', status }, facts, policy))
    expect(given(413, EMISSIONS)).toEqual(same('split'))
    expect(given(414, EMISSIONS)).toEqual(same('split'))
    expect(given(403, EMISSIONS)).toEqual(same('fail'))
    const policy = { ...STREAMFLOW, tooLargeStatuses: [403, 414] }
    expect(given(403, policy)).toEqual(same('split'))
    expect(given(413, policy)).toEqual(same('fail'))
    expect(verdicts({ class: 'status', status: 403 }, policy)).toEqual(same('fail'))
  })

  it('R9: knows 413 and 414 as too large unless the service says otherwise', () => {
    const known = [413, 414, 403, 500, undefined]
    expect(known.map(status => isTooLarge(status, EMISSIONS))).toEqual([true, true, false, false, false])
    const policy = { ...EMISSIONS, tooLargeStatuses: [403] }
    expect(known.map(status => isTooLarge(status, policy))).toEqual([false, false, true, false, false])
  })

  it('R9: words beside a status may say that a request names too much', () => {
    const policy: ServicePolicy = {
      ...STREAMFLOW,
      saysTooLarge: (status, words) => status === 403 && /too long/.test(words),
    }
    const given = (serverMessage: string | undefined): Verdict =>
      defaultVerdict({ class: 'status', status: 403, serverMessage }, request({ divisible: true }), policy)
    expect([given('the address is too long'), given('forbidden'), given(undefined)]).toEqual(['split', 'fail', 'fail'])
    expect(isTooLarge(403, policy, 'too long')).toBe(true)
    expect(isTooLarge(undefined, policy, 'too long')).toBe(false)
    expect(isTooLarge(403, STREAMFLOW, 'too long')).toBe(false)
  })

  it('R6: a status that refuses a span for its length splits it, and fails anything else', () => {
    const policy: ServicePolicy = { ...STREAMFLOW, splitStatuses: [400] }
    expect(verdicts({ class: 'status', status: 400 }, policy)).toEqual(['split', 'fail', 'fail', 'fail'])
    expect(verdicts({ class: 'status', status: 404 }, policy)).toEqual(same('fail'))
  })

  it('R13: the number of the attempt does not change a verdict', () => {
    for (const attempt of [1, 2, 99]) {
      expect(defaultVerdict({ class: 'status', status: 503 }, request({ attempt }), EMISSIONS)).toBe('retry')
    }
  })
})

describe('retryWhen', () => {
  const emissions = (failure: FailureFacts, facts: RequestFacts): Verdict => defaultVerdict(failure, facts, EMISSIONS)

  it('R14: builds on the default verdict in place of restating it', () => {
    const rule: RetryWhen = (failure, facts, byDefault) =>
      failure.status === 520 ? 'retry' : byDefault(failure, facts)
    expect(rule({ class: 'status', status: 520 }, request({}), emissions)).toBe('retry')
    expect(rule({ class: 'status', status: 503 }, request({}), emissions)).toBe('retry')
    expect(rule({ class: 'status', status: 400 }, request({}), emissions)).toBe('fail')
    expect(rule({ class: 'read_timeout' }, request({ splittable: true }), emissions)).toBe('split')
  })

  it.each<[FailureFacts, Verdict[]]>([
    // A widening: idempotent requests are repeated where the default would split or fail.
    [{ class: 'read_timeout' }, ['retry', 'retry', 'fail', 'fail']],
    [{ class: 'status', status: 504 }, SPLIT_OR_FAIL],
    [{ class: 'status', status: 400 }, same('fail')],
    [{ class: 'not_connected' }, same('retry')],
    [{ class: 'lost' }, RETRY_IF_IDEMPOTENT],
  ])('R14: retryReadTimeouts repeats read time-outs and nothing else: %j', (failure, expected) => {
    expect(REQUESTS.map(facts => retryReadTimeouts(failure, request(facts), emissions))).toEqual(expected)
  })
})

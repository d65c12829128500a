import { createServer, type AddressInfo } from 'node:net'
import { describe, expect, it } from 'vitest'
import {
  defaultVerdict,
  retryReadTimeouts,
  type FailureFacts,
  type RequestFacts,
  type RetryWhen,
  type Verdict,
} from '../../src/index.ts'
import { createManualClock } from '../support/clocks.ts'
import { drive } from '../support/drive.ts'
import { clientFor, dataRequests, errorOf, hung, PATIENT, REGION, simulateCase } from '../support/field-case.ts'
import { troubleLookups } from '../support/lookups.ts'

/**
 * Design H, the default retry condition of a JVM HTTP client: a time-out after sending is not repeated, a connect
 * time-out is; the rule is public, and composed with request by request rather than restated.
 */

const get: RequestFacts = { operation: 'getAnything', method: 'GET', idempotent: true, splittable: false, attempt: 1 }
const post: RequestFacts = { ...get, method: 'POST', idempotent: false }
const span: RequestFacts = { ...get, splittable: true }
const status = (code: number): FailureFacts => ({ class: 'status', status: code })

const NOW = { region: REGION, horizonHours: 0 }

describe('H, R14: the default rule is exported, and is a pure function of failure and request', () => {
  it.each<[string, FailureFacts, Verdict, Verdict]>([
    ['not connected', { class: 'not_connected' }, 'retry', 'retry'],
    ['unreachable', { class: 'unreachable' }, 'fail', 'fail'],
    ['lost after sending', { class: 'lost' }, 'retry', 'fail'],
    ['timed out after sending', { class: 'read_timeout' }, 'fail', 'fail'],
    ['429', status(429), 'retry', 'retry'],
    ['503', status(503), 'retry', 'fail'],
    ['502', status(502), 'retry', 'fail'],
    ['500', status(500), 'fail', 'fail'],
    ['504', status(504), 'fail', 'fail'],
    ['401', status(401), 'refresh', 'refresh'],
    ['400', status(400), 'fail', 'fail'],
    ['404', status(404), 'fail', 'fail'],
    ['a bad answer', { class: 'bad_response', status: 200 }, 'fail', 'fail'],
    ['too large an answer', { class: 'too_large', status: 200 }, 'fail', 'fail'],
    ['the deadline', { class: 'deadline' }, 'fail', 'fail'],
    ['no more requests', { class: 'requests_spent' }, 'fail', 'fail'],
    ['a refused login', { class: 'login', status: 401 }, 'fail', 'fail'],
  ])('%s: %j deserves %s, and %s if sending twice is not as good as once', (_what, failure, forGet, forPost) => {
    const before = JSON.stringify([failure, get])
    expect([defaultVerdict(failure, get), defaultVerdict(failure, post)]).toEqual([forGet, forPost])
    expect(defaultVerdict(failure, get)).toBe(forGet)
    expect(JSON.stringify([failure, get])).toBe(before)
  })

  it.each([{ class: 'read_timeout' } as const, status(504)])('%j of a span deserves a split', failure => {
    expect(defaultVerdict(failure, span)).toBe('split')
  })

  it('takes what a service means by its statuses as a third argument', () => {
    const policy = { retryStatuses: [500, 520], slowStatuses: [408], onTimeout: 'retry' } as const
    const verdicts = [500, 520, 503, 408].map(code => defaultVerdict(status(code), get, policy))
    expect(verdicts).toEqual(['retry', 'retry', 'fail', 'retry'])
    expect(defaultVerdict({ class: 'read_timeout' }, get, policy)).toBe('retry')
  })
})

describe('H, R1: a connection that could not be made is repeated', () => {
  it('a connect time-out: the look-up hangs once', async () => {
    const clock = createManualClock()
    const simulator = await simulateCase({ clock })
    const { port } = new URL(simulator.url)
    const lookup = troubleLookups('hang', 1)
    const client = clientFor({ url: `http://localhost:${port}` }, { clock, connectTimeoutMs: 300 })
    const stuck = (): number => (lookup.mock.calls.length === 1 ? 1 : 0)
    const { rows } = await drive(clock, () => client.getForecast(NOW), { held: stuck })
    expect(rows).toHaveLength(1)
    expect(clock.monotonic()).toBeGreaterThanOrEqual(300)
    expect(simulator.stats).toMatchObject({ logins: 1, dataRequests: 1 })
  })

  it('a connect time-out for good: as often as retries say, kind connection, the setting named', async () => {
    const clock = createManualClock()
    const lookup = troubleLookups('hang', Number.POSITIVE_INFINITY)
    const client = clientFor({ url: 'http://localhost:9' }, { clock, connectTimeoutMs: 300, retries: 2, stallMs: 0 })
    const error = await drive(clock, () => errorOf(client.getForecast(NOW)), { held: () => 1 })
    expect(error).toMatchObject({ kind: 'connection', attempts: 3, cause: { code: 'ETIMEDOUT' } })
    expect((error as Error).message).toContain('connectTimeoutMs (now 300)')
    expect(lookup).toHaveBeenCalledTimes(3)
  })

  it('a refusal: a port where nobody listens', async () => {
    const server = createServer()
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    await new Promise(resolve => server.close(resolve))
    const client = clientFor({ url: `http://127.0.0.1:${port}` }, { ...PATIENT, retries: 2 })
    expect(await errorOf(client.getForecast(NOW))).toMatchObject({
      kind: 'connection',
      attempts: 3,
      cause: { code: 'ECONNREFUSED' },
    })
  })
})

describe('H, R4: a time-out after sending is not repeated', () => {
  it('the request is seen once', async () => {
    const clock = createManualClock()
    const simulator = await simulateCase({ clock, faults: [{ do: { type: 'hang' } }] })
    const client = clientFor(simulator, { clock, retries: 5 })
    const error = await drive(clock, () => errorOf(client.getForecast(NOW)), { held: () => hung(simulator) })
    expect(error).toMatchObject({ kind: 'timeout', attempts: 1 })
    expect(dataRequests(simulator)).toHaveLength(1)
  })

  it('R14: one option of the call brings the repeat back, and the next call is without it', async () => {
    const clock = createManualClock()
    const simulator = await simulateCase({ clock, faults: [{ when: { nth: [1, 2, 4] }, do: { type: 'hang' } }] })
    const client = clientFor(simulator, { clock, stallMs: 0 })
    const held = { held: () => hung(simulator) }
    const { meta } = await drive(clock, () => client.getForecast(NOW, { retryWhen: retryReadTimeouts }), held)
    expect(meta).toMatchObject([{ attempts: 3 }])
    const error = await drive(clock, () => errorOf(client.getForecast(NOW)), held)
    expect(error).toMatchObject({ kind: 'timeout', attempts: 1 })
    expect(dataRequests(simulator)).toHaveLength(4)
  })

  it('R14: the wider rule leaves the rest to the default, and what may not be sent twice alone', () => {
    const inner = (failure: FailureFacts, request: RequestFacts): Verdict => defaultVerdict(failure, request)
    expect(retryReadTimeouts({ class: 'read_timeout' }, get, inner)).toBe('retry')
    expect(retryReadTimeouts({ class: 'read_timeout' }, span, inner)).toBe('retry')
    expect(retryReadTimeouts({ class: 'read_timeout' }, post, inner)).toBe('fail')
    expect(retryReadTimeouts(status(401), get, inner)).toBe('refresh')
  })
})

describe('H, R14: the rule is composed request by request', () => {
  const failing = (code: number, times = 1) => [
    { when: { upTo: times }, do: { type: 'status', status: code } as const },
  ]

  it('wider: one more status, the rest by default', async () => {
    const rule: RetryWhen = (failure, request, byDefault) =>
      failure.status === 520 ? 'retry' : byDefault(failure, request)
    const simulator = await simulateCase({ faults: failing(520) })
    const client = clientFor(simulator, PATIENT)
    expect((await client.getForecast(NOW, { retryWhen: rule })).meta).toMatchObject([{ attempts: 2 }])
    simulator.setFaults(failing(503))
    expect((await client.getForecast(NOW, { retryWhen: rule })).meta).toMatchObject([{ attempts: 2 }])
    simulator.setFaults(failing(520))
    expect(await errorOf(client.getForecast(NOW))).toMatchObject({ status: 520, attempts: 1 })
  })

  it('narrower: no repeat of a 503', async () => {
    const simulator = await simulateCase({ faults: failing(503) })
    const rule: RetryWhen = (failure, request, byDefault) =>
      failure.status === 503 ? 'fail' : byDefault(failure, request)
    const error = await errorOf(clientFor(simulator, { ...PATIENT, retryWhen: rule }).getForecast(NOW))
    expect(error).toMatchObject({ kind: 'http_5xx', attempts: 1 })
  })

  it('the rule of a call outranks that of its client', async () => {
    const simulator = await simulateCase({ faults: failing(400) })
    const client = clientFor(simulator, { ...PATIENT, retryWhen: () => 'fail' })
    const { meta } = await client.getForecast(NOW, { retryWhen: () => 'retry' })
    expect(meta).toMatchObject([{ attempts: 2 }])
  })

  it('is told what failed, of which request, on which attempt; and the default knows the service', async () => {
    const simulator = await simulateCase({
      faults: [
        {
          when: { upTo: 2 },
          do: { type: 'status', status: 500, body: { message: 'not now' }, headers: { 'retry-after': '0' } },
        },
      ],
    })
    const seen: unknown[] = []
    const rule: RetryWhen = (failure, request, byDefault) => {
      const verdict = byDefault(failure, request)
      if (request.operation === 'getHistorical')
        seen.push({ failure: { ...failure }, request: { ...request }, verdict })
      return verdict
    }
    const query = { region: REGION, start: '2024-01-01', end: '2024-01-02' }
    await clientFor(simulator, { ...PATIENT, retryWhen: rule }).getHistorical(query)
    expect(seen).toContainEqual({
      failure: expect.objectContaining({
        class: 'status',
        status: 500,
        retryAfterMs: 0,
        serverMessage: 'not now',
      }) as unknown,
      request: expect.objectContaining({ method: 'GET', idempotent: true, splittable: true, attempt: 1 }) as unknown,
      verdict: 'retry',
    })
    expect(seen).toContainEqual(
      expect.objectContaining({ request: expect.objectContaining({ attempt: 2 }) as unknown }),
    )
  })

  it('R16: cannot go beyond the number of repeats', async () => {
    const simulator = await simulateCase({ faults: [{ do: { type: 'status', status: 400 } }] })
    const error = await errorOf(
      clientFor(simulator, { ...PATIENT, retries: 2, retryWhen: () => 'retry' }).getForecast(NOW),
    )
    expect(error).toMatchObject({ kind: 'http_4xx', attempts: 3 })
    expect(dataRequests(simulator)).toHaveLength(3)
  })

  it('a rule that throws ends the call with what it threw', async () => {
    const simulator = await simulateCase({ faults: failing(503) })
    const mine = new Error('my own mistake')
    const rule: RetryWhen = () => {
      throw mine
    }
    expect(await errorOf(clientFor(simulator, { ...PATIENT, retryWhen: rule }).getForecast(NOW))).toBe(mine)
  })

  it('a rule that is no function is refused before any request', async () => {
    const simulator = await simulateCase()
    const call = { retryWhen: 'always' } as never
    await expect(clientFor(simulator, PATIENT).getForecast(NOW, call)).rejects.toMatchObject({ setting: 'retryWhen' })
    expect(simulator.stats.requests).toBe(0)
  })
})

import { describe, expect, it } from 'vitest'
import type { Fault, FaultAction } from '../../src/simulator/index.ts'
import { createManualClock } from '../support/clocks.ts'
import { drive } from '../support/drive.ts'
import {
  asTruth,
  clientFor,
  dataRequests,
  DAY_MS,
  errorOf,
  hung,
  PATIENT,
  REGION,
  simulateCase,
} from '../support/field-case.ts'
import { troubleLookups } from '../support/lookups.ts'
import { days, MONTH, replay } from '../support/emissions-replay.ts'

/**
 * Design E, the proposal of the emissions client's authors: repeat what is transient, split what is slow, refresh what
 * has expired, fail the rest. Replayed point by point with our public options.
 */

describe('E: what is transient is repeated, unchanged', () => {
  it.each<[string, FaultAction]>([
    ['500', { type: 'status', status: 500 }],
    ['502', { type: 'status', status: 502 }],
    ['503', { type: 'status', status: 503 }],
    ['429', { type: 'status', status: 429 }],
    ['a reset before the answer', { type: 'reset', at: 'before-headers' }],
    ['a reset inside the answer', { type: 'reset', at: 0.5 }],
    ['an answer cut short', { type: 'cut', at: 0.5, lie: 'chunked' }],
    ['a packed answer cut short', { type: 'cut', at: 0.5, lie: 'gzip' }],
  ])('E, R3, R5, R6: %s', async (_what, action) => {
    const { simulator, rows, truth, events } = await replay(MONTH, [{ when: { nth: 1 }, do: action }])
    expect(rows).toEqual(truth)
    expect(dataRequests(simulator).map(({ search }) => search)).toEqual([
      expect.any(String),
      dataRequests(simulator)[0]?.search,
    ])
    expect(simulator.stats.repeats).toBe(1)
    expect(events.some(({ type }) => type === 'split')).toBe(false)
  })

  it('E, R1: a connection that is refused or not there yet', async () => {
    const simulator = await simulateCase()
    const { port } = new URL(simulator.url)
    const lookup = troubleLookups('ECONNREFUSED', 1)
    const { rows } = await clientFor({ url: `http://localhost:${port}` }, PATIENT).getHistorical(MONTH)
    expect(rows).toHaveLength(8641)
    expect(lookup.mock.calls.length).toBeGreaterThanOrEqual(2)
    expect(dataRequests(simulator)).toHaveLength(1)
  })

  it.each([
    [undefined, 4],
    [1, 2],
    [0, 1],
  ])('E, R16: no more often than it says: retries %s, sent %d times', async (retries, hits) => {
    const faults: Fault[] = [{ do: { type: 'status', status: 503 } }]
    const { simulator, error } = await replay(MONTH, faults, retries === undefined ? {} : { retries })
    expect(error).toMatchObject({ kind: 'http_5xx', status: 503, failure: { attempts: hits } })
    expect(dataRequests(simulator)).toHaveLength(hits)
  })
})

describe('E: what is slow is split, never repeated', () => {
  const slow = { spanOverMs: 15 * DAY_MS }
  it.each<[string, FaultAction]>([
    ['no answer', { type: 'hang' }],
    ['headers, then silence', { type: 'silent' }],
    ['half a body, then silence', { type: 'silent', at: 0.5 }],
    ['504', { type: 'status', status: 504 }],
  ])('E, R4, R15: %s', async (_what, action) => {
    const clock = createManualClock()
    const simulator = await simulateCase({ clock, faults: [{ when: slow, do: action }] })
    const client = clientFor(simulator, { clock })
    const silent = (): number =>
      simulator.requests.filter(
        ({ isAccount, endedAt, spanMs = 0 }) => !isAccount && endedAt === undefined && spanMs > 15 * DAY_MS,
      ).length
    const { rows, meta } = await drive(clock, () => client.getHistorical(MONTH), { held: silent })
    expect(asTruth(rows)).toEqual(simulator.truth.historical(MONTH))
    expect(dataRequests(simulator).map(days)).toEqual([30, 15, 15])
    expect(simulator.stats.repeats).toBe(0)
    expect(meta.map(({ depth, attempts }) => [depth, attempts])).toEqual([
      [1, 1],
      [1, 1],
    ])
  })

  it('E, R4: a request that has no span to split fails at once, the login included', async () => {
    const clock = createManualClock()
    const simulator = await simulateCase({ clock, faults: [{ do: { type: 'hang' } }] })
    const client = clientFor(simulator, { clock })
    const held = { held: () => hung(simulator) }
    const noSpan = await drive(clock, () => errorOf(client.getForecast({ region: REGION })), held)
    expect(noSpan).toMatchObject({ name: 'RequestError', kind: 'timeout', attempts: 1 })
    expect(dataRequests(simulator)).toHaveLength(1)
    simulator.setFaults([{ path: '/login', do: { type: 'hang' } }])
    simulator.expireTokens()
    const noLogin = await drive(clock, () => errorOf(client.getForecast({ region: REGION })), held)
    expect(noLogin).toMatchObject({ kind: 'timeout', operation: 'login', attempts: 1 })
    // One login that succeeded, and one that hung; behind it no data request but the one that was refused.
    expect(simulator.stats).toMatchObject({ logins: 2, dataRequests: 2, timesHung: 2 })
  })
})

describe('E: what has expired is refreshed', () => {
  it('E, R7: a refused token: one login, one repeat', async () => {
    const { simulator, rows, truth } = await replay(MONTH, [{ when: { nth: 1 }, do: { type: 'expireToken' } }])
    expect(rows).toEqual(truth)
    expect(simulator.stats).toMatchObject({ logins: 2, dataRequests: 2 })
  })

  it('E, R7: a second refusal is final', async () => {
    const { simulator, error } = await replay(MONTH, [{ do: { type: 'status', status: 401 } }])
    expect(error).toMatchObject({ kind: 'http_401', status: 401 })
    expect(simulator.stats).toMatchObject({ logins: 2, dataRequests: 2 })
  })

  it('E, R41: the login is locked: eight workers and a refused token make two logins in all', async () => {
    const year = { region: REGION, start: '2024-01-01T00:00Z', end: '2024-08-27T00:00Z' }
    const { simulator, rows, truth } = await replay(
      year,
      [{ when: { tokenNumber: 1 }, do: { type: 'status', status: 401 } }],
      { concurrency: 8 },
    )
    expect(rows).toEqual(truth)
    expect(simulator.stats.logins).toBe(2)
    expect(dataRequests(simulator).length).toBeLessThanOrEqual(16)
  })

  it('E: a refresh does not use up repeats, nor the other way about', async () => {
    const faults: Fault[] = [
      { when: { nth: [1, 2, 3] }, do: { type: 'status', status: 503 } },
      { when: { nth: 4 }, do: { type: 'expireToken' } },
    ]
    const { simulator, rows, truth } = await replay(MONTH, faults)
    expect(rows).toEqual(truth)
    expect(simulator.stats).toMatchObject({ logins: 2, dataRequests: 5 })
  })
})

describe('E: the rest fails at once, with a kind to branch on', () => {
  it.each<[string, FaultAction, string, number]>([
    ['400', { type: 'status', status: 400 }, 'http_4xx', 400],
    ['403', { type: 'status', status: 403 }, 'http_4xx', 403],
    ['404', { type: 'status', status: 404 }, 'http_4xx', 404],
    ['422', { type: 'status', status: 422 }, 'http_4xx', 422],
    ['413', { type: 'status', status: 413 }, 'too_large', 413],
    ['501', { type: 'status', status: 501 }, 'http_5xx', 501],
    ['a web page', { type: 'html' }, 'bad_response', 200],
    ['an error in place of data', { type: 'body', text: '{"error":"no"}' }, 'bad_response', 200],
    ['a body of another shape', { type: 'body', text: '{"data":5}' }, 'bad_response', 200],
  ])('E, R8, R11: %s', async (_what, action, kind, status) => {
    const { simulator, error } = await replay(MONTH, [{ do: action }])
    expect(error).toMatchObject({ kind, status, failure: { attempts: 1 } })
    expect(dataRequests(simulator)).toHaveLength(1)
    expect(simulator.stats.logins).toBe(1)
  })

  it.each<[FaultAction, string]>([
    [{ type: 'hang' }, 'timeout'],
    [{ type: 'status', status: 504 }, 'timeout'],
    [{ type: 'status', status: 401 }, 'http_401'],
    [{ type: 'status', status: 403 }, 'http_4xx'],
    [{ type: 'status', status: 503 }, 'http_5xx'],
    [{ type: 'status', status: 429 }, 'rate_limited'],
    [{ type: 'reset', at: 'before-headers' }, 'connection'],
  ])('E: %j for good ends as kind %s', async (action, kind) => {
    const { error } = await replay(MONTH, [{ do: action }])
    expect([error.kind, error.failure.kind]).toEqual([kind, kind])
  })
})

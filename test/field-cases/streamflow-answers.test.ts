import { describe, expect, it } from 'vitest'
import { RequestError } from '../../src/index.ts'
import type { FaultAction } from '../../src/simulator/index.ts'
import { createFastClock } from '../support/clocks.ts'
import { errorOf } from '../support/field-case.ts'
import { page } from '../support/feature-pages.ts'
import { answer, drop, inTurn, startScripted } from '../support/scripted-server.ts'
import { simulateWater, waterClient } from '../support/streamflow.ts'
const QUERY = {
  monitoringLocationId: 'USGS-01000000',
  parameterCode: '00060',
  statisticId: '00003',
  start: '2024-01-01',
  end: '2024-03-10',
} as const

/** Seven pages of ten days each. */
const SEVEN_PAGES = { ...QUERY, pageSize: 10 }

describe('F31: slow but alive', () => {
  it('F31: a body that drips for longer than the read time-out is read to its end', async () => {
    const simulator = await simulateWater({ faults: [{ do: { type: 'drip', pieces: 12, everyMs: 60 } }] })
    const { rows, meta } = await waterClient(simulator, { readTimeoutMs: 500, stallMs: 500 }).getDaily({ ...QUERY })
    expect(rows).toHaveLength(70)
    expect(meta).toMatchObject([{ attempts: 1 }])
    expect(meta[0]?.elapsedMs).toBeGreaterThanOrEqual(600)
  })

  it('F31: a walk that takes longer than the stall budget is read to its end', async () => {
    const simulator = await simulateWater({ faults: [{ do: { type: 'latency', ms: 150 } }] })
    const { rows, meta } = await waterClient(simulator, { stallMs: 500 }).getDaily(SEVEN_PAGES)
    expect(rows).toHaveLength(70)
    expect(meta.reduce((sum, { elapsedMs }) => sum + elapsedMs, 0)).toBeGreaterThanOrEqual(7 * 150)
  })
})

describe('F32: queueing is not silence', () => {
  it('F32: the fifteenth of twenty requests still gets its retry', async () => {
    const simulator = await simulateWater({
      faults: [{ do: { type: 'latency', ms: 50 } }, { when: { nth: 15 }, do: { type: 'status', status: 503 } }],
    })
    const client = waterClient(simulator, { stallMs: 400, concurrency: 1 })
    const { rows, meta } = await client.getDaily({ ...QUERY, end: '2024-01-21' }, { chunk: 'P1D' })
    expect(rows).toHaveLength(21)
    expect(meta).toHaveLength(20)
    expect(simulator.requests).toHaveLength(21)
  })

  it('F32: a wait that the service named does not use up the budget', async () => {
    const simulator = await simulateWater({
      faults: [{ when: { nth: [1, 2] }, do: { type: 'status', status: 429, headers: { 'retry-after': '1' } } }],
    })
    const { rows, meta } = await waterClient(simulator, { stallMs: 500, retries: 2 }).getDaily(QUERY)
    expect(rows).toHaveLength(70)
    expect(meta[0]?.waitedMs).toBeGreaterThanOrEqual(2000)
  })
})

describe('F33: fewer rows than announced', () => {
  it('F33: a warning reaches the caller with both numbers', async () => {
    const simulator = await simulateWater({ faults: [{ do: { type: 'meta', patch: { numberReturned: 100 } } }] })
    const { rows, warnings, meta } = await waterClient(simulator).getDaily(QUERY)
    expect(rows).toHaveLength(70)
    expect(warnings).toEqual(['the service announced 100 rows on a page and sent 70'])
    expect(meta[0]?.source['warnings']).toEqual(warnings)
  })
})

describe('F35: a page that is cut', () => {
  it.each<[string, FaultAction]>([
    ['after packing', { type: 'cut', at: 0.75, lie: 'gzip' }],
    ['with a length header', { type: 'cut', at: 0.5, lie: 'length' }],
    ['without an end mark', { type: 'cut', at: 0.5, lie: 'chunked' }],
    ['in its text only', { type: 'cut', at: 0.5, lie: 'clean' }],
  ])('F35: %s is asked for again, and large pages too', async (_what, action) => {
    const simulator = await simulateWater({ faults: [{ when: { attempts: 1 }, do: action }] })
    const { rows } = await waterClient(simulator).getDaily({ ...QUERY, start: '2010-01-01' })
    expect(rows).toHaveLength(simulator.truth.daily({ ...QUERY, start: '2010-01-01' }).length)
    expect(simulator.requests).toHaveLength(2)
  })
})

describe('F44, F45, F46: bodies that are no page', () => {
  it.each<[string, FaultAction, string]>([
    ['F44: a web page', { type: 'html' }, 'Maintenance'],
    ['F44: a web page labelled as JSON', { type: 'html', label: 'application/json' }, 'Maintenance'],
    [
      'F45: an error object',
      { type: 'body', text: '{"code":"InvalidQuery","description":"no such thing"}' },
      'no such thing',
    ],
    ['F45: no features', { type: 'body', text: '{"type":"FeatureCollection","links":[]}' }, 'features'],
    ['F43: no bytes at all', { type: 'body', text: '' }, 'empty answer'],
    ['features that are none', { type: 'body', text: '{"features":[5]}' }, 'features[0].properties'],
    [
      'an instant that is none',
      { type: 'body', text: '{"features":[{"properties":{"last_modified":"soon"}}]}' },
      'features[0].properties.last_modified',
    ],
  ])('%s: a typed error with the words', async (_what, action, words) => {
    const simulator = await simulateWater({ faults: [{ do: action }] })
    const error = await errorOf(waterClient(simulator).getDaily(QUERY))
    expect(error).toMatchObject({ kind: 'bad_response' })
    expect((error as Error).message).toContain(words)
    expect((error as Error).message.length).toBeLessThan(800)
    expect(simulator.requests).toHaveLength(1)
  })

  it('F45: a body that says "too many" waits and asks again', async () => {
    const simulator = await simulateWater({
      faults: [
        {
          when: { attempts: 1 },
          do: { type: 'body', text: '{"error":{"code":"OVER_RATE_LIMIT","message":"too many"}}' },
        },
      ],
    })
    expect((await waterClient(simulator).getDaily(QUERY)).length).toBe(70)
    expect(simulator.requests).toHaveLength(2)
  })

  it('F45 R36: one that names a wait besides closes the gate for everybody until it is over', async () => {
    const body = '{"code":"OVER_RATE_LIMIT","description":"too many"}'
    const server = await startScripted(
      inTurn(
        visit => answer(visit, { headers: { 'retry-after': '1' }, body }),
        visit => answer(visit, { body: page([]) }),
      ),
    )
    const client = waterClient(server, { concurrency: 1 })
    await Promise.all([client.getDaily(QUERY), client.getDaily(QUERY)])
    const [first = 0, ...later] = server.arrivals.map(({ at }) => at)
    expect(later).toHaveLength(2)
    expect(Math.min(...later) - first).toBeGreaterThanOrEqual(1000)
  })

  it('F46: a bare NaN is no value, with a warning', async () => {
    const simulator = await simulateWater({ faults: [{ do: { type: 'rows', nan: true } }] })
    const { rows, warnings } = await waterClient(simulator).getDaily(QUERY)
    expect(rows).toHaveLength(70)
    expect(rows.filter(({ value }) => value === null).length).toBeGreaterThan(0)
    expect(rows.every(({ value }) => value === null || Number.isFinite(value))).toBe(true)
    expect(warnings.join()).toContain('NaN')
  })

  it('F43: no content is no rows', async () => {
    const server = await startScripted(visit => answer(visit, { status: 204 }))
    const { rows, meta } = await waterClient(server).getDaily(QUERY)
    expect(rows).toEqual([])
    expect(meta).toMatchObject([{ status: 204 }])
  })

  it('F43: not found is an error with its status and the words', async () => {
    const simulator = await simulateWater()
    const error = await errorOf(waterClient(simulator).getCollection('no-such-thing'))
    expect(error).toBeInstanceOf(RequestError)
    expect(error).toMatchObject({ status: 404, kind: 'http_4xx', serverMessage: 'Collection not found' })
    expect(simulator.requests).toHaveLength(1)
  })
})

describe('F12, F39: statuses', () => {
  it('F12: a 500 passes by itself', async () => {
    const simulator = await simulateWater({ faults: [{ when: { attempts: 1 }, do: { type: 'status', status: 500 } }] })
    expect((await waterClient(simulator).getDaily(QUERY)).length).toBe(70)
    expect(simulator.requests).toHaveLength(2)
  })

  it('F39: 429 for ever ends after the retries, and says what is left of the quota', async () => {
    const simulator = await simulateWater({
      faults: [{ do: { type: 'status', status: 429, headers: { 'x-ratelimit-remaining': '17' } } }],
    })
    const sites = ['USGS-01000000', 'USGS-01000001', 'USGS-01000002']
    const client = waterClient(simulator, {
      retries: 4,
      clock: createFastClock(50),
      connectTimeoutMs: 900_000,
      readTimeoutMs: 900_000,
      stallMs: 0,
    })
    const error = await errorOf(client.getDaily({ ...QUERY, monitoringLocationId: sites }, { chunk: 'P30D' }))
    expect(error).toMatchObject({ kind: 'rate_limited', failure: { quotaRemaining: 17 } })
    expect(simulator.requests.length).toBeLessThanOrEqual(3 * 5)
  })

  it('F34: a connection that drops for ever is a typed error', async () => {
    const server = await startScripted(drop)
    const error = await errorOf(waterClient(server, { retries: 1 }).getDaily(QUERY))
    expect(error).toMatchObject({ kind: 'connection' })
    expect(server.arrivals).toHaveLength(2)
  })
})

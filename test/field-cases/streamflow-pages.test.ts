import { describe, expect, it } from 'vitest'
import type { DailyRow } from '../../src/adapters/streamflow/index.ts'
import { isRetrievalInterrupted, RequestError } from '../../src/index.ts'
import type { FaultAction } from '../../src/simulator/index.ts'
import { createFastClock } from '../support/clocks.ts'
import { errorOf } from '../support/field-case.ts'
import { features, page } from '../support/feature-pages.ts'
import { answer, drop, startScripted, type Script } from '../support/scripted-server.ts'
import { NO_QUOTAS, simulateWater, waterClient } from '../support/streamflow.ts'
import { TEST_API_KEY } from '../tooling/secrets.ts'

const QUERY = {
  monitoringLocationId: 'USGS-01000000',
  parameterCode: '00060',
  statisticId: '00003',
  start: '2024-01-01',
  end: '2024-03-10',
} as const

/** Seven pages of ten days each. */
const SEVEN_PAGES = { ...QUERY, pageSize: 10 }

/** Pages by number, the n-th at `?page=n`, each as told. */
const byPage =
  (script: (number: number, visit: Parameters<Script>[0]) => void): Script =>
  visit =>
    script(Number(visit.arrival.query.get('page') ?? 1), visit)

describe('F25: a page that fails for longer than the retries last', () => {
  it.each<[string, FaultAction, string]>([
    ['500', { type: 'status', status: 500 }, 'http_5xx'],
    ['429', { type: 'status', status: 429 }, 'rate_limited'],
    ['a dropped connection', { type: 'reset', at: 'before-headers' }, 'connection'],
  ])(
    'F25: on %s says how many pages were read, passes nothing off as whole, and goes on at that page',
    async (_what, action, kind) => {
      const simulator = await simulateWater({ faults: [{ when: { nth: [5, 6, 7] }, do: action }] })
      const error = await errorOf(waterClient(simulator, { retries: 2 }).getDaily(SEVEN_PAGES))
      if (!isRetrievalInterrupted(error)) throw error
      expect(error).toMatchObject({ kind, failure: { pagesRead: 4, attempts: 3 } })
      expect((error.partial() as { rows: DailyRow[] }).rows).toHaveLength(40)
      const whole = (await error.resume()) as { rows: DailyRow[] }
      expect(whole.rows.map(({ time }) => time)).toEqual(simulator.truth.daily(QUERY).map(({ time }) => time))
      // Pages 1 to 4, page 5 in vain and then well, pages 6 and 7.
      expect(simulator.requests).toHaveLength(4 + 3 + 3)
    },
  )

  it('R48: repeats the failed page alone', async () => {
    const simulator = await simulateWater({ faults: [{ when: { nth: 5 }, do: { type: 'status', status: 503 } }] })
    expect((await waterClient(simulator).getDaily(SEVEN_PAGES)).length).toBe(70)
    expect(simulator.stats).toMatchObject({ requests: 8, repeats: 1 })
  })
})

describe('F26: pages that lead nowhere', () => {
  it.each<[string, FaultAction, number]>([
    ['to themselves', { type: 'cursor', how: 'repeat' }, 2],
    ['back to the first', { type: 'cursor', how: 'loop' }, 3],
    ['to an empty address', { type: 'cursor', how: 'empty' }, 1],
  ])('F26: %s: an error, never an end or a walk without one', async (_what, action, most) => {
    const simulator = await simulateWater({
      faults: [{ when: action.type === 'cursor' && action.how === 'loop' ? { nth: [2, 3, 4] } : {}, do: action }],
    })
    const error = await errorOf(waterClient(simulator).getDaily(SEVEN_PAGES))
    expect((error as RequestError).kind).toBe('pagination')
    expect(simulator.requests.length).toBeLessThanOrEqual(most)
  })

  it('R47: more pages than allowed are an error, not an end', async () => {
    const simulator = await simulateWater()
    const error = await errorOf(waterClient(simulator).getDaily(SEVEN_PAGES, { maxPages: 3 }))
    expect(error).toMatchObject({ kind: 'pagination', failure: { pagesRead: 2 } })
    expect(simulator.requests).toHaveLength(3)
  })

  it('J11: pages that overlap give every row once', async () => {
    const simulator = await simulateWater({ faults: [{ do: { type: 'cursor', how: 'overlap', rows: 4 } }] })
    const { rows, meta } = await waterClient(simulator).getDaily(SEVEN_PAGES)
    expect(rows).toHaveLength(70)
    expect(new Set(rows.map(({ daily_id }) => daily_id)).size).toBe(70)
    expect(meta.reduce((sum, { rowsMerged }) => sum + rowsMerged, 0)).toBeGreaterThan(0)
    expect(meta.reduce((sum, { rows: kept }) => sum + kept, 0)).toBe(70)
  })

  it('R47: an empty page with a link goes on', async () => {
    const simulator = await simulateWater({ faults: [{ when: { nth: 3 }, do: { type: 'cursor', how: 'empty-page' } }] })
    const { rows, meta } = await waterClient(simulator).getDaily(SEVEN_PAGES)
    expect(rows).toHaveLength(70)
    expect(meta.some(({ rows: kept }) => kept === 0)).toBe(true)
  })
})

describe('F27: links to elsewhere', () => {
  it('F27: another host gets nothing, and the walk is an error', async () => {
    const elsewhere = await simulateWater()
    const origin = elsewhere.url.replace('127.0.0.1', 'localhost')
    const simulator = await simulateWater({ faults: [{ do: { type: 'cursor', how: 'foreign', origin } }] })
    const error = await errorOf(waterClient(simulator, { apiKey: TEST_API_KEY }).getDaily(SEVEN_PAGES))
    expect((error as RequestError).kind).toBe('pagination')
    expect((error as Error).message).toContain('another host')
    expect(elsewhere.requests).toEqual([])
  })

  it('F27: a user in a link is dropped, and makes no Basic header', async () => {
    const simulator = await simulateWater({
      faults: [{ do: { type: 'cursor', how: 'userinfo', userinfo: 'user:pass' } }],
    })
    const { rows } = await waterClient(simulator, { apiKey: TEST_API_KEY }).getDaily(SEVEN_PAGES)
    expect(rows).toHaveLength(70)
    expect(simulator.requests.filter(({ headers }) => headers['authorization'] !== undefined)).toEqual([])
    expect(simulator.requests.every(({ key }) => key !== undefined)).toBe(true)
  })

  it('F22: a redirect to another host does not carry the key', async () => {
    const elsewhere = await simulateWater()
    const location = `${elsewhere.url.replace('127.0.0.1', 'localhost')}/ogcapi/v1/collections/daily/items?monitoring_location_id=USGS-01000000&parameter_code=00060&statistic_id=00003&time=2024-01-01/2024-01-05&limit=10`
    const simulator = await simulateWater({ faults: [{ do: { type: 'redirect', location } }] })
    await waterClient(simulator, { apiKey: TEST_API_KEY }).getDaily(QUERY, { maxRows: 10 })
    expect(elsewhere.requests).toHaveLength(1)
    expect(elsewhere.requests[0]?.key).toBeUndefined()
  })

  it.each<[string, FaultAction]>([
    ['another version of the API', { type: 'cursor', how: 'version', version: 'v0' }],
    ['a relative reference', { type: 'cursor', how: 'relative' }],
  ])('R46: follows %s as given', async (_what, action) => {
    const simulator = await simulateWater({ faults: [{ do: action }] })
    const { rows } = await waterClient(simulator).getDaily(SEVEN_PAGES)
    expect(rows).toHaveLength(70)
  })

  it('R46: version 0 whose pages go on in version 1 ends whole', async () => {
    const simulator = await simulateWater({ streamflow: { ...NO_QUOTAS, nextVersion: 'v1' } })
    const { rows } = await waterClient(simulator, { apiVersion: 'v0' }).getDaily(SEVEN_PAGES)
    expect(rows).toHaveLength(70)
    expect(simulator.requests.map(({ path }) => path.split('/')[2])).toEqual([
      'v0',
      ...Array.from({ length: 6 }, () => 'v1'),
    ])
  })
})

describe('F28: a page size is no row cap', () => {
  it('F28: "at most ten rows" with endless pages is one hit and ten rows', async () => {
    const server = await startScripted(
      byPage((number, visit) =>
        answer(visit, { body: page(features(number, 10), `${visit.arrival.path}?page=${number + 1}`) }),
      ),
    )
    const { rows } = await waterClient(server).getDaily({ pageSize: 10 }, { maxRows: 10 })
    expect(rows).toHaveLength(10)
    expect(server.arrivals).toHaveLength(1)
  })

  it('F28: a page size without a cap is three pages and all rows', async () => {
    const simulator = await simulateWater()
    const { rows } = await waterClient(simulator).getDaily({ ...QUERY, end: '2024-01-30', pageSize: 10 })
    expect(rows).toHaveLength(30)
    expect(simulator.requests).toHaveLength(3)
  })
})

describe('F29: pages that differ', () => {
  it('F29: all rows have the same columns, and nothing of the second page is lost', async () => {
    const common = {
      time_series_id: 's',
      monitoring_location_id: 'USGS-1',
      parameter_code: '00060',
      statistic_id: '00003',
      value: '1',
      unit_of_measure: 'ft',
      approval_status: 'Approved',
      last_modified: '2026-01-01T00:00:00+00:00',
    }
    const first = [
      {
        id: 'a',
        geometry: { type: 'Point', coordinates: [1, 2] },
        properties: { ...common, time: '2024-01-01', qualifier: ['ICE'] },
      },
    ]
    const second = [{ id: 'b', properties: { ...common, time: '2024-01-02', qualifier: null, grade: 'good' } }]
    const server = await startScripted(
      byPage((number, visit) => answer(visit, { body: number === 1 ? page(first, '?page=2') : page(second) })),
    )
    const { rows, columns } = await waterClient(server).getDaily({ monitoringLocationId: 'USGS-1' })
    expect(rows.map(row => Object.keys(row).sort())).toEqual(rows.map(() => columns.map(({ name }) => name).sort()))
    expect(rows).toMatchObject([
      { grade: null, qualifier: ['ICE'], longitude: 1, latitude: 2 },
      { grade: 'good', qualifier: null, longitude: null, latitude: null },
    ])
    expect(columns.map(({ name }) => name).at(-1)).toBe('grade')
  })
})

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

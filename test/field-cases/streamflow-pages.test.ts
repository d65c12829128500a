import { describe, expect, it } from 'vitest'
import type { DailyRow } from '../../src/adapters/streamflow/index.ts'
import { isRetrievalInterrupted, type RequestError } from '../../src/index.ts'
import type { FaultAction } from '../../src/simulator/index.ts'
import { errorOf } from '../support/field-case.ts'
import { features, page } from '../support/feature-pages.ts'
import { answer, startScripted, type Script } from '../support/scripted-server.ts'
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

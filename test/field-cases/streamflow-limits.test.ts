import { describe, expect, it } from 'vitest'
import type { DailyRow } from '../../src/adapters/streamflow/index.ts'
import { isRetrievalInterrupted, QueryError, type Checkpoint } from '../../src/index.ts'
import type { StreamflowOptions as SimulatedWater } from '../../src/simulator/index.ts'
import { createManualClock } from '../support/clocks.ts'
import { drive } from '../support/drive.ts'
import { listen } from '../support/emissions.ts'
import { errorOf } from '../support/field-case.ts'
import { answer, startScripted } from '../support/scripted-server.ts'
import { NO_QUOTAS, simulateWater, siteIds, waterClient } from '../support/streamflow.ts'
import { TEST_API_KEY } from '../tooling/secrets.ts'

const NOW = Date.UTC(2026, 5, 1)
const HOUR_MS = 3_600_000
const DAYS = { parameterCode: '00060', statisticId: '00003', start: '2024-03-01', end: '2024-03-05' } as const

/** Twelve hundred names, every third with characters that take three bytes, or nine, once they are encoded. */
const NAMES = Array.from({ length: 1200 }, (_, n) => {
  const number = String(5_000_000 + n)
  if (n % 3 === 1) return `USGS-${number} (a/b)`
  return n % 3 === 2 ? `MBMG-${number}-ü+€` : `USGS-${number}`
})

/** Every value that was asked for under a name, in the order of the requests. */
function asked(simulator: Awaited<ReturnType<typeof simulateWater>>): string[] {
  return simulator.requests
    .filter(({ query }) => !('cursor' in query))
    .flatMap(({ query }) => (query['monitoring_location_id'] ?? '').split(','))
}

describe('F49, must show 5: twelve hundred sites with names that need encoding', () => {
  it('F49: no request is too long, each name is asked for once, and the rows are those of one query', async () => {
    const simulator = await simulateWater({ streamflow: { ...NO_QUOTAS, moreSites: NAMES, maxRequestBytes: 8200 } })
    const { rows, meta } = await waterClient(simulator).getDaily({ monitoringLocationId: NAMES, ...DAYS })
    expect(simulator.stats.statuses).toEqual({ 200: simulator.requests.length })
    expect(asked(simulator).sort()).toEqual([...NAMES].sort())
    expect(simulator.requests.every(({ path, search }) => path.length + search.length <= 8000)).toBe(true)
    expect(rows).toHaveLength(simulator.truth.daily({ monitoringLocationId: NAMES, ...DAYS }).length)
    const order = rows.map(({ monitoring_location_id, time }) => `${monitoring_location_id} ${time}`)
    expect(order).toEqual([...order].sort())
    expect(new Set(meta.map(({ chunk }) => chunk)).size).toBeGreaterThan(1)
  })

  it('F40: with one worker and with eight, the same', async () => {
    const simulator = await simulateWater({ streamflow: { ...NO_QUOTAS, moreSites: NAMES } })
    const query = { monitoringLocationId: NAMES, ...DAYS }
    const [one, eight] = [
      await waterClient(simulator, { concurrency: 1 }).getDaily(query),
      await waterClient(simulator, { concurrency: 8 }).getDaily(query),
    ]
    expect(eight.rows).toEqual(one.rows)
    expect(eight.meta.map(({ url, rows }) => [url, rows])).toEqual(one.meta.map(({ url, rows }) => [url, rows]))
  })

  it('F49: in a body, too', async () => {
    const simulator = await simulateWater({ streamflow: { ...NO_QUOTAS, moreSites: NAMES } })
    const { rows } = await waterClient(simulator).getDaily({
      monitoringLocationId: NAMES,
      approvalStatus: ['Approved', 'Provisional'],
      ...DAYS,
    })
    const truth = simulator.truth.daily({ monitoringLocationId: NAMES, ...DAYS })
    // A status that is not stated is neither of the two.
    expect(rows).toHaveLength(truth.filter(row => row.approval_status !== null).length)
    expect(
      simulator.requests.every(
        ({ method, path, search, body = '' }) =>
          method === 'POST' && path.length + search.length + Buffer.byteLength(body) <= 8000,
      ),
    ).toBe(true)
  })

  it('F49: one name that cannot fit alone is refused before anything is sent', async () => {
    const simulator = await simulateWater()
    const error = await errorOf(
      waterClient(simulator).getDaily({ monitoringLocationId: [...siteIds(3), `USGS-${'€'.repeat(900)}`], ...DAYS }),
    )
    expect(error).toBeInstanceOf(QueryError)
    expect(simulator.requests).toEqual([])
  })

  it.each<[string, SimulatedWater['overLong'], string]>([
    ['413', 413, 'split'],
    ['414', 414, 'split'],
    ['403 that speaks of no key', 403, 'split'],
  ])(
    'R9: an edge that is lower than expected and says %s: lists are divided until they pass',
    async (_what, overLong) => {
      const simulator = await simulateWater({
        streamflow: { ...NO_QUOTAS, maxRequestBytes: 3000, overLong: overLong ?? 414 },
      })
      const { events, onEvent } = listen()
      const { rows } = await waterClient(simulator).getDaily(
        { monitoringLocationId: siteIds(400), ...DAYS },
        { onEvent },
      )
      expect(rows).toHaveLength(simulator.truth.daily({ monitoringLocationId: siteIds(400), ...DAYS }).length)
      expect(events.filter(({ type }) => type === 'split').length).toBeGreaterThan(0)
      expect(
        new Set(
          simulator.requests
            .filter(({ status }) => status === 200)
            .flatMap(({ query }) => query['monitoring_location_id']?.split(',') ?? []),
        ).size,
      ).toBe(400)
    },
  )

  it('R9: a request that cannot be divided is too large', async () => {
    const simulator = await simulateWater({ streamflow: { ...NO_QUOTAS, maxRequestBytes: 100 } })
    expect(
      await errorOf(waterClient(simulator).getDaily({ monitoringLocationId: 'USGS-01000000', ...DAYS })),
    ).toMatchObject({ kind: 'too_large', status: 414 })
    expect(simulator.requests).toHaveLength(1)
  })

  it.each(['API_KEY_INVALID', 'API_KEY_DISABLED', 'No api_key was supplied.', 'Your key has expired.'])(
    'R8 R9: a 403 about the key is not taken for a request that is too long: %s',
    async words => {
      const server = await startScripted(visit => answer(visit, { status: 403, body: { error: { code: words } } }))
      const error = await errorOf(
        waterClient(server, { concurrency: 1 }).getDaily({ monitoringLocationId: siteIds(400), ...DAYS }),
      )
      expect(error).toMatchObject({ kind: 'http_4xx', status: 403, failure: { serverMessage: words } })
      expect(server.arrivals).toHaveLength(1)
    },
  )

  it('R8: a bad key is not taken for a request that is too long', async () => {
    const simulator = await simulateWater({ streamflow: { ...NO_QUOTAS, keys: ['another'] } })
    const error = await errorOf(
      waterClient(simulator, { apiKey: TEST_API_KEY, concurrency: 1 }).getDaily({
        monitoringLocationId: siteIds(400),
        ...DAYS,
      }),
    )
    expect(error).toMatchObject({ kind: 'http_4xx', status: 403 })
    expect(simulator.requests).toHaveLength(1)
  })
})

describe('must show 6: a hundred sites within fifty requests an hour', () => {
  const QUERY = {
    monitoringLocationId: siteIds(100),
    parameterCode: '00060',
    statisticId: '00003',
    start: '2020-01-01',
    end: '2023-12-31',
    pageSize: 1500,
  }

  it('R38: the plan says so before anything is sent; the run stops at zero and finishes after resume()', async () => {
    const clock = createManualClock(NOW)
    const simulator = await simulateWater({
      clock,
      streamflow: { quotas: { withoutKey: { count: 50, perMs: HOUR_MS } } },
    })
    const client = waterClient(simulator, { clock, concurrency: 4 })

    const plan = client.planDaily(QUERY)
    expect(plan.quota).toEqual({ perHour: 50, remaining: undefined, enough: false, hours: 1 })
    expect(plan.requests).toBeGreaterThan(50)
    expect(plan.requests).toBeLessThanOrEqual(120)
    expect(simulator.requests).toEqual([])

    const error = await drive(clock, () => errorOf(client.getDaily(QUERY)))
    if (!isRetrievalInterrupted(error)) throw error
    expect(error.kind).toBe('rate_limited')
    expect(error.retryAfterMs).toBeGreaterThan(0)
    expect(error.retryAfterMs).toBeLessThanOrEqual(HOUR_MS)
    // It stopped by itself: nothing was refused.
    expect(simulator.stats.statuses).toEqual({ 200: 50 })
    expect(client.planDaily(QUERY).quota).toMatchObject({ remaining: 0, enough: false })
    expect((error.partial() as { rows: DailyRow[] }).rows.length).toBeGreaterThan(0)

    let result: unknown = error
    for (let turn = 0; turn < 3 && isRetrievalInterrupted(result); turn++) {
      const { retryAfterMs = 0, resume } = { retryAfterMs: result.retryAfterMs, resume: result.resume.bind(result) }
      await clock.advance(retryAfterMs + 1000)
      result = await drive(clock, () => resume().catch((thrown: unknown) => thrown))
    }
    const { rows } = result as { rows: DailyRow[] }
    expect(rows).toHaveLength(simulator.truth.daily(QUERY).length)
    expect(new Set(rows.map(({ daily_id }) => daily_id)).size).toBe(rows.length)
    // Nothing was asked for twice, and nothing was refused.
    expect(simulator.stats).toMatchObject({ repeats: 0, statuses: { 200: simulator.requests.length } })
  }, 60_000)

  it('R60: another process takes it up from a checkpoint', async () => {
    const simulator = await simulateWater({ faults: [{ when: { nth: 3 }, do: { type: 'status', status: 400 } }] })
    const query = { ...QUERY, monitoringLocationId: siteIds(12), end: '2020-12-31' }
    const error = await errorOf(waterClient(simulator, { concurrency: 1 }).getDaily(query))
    if (!isRetrievalInterrupted(error)) throw error
    const checkpoint = JSON.parse(JSON.stringify(error.checkpoint())) as Checkpoint
    const before = simulator.requests.length
    const rest = (await waterClient(simulator).resumeFrom(checkpoint)) as unknown as { rows: DailyRow[] }
    const truth = simulator.truth.daily(query)
    const whole = (await waterClient(simulator).getDaily(query)).rows
    expect(whole).toHaveLength(truth.length)
    // What a checkpoint leaves is what no getter had returned: all of it, here.
    const partial = (error.partial() as { rows: DailyRow[] }).rows
    expect(new Set([...partial, ...rest.rows].map(({ daily_id }) => daily_id)).size).toBe(truth.length)
    expect(simulator.requests.length).toBeGreaterThan(before)
  })

  it('R60: a POST is taken up with its body, in the middle of its walk', async () => {
    const simulator = await simulateWater({ faults: [{ when: { nth: 2 }, do: { type: 'status', status: 400 } }] })
    const query = { state: ['VA', 'MD'], siteTypeCode: 'ST', pageSize: 30 }
    const error = await errorOf(waterClient(simulator).getMonitoringLocations(query))
    if (!isRetrievalInterrupted(error)) throw error
    const checkpoint = JSON.parse(JSON.stringify(error.checkpoint())) as Checkpoint
    expect(JSON.stringify(checkpoint)).toContain('cursor')
    const rest = await waterClient(simulator).resumeFrom(checkpoint)
    expect(rest.length + (error.partial() as { rows: unknown[] }).rows.length).toBe(138)
    expect(new Set(simulator.requests.map(({ body }) => body)).size).toBe(1)
  })

  it('refuses a checkpoint of somebody else', async () => {
    const simulator = await simulateWater()
    const client = waterClient(simulator)
    for (const wrong of [{ service: 'emissions' }, { operation: 'getMany' }, { version: 2 }]) {
      await expect(
        client.resumeFrom({
          version: 1,
          service: 'streamflow',
          operation: 'getDaily',
          query: {},
          left: [],
          ...wrong,
        } as Checkpoint),
      ).rejects.toThrow(QueryError)
    }
  })
})

describe('F17: a wait that is too long', () => {
  it('F17: 429 far in the future ends the call at once, to be taken up when it is time', async () => {
    const simulator = await simulateWater({
      faults: [{ when: { nth: 3 }, do: { type: 'status', status: 429, headers: { 'retry-after': '1800' } } }],
    })
    const query = { monitoringLocationId: 'USGS-01000000', ...DAYS, end: '2024-04-30', pageSize: 10 }
    const error = await errorOf(waterClient(simulator).getDaily(query))
    if (!isRetrievalInterrupted(error)) throw error
    expect(error).toMatchObject({ kind: 'rate_limited', retryAfterMs: 1_800_000 })
    expect(simulator.requests).toHaveLength(3)
    expect(error.message).toContain('Come back in 1800 s')
  })
})

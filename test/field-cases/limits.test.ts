import { describe, expect, it } from 'vitest'
import { createManualClock, type ManualClock } from '../support/clocks.ts'
import { drive } from '../support/drive.ts'
import { clientFor, dataRequests, errorOf, PATIENT, REGION, simulateCase } from '../support/field-case.ts'
import { createPaged } from '../support/page-adapter.ts'
import { answer, startScripted, type Arrival } from '../support/scripted-server.ts'
import type { EmissionsClient } from '../../src/adapters/emissions/index.ts'

/** An emissions service that takes 20 ms for anything, and knows nothing. */
async function quickService(clock: ManualClock) {
  const busy = { held: 0 }
  const server = await startScripted(visit => {
    busy.held += 1
    clock.after(20, () => {
      busy.held -= 1
      answer(visit, {
        body: visit.arrival.path === '/login' ? { token: `sim-token-${visit.arrival.n}` } : { data: [], meta: {} },
      })
    })
  }, clock)
  return { server, held: () => busy.held }
}

/** Most arrivals in any second, wherever it is laid. */
function peakPerSecond(arrivals: readonly Arrival[]): number {
  return Math.max(...arrivals.map(({ at }) => arrivals.filter(other => other.at >= at && other.at < at + 1000).length))
}

describe('F37: twenty-five calls at once, ten a second, ten at a time', () => {
  const query = { region: REGION, start: '2024-01-01', end: '2024-01-02' }
  const historical = (client: EmissionsClient): Promise<unknown> => client.getHistorical(query)
  const forecast = (client: EmissionsClient): Promise<unknown> => client.getForecast({ region: REGION })
  const limits = { rate: 10, concurrency: 10 } as const

  it.each([
    ['one function', 1, [historical, historical]],
    ['two functions of one client', 1, [historical, forecast]],
    ['two clients of one account', 2, [historical, forecast]],
  ] as const)('F37: no second sees more than ten, none more than ten open, from %s', async (_, count, functions) => {
    const clock = createManualClock()
    const { server, held } = await quickService(clock)
    const clients = Array.from({ length: count }, () => clientFor(server, { clock, ...PATIENT, ...limits }))
    const calls = () =>
      Promise.all(
        Array.from({ length: 25 }, async (_call, at) => functions[at % 2]?.(clients[at % count] as EmissionsClient)),
      )
    await drive(clock, calls, { held })
    const data = server.arrivals.filter(({ path }) => path !== '/login')
    expect(data).toHaveLength(25)
    expect(peakPerSecond(server.arrivals)).toBe(10)
    expect(server.peakOpen).toBeLessThanOrEqual(10)
    // Two full seconds, and a little.
    expect(clock.monotonic()).toBeGreaterThan(2000)
    expect(clock.monotonic()).toBeLessThan(2500)
  })

  it('F37: repeats count, too', async () => {
    const clock = createManualClock()
    const faults = [{ when: { attempts: 2 }, do: { type: 'status', status: 503 } }] as const
    const simulator = await simulateCase({ clock, faults })
    const client = clientFor(simulator, { clock, ...PATIENT, ...limits, chunk: 'P1D' })
    await drive(clock, () =>
      client.getHistorical({ region: REGION, start: '2024-01-01T00:00Z', end: '2024-01-10T23:55Z' }),
    )
    expect(simulator.stats).toMatchObject({ dataRequests: 30, statuses: { 503: 20 } })
    expect(simulator.stats.peakPerSecond).toBeLessThanOrEqual(10)
  })
})

describe('F38: twenty chunks, two at a time, the second refused', () => {
  it('F38: fails at once, and starts nothing more', async () => {
    const faults = [
      {
        when: { startsFrom: '2024-01-02T00:00Z', startsBefore: '2024-01-03T00:00Z' },
        do: { type: 'status', status: 400 },
      },
    ] as const
    const simulator = await simulateCase({ faults })
    const unhandled: unknown[] = []
    const note = (reason: unknown): void => void unhandled.push(reason)
    process.on('unhandledRejection', note)
    const query = { region: REGION, start: '2024-01-01T00:00Z', end: '2024-01-20T23:55Z' }
    const error = await errorOf(clientFor(simulator, { ...PATIENT, chunk: 'P1D', concurrency: 2 }).getHistorical(query))
    expect(error).toMatchObject({
      name: 'RetrievalInterrupted',
      kind: 'http_4xx',
      status: 400,
      failure: { span: { start: new Date('2024-01-02T00:00Z') } },
    })
    const hits = dataRequests(simulator).length
    expect(hits).toBeLessThanOrEqual(4)
    await new Promise(resolve => setTimeout(resolve, 200))
    expect(dataRequests(simulator)).toHaveLength(hits)
    process.off('unhandledRejection', note)
    expect(unhandled).toEqual([])
  })
})

describe('F39: three sites, and a service that says "too many" for ever', () => {
  it.each([
    ['and what is left', { 'x-ratelimit-remaining': '7', 'x-ratelimit-limit': '1000' }, 7],
    ['and nothing more', {}, undefined],
  ])('F39: gives up after the repeats it may make, %s', async (_, headers, quotaRemaining) => {
    const clock = createManualClock()
    const server = await startScripted(visit => answer(visit, { status: 429, headers }), clock)
    const client = createPaged(server, { clock, ...PATIENT, retries: 4 })
    const error = await drive(clock, () => errorOf(client.getItems({ sites: ['USGS-1', 'USGS-2', 'USGS-3'] })))
    expect(error).toMatchObject({ kind: 'rate_limited', status: 429, quotaRemaining, attempts: 5 })
    expect(server.arrivals.length).toBeLessThanOrEqual(15)
    expect(server.arrivals.length).toBeGreaterThanOrEqual(5)
  })
})

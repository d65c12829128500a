import dns from 'node:dns'
import { describe, expect, it, vi } from 'vitest'
import { ConfigurationError, isRequestError, isRetrievalInterrupted, type RequestError } from '../../src/index.ts'
import { createEmissions } from '../../src/adapters/emissions/index.ts'
import type { Fault } from '../../src/simulator/index.ts'
import { createManualClock } from '../support/clocks.ts'
import { drive } from '../support/drive.ts'
import { listen } from '../support/emissions.ts'
import { features, page } from '../support/feature-pages.ts'
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
  TWO_MONTHS,
} from '../support/field-case.ts'
import { createPaged, WATER_QUALITY_POLICY } from '../support/page-adapter.ts'
import { answer, drop, inTurn, startScripted, type Script } from '../support/scripted-server.ts'

const ONE_DAY = { region: REGION, start: '2024-01-01T00:00Z', end: '2024-01-02T00:00Z' } as const
const ONE_CHUNK = { region: REGION, start: '2024-01-01T00:00Z', end: '2024-01-31T00:00Z' } as const
const wholePage: Script = visit => answer(visit, { body: page(features(1, 3)) })

describe('F09: a connection that drops late', () => {
  it('F09: gives each attempt a full time-out of its own', async () => {
    const clock = createManualClock()
    let held = 0
    const after =
      (ms: number, script: Script): Script =>
      visit => {
        held += 1
        clock.after(ms, () => {
          held -= 1
          void script(visit)
        })
      }
    const server = await startScripted(inTurn(after(250, drop), after(250, wholePage)), clock)
    const client = createPaged(server, { clock, readTimeoutMs: 300, retries: 1 })
    const { rows, meta } = await drive(clock, () => client.getItems(), { held: () => held })
    expect(rows).toHaveLength(3)
    expect(meta).toMatchObject([{ attempts: 2, status: 200 }])
    expect(server.arrivals).toHaveLength(2)
    // Both together took longer than one time-out.
    expect(clock.monotonic()).toBeGreaterThanOrEqual(500)
  })
})

describe('F10: a service that hangs', () => {
  it('F10: a span is halved, never asked for twice, and fails as a time-out after three of them', async () => {
    const clock = createManualClock()
    const simulator = await simulateCase({ clock, faults: [{ do: { type: 'hang' } }] })
    const client = clientFor(simulator, { clock })
    const error = await drive(clock, () => errorOf(client.getHistorical(ONE_CHUNK)), { held: () => hung(simulator) })
    expect(isRetrievalInterrupted(error)).toBe(true)
    expect(error).toMatchObject({
      kind: 'timeout',
      done: [],
      failure: { kind: 'timeout', attempts: 1, operation: 'getHistorical' },
    })
    expect((error as Error).message).toMatch(/readTimeoutMs \(now 300\).*maxSplitDepth \(now 2\)/)
    expect(dataRequests(simulator).map(({ spanMs = 0 }) => Math.round((spanMs / DAY_MS) * 10) / 10)).toEqual([
      30, 15, 7.5,
    ])
    expect(simulator.stats).toMatchObject({ repeats: 0, dataRequests: 3 })
    expect(clock.monotonic()).toBeGreaterThanOrEqual(900)
    expect(clock.monotonic()).toBeLessThan(1300)
  })

  it('F10: a question without a span is asked once, and the error says what to change', async () => {
    const clock = createManualClock()
    const simulator = await simulateCase({ clock, faults: [{ do: { type: 'hang' } }] })
    const client = clientFor(simulator, { clock })
    const error = await drive(clock, () => errorOf(client.getRegion({ latitude: 37, longitude: -120 })), {
      held: () => hung(simulator),
    })
    expect(isRequestError(error)).toBe(true)
    expect(error).toMatchObject({ kind: 'timeout', attempts: 1, operation: 'getRegion' })
    expect((error as Error).message).toContain('readTimeoutMs (now 300)')
    expect(dataRequests(simulator)).toHaveLength(1)
  })
})

describe('F11: refusals, and addresses that cannot work', () => {
  it.each([
    [400, { error: 'INVALID_QUERY_PARAMS', message: 'the region is not right' }, 'the region is not right'],
    [403, { message: 'Invalid scope: this region is not yours' }, 'Invalid scope: this region is not yours'],
    [404, { detail: 'Not Found, not here' }, 'Not Found, not here'],
  ])("F11: a %i is final, with the service's own words", async (status, body, words) => {
    const simulator = await simulateCase({ faults: [{ do: { type: 'status', status, body } }] })
    const error = await errorOf(clientFor(simulator, PATIENT).getHistorical(ONE_DAY))
    expect(error).toMatchObject({ kind: 'http_4xx', status, failure: { status, serverMessage: words, attempts: 1 } })
    expect((error as Error).message).toContain(words)
    expect((error as { failure: RequestError }).failure.url).toContain('/v3/historical?region=CAISO_NORTH')
    expect(dataRequests(simulator)).toHaveLength(1)
  })

  it.each(['undefined/v1', 'ftp://127.0.0.1/v1', 'not an address'])(
    'F11: the base address %j is refused before anything is sent',
    async baseUrl => {
      const looked = vi.spyOn(dns, 'lookup')
      for (const given of [{ baseUrl, env: {} }, { env: { WATTTIME_API_URL: baseUrl } }]) {
        expect(() => createEmissions(given)).toThrow(ConfigurationError)
        expect(() => createEmissions(given)).toThrow(/baseUrl \((client option|WATTTIME_API_URL)\).*got '/)
      }
      expect(looked).not.toHaveBeenCalled()
      looked.mockRestore()
    },
  )

  it('F11: an address of another scheme is settled before sending, also below the adapters', async () => {
    const client = createPaged({ url: 'ftp://127.0.0.1:1/' })
    const error = await errorOf(client.getItems())
    expect(error).toMatchObject({ kind: 'connection', attempts: 0 })
    expect((error as Error).message).toContain('ftp:')
  })
})

describe('F12: trouble at the other end', () => {
  it.each([
    ['a 500', 500],
    ['a 502', 502],
    ['a 503', 503],
  ])('F12: %s that passes is repeated', async (_, status) => {
    const simulator = await simulateCase({ faults: [{ when: { upTo: 1 }, do: { type: 'status', status } }] })
    const { rows, meta } = await clientFor(simulator, PATIENT).getHistorical(ONE_DAY)
    expect(rows).toHaveLength(289)
    expect(meta).toMatchObject([{ attempts: 2 }])
    expect(dataRequests(simulator).map(request => request.status)).toEqual([status, 200])
    expect(simulator.stats.repeats).toBe(1)
  })

  it.each([
    ['a 500 of a service for which it passes', 500, {}],
    ['a 503', 503, { policy: WATER_QUALITY_POLICY }],
  ])('F12: %s is repeated along pages', async (_, status, options) => {
    const server = await startScripted(inTurn(visit => answer(visit, { status }), wholePage))
    const { rows } = await createPaged(server, { ...PATIENT, ...options }).getItems()
    expect(rows).toHaveLength(3)
    expect(server.arrivals).toHaveLength(2)
    expect(server.arrivals[1]?.target).toBe(server.arrivals[0]?.target)
  })

  it('F12: a 500 of a service that means a refusal by it is final, and shows the first line', async () => {
    const server = await startScripted(visit =>
      answer(visit, { status: 500, body: 'the query asks for too much\nat line 7 of the plan' }),
    )
    const error = await errorOf(createPaged(server, { ...PATIENT, policy: WATER_QUALITY_POLICY }).getItems())
    expect(error).toMatchObject({ kind: 'http_5xx', status: 500, serverMessage: 'the query asks for too much' })
    expect((error as Error).message).toContain('the query asks for too much')
    expect(server.arrivals).toHaveLength(1)
  })

  it('F12: a 504 of a span is split, not repeated', async () => {
    const faults: Fault[] = [{ when: { spanOverMs: 10 * DAY_MS }, do: { type: 'status', status: 504 } }]
    const simulator = await simulateCase({ faults })
    const { rows } = await clientFor(simulator, PATIENT).getHistorical(TWO_MONTHS)
    expect(asTruth(rows)).toEqual(simulator.truth.historical(TWO_MONTHS))
    expect(simulator.stats.repeats).toBe(0)
    expect(simulator.stats.statuses['504']).toBeGreaterThanOrEqual(3)
  })
})

describe('F13: a resolver in trouble', () => {
  /** Replaces the resolver: the first so many look-ups fail with a code. */
  function failLookups(code: string, times: number) {
    const real = dns.lookup
    let failed = 0
    const fake = (host: string, options: object, done: (error: Error | null, ...found: unknown[]) => void): void => {
      if (failed++ < times)
        return void setImmediate(() =>
          done(Object.assign(new Error(`getaddrinfo ${code} ${host}`), { code, syscall: 'getaddrinfo' })),
        )
      real(host, options, done as never)
    }
    const spy = vi.spyOn(dns, 'lookup').mockImplementation(fake as never)
    return Object.assign(spy, { [Symbol.dispose]: () => spy.mockRestore() })
  }

  it('F13: EAI_AGAIN once is repeated', async () => {
    const server = await startScripted(wholePage)
    using lookup = failLookups('EAI_AGAIN', 1)
    const { rows, meta } = await createPaged({ url: `http://localhost:${server.port}` }, PATIENT).getItems()
    expect(rows).toHaveLength(3)
    expect(meta).toMatchObject([{ attempts: 2 }])
    expect(lookup).toHaveBeenCalledTimes(2)
    expect(server.arrivals).toHaveLength(1)
  })

  it('F13: ENOTFOUND is settled: one look-up, no repeat', async () => {
    const server = await startScripted(wholePage)
    using lookup = failLookups('ENOTFOUND', Number.POSITIVE_INFINITY)
    const error = await errorOf(createPaged({ url: `http://localhost:${server.port}` }, PATIENT).getItems())
    expect(error).toMatchObject({ kind: 'connection', attempts: 1, cause: { code: 'ENOTFOUND' } })
    expect((error as Error).message).toContain('Check the address')
    expect(lookup).toHaveBeenCalledTimes(1)
    expect(server.arrivals).toEqual([])
  })

  it('F13: the same holds for a login', async () => {
    const simulator = await simulateCase()
    const { port } = new URL(simulator.url)
    using lookup = failLookups('EAI_AGAIN', 1)
    const { rows } = await clientFor({ url: `http://localhost:${port}` }, PATIENT).getHistorical(ONE_DAY)
    expect(rows).toHaveLength(289)
    expect(lookup.mock.calls.length).toBeGreaterThanOrEqual(2)
    expect(simulator.stats).toMatchObject({ logins: 1, dataRequests: 1 })
  })
})

describe('F14: a kept-alive connection that is gone', () => {
  it('F14: the second call goes out again on a new connection', async () => {
    const server = await startScripted(visit =>
      visit.arrival.n === 2 ? void visit.socket.destroy() : wholePage(visit),
    )
    const client = createPaged(server, PATIENT)
    expect((await client.getItems()).rows).toHaveLength(3)
    expect((await client.getItems()).rows).toHaveLength(3)
    expect(server.arrivals.map(({ connection }) => connection)).toEqual([1, 1, 2])
    expect(server.connections).toBe(2)
  })
})

describe('F15: two calls at once on one client', () => {
  it('F15: each has attempts of its own: one fails after its three, the other is repeated and succeeds', async () => {
    const calls = { a: { ...ONE_DAY }, b: { region: REGION, start: '2024-02-01T00:00Z', end: '2024-02-02T00:00Z' } }
    const simulator = await simulateCase({
      faults: [
        { when: { startsBefore: '2024-01-15' }, do: { type: 'status', status: 503 } },
        { when: { startsFrom: '2024-01-15', upTo: 1 }, do: { type: 'status', status: 503 } },
      ],
    })
    const client = clientFor(simulator, { ...PATIENT, retries: 2 })
    const { events, onEvent } = listen()
    const [a, b] = await Promise.allSettled([client.getHistorical(calls.a, { onEvent }), client.getHistorical(calls.b)])
    const hits = (start: string): number =>
      dataRequests(simulator).filter(({ query }) => query['start'] === start).length
    expect(a).toMatchObject({
      status: 'rejected',
      reason: {
        kind: 'http_5xx',
        failure: { status: 503, attempts: 3, span: { start: new Date(calls.a.start), end: new Date(calls.a.end) } },
      },
    })
    expect((a as PromiseRejectedResult).reason.message).toContain('2024-01-01T00:00:00Z to 2024-01-02T00:00:00Z')
    expect(b).toMatchObject({ status: 'fulfilled', value: { rows: { length: 289 }, meta: [{ attempts: 2 }] } })
    expect([hits('2024-01-01T00:00:00Z'), hits('2024-02-01T00:00:00Z')]).toEqual([3, 2])
    expect(events.filter(({ type }) => type === 'retry')).toHaveLength(2)
  })
})

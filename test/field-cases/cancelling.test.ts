import { getEventListeners } from 'node:events'
import { describe, expect, it } from 'vitest'
import type { EmissionsClient } from '../../src/adapters/emissions/index.ts'
import type { CallOptions, RetrievalEvent } from '../../src/index.ts'
import type { Fault } from '../../src/simulator/index.ts'
import { createManualClock, type ManualClock } from '../support/clocks.ts'
import { drive } from '../support/drive.ts'
import { listen } from '../support/emissions.ts'
import { clientFor, dataRequests, errorOf, hung, PATIENT, REGION, simulateCase, until } from '../support/field-case.ts'
import { servePages } from '../support/feature-pages.ts'
import { createPaged } from '../support/page-adapter.ts'
import { startScripted } from '../support/scripted-server.ts'

const ONE_DAY = { region: REGION, start: '2024-01-01T00:00Z', end: '2024-01-01T23:55Z' } as const
const REASON = new Error('changed my mind')

type Ask = (client: EmissionsClient, options: CallOptions) => Promise<unknown>

/** A question of each kind. */
const ASKS: [string, Ask][] = [
  ['a span', (client, options) => client.getHistorical(ONE_DAY, options)],
  [
    'many chunks',
    (client, options) => client.getHistorical({ ...ONE_DAY, end: '2024-01-20' }, { chunk: 'P1D', ...options }),
  ],
  ['a question without a span', (client, options) => client.getAccess({}, options)],
  ['a look-up', (client, options) => client.getRegion({ latitude: 37, longitude: -120 }, options)],
  [
    'a stream',
    async (client, options) => {
      for await (const batch of client.streamHistorical(ONE_DAY, options)) void batch
    },
  ],
]

/** Aborts a call and waits for its end: the clock of client and server stands still meanwhile. */
async function abortedEnd(
  clock: ManualClock,
  controller: AbortController,
  call: Promise<unknown>,
  abort = () => controller.abort(REASON),
): Promise<unknown> {
  const before = clock.monotonic()
  const ended = errorOf(call)
  abort()
  const error = await ended
  expect(clock.monotonic()).toBe(before)
  return error
}

const has = (events: readonly RetrievalEvent[], type: RetrievalEvent['type']): boolean =>
  events.some(event => event.type === type)

describe('F51: a signal that is aborted', () => {
  it.each(ASKS)('F51: before the call, sends nothing at all: %s', async (_, ask) => {
    const simulator = await simulateCase()
    const client = clientFor(simulator, PATIENT)
    expect(await errorOf(ask(client, { signal: AbortSignal.abort(REASON) }))).toBe(REASON)
    expect(simulator.requests).toEqual([])
  })

  it.each(ASKS)(
    'F51: while a request is open, ends the call with its reason, and the connection: %s',
    async (_, ask) => {
      const clock = createManualClock()
      const simulator = await simulateCase({ clock, faults: [{ do: { type: 'hang' } }] })
      const controller = new AbortController()
      const call = ask(clientFor(simulator, { clock, ...PATIENT }), { signal: controller.signal })
      await until(() => hung(simulator) > 0)
      expect(await abortedEnd(clock, controller, call)).toBe(REASON)
      await until(() => hung(simulator) === 0)
      expect(dataRequests(simulator).every(({ abortedByClient }) => abortedByClient)).toBe(true)
      expect(clock.timers).toBe(0)
      expect(getEventListeners(controller.signal, 'abort')).toEqual([])
    },
  )

  it.each(ASKS)('F51: inside a body that has begun, too: %s', async (_, ask) => {
    const clock = createManualClock()
    const simulator = await simulateCase({ clock, faults: [{ do: { type: 'silent', afterBytes: 10 } }] })
    const controller = new AbortController()
    const call = ask(clientFor(simulator, { clock, ...PATIENT }), { signal: controller.signal })
    await until(() => dataRequests(simulator).length > 0)
    await new Promise(resolve => setTimeout(resolve, 50))
    expect(await abortedEnd(clock, controller, call)).toBe(REASON)
    await until(() => dataRequests(simulator).every(({ status }) => status === 'aborted'))
  })

  it.each(ASKS)('F51: during a back-off of five seconds, ends it, and sends nothing more: %s', async (_, ask) => {
    const clock = createManualClock()
    const simulator = await simulateCase({ clock, faults: [{ do: { type: 'status', status: 503 } }] })
    const controller = new AbortController()
    const { events, onEvent } = listen()
    const client = clientFor(simulator, {
      clock,
      ...PATIENT,
      concurrency: 1,
      backoff: { baseDelayMs: 10_000, maxDelayMs: 10_000 },
    })
    const call = ask(client, { signal: controller.signal, onEvent })
    await until(() => has(events, 'wait'))
    expect(events.flatMap(event => (event.type === 'retry' ? [event.waitMs] : []))).toEqual([5000])
    expect(await abortedEnd(clock, controller, call)).toBe(REASON)
    await clock.advance(60_000)
    await new Promise(resolve => setTimeout(resolve, 50))
    expect(dataRequests(simulator)).toHaveLength(1)
    expect(clock.timers).toBe(0)
  })

  it('F51: during a wait that the service named', async () => {
    const clock = createManualClock()
    const simulator = await simulateCase({
      clock,
      faults: [{ do: { type: 'status', status: 429, headers: { 'retry-after': '2' } } }],
    })
    const controller = new AbortController()
    const { events, onEvent } = listen()
    const call = clientFor(simulator, { clock, ...PATIENT }).getHistorical(ONE_DAY, {
      signal: controller.signal,
      onEvent,
    })
    await until(() => has(events, 'wait'))
    expect(await abortedEnd(clock, controller, call)).toBe(REASON)
    await clock.advance(60_000)
    expect(simulator.stats.dataRequests).toBe(1)
  })

  it('F51: while it stands in line for the rate', async () => {
    const clock = createManualClock()
    const simulator = await simulateCase({ clock })
    const controller = new AbortController()
    const client = clientFor(simulator, { clock, ...PATIENT, rate: 2 })
    await client.getHistorical(ONE_DAY)
    const call = client.getHistorical(ONE_DAY, { signal: controller.signal })
    await until(() => clock.timers > 0)
    expect(await abortedEnd(clock, controller, call)).toBe(REASON)
    await clock.advance(60_000)
    expect(simulator.stats).toMatchObject({ logins: 1, dataRequests: 1 })
    expect(clock.timers).toBe(0)
  })

  it('F51: while it logs in, without ending the login of somebody else', async () => {
    const clock = createManualClock()
    const faults: Fault[] = [{ path: '/login', do: { type: 'latency', ms: 1000 } }]
    const simulator = await simulateCase({ clock, faults })
    const controller = new AbortController()
    const client = clientFor(simulator, { clock, ...PATIENT })
    const left = client.getHistorical(ONE_DAY, { signal: controller.signal })
    const other = client.getAccess()
    await until(() => simulator.stats.logins === 1)
    expect(await abortedEnd(clock, controller, left)).toBe(REASON)
    const { rows } = await drive(clock, () => other, {
      held: () => simulator.requests.filter(({ endedAt }) => endedAt === undefined).length,
    })
    expect(rows.length).toBeGreaterThan(0)
    expect(simulator.stats).toMatchObject({ logins: 1, dataRequests: 1 })
  })

  it('F51: while it alone logs in, ends the login', async () => {
    const clock = createManualClock()
    const simulator = await simulateCase({
      clock,
      faults: [{ path: '/login', when: { upTo: 1 }, do: { type: 'hang' } }],
    })
    const controller = new AbortController()
    const client = clientFor(simulator, { clock, ...PATIENT })
    const call = client.getHistorical(ONE_DAY, { signal: controller.signal })
    await until(() => hung(simulator) === 1)
    expect(await abortedEnd(clock, controller, call)).toBe(REASON)
    await until(() => hung(simulator) === 0)
    // The next call logs in anew.
    expect((await client.getHistorical(ONE_DAY)).rows).toHaveLength(288)
    expect(simulator.stats.logins).toBe(2)
  })

  it.each([
    ['a text', 'no longer needed'],
    ["an object of the caller's", { code: 7 }],
    ['the default', undefined],
  ])('F51: rejects with the very reason, unwrapped: %s', async (what, reason: unknown) => {
    const clock = createManualClock()
    const simulator = await simulateCase({ clock, faults: [{ do: { type: 'hang' } }] })
    const controller = new AbortController()
    const call = clientFor(simulator, { clock, ...PATIENT }).getHistorical(ONE_DAY, { signal: controller.signal })
    await until(() => hung(simulator) === 1)
    const error = await abortedEnd(clock, controller, call, () =>
      reason === undefined ? controller.abort() : controller.abort(reason),
    )
    expect(error).toBe(controller.signal.reason)
    if (what === 'the default') expect(error).toMatchObject({ name: 'AbortError' })
  })

  it('F51: between the pages of a walk', async () => {
    const server = await startScripted(servePages(1000))
    const controller = new AbortController()
    const onEvent = (event: RetrievalEvent): void => {
      if (event.type === 'page' && event.page === 3) controller.abort(REASON)
    }
    expect(await errorOf(createPaged(server, PATIENT).getItems({}, { signal: controller.signal, onEvent }))).toBe(
      REASON,
    )
    expect(server.arrivals).toHaveLength(3)
  })

  it('F51: a call that has ended is not disturbed by a late abort', async () => {
    const simulator = await simulateCase()
    const controller = new AbortController()
    const { rows } = await clientFor(simulator, PATIENT).getHistorical(ONE_DAY, { signal: controller.signal })
    controller.abort(REASON)
    await new Promise(resolve => setTimeout(resolve, 50))
    expect(rows).toHaveLength(288)
  })
})

describe('F52: one signal for everything', () => {
  it('F52: fifty chunks and two hundred calls leave no listener and raise no warning', async () => {
    const warnings: Error[] = []
    const note = (warning: Error): void => void warnings.push(warning)
    process.on('warning', note)
    const simulator = await simulateCase()
    const { signal } = new AbortController()
    const client = clientFor(simulator, { ...PATIENT, concurrency: 20, chunk: 'PT1H' })
    const { rows } = await client.getHistorical(
      { region: REGION, start: '2024-01-01T00:00Z', end: '2024-01-03T01:55Z' },
      { signal },
    )
    expect(rows).toHaveLength(50 * 12)
    expect(simulator.stats.dataRequests).toBe(50)
    expect(getEventListeners(signal, 'abort')).toEqual([])

    const hour = { region: REGION, start: '2024-01-01T00:00Z', end: '2024-01-01T00:55Z' }
    for (let call = 0; call < 100; call++) await client.getHistorical(hour, { signal })
    await Promise.all(Array.from({ length: 100 }, async () => client.getHistorical(hour, { signal })))
    await Promise.all(
      Array.from({ length: 20 }, async () =>
        errorOf(client.getHistorical({ ...hour, model: '1999-01-01' }, { signal })),
      ),
    )
    await new Promise(resolve => setTimeout(resolve, 20))
    process.off('warning', note)
    expect(simulator.stats.dataRequests).toBe(270)
    expect(getEventListeners(signal, 'abort')).toEqual([])
    expect(warnings).toEqual([])
  })

  it('F52: nor does a stream that is left early', async () => {
    const simulator = await simulateCase()
    const { signal } = new AbortController()
    const client = clientFor(simulator, { ...PATIENT, concurrency: 4, chunk: 'PT1H' })
    for await (const { rows } of client.streamHistorical({ ...ONE_DAY }, { signal })) {
      expect(rows).toHaveLength(12)
      break
    }
    expect(getEventListeners(signal, 'abort')).toEqual([])
    const hits = dataRequests(simulator).length
    await new Promise(resolve => setTimeout(resolve, 100))
    expect(dataRequests(simulator)).toHaveLength(hits)
  })
})

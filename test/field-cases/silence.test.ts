import { describe, expect, it } from 'vitest'
import type { EmissionsOptions } from '../../src/adapters/emissions/index.ts'
import { createManualClock } from '../support/clocks.ts'
import { drive } from '../support/drive.ts'
import { listen } from '../support/emissions.ts'
import { features, page, servePages } from '../support/feature-pages.ts'
import { clientFor, dataRequests, errorOf, open, REGION, simulateCase } from '../support/field-case.ts'
import { createPaged } from '../support/page-adapter.ts'
import { answer, drop, startScripted, type Script } from '../support/scripted-server.ts'

const wholePage: Script = visit => answer(visit, { body: page(features(1, 3)) })

/** Sends headers and so much of a body, then nothing more. */
const silentAfter =
  (text: string): Script =>
  ({ response }) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': 1000 })
    response.flushHeaders()
    if (text !== '') response.write(text)
  }

describe('F30: headers, and then silence', () => {
  async function askSilent(text: string, options: object) {
    const clock = createManualClock()
    const server = await startScripted(silentAfter(text), clock)
    const client = createPaged(server, { clock, ...options })
    const { events, onEvent } = listen()
    const error = await drive(clock, () => errorOf(client.getItems({}, { onEvent })), { held: () => server.open })
    return { error, hits: server.arrivals.length, elapsedMs: clock.monotonic(), events }
  }

  it.each([
    ['no byte of the body', ''],
    ['half a body', '{"features": ['],
  ])('F30: without repeats it fails within one time-out, after %s', async (_, text) => {
    const { error, hits, elapsedMs } = await askSilent(text, { retries: 0 })
    expect(error).toMatchObject({ name: 'RequestError', kind: 'timeout', attempts: 1 })
    expect(hits).toBe(1)
    expect(elapsedMs).toBeGreaterThanOrEqual(300)
    expect(elapsedMs).toBeLessThan(400)
  })

  it.each([
    ['no byte of the body', ''],
    ['half a body', '{"features": ['],
  ])('F30: with the defaults it fails after two, as stalled, after %s', async (_, text) => {
    const { error, hits, elapsedMs, events } = await askSilent(text, {
      retries: 4,
      readTimeoutMs: 60_000,
      stallMs: 60_000,
    })
    expect(error).toMatchObject({ name: 'RequestError', kind: 'stalled', attempts: 2 })
    expect((error as Error).message).toContain('stallMs (now 60000')
    expect(hits).toBe(2)
    expect(elapsedMs).toBeGreaterThanOrEqual(120_000)
    expect(elapsedMs).toBeLessThan(121_000)
    expect(events.filter(({ type }) => type === 'retry')).toHaveLength(1)
  })

  it.each([
    ['a span', 3],
    ['a question without one', 1],
  ])('F30: the emissions service is asked for %s as if it hung: %i hits', async (what, hits) => {
    const clock = createManualClock()
    const simulator = await simulateCase({ clock, faults: [{ do: { type: 'silent', afterBytes: 5 } }] })
    const client = clientFor(simulator, { clock })
    const ask = async (): Promise<unknown> =>
      what === 'a span'
        ? client.getHistorical({ region: REGION, start: '2024-01-01', end: '2024-01-31' })
        : client.getAccess()
    const error = await drive(clock, () => errorOf(ask()), { held: () => open(simulator) })
    expect(error).toMatchObject({ kind: 'timeout' })
    expect(dataRequests(simulator)).toHaveLength(hits)
    expect(simulator.stats.repeats).toBe(0)
  })
})

describe('F31: slow is not silent', () => {
  // On the machine's own clock; the gaps are a tenth of the time-out, the whole is three of them.
  const slow: EmissionsOptions = { readTimeoutMs: 1000, connectTimeoutMs: 30_000, stallMs: 1000 }

  it('F31: a body that keeps dripping for three time-outs is never cut', async () => {
    const text = JSON.stringify(page(features(1, 3)))
    const server = await startScripted(async ({ response }) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': text.length })
      const size = Math.ceil(text.length / 30)
      for (let at = 0; at < text.length; at += size) {
        response.write(text.slice(at, at + size))
        await new Promise(resolve => setTimeout(resolve, 100))
      }
      response.end()
    })
    const { rows, meta } = await createPaged(server, slow).getItems()
    expect(rows).toHaveLength(3)
    expect(meta[0]?.elapsedMs).toBeGreaterThan(2500)
    expect(server.arrivals).toHaveLength(1)
  })

  it('F31: the same for a span', async () => {
    const simulator = await simulateCase({ faults: [{ do: { type: 'drip', pieces: 30, everyMs: 100 } }] })
    const { rows } = await clientFor(simulator, slow).getHistorical({
      region: REGION,
      start: '2024-01-01',
      end: '2024-01-02',
    })
    expect(rows).toHaveLength(289)
    expect(simulator.stats).toMatchObject({ dataRequests: 1, statuses: { 200: 2 } })
  })

  it('F31: a walk of ten pages may take four stall budgets', async () => {
    const clock = createManualClock()
    let held = 0
    const server = await startScripted(visit => {
      held += 1
      clock.after(200, () => {
        held -= 1
        // One page of the ten is refused at first: only then is the budget looked at.
        if (visit.arrival.n === 7) answer(visit, { status: 503 })
        else void servePages(10)(visit)
      })
    }, clock)
    const { rows } = await drive(clock, () => createPaged(server, { clock, stallMs: 500 }).getItems(), {
      held: () => held,
    })
    expect(rows).toHaveLength(100)
    expect(server.arrivals).toHaveLength(11)
    expect(clock.monotonic()).toBeGreaterThanOrEqual(2200)
  })
})

describe('F32: standing in line is not silence', () => {
  const twenty = Array.from({ length: 20 }, (_, at) => `USGS-${at + 1}`)
  const busyNow: Script = visit => answer(visit, { status: 503 })
  const waitASecond: Script = visit => answer(visit, { status: 429, headers: { 'retry-after': '1' } })

  /** A server that takes 100 ms for each request, and treats the 15th site as told before it answers. */
  async function slowServer(trouble: readonly Script[]) {
    const clock = createManualClock()
    const busy = { held: 0 }
    const left = [...trouble]
    const server = await startScripted(visit => {
      busy.held += 1
      clock.after(100, () => {
        busy.held -= 1
        const isFifteenth = visit.arrival.query.get('monitoring_location_id') === 'USGS-15'
        void (isFifteenth ? (left.shift() ?? wholePage) : wholePage)(visit)
      })
    }, clock)
    return { clock, server, held: () => busy.held }
  }

  // A budget is looked at from the second failure on, and bytes start it anew: a dropped connection brings none.
  it.each<[string, readonly Script[]]>([
    ['one 503', [busyNow]],
    ['two 503', [busyNow, busyNow]],
    ['two dropped connections', [drop, drop]],
    ['a 429 that names a second', [waitASecond]],
    ['a 429 that names a second, and then a dropped connection', [waitASecond, drop]],
  ])('F32: twenty calls in one line survive %s', async (_, trouble) => {
    const { clock, server, held } = await slowServer(trouble)
    const client = createPaged(server, { clock, concurrency: 1, stallMs: 500 })
    const calls = () => Promise.all(twenty.map(async site => client.getItems({ sites: [site] })))
    const results = await drive(clock, calls, { held })
    expect(results.map(({ rows }) => rows.length)).toEqual(Array(20).fill(3))
    expect(results[14]?.meta).toMatchObject([{ attempts: 1 + trouble.length }])
    expect(server.arrivals).toHaveLength(20 + trouble.length)
    expect(server.peakOpen).toBe(1)
    // The last of them waited far longer than its budget.
    expect(clock.monotonic()).toBeGreaterThanOrEqual(2000)
  })

  it('F32: so does a query of twenty parts', async () => {
    const { clock, server, held } = await slowServer([waitASecond, drop])
    const client = createPaged(server, { clock, concurrency: 1, stallMs: 500 })
    const { meta } = await drive(clock, () => client.getItems({ sites: twenty }), { held })
    expect(meta.map(({ attempts }) => attempts)).toEqual(twenty.map((_, at) => (at === 14 ? 3 : 1)))
    expect(server.arrivals).toHaveLength(22)
  })

  it('F32: silence itself still counts: a connection that is dropped for longer than the budget is given up', async () => {
    const clock = createManualClock()
    const server = await startScripted(drop, clock)
    const patience = { stallMs: 500, retries: 10, backoff: { baseDelayMs: 800, maxDelayMs: 800 } }
    const error = await drive(clock, () => errorOf(createPaged(server, { clock, ...patience }).getItems()))
    expect(error).toMatchObject({ kind: 'stalled', attempts: 3 })
    expect(server.arrivals).toHaveLength(3)
  })
})

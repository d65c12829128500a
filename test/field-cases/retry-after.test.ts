import { describe, expect, it } from 'vitest'
import { isRequestError } from '../../src/index.ts'
import { createManualClock, type ManualClock } from '../support/clocks.ts'
import { drive } from '../support/drive.ts'
import { listen } from '../support/emissions.ts'
import { features, page } from '../support/feature-pages.ts'
import { clientFor, dataRequests, errorOf, REGION, simulateCase } from '../support/field-case.ts'
import { createPaged } from '../support/page-adapter.ts'
import { answer, inTurn, startScripted, type Script } from '../support/scripted-server.ts'

const NOW = Date.UTC(2026, 0, 1)
/** A step of the driven clock, twice: when it may be off at most. */
const SLACK_MS = 50
const JITTER_MS = 1000

const wholePage: Script = visit => answer(visit, { body: page(features(1, 3)) })
const tooMany =
  (headers: Readonly<Record<string, string>> = {}): Script =>
  visit =>
    answer(visit, { status: 429, headers, body: { message: 'slow down' } })
const clockOf = (): ManualClock => createManualClock(NOW)

/** One call that is refused once: how long it waited before it asked again. */
async function waitedAfter(headers: Readonly<Record<string, string>>, random = 0.5): Promise<number> {
  const clock = clockOf()
  const server = await startScripted(
    inTurn(tooMany({ date: new Date(NOW).toUTCString(), ...headers }), wholePage),
    clock,
  )
  const client = createPaged(server, {
    clock,
    retries: 2,
    retryAfterCapMs: 60_000,
    backoff: { baseDelayMs: 200, maxDelayMs: 1000 },
    random: () => random,
  })
  const { rows } = await drive(clock, () => client.getItems())
  expect(rows).toHaveLength(3)
  expect(server.arrivals).toHaveLength(2)
  const [first, second] = server.arrivals
  return (second?.at ?? 0) - (first?.at ?? 0)
}

describe('F16: a 429 that says when to come back', () => {
  it.each([
    ['2', 2000],
    [' 2 ', 2000],
    ['1.5', 1500],
    ['Thu, 01 Jan 2026 00:00:05 GMT', 5000],
    ['Thursday, 01-Jan-26 00:00:05 GMT', 5000],
    ['Thu Jan  1 00:00:05 2026', 5000],
  ])('F16: %j is waited for, with up to a second on top', async (header, leastMs) => {
    for (const random of [0, 0.5, 0.999]) {
      const waited = await waitedAfter({ 'retry-after': header }, random)
      expect(waited).toBeGreaterThanOrEqual(leastMs)
      expect(waited).toBeLessThanOrEqual(leastMs + JITTER_MS + SLACK_MS)
    }
  })

  it('F16: 0 is a small random wait, not none', async () => {
    const waited = await waitedAfter({ 'retry-after': '0' })
    expect(waited).toBeGreaterThanOrEqual(500)
    expect(waited).toBeLessThanOrEqual(JITTER_MS + SLACK_MS)
  })

  it.each([
    '-5',
    '',
    'abc',
    'NaN',
    'Infinity',
    '10, 20',
    '1e3',
    'Wed, 31 Dec 2025 23:59:55 GMT',
    'Thu, 01 Jan 2026 00:00:05',
    'Thu, 01 Jan 2026 00:00:05 EST',
  ])('F16: %j is no hint, and the usual back-off is kept', async header => {
    const waited = await waitedAfter({ 'retry-after': header })
    // Half of the first ceiling.
    expect(waited).toBeGreaterThanOrEqual(100)
    expect(waited).toBeLessThanOrEqual(100 + SLACK_MS)
  })

  it('F16: no header at all is no hint either', async () => {
    const waited = await waitedAfter({})
    expect(waited).toBeGreaterThanOrEqual(100)
    expect(waited).toBeLessThanOrEqual(100 + SLACK_MS)
  })

  it("F16: a date is compared with the service's own, whatever our clock says", async () => {
    const hours = { date: 'Thu, 01 Jan 2026 07:00:00 GMT', 'retry-after': 'Thu, 01 Jan 2026 07:00:05 GMT' }
    const waited = await waitedAfter(hours)
    expect(waited).toBeGreaterThanOrEqual(5000)
    expect(waited).toBeLessThanOrEqual(6000 + SLACK_MS)
  })

  it('F16: the same holds for a span of the emissions service', async () => {
    const clock = clockOf()
    const faults = [
      { when: { upTo: 1 }, do: { type: 'status', status: 429, headers: { 'retry-after': '2' } } },
    ] as const
    const simulator = await simulateCase({ clock, faults })
    const query = { region: REGION, start: '2024-01-01', end: '2024-01-02' }
    const { rows } = await drive(clock, () =>
      clientFor(simulator, { clock, retryAfterCapMs: 60_000 }).getHistorical(query),
    )
    expect(rows).toHaveLength(289)
    const [refused, again] = dataRequests(simulator)
    expect((again?.at ?? 0) - (refused?.at ?? 0)).toBeGreaterThanOrEqual(2000)
    expect(simulator.stats).toMatchObject({ dataRequests: 2, duringPause: 0 })
  })
})

describe('F17: a 429 that asks for an hour', () => {
  it('F17: one hit; fails at once as rate-limited, the hour readable', async () => {
    const clock = clockOf()
    const server = await startScripted(tooMany({ 'retry-after': '3600' }), clock)
    const error = await drive(clock, () =>
      errorOf(createPaged(server, { clock, retries: 2, retryAfterCapMs: 60_000 }).getItems()),
    )
    expect(isRequestError(error)).toBe(true)
    expect(error).toMatchObject({
      kind: 'rate_limited',
      status: 429,
      retryAfterMs: 3_600_000,
      attempts: 1,
      serverMessage: 'slow down',
    })
    expect((error as Error).message).toContain('Come back in 3600 s')
    expect(server.arrivals).toHaveLength(1)
    expect(clock.monotonic()).toBeLessThanOrEqual(SLACK_MS)
  })

  it('F17: a span fails as rate-limited too, and can be taken up later', async () => {
    const clock = clockOf()
    const faults = [
      { when: { upTo: 1 }, do: { type: 'status', status: 429, headers: { 'retry-after': '3600' } } },
    ] as const
    const simulator = await simulateCase({ clock, faults })
    const query = { region: REGION, start: '2024-01-01', end: '2024-01-02' }
    const error = await drive(clock, () => errorOf(clientFor(simulator, { clock }).getHistorical(query)))
    expect(error).toMatchObject({ kind: 'rate_limited', retryAfterMs: 3_600_000 })
    expect(simulator.stats.dataRequests).toBe(1)
    await clock.advance(3_601_000)
    const { rows } = await drive(clock, () => (error as { resume(): Promise<{ rows: unknown[] }> }).resume())
    expect(rows).toHaveLength(289)
    expect(simulator.stats).toMatchObject({ dataRequests: 2, duringPause: 0 })
  })
})

describe('F18: a 429 while others are in line', () => {
  it('F18: nobody asks within the second the service named, and all succeed', async () => {
    const clock = clockOf()
    const server = await startScripted(inTurn(tooMany({ 'retry-after': '1' }), wholePage), clock)
    const client = createPaged(server, { clock, retries: 2, concurrency: 2, retryAfterCapMs: 60_000 })
    const { events, onEvent } = listen()
    const results = await drive(clock, () =>
      Promise.all(Array.from({ length: 10 }, async () => client.getItems({}, { onEvent }))),
    )
    expect(results.map(({ rows }) => rows.length)).toEqual(Array(10).fill(3))
    expect(server.arrivals).toHaveLength(11)
    const refusedAt = server.arrivals[0]?.at ?? 0
    // The second was on its way already when the first was refused.
    expect(server.arrivals.slice(2).filter(({ at }) => at < refusedAt + 1000)).toEqual([])
    expect(server.arrivals.slice(1).filter(({ at }) => at < refusedAt + 1000).length).toBeLessThanOrEqual(1)
    expect(server.peakOpen).toBeLessThanOrEqual(2)
    expect(events.filter(({ type }) => type === 'pause')).toHaveLength(1)
  })

  it('F18: the same holds for the chunks of one query', async () => {
    const clock = clockOf()
    const faults = [
      { when: { upTo: 1 }, do: { type: 'status', status: 429, headers: { 'retry-after': '1' } } },
    ] as const
    const simulator = await simulateCase({ clock, faults })
    const query = { region: REGION, start: '2024-01-01T00:00Z', end: '2024-01-11T00:00Z' }
    const { rows } = await drive(clock, () =>
      clientFor(simulator, { clock, concurrency: 2, chunk: 'P1D' }).getHistorical(query),
    )
    expect(rows).toHaveLength(2881)
    const [first, ...rest] = dataRequests(simulator)
    expect(first?.status).toBe(429)
    expect(rest.filter(({ at }) => at < (first?.at ?? 0) + 1000).length).toBeLessThanOrEqual(1)
    expect(simulator.stats.dataRequests).toBe(11)
  })
})

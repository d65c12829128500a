import { describe, expect, it } from 'vitest'
import { QueryError } from '../../src/index.ts'
import type { Simulator } from '../../src/simulator/index.ts'
import { createManualClock } from '../support/clocks.ts'
import { drive } from '../support/drive.ts'
import {
  answeredSpans,
  asTruth,
  clientFor,
  dataRequests,
  DAY_MS,
  errorOf,
  HOUR_MS,
  hung,
  PATIENT,
  REGION,
  simulateCase,
  spanOf,
  STEP_MS,
  TWO_MONTHS,
} from '../support/field-case.ts'

const sentSpans = (simulator: Simulator): (readonly [string | undefined, string | undefined])[] =>
  dataRequests(simulator)
    .map(({ query }) => [query['start'], query['end']] as const)
    .sort()

/** That the spans lie on the grid, do not overlap, and leave out no sample between them. */
function expectSeamless(simulator: Simulator, start: string, end: string): void {
  const spans = answeredSpans(simulator)
  expect(spans[0]?.start).toBe(Date.parse(start))
  expect(spans.at(-1)?.end).toBe(Date.parse(end))
  spans.slice(1).forEach((span, at) => expect(span.start - (spans[at]?.end ?? 0)).toBe(STEP_MS))
}

describe('F01: two months in chunks of 30 days', () => {
  it('F01: asks for two chunks that share no instant, and returns every sample once', async () => {
    const simulator = await simulateCase()
    const { rows, completeness } = await clientFor(simulator, PATIENT).getHistorical(TWO_MONTHS)
    expect(sentSpans(simulator)).toEqual([
      ['2024-01-01T00:00:00Z', '2024-01-30T23:55:00Z'],
      ['2024-01-31T00:00:00Z', '2024-03-01T00:00:00Z'],
    ])
    expect(rows).toHaveLength(17_281)
    expect(asTruth(rows)).toEqual(simulator.truth.historical(TWO_MONTHS))
    expect(rows.every((row, at) => at === 0 || row.point_time > (rows[at - 1]?.point_time ?? row.point_time))).toBe(
      true,
    )
    expect(completeness).toEqual({ expected: 17_281, received: 17_281, missing: [] })
  })
})

describe('F02: a first chunk that hangs for any span longer than ten days', () => {
  const faults = [
    { when: { spanOverMs: 10 * DAY_MS, startsBefore: '2024-01-31T00:00Z' }, do: { type: 'hang' } },
  ] as const

  async function pull(options: Parameters<typeof clientFor>[1] = {}) {
    const clock = createManualClock()
    const simulator = await simulateCase({ clock, faults })
    const client = clientFor(simulator, { clock, ...options })
    const result = await drive(clock, () => client.getHistorical(TWO_MONTHS), { held: () => hung(simulator) })
    return { simulator, result }
  }

  it.each([
    ['at once', 8],
    ['one after the other', 1],
  ])('F02: splits until it answers and returns every sample once, asked %s', async (_, concurrency) => {
    const { simulator, result } = await pull({ concurrency })
    expect(result.rows).toHaveLength(17_281)
    expect(asTruth(result.rows)).toEqual(simulator.truth.historical(TWO_MONTHS))
    expect(result.completeness?.missing).toEqual([])
    expectSeamless(simulator, TWO_MONTHS.start, TWO_MONTHS.end)
  })

  it('F02: every border it asks for lies on the grid, and no question is asked twice', async () => {
    const { simulator } = await pull()
    const asked = dataRequests(simulator).map(spanOf)
    expect(asked.flatMap(({ start, end }) => [start % STEP_MS, end % STEP_MS])).toEqual(asked.flatMap(() => [0, 0]))
    expect(simulator.stats).toMatchObject({ repeats: 0, timesHung: 3 })
    // 30 days hang, 15 days hang twice, 7.5 days answer four times; the second chunk answers at once.
    expect(answeredSpans(simulator).map(({ start, end }) => (end - start + STEP_MS) / DAY_MS)).toEqual([
      7.5,
      7.5,
      7.5,
      7.5,
      30 + STEP_MS / DAY_MS,
    ])
  })

  it('F02: a start off the grid loses no sample to the splits either', async () => {
    const clock = createManualClock()
    const simulator = await simulateCase({ clock, faults })
    const query = { region: REGION, start: '2024-01-01T00:02:30Z', end: '2024-02-20T10:07Z' }
    const { rows } = await drive(clock, () => clientFor(simulator, { clock }).getHistorical(query), {
      held: () => hung(simulator),
    })
    expect(asTruth(rows)).toEqual(simulator.truth.historical(query))
    expect(
      answeredSpans(simulator)
        .slice(1)
        .filter(({ start }) => start % STEP_MS !== 0),
    ).toEqual([])
    expectSeamless(simulator, query.start, query.end)
  })
})

describe('F03: an end that is not a grid stamp', () => {
  it("F03: sends the caller's own end as given, in a second request of one sample", async () => {
    const simulator = await simulateCase()
    const { rows } = await clientFor(simulator, PATIENT).getHistorical({
      region: REGION,
      start: '2024-01-01T00:00Z',
      end: '2024-01-31T00:03Z',
    })
    expect(sentSpans(simulator)).toEqual([
      ['2024-01-01T00:00:00Z', '2024-01-30T23:55:00Z'],
      ['2024-01-31T00:00:00Z', '2024-01-31T00:03:00Z'],
    ])
    expect(rows).toHaveLength(8641)
    expect(rows.at(-1)?.point_time.toISOString()).toBe('2024-01-31T00:00:00.000Z')
  })
})

describe('F04: spans of one instant, of less, and of none', () => {
  it('F04: a start that is also the end is one request and one row', async () => {
    const simulator = await simulateCase()
    const { rows } = await clientFor(simulator, PATIENT).getHistorical({
      region: REGION,
      start: '2024-01-01T00:00Z',
      end: '2024-01-01T00:00Z',
    })
    expect(sentSpans(simulator)).toEqual([['2024-01-01T00:00:00Z', '2024-01-01T00:00:00Z']])
    expect(rows.map(row => row.point_time.toISOString())).toEqual(['2024-01-01T00:00:00.000Z'])
  })

  it.each([
    ['an end before the start', { start: '2024-02-01T00:00Z', end: '2024-01-01T00:00Z' }, 'end', '2024-01-01T00:00Z'],
    ['a start that no calendar has', { start: '2024-02-30', end: '2024-03-01' }, 'start', '2024-02-30'],
    ['an end that no calendar has', { start: '2024-02-01', end: '2023-02-29T00:00Z' }, 'end', '2023-02-29T00:00Z'],
    ['a start that is no instant', { start: 'yesterday', end: '2024-03-01' }, 'start', 'yesterday'],
    ['a Date that holds no instant', { start: new Date(Number.NaN), end: '2024-03-01' }, 'start', 'Invalid Date'],
    ['a start without a number', { start: Number.NaN, end: '2024-03-01' }, 'start', 'NaN'],
  ])('F04: %s is refused before any request, by name and value', async (_, span, argument, value) => {
    const simulator = await simulateCase()
    const client = clientFor(simulator)
    for (const get of [client.getHistorical, client.getFuelMix, client.getHistoricalForecast]) {
      const error = await errorOf(get({ region: REGION, ...span }))
      expect(error).toBeInstanceOf(QueryError)
      expect(error).toMatchObject({ argument, value })
      expect((error as QueryError).message).toContain(argument)
    }
    expect(simulator.requests).toEqual([])
  })
})

describe('F05: a service that takes 32 days at a time', () => {
  it('F05: asks for 100 days in four requests, none above the cap', async () => {
    const simulator = await simulateCase()
    const query = { region: REGION, start: '2024-01-01T00:00Z', end: '2024-04-10T00:00Z' }
    const { rows } = await clientFor(simulator, PATIENT).getHistorical(query)
    const spans = dataRequests(simulator).map(({ spanMs }) => spanMs ?? 0)
    expect(spans.length).toBeGreaterThanOrEqual(4)
    expect(Math.max(...spans)).toBeLessThanOrEqual(32 * DAY_MS)
    expect(asTruth(rows)).toEqual(simulator.truth.historical(query))
  })

  it('F05: a chunk above the cap is refused before any request', async () => {
    const simulator = await simulateCase()
    const error = await errorOf(clientFor(simulator).getHistorical(TWO_MONTHS, { chunk: 32 * DAY_MS + HOUR_MS }))
    expect(error).toBeInstanceOf(QueryError)
    expect(error).toMatchObject({ argument: 'chunk' })
    expect(simulator.requests).toEqual([])
  })

  it('F05: a chunk of exactly the cap is sent as asked and answered', async () => {
    const simulator = await simulateCase()
    const { rows } = await clientFor(simulator, PATIENT).getHistorical(TWO_MONTHS, { chunk: 32 * DAY_MS })
    expect(dataRequests(simulator).map(({ status }) => status)).toEqual([200, 200])
    expect(rows).toHaveLength(17_281)
  })
})

import { describe, expect, it } from 'vitest'
import { answeredSpans, dataRequests, REGION, spanOf, STEP_MS } from '../support/field-case.ts'
import { days, MONTH, QUARTER, replay, slowAbove } from '../support/emissions-replay.ts'

/** Design E again: the month that would not load, scaled, and what must not be lost or repeated in it. */

const FEBRUARY = { startsFrom: '2024-01-31T00:00Z', startsBefore: '2024-03-01T00:00Z' }

describe('E: the slow month, scaled', () => {
  it('E, R28: 30 days hang and 15 answer: one time-out, two halves, the seam on the grid, all rows', async () => {
    const { clock, simulator, rows, truth, events, meta } = await replay(MONTH, [slowAbove(15)])
    expect(rows).toEqual(truth)
    expect(simulator.stats).toMatchObject({ timesHung: 1, dataRequests: 3, repeats: 0 })
    expect(answeredSpans(simulator)).toEqual([
      { start: Date.parse('2024-01-01T00:00Z'), end: Date.parse('2024-01-15T23:55Z') },
      { start: Date.parse('2024-01-16T00:00Z'), end: Date.parse('2024-01-31T00:00Z') },
    ])
    expect(meta).toHaveLength(2)
    expect(events.filter(({ type }) => type === 'split')).toMatchObject([
      { depth: 0, span: { start: new Date(MONTH.start), end: new Date(MONTH.end) } },
    ])
    // One read time-out of 300 ms was waited for, and no second.
    expect(clock.monotonic()).toBeGreaterThanOrEqual(300)
    expect(clock.monotonic()).toBeLessThan(600)
  })

  it.each([
    [1, 15, 2],
    [2, 8, 4],
  ])('E, R25: the middle chunk, whose end is trimmed, loses nothing at depth %d', async (depth, mostDays, parts) => {
    const { simulator, rows, truth, meta } = await replay(QUARTER, [slowAbove(mostDays, FEBRUARY)])
    expect(rows).toEqual(truth)
    expect(meta.map(response => response.depth)).toEqual([0, ...Array.from({ length: parts }, () => depth), 0])
    // Every neighbour begins one step after the one before has ended, and on the grid.
    const spans = answeredSpans(simulator)
    expect(spans[0]?.start).toBe(Date.parse(QUARTER.start))
    expect(spans.at(-1)?.end).toBe(Date.parse(QUARTER.end))
    for (const [at, { start }] of spans.entries()) {
      if (at > 0) expect(start - (spans[at - 1]?.end ?? 0)).toBe(STEP_MS)
      expect(start % STEP_MS).toBe(0)
    }
    expect(simulator.stats.repeats).toBe(0)
  })

  it('E: from and to instants off the grid, too, where the published proposal loses one row per border', async () => {
    const odd = { region: REGION, start: '2024-01-01T00:03Z', end: '2024-03-31T00:07Z' }
    const { simulator, rows, truth } = await replay(odd, [slowAbove(8)])
    expect(rows).toEqual(truth)
    const spans = answeredSpans(simulator)
    expect([spans[0]?.start, spans.at(-1)?.end]).toEqual([Date.parse(odd.start), Date.parse(odd.end)])
    for (const { start } of spans.slice(1)) expect(start % STEP_MS).toBe(0)
  })

  it('E: a service that never answers fails after three read time-outs, and says what to change', async () => {
    const { clock, simulator, error } = await replay(MONTH, [{ do: { type: 'hang' } }])
    expect(error).toMatchObject({ name: 'RetrievalInterrupted', kind: 'timeout', done: [], failure: { attempts: 1 } })
    expect(error.message).toContain('no byte for 300 ms')
    expect(error.message).toContain('after halving the span 2 times')
    expect(error.message).toMatch(
      /shorter span or chunk, or raise readTimeoutMs \(now 300\) or maxSplitDepth \(now 2\)/,
    )
    expect(dataRequests(simulator).map(days)).toEqual([30, 15, 7.5])
    expect(simulator.stats.repeats).toBe(0)
    expect(clock.monotonic()).toBeGreaterThanOrEqual(900)
    expect(clock.monotonic()).toBeLessThan(1300)
  })

  it.each([
    [0, [30]],
    [1, [30, 15]],
    [2, [30, 15, 7.5]],
    [3, [30, 15, 7.5, 3.75]],
    [5, [30, 15, 7.5, 3.75, 1.88, 0.94]],
  ])('E, R29: the depth is capped: maxSplitDepth %d asks for %j days', async (maxSplitDepth, asked) => {
    const { simulator, error } = await replay(MONTH, [{ do: { type: 'hang' } }], { maxSplitDepth })
    expect(error.kind).toBe('timeout')
    expect(dataRequests(simulator).map(request => Math.round(days(request) * 100) / 100)).toEqual(
      asked.map(one => expect.closeTo(one, 1)),
    )
    // Depth first, the earlier part first: every part starts where the whole does.
    expect(new Set(dataRequests(simulator).map(({ query }) => query['start']))).toEqual(
      new Set(['2024-01-01T00:00:00Z']),
    )
  })

  it('E, R28: a part of one step is not split', async () => {
    const point = { region: REGION, start: '2024-01-01T00:00Z', end: '2024-01-01T00:05Z' }
    const { simulator, error } = await replay(point, [{ do: { type: 'hang' } }], { maxSplitDepth: 20 })
    expect(error.kind).toBe('timeout')
    expect(dataRequests(simulator).map(({ spanMs }) => spanMs)).toEqual([STEP_MS, 0])
  })

  it.each([
    [false, 3, 9],
    [true, 1, 7],
  ])(
    'E, R30: three slow chunks one after the other, learnSpans %s: %d time-outs, %d requests',
    async (learnSpans, timeouts, requests) => {
      const { simulator, rows, truth } = await replay(QUARTER, [slowAbove(15)], { concurrency: 1, learnSpans })
      expect(rows).toEqual(truth)
      expect(simulator.stats).toMatchObject({ timesHung: timeouts, dataRequests: requests, repeats: 0 })
    },
  )
})

describe('E: order', () => {
  it('E, R31, R54: a chunk that is split does not hold up its siblings, and rows stay in order of time', async () => {
    const faults = [slowAbove(15, { startsBefore: '2024-01-15T00:00Z' })]
    const { simulator, rows, truth, meta } = await replay(QUARTER, faults, { concurrency: 4 })
    expect(rows).toEqual(truth)
    const done = dataRequests(simulator)
      .filter(({ status }) => status === 200)
      .sort((a, b) => (a.endedAt ?? 0) - (b.endedAt ?? 0))
    expect(done.slice(-2).map(request => spanOf(request).start)).toEqual([
      Date.parse('2024-01-01'),
      Date.parse('2024-01-16'),
    ])
    const starts = meta.map(({ span }) => (span as { start: Date }).start.getTime())
    expect(starts).toEqual([...starts].sort((a, b) => a - b))
  })

  it.each([1, 4])('E, R54: the result is the same with concurrency %d', async concurrency => {
    const { rows, truth } = await replay(QUARTER, [slowAbove(8)], { concurrency })
    expect(rows).toEqual(truth)
  })
})

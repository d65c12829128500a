import { describe, expect, it } from 'vitest'
import fc from 'fast-check'
import { piecesByRows, type CountedDays } from '../../../src/adapters/water-quality/counts.ts'
import { isRetrievalInterrupted } from '../../../src/index.ts'
import type { Retrieval } from '../../../src/retrieval/index.ts'
import type { ResultRow } from '../../../src/adapters/water-quality/index.ts'
import { createManualClock } from '../../support/clocks.ts'
import { drive } from '../../support/drive.ts'
import { errorOf } from '../../support/field-case.ts'
import { answer, startScripted } from '../../support/scripted-server.ts'
import { qualityClient, simulateQuality, SITES, targets, YEAR } from '../../support/water-quality.ts'

const DAY_MS = 86_400_000
const day = (n: number): number => n * DAY_MS
const STATE = { stateCode: 'US:19' } as const

/** Services that are silent while they count or search, on a clock that moves only while nothing else happens. */
async function silent(silenceMsPerThousand: number) {
  const clock = createManualClock(Date.UTC(2026, 10, 30))
  let waiting = 0
  const after: typeof clock.after = (ms, wake) => {
    waiting += 1
    let over = false
    const end = (): void => {
      if (!over) waiting -= 1
      over = true
    }
    const disarm = clock.after(ms, () => {
      end()
      wake()
    })
    return () => {
      end()
      disarm()
    }
  }
  const simulator = await simulateQuality({ clock: { ...clock, after }, waterQuality: { silenceMsPerThousand } })
  const client = qualityClient(simulator, { clock, readTimeoutMs: 110_000, stallMs: 240_000 })
  return {
    simulator,
    client,
    run: <T>(work: () => Promise<T>): Promise<T> => drive(clock, work, { held: () => waiting, stepMs: 1000 }),
  }
}

describe('pieces by expected rows', () => {
  it('cuts what is dense, joins what is sparse, and never asks for a day twice or not at all', () => {
    const stretch = fc.record({
      days: fc.integer({ min: 1, max: 400 }),
      rows: fc.option(fc.nat(100_000), { nil: undefined }),
    })
    fc.assert(
      fc.property(
        fc.array(stretch, { minLength: 1, maxLength: 8 }),
        fc.integer({ min: 1, max: 3 }),
        (parts, groups) => {
          let next = 0
          const counted = parts.map(({ days, rows }): CountedDays => {
            const span = { start: day(next), end: day(next + days - 1) }
            next += days
            return { span, rows }
          })
          const pieces = piecesByRows(counted, 10_000, groups, 366)
          const days = pieces.flatMap(({ start, end }) =>
            Array.from({ length: (end - start) / DAY_MS + 1 }, (_, at) => start / DAY_MS + at),
          )
          expect(days).toEqual(Array.from({ length: next }, (_, at) => at))
        },
      ),
    )
  })

  it('lets as many rows into a piece as are wanted, where they are spread evenly', () => {
    const counted = [
      { span: { start: 0, end: day(99) }, rows: 1000 },
      { span: { start: day(100), end: day(399) }, rows: 10 },
      { span: { start: day(400), end: day(499) }, rows: 20 },
    ]
    const lengths = piecesByRows(counted, 100, 1, 366).map(({ start, end }) => (end - start) / DAY_MS + 1)
    expect(lengths.slice(0, 10)).toEqual(Array.from({ length: 10 }, () => 10))
    expect(lengths.slice(10)).toEqual([400])
  })
})

describe('planResults', () => {
  it('asks for counts and for no rows', async () => {
    const simulator = await simulateQuality()
    const query = { ...STATE, start: '2023-01-01', end: '2023-03-31', interface: 'legacy', pieceRows: 20_000 } as const
    const plan = await qualityClient(simulator).planResults(query)
    const counts = simulator.truth.waterQuality.counts({
      service: 'legacy',
      query: { statecode: 'US:19', startDateLo: '01-01-2023', startDateHi: '03-31-2023' },
    })
    const total = Object.values(counts).reduce((sum, { results }) => sum + results, 0)
    expect(plan.expectedRows).toBe(total)
    expect(plan.requests).toBeGreaterThanOrEqual(Math.floor(total / 20_000))
    expect(plan.requests).toBeLessThan((total / 20_000) * 1.3)
    expect(plan.parts[0]?.span?.start).toEqual(new Date('2023-01-01'))
    expect(plan.parts.at(-1)?.span?.end).toEqual(new Date('2023-03-31'))
    expect(new Set(targets(simulator))).toEqual(new Set(['/data/Result/search/count?mimeType=json']))
    expect(plan.besides).toBe(simulator.requests.length)
  })

  it('says what the newer interface is asked besides: its word on each answer', async () => {
    const simulator = await simulateQuality()
    const client = qualityClient(simulator)
    const query = { siteId: SITES, start: '2022-01-01', end: '2023-12-31', count: false } as const
    const plan = await client.planResults(query)
    expect(plan).toMatchObject({ requests: 2, besides: 2 })
    await client.getResults(query)
    expect(simulator.requests).toHaveLength(plan.requests + plan.besides)
  })

  it('does not count for a few sites in a short span, nor where the caller says how long a piece is', async () => {
    const simulator = await simulateQuality()
    const client = qualityClient(simulator)
    expect(await client.planResults({ siteId: SITES, ...YEAR })).toMatchObject({ requests: 1, expectedRows: undefined })
    const chunks = await client.planResults({ ...STATE, start: '2023-01-01', end: '2023-01-31' }, { chunk: 'P10D' })
    expect(chunks).toMatchObject({ requests: 3, expectedRows: undefined })
    expect(simulator.requests).toEqual([])
  })

  it('a long history of a few sites is one request when it is small', async () => {
    const simulator = await simulateQuality()
    const plan = await qualityClient(simulator).planResults({ siteId: SITES, end: '2022-12-31', interface: 'legacy' })
    expect(plan.requests).toBe(1)
    expect(plan.parts[0]?.span?.start).toEqual(new Date('1800-01-01'))
  })
})

describe('what cannot be counted', () => {
  it('at once is counted in parts', async () => {
    const { simulator, client, run } = await silent(1000)
    const query = { ...STATE, start: '2023-01-01', end: '2023-03-31', interface: 'legacy' } as const
    const plan = await run(() => client.planResults(query))
    const spans = simulator.requests.map(({ body, status }) => [
      status,
      (JSON.parse(body ?? '{}') as { startDateLo: string }).startDateLo,
    ])
    expect(spans).toEqual([
      ['aborted', '01-01-2023'],
      [200, '01-01-2023'],
      [200, '01-24-2023'],
      [200, '02-16-2023'],
      [200, '03-11-2023'],
    ])
    expect(plan.expectedRows).toBeGreaterThan(300_000)
  })

  it('at all is asked for year by year, and cut where that is too much', async () => {
    const simulator = await simulateQuality({
      faults: [{ path: '/data/Result/search/count', do: { type: 'status', status: 404 } }],
    })
    const query = { siteId: SITES, start: '2020-01-01', end: '2022-12-31', interface: 'legacy' } as const
    const { rows, meta } = await qualityClient(simulator).getResults(query)
    expect(meta.length).toBeGreaterThanOrEqual(3)
    expect(rows.length).toBeGreaterThan(100)
  })

  it('are not asked for more than forty times, however many rows there are', async () => {
    const server = await startScripted(visit =>
      visit.arrival.path.endsWith('/count')
        ? answer(visit, { body: { 'Total-Result-Count': '99999999' } })
        : answer(visit, { headers: { 'content-type': 'text/csv' }, body: 'A,B\n' }),
    )
    const query = { ...STATE, start: '1950-01-01', end: '2023-12-31', pieceRows: 1_000_000 }
    const plan = await qualityClient(server).planResults(query)
    expect(plan.besides - plan.requests).toBe(40)
    expect(server.arrivals).toHaveLength(40)
  })

  it('R60: pieces that were found to be good are asked for as they are when the call is taken up', async () => {
    const simulator = await simulateQuality({
      faults: [{ path: '/data/Result/search', when: { nth: 3 }, do: { type: 'status', status: 404 } }],
    })
    const client = qualityClient(simulator, { concurrency: 1 })
    const query = { siteId: SITES, ...YEAR, interface: 'legacy', count: true, pieceRows: 10 } as const
    const error = await errorOf(client.getResults(query))
    if (!isRetrievalInterrupted(error)) throw error
    const before = simulator.requests.length
    const { rows } = (await error.resume()) as Retrieval<ResultRow>
    const days = simulator.requests
      .slice(before)
      .map(
        ({ query: { startDateLo = '', startDateHi = '' } }) =>
          (Date.parse(startDateHi) - Date.parse(startDateLo)) / DAY_MS,
      )
    expect(days.length).toBeGreaterThan(2)
    expect(Math.max(...days)).toBeLessThan(150)
    expect(rows).toEqual((await client.getResults(query)).rows)
    expect(error.checkpoint().left).toHaveLength(days.length)
  })

  it('R23: counts among the requests of the call all the same', async () => {
    const simulator = await simulateQuality({
      faults: [{ path: '/data/Result/search/count', do: { type: 'status', status: 404 } }],
    })
    const query = { siteId: SITES, start: '2010-01-01', end: '2022-12-31', interface: 'legacy', count: true } as const
    const error = await errorOf(qualityClient(simulator).getResults(query, { maxRequests: 3 }))
    expect(error).toMatchObject({ name: 'RetrievalInterrupted', kind: 'other' })
    expect(simulator.requests).toHaveLength(3)
  })

  it('R22: and takes its time off the deadline of the call', async () => {
    const simulator = await simulateQuality({
      faults: [{ path: '/data/Result/search/count', do: { type: 'latency', ms: 60 } }],
    })
    const query = { ...STATE, ...YEAR, pieceRows: 100, interface: 'legacy' } as const
    const error = await errorOf(qualityClient(simulator).getResults(query, { deadlineMs: 200 }))
    expect(error).toMatchObject({ kind: 'deadline' })
    expect(simulator.requests.length).toBeLessThan(5)
  })

  it('because the query is refused is not asked for its rows', async () => {
    const simulator = await simulateQuality()
    const query = { characteristicName: 'Nonsense', start: '2020-01-01', end: '2022-12-31' }
    const error = await errorOf(qualityClient(simulator).getResults(query))
    expect(error).toMatchObject({ kind: 'http_4xx', serverMessage: expect.stringContaining('Nonsense') as string })
    expect(targets(simulator)).toHaveLength(1)
  })
})

describe('a month of a dense state behind a connection that is cut after two minutes of silence', () => {
  it.each(['legacy', 'wqx3'] as const)(
    'comes whole from the %s interface: every result once, announced counts met',
    async service => {
      // All of it at once would take 150 seconds to begin.
      const { simulator, client, run } = await silent(1500)
      const query = { ...STATE, start: '2023-05-01', end: '2023-05-31', interface: service, pieceRows: 20_000 } as const
      const ids = new Set<unknown>()
      let rows = 0
      let announced = 0
      await run(async () => {
        for await (const batch of client.streamResults(query)) {
          rows += batch.rows.length
          for (const row of batch.rows as ResultRow[])
            ids.add(row['ResultIdentifier'] ?? row['Result_MeasureIdentifier'])
          for (const { source } of batch.meta) announced += Number(source['announced'])
        }
      })
      const counts = simulator.truth.waterQuality.counts({
        service,
        query: { statecode: 'US:19', startDateLo: '05-01-2023', startDateHi: '05-31-2023' },
      })
      const total = Object.values(counts).reduce((sum, { results }) => sum + results, 0)
      expect(total).toBeGreaterThan(100_000)
      expect({ rows, ids: ids.size, announced }).toEqual({ rows: total, ids: total, announced: total })
    },
    120_000,
  )
})

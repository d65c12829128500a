import { describe, expect, it } from 'vitest'
import type { ResponseMeta } from '../../src/index.ts'
import { listen } from '../support/emissions.ts'
import { page } from '../support/feature-pages.ts'
import { clientFor, DAY_MS, PATIENT, REGION, simulateCase, STEP_MS, until } from '../support/field-case.ts'
import { createPaged } from '../support/page-adapter.ts'
import { answer, startScripted, type Visit } from '../support/scripted-server.ts'

/** Four chunks of a day. */
const FOUR_DAYS = { region: REGION, start: '2024-01-01T00:00Z', end: '2024-01-04T23:55Z' } as const

/** What a service answers for the span it is asked for: values that tell where they come from. */
function series({ arrival }: Visit): object {
  const start = Date.parse(arrival.query.get('start') ?? '')
  const end = Date.parse(arrival.query.get('end') ?? '')
  const data = []
  for (let at = start; at <= end; at += STEP_MS)
    data.push({ point_time: new Date(at).toISOString().replace('.000Z', '+00:00'), value: (at / STEP_MS) % 1000 })
  return { data, meta: { region: REGION, data_point_period_seconds: 300, model: { date: '2023-03-01' } } }
}

/** Metadata without what the clock had to do with. */
const timeless = (meta: readonly ResponseMeta[]): unknown[] =>
  meta.map(({ requestedAt: _asked, receivedAt: _received, elapsedMs: _elapsed, waitedMs: _waited, url, ...rest }) => ({
    ...rest,
    url: url.replace(/^http:\/\/[^/]+/, ''),
  }))

describe('F40: four chunks that are answered in the order 4, 2, 3, 1', () => {
  async function pull(concurrency: number, order?: readonly number[]) {
    const waiting = new Map<number, Visit>()
    const server = await startScripted(visit => {
      const { path, query } = visit.arrival
      if (path === '/login') return answer(visit, { body: { token: 'sim-token-1' } })
      if (order === undefined) return answer(visit, { body: series(visit) })
      waiting.set(1 + (Date.parse(query.get('start') ?? '') - Date.parse(FOUR_DAYS.start)) / DAY_MS, visit)
    })
    const { events, onEvent } = listen()
    const responses = () => events.filter(({ type }) => type === 'response')
    const result = clientFor(server, { ...PATIENT, chunk: 'P1D', concurrency }).getHistorical(FOUR_DAYS, { onEvent })
    if (order) await until(() => waiting.size === 4)
    for (const [at, chunk] of (order ?? []).entries()) {
      const visit = waiting.get(chunk) as Visit
      answer(visit, { body: series(visit) })
      await until(() => responses().length === at + 1)
    }
    return {
      result: await result,
      arrived: responses().map(event => (event.type === 'response' ? (event.meta.chunk ?? -1) + 1 : 0)),
    }
  }

  it('F40: rows and metadata come in order of time, the same as one after the other', async () => {
    const mixed = await pull(4, [4, 2, 3, 1])
    const straight = await pull(1)
    expect(mixed.arrived).toEqual([4, 2, 3, 1])
    expect(straight.arrived).toEqual([1, 2, 3, 4])
    expect(mixed.result.rows).toHaveLength(4 * 288)
    expect(mixed.result.rows).toEqual(straight.result.rows)
    expect(mixed.result.meta.map(({ chunk }) => chunk)).toEqual([0, 1, 2, 3])
    // Chunks that were asked before the first answer named no model; everything else is the same.
    const unpinned = (meta: readonly ResponseMeta[]) =>
      timeless(meta).map(row => ({
        ...(row as object),
        url: (row as { url: string }).url.replace('&model=2023-03-01', ''),
      }))
    expect(unpinned(mixed.result.meta)).toEqual(unpinned(straight.result.meta))
    expect(mixed.result.toCsv()).toBe(straight.result.toCsv())
  })

  it('F40: the same from sites that are asked side by side', async () => {
    const waiting = new Map<string, Visit>()
    const sites = ['USGS-1', 'USGS-2', 'USGS-3', 'USGS-4']
    const server = await startScripted(
      visit => void waiting.set(visit.arrival.query.get('monitoring_location_id') ?? '', visit),
    )
    const { events, onEvent } = listen()
    const result = createPaged(server, { ...PATIENT, concurrency: 4 }).getItems({ sites }, { onEvent })
    await until(() => waiting.size === 4)
    for (const [at, number] of [4, 2, 3, 1].entries()) {
      answer(waiting.get(`USGS-${number}`) as Visit, { body: page([{ id: `row of ${number}` }]) })
      await until(() => events.filter(({ type }) => type === 'response').length === at + 1)
    }
    const { rows, meta } = await result
    expect(rows.map(({ id }) => id)).toEqual(['row of 1', 'row of 2', 'row of 3', 'row of 4'])
    expect(meta.map(({ url }) => new URL(url).searchParams.get('monitoring_location_id'))).toEqual(sites)
  })
})

describe('F41: rows that look alike', () => {
  it('F41: the same value many times in a row is kept every time', async () => {
    const data = Array.from({ length: 288 }, (_, at) => ({
      point_time: new Date(Date.parse(FOUR_DAYS.start) + at * STEP_MS).toISOString(),
      value: 42,
    }))
    const simulator = await simulateCase({
      faults: [{ do: { type: 'body', text: JSON.stringify({ data, meta: {} }) } }],
    })
    const { rows, meta } = await clientFor(simulator, PATIENT).getHistorical({ ...FOUR_DAYS, end: '2024-01-01T23:55Z' })
    expect(rows).toHaveLength(288)
    expect(meta).toMatchObject([{ rowsMerged: 0, rowsOutside: 0 }])
  })

  it('F41: an exact repeat of a sample is merged and counted; another value for it is kept, with a warning', async () => {
    const [first, second] = ['2024-01-01T00:00:00Z', '2024-01-01T00:05:00Z']
    const data = [
      { point_time: first, value: 1 },
      { point_time: first, value: 1 },
      { point_time: second, value: 2 },
      { point_time: second, value: 3 },
    ]
    const simulator = await simulateCase({
      faults: [{ do: { type: 'body', text: JSON.stringify({ data, meta: {} }) } }],
    })
    const { rows, meta, warnings } = await clientFor(simulator, PATIENT).getHistorical({
      ...FOUR_DAYS,
      end: '2024-01-01T23:55Z',
    })
    expect(rows.map(({ value }) => value)).toEqual([1, 2, 3])
    expect(meta).toMatchObject([{ rows: 3, rowsMerged: 1 }])
    expect(warnings).toEqual([expect.stringContaining('different values')])
  })

  it('F41: what several forecasts say about one instant is all kept', async () => {
    const simulator = await simulateCase()
    const query = { region: REGION, start: '2024-01-01T00:00Z', end: '2024-01-01T00:10Z', horizonHours: 1 }
    const { rows } = await clientFor(simulator, PATIENT).getHistoricalForecast(query)
    expect(rows).toHaveLength(3 * 12)
    expect(new Set(rows.map(({ point_time }) => point_time.getTime())).size).toBe(14)
  })

  it('F41: two series with one stamp, and rows without an identity, are all kept; only a repeated feature is merged', async () => {
    const at = { time: '2024-01-01T00:00:00Z', value: '7' }
    const pages = [
      page(
        [
          { id: 'a', properties: { ...at, parameter_code: '00060' } },
          { id: 'b', properties: { ...at, parameter_code: '00065' } },
          { properties: at },
          { properties: at },
        ],
        '?page=2',
      ),
      page([
        { id: 'b', properties: { ...at, parameter_code: '00065' } },
        { properties: at },
        { id: 'c', properties: { ...at, parameter_code: '00060' } },
      ]),
    ]
    const server = await startScripted(visit => answer(visit, { body: pages[visit.arrival.n - 1] }))
    const { rows, meta } = await createPaged(server, PATIENT).getItems()
    expect(rows.map(({ id }) => id)).toEqual(['a', 'b', null, null, null, 'c'])
    expect(meta.map(({ rows: kept, rowsMerged }) => [kept, rowsMerged])).toEqual([
      [4, 0],
      [2, 1],
    ])
  })
})

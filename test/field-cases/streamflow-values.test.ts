import { describe, expect, it } from 'vitest'
import type { ContinuousRow } from '../../src/adapters/streamflow/index.ts'
import { isRetrievalInterrupted } from '../../src/index.ts'
import { createManualClock } from '../support/clocks.ts'
import { drive } from '../support/drive.ts'
import { errorOf } from '../support/field-case.ts'
import { page } from '../support/feature-pages.ts'
import { answer, inTurn, startScripted, type Script } from '../support/scripted-server.ts'
import { simulateWater, siteIds, waterClient } from '../support/streamflow.ts'

const COMMON = {
  time_series_id: 's1',
  monitoring_location_id: 'USGS-1',
  parameter_code: '00060',
  statistic_id: '00011',
  unit_of_measure: 'ft^3/s',
  approval_status: 'Approved',
  qualifier: null,
  last_modified: '2026-01-01T00:00:00+00:00',
}
const AUTUMN = { start: '2024-11-03', end: '2024-11-04' } as const

/** Serves these records as one page. */
const serve =
  (records: readonly object[]): Script =>
  visit =>
    answer(visit, { body: page(records) })
const record = (id: string | undefined, properties: object): object => ({
  type: 'Feature',
  ...(id === undefined ? {} : { id }),
  geometry: null,
  properties: { ...COMMON, ...properties },
})

async function rowsOf(records: readonly object[]): Promise<ContinuousRow[]> {
  const server = await startScripted(serve(records))
  return (await waterClient(server).getContinuous({ monitoringLocationId: 'USGS-1', ...AUTUMN })).rows
}

describe('F07: the hour that comes twice', () => {
  it('F07: both rows are kept, in order, an hour apart', async () => {
    const rows = await rowsOf([
      record('b', { time: '2024-11-03T01:30:00-05:00', value: '2' }),
      record('a', { time: '2024-11-03T01:30:00-04:00', value: '1' }),
    ])
    expect(rows.map(({ time, value }) => [time, value])).toEqual([
      [new Date('2024-11-03T05:30Z'), 1],
      [new Date('2024-11-03T06:30Z'), 2],
    ])
  })
})

describe('F41: what looks alike', () => {
  it('F41: equal values, two series with one stamp and rows without an identifier are all kept', async () => {
    const records = [
      ...[0, 1, 2].map(hour => record(`a${hour}`, { time: `2024-11-03T0${hour}:00:00+00:00`, value: '5' })),
      record('b', { time_series_id: 's2', time: '2024-11-03T00:00:00+00:00', value: '5' }),
      record(undefined, { time_series_id: 's3', time: '2024-11-03T00:00:00+00:00', value: '5' }),
      record(undefined, { time_series_id: null, time: '2024-11-03T00:00:00+00:00', value: '5' }),
      record(undefined, { time_series_id: null, time: '2024-11-03T00:00:00+00:00', value: '5' }),
    ]
    const rows = await rowsOf(records)
    expect(rows).toHaveLength(7)
  })

  it('F41: a repeated identifier is one row', async () => {
    const one = record('a', { time: '2024-11-03T00:00:00+00:00', value: '5' })
    expect(await rowsOf([one, record('c', { time: '2024-11-03T01:00:00+00:00', value: '6' }), one])).toHaveLength(2)
  })

  it('R56: rows outside the asked span are left out and counted', async () => {
    const server = await startScripted(
      serve([
        record('a', { time: '2024-11-02T23:45:00+00:00', value: '1' }),
        record('b', { time: '2024-11-03T00:00:00+00:00', value: '2' }),
      ]),
    )
    const { rows, meta } = await waterClient(server).getContinuous({ monitoringLocationId: 'USGS-1', ...AUTUMN })
    expect(rows).toMatchObject([{ value: 2 }])
    expect(meta).toMatchObject([{ rows: 1, rowsOutside: 1 }])
  })
})

describe('F47: values', () => {
  it('F47: numbers where the text is a plain one, else nothing with the text beside it; one odd value changes no other', async () => {
    const values = ['12.3', 12.3, null, 'Ice', '']
    const rows = await rowsOf(
      values.map((value, hour) => record(`a${hour}`, { time: `2024-11-03T0${hour}:00:00+00:00`, value })),
    )
    expect(rows.map(row => [row.value, row['value_text']])).toEqual([
      [12.3, null],
      [12.3, null],
      [null, null],
      [null, 'Ice'],
      [null, null],
    ])
  })
})

describe('F48: codes', () => {
  it('F48: stay text with their zeros in rows and files', async () => {
    const simulator = await simulateWater()
    const result = await waterClient(simulator).getDaily({
      monitoringLocationId: 'USGS-01000000',
      parameterCode: '00060',
      statisticId: '00003',
      start: '2024-01-01',
      end: '2024-01-02',
    })
    expect(result.rows[0]).toMatchObject({ parameter_code: '00060', statistic_id: '00003' })
    expect(result.toCsv().split('\n')[1]).toContain(',00060,00003,2024-01-01,')
    expect(result.toJsonl()).toContain('"parameter_code":"00060"')
    const sites = await waterClient(simulator).getMonitoringLocations({ state: 'California' })
    expect(sites.rows.length).toBeGreaterThan(0)
    for (const { state_code } of sites.rows) expect(state_code).toBe('06')
    expect(simulator.requests.at(-1)?.query['state_code']).toBe('06')
  })
})

describe('F16: Retry-After as the services write it', () => {
  const whole = serve([record('a', { time: '2024-11-03T00:00:00+00:00', value: '1' })])

  it.each<[string, number, number]>([
    ['2', 2000, 3000],
    [' 2 ', 2000, 3000],
    ['0', 1, 1000],
    ['-5', 1, 600],
    ['', 1, 600],
    ['abc', 1, 600],
    ['NaN', 1, 600],
    ['Infinity', 1, 600],
    ['10, 20', 1, 600],
    ['Thu, 01 Jan 2026 00:00:05 GMT', 5000, 6001],
    ['Thursday, 01-Jan-26 00:00:05 GMT', 5000, 6001],
    ['Wed, 31 Dec 2025 00:00:00 GMT', 1, 600],
    ['Thu, 01 Jan 2026 00:00:05', 1, 600],
  ])('F16: %j is waited for from %d to %d ms', async (header, least, most) => {
    const clock = createManualClock()
    const server = await startScripted(
      inTurn(
        visit =>
          answer(visit, { status: 429, headers: { 'retry-after': header, date: new Date(clock.now()).toUTCString() } }),
        whole,
      ),
      clock,
    )
    const client = waterClient(server, {
      clock,
      retries: 2,
      retryAfterCapMs: 60_000,
      backoff: { baseDelayMs: 500, maxDelayMs: 30_000 },
    })
    const { rows } = await drive(clock, () => client.getContinuous({ monitoringLocationId: 'USGS-1', ...AUTUMN }))
    expect(rows).toHaveLength(1)
    const [first, second] = server.arrivals
    const waited = (second?.at ?? 0) - (first?.at ?? 0)
    expect(waited).toBeGreaterThanOrEqual(least)
    expect(waited).toBeLessThanOrEqual(most + 50)
  })
})

describe('F30, R4: silence', () => {
  it('R4: a span that gets no answer is halved, down to the depth, then fails as a time-out', async () => {
    const clock = createManualClock()
    const simulator = await simulateWater({ clock, faults: [{ do: { type: 'hang' } }] })
    const hung = (): number =>
      simulator.requests.filter(({ status, endedAt }) => status === 'hung' && endedAt === undefined).length
    const client = waterClient(simulator, { clock, readTimeoutMs: 300, stallMs: 60_000 })
    const error = await drive(
      clock,
      () =>
        errorOf(
          client.getContinuous({ monitoringLocationId: 'USGS-01000000', start: '2024-01-01', end: '2024-01-31' }),
        ),
      { held: hung },
    )
    if (!isRetrievalInterrupted(error)) throw error
    expect(error.kind).toBe('timeout')
    const spans = simulator.requests.map(({ query: { time = '' } }) => time)
    // Depth 2: whole, first half, first quarter; never the same twice.
    expect(
      spans
        .slice(0, 3)
        .map(text => text.split('/').map(Date.parse))
        .map(([from = 0, to = 0]) => Math.round((to - from) / 86_400_000)),
    ).toEqual([30, 15, 7])
  })

  it('R4 F30: an answer that falls silent on its way is asked for again whole: half of it would be as long', async () => {
    const clock = createManualClock()
    const simulator = await simulateWater({ clock, faults: [{ when: { nth: 1 }, do: { type: 'silent', at: 0.5 } }] })
    const open = (): number => simulator.requests.filter(({ endedAt }) => endedAt === undefined).length
    const client = waterClient(simulator, { clock, readTimeoutMs: 300, stallMs: 60_000 })
    const query = { monitoringLocationId: 'USGS-01000000', parameterCode: '00060', statisticId: '00003' }
    const { rows, meta } = await drive(
      clock,
      () => client.getDaily({ ...query, start: '2024-01-01', end: '2024-01-30' }),
      { held: open },
    )
    expect(rows).toHaveLength(30)
    expect(meta).toMatchObject([{ depth: 0, attempts: 2 }])
    expect(new Set(simulator.requests.map(({ search }) => search)).size).toBe(1)
  })

  it('F30: a page further on is asked for again at its own address', async () => {
    const clock = createManualClock()
    const simulator = await simulateWater({ clock, faults: [{ when: { nth: 2 }, do: { type: 'silent', at: 0.5 } }] })
    const open = (): number => simulator.requests.filter(({ endedAt }) => endedAt === undefined).length
    const client = waterClient(simulator, { clock, readTimeoutMs: 300, stallMs: 60_000 })
    const query = {
      monitoringLocationId: 'USGS-01000000',
      parameterCode: '00060',
      statisticId: '00003',
      start: '2024-01-01',
      end: '2024-01-30',
      pageSize: 10,
    }
    const { rows } = await drive(clock, () => client.getDaily(query), { held: open })
    expect(rows).toHaveLength(30)
    expect(simulator.stats).toMatchObject({ requests: 4, repeats: 1 })
  })

  it('R4: lists without a span are divided when they are too much', async () => {
    const simulator = await simulateWater({ faults: [{ when: { nth: 1 }, do: { type: 'status', status: 504 } }] })
    const { rows } = await waterClient(simulator).getMonitoringLocations({ monitoringLocationId: siteIds(10) })
    expect(rows).toHaveLength(10)
    expect(simulator.requests.map(({ query }) => query['id']?.split(',').length)).toEqual([10, 5, 5])
  })
})

import { describe, expect, it } from 'vitest'
import type { ContinuousRow, DailyRow, StreamflowClient } from '../../../src/adapters/streamflow/index.ts'
import type { CallOptions } from '../../../src/index.ts'
import type { Retrieval } from '../../../src/retrieval/index.ts'
import type { TruthObservation } from '../../../src/simulator/index.ts'
import { createManualClock } from '../../support/clocks.ts'
import { drive } from '../../support/drive.ts'
import { listen } from '../../support/emissions.ts'
import { simulateWater, siteIds, waterClient } from '../../support/streamflow.ts'

const SITE = 'USGS-01000000'
/** Measured every hour. */
const WELL = 'USGS-01001007'
const MONTH = { parameterCode: '00060', start: '2024-03-01', end: '2024-03-31' } as const

/** A row of values in the words of the truth, to compare them whole. */
function plain(row: DailyRow | ContinuousRow): TruthObservation {
  const {
    time_series_id,
    monitoring_location_id,
    parameter_code,
    statistic_id,
    time,
    value,
    approval_status,
    qualifier,
  } = row
  const text = row['value_text']
  return {
    time_series_id,
    monitoring_location_id,
    parameter_code,
    statistic_id,
    approval_status,
    qualifier,
    time: time instanceof Date ? time.toISOString().replace('.000Z', '+00:00') : time,
    value: typeof text === 'string' ? text : value === null ? null : String(value),
  } as TruthObservation
}

/** The truth in the same words: numbers without their trailing zeros. */
function settled(truth: readonly TruthObservation[]): TruthObservation[] {
  return truth.map(row => ({
    ...row,
    value:
      row.value === null || row.value === ''
        ? null
        : Number.isNaN(Number(row.value))
          ? row.value
          : String(Number(row.value)),
  }))
}

describe('getDaily', () => {
  it('R54: gives every day of every series once, sorted by site, parameter, statistic and day, however it is divided', async () => {
    const simulator = await simulateWater()
    const sites = siteIds(7).toReversed()
    const query = { monitoringLocationId: sites, ...MONTH }
    const truth = settled(simulator.truth.daily(query))
    const ways: [object, object][] = [
      [{}, {}],
      [{ pageSize: 40 }, {}],
      [{ pageSize: 40 }, { concurrency: 1 }],
      [{ pageSize: 7 }, { chunk: 'P3D' }],
      [{}, { chunk: 'P1D' }],
    ]
    for (const [more, call] of ways) {
      const { rows, meta } = await waterClient(simulator).getDaily({ ...query, ...more }, call)
      expect(rows.map(plain)).toEqual(truth)
      expect(meta.reduce((sum, one) => sum + one.rows, 0)).toBe(rows.length)
    }
  })

  it('R57: says what was due and what is missing, series by series', async () => {
    const simulator = await simulateWater({
      faults: [{ do: { type: 'rows', drop: [{ from: '2024-03-10', to: '2024-03-12' }] } }],
    })
    const { completeness, rows } = await waterClient(simulator).getDaily({
      monitoringLocationId: SITE,
      statisticId: '00003',
      ...MONTH,
    })
    expect(rows).toHaveLength(28)
    expect(completeness).toEqual({
      expected: 31,
      received: 28,
      missing: [
        {
          start: new Date('2024-03-10T00:00:00Z'),
          end: new Date('2024-03-12T00:00:00Z'),
          series: rows[0]?.time_series_id,
        },
      ],
    })
  })

  it('R57: up to now means up to the last day that is over; a day that was asked for by its date is due', async () => {
    const clock = createManualClock(Date.parse('2024-03-15T12:00:00Z'))
    const simulator = await simulateWater({
      clock,
      faults: [{ do: { type: 'rows', drop: [{ from: '2024-03-15', to: '2024-03-15' }] } }],
    })
    const query = { monitoringLocationId: SITE, parameterCode: '00060', statisticId: '00003' }
    const client = waterClient(simulator, { clock })
    const upToNow = await drive(clock, () => client.getDaily({ ...query, last: 'P5D' }))
    expect(upToNow.completeness).toEqual({ expected: upToNow.length, received: upToNow.length, missing: [] })
    expect(upToNow.rows.at(-1)?.time).toBe('2024-03-14')
    const byDate = await drive(clock, () => client.getDaily({ ...query, start: '2024-03-10', end: '2024-03-15' }))
    expect(byDate.completeness).toMatchObject({ expected: 6, received: 5 })
  })

  it.each<[string, object, object]>([
    ['rows are selected one by one', { approvalStatus: 'Approved' }, {}],
    ['a condition selects', { filter: "value > '1'" }, {}],
    ['the series is not among the columns', { properties: ['time', 'value'] }, {}],
    ['there is no span', { start: undefined, end: '2024-03-31' }, {}],
    ['the first rows are taken', {}, { maxRows: 5 }],
  ])('R57: says nothing of what is missing when %s', async (_what, more, call) => {
    const simulator = await simulateWater()
    const { completeness } = await waterClient(simulator).getDaily(
      { monitoringLocationId: SITE, ...MONTH, ...more },
      call,
    )
    expect(completeness).toBeUndefined()
  })

  it('names the sites of which nothing came', async () => {
    const simulator = await simulateWater()
    const { warnings } = await waterClient(simulator).getDaily({
      monitoringLocationId: [SITE, 'USGS-99999999', 'USGS-88888888'],
      ...MONTH,
    })
    expect(warnings).toEqual(['no rows for 2 of 3 monitoring_location_id: USGS-99999999, USGS-88888888'])
  })

  it('states the unit of the values where all have one', async () => {
    const simulator = await simulateWater()
    const unitOf = ({ columns }: Retrieval<DailyRow>): string | undefined =>
      columns.find(({ name }) => name === 'value')?.unit
    expect(unitOf(await waterClient(simulator).getDaily({ monitoringLocationId: SITE, ...MONTH }))).toBe('ft^3/s')
    expect(
      unitOf(
        await waterClient(simulator).getDaily({
          monitoringLocationId: SITE,
          ...MONTH,
          parameterCode: ['00060', '00065', '00010'],
        }),
      ),
    ).toBeUndefined()
  })

  it('R49: the first rows do not depend on the page size', async () => {
    const simulator = await simulateWater()
    const query = { monitoringLocationId: siteIds(5), ...MONTH }
    const ids = async (pageSize: number): Promise<unknown[]> =>
      (await waterClient(simulator).getDaily({ ...query, pageSize }, { maxRows: 23 })).rows.map(row => row.daily_id)
    const first = await ids(1000)
    expect(first).toHaveLength(23)
    for (const pageSize of [5, 10, 22, 23]) expect(await ids(pageSize)).toEqual(first)
  })

  it('R49: nor on how long a chunk is, by wish or by what was learned', async () => {
    const simulator = await simulateWater()
    const query = { monitoringLocationId: SITE, parameterCode: '00060', start: '2018-01-01', end: '2023-12-31' }
    const ids = async (client: StreamflowClient, call: CallOptions = {}): Promise<unknown[]> =>
      (await client.getContinuous(query, { ...call, maxRows: 20 })).rows.map(row => row.continuous_id)
    const first = await ids(waterClient(simulator))
    expect(first).toHaveLength(20)
    expect(await ids(waterClient(simulator), { chunk: 'P30D' })).toEqual(first)
    const taught = waterClient(simulator, { concurrency: 1 })
    simulator.setFaults([{ when: { spanOverMs: 600 * 86_400_000 }, do: { type: 'status', status: 504 } }])
    await taught.getContinuous(query)
    simulator.setFaults([])
    expect(await ids(taught)).toEqual(first)
  })

  it('R56: keeps both versions of a value that was revised during a walk, the last first', async () => {
    const simulator = await simulateWater()
    const whole = await waterClient(simulator).getDaily({ monitoringLocationId: SITE, statisticId: '00003', ...MONTH })
    // Refreshed between two pages: other identifiers, so another order, and one value is another.
    simulator.setFaults([
      { when: { nth: [2, 3, 4, 5, 6, 7] }, do: { type: 'reissue', generation: 1 } },
      {
        when: { nth: [2, 3, 4, 5, 6, 7] },
        do: { type: 'revise', from: '2024-03-01', to: '2024-03-31', at: '2026-09-01T00:00:00Z', add: 1000 },
      },
    ])
    const { rows, warnings } = await waterClient(simulator).getDaily({
      monitoringLocationId: SITE,
      statisticId: '00003',
      ...MONTH,
      pageSize: 15,
    })
    const twice = rows.filter((row, at) => rows[at + 1]?.time === row.time)
    expect(twice.length).toBeGreaterThan(0)
    for (const row of twice)
      expect(Number(row.value)).toBeGreaterThan(Number(whole.rows.find(({ time }) => time === row.time)?.value) + 900)
    expect(warnings.join()).toContain(`${twice.length} samples came with different values`)
  })

  it('R56: merges what a refresh brought twice with the same value', async () => {
    const simulator = await simulateWater()
    simulator.setFaults([{ when: { nth: [2, 3, 4, 5] }, do: { type: 'reissue', generation: 1 } }])
    const { rows, meta, warnings } = await waterClient(simulator).getDaily({
      monitoringLocationId: SITE,
      statisticId: '00003',
      ...MONTH,
      pageSize: 15,
    })
    expect(new Set(rows.map(({ time }) => time)).size).toBe(rows.length)
    expect(meta.reduce((sum, one) => sum + one.rowsMerged, 0)).toBeGreaterThan(0)
    expect(warnings).toEqual([])
  })
})

describe('getContinuous', () => {
  it('gives every reading once across pieces that meet at a second', async () => {
    const simulator = await simulateWater()
    const query = {
      monitoringLocationId: siteIds(2),
      parameterCode: '00060',
      start: '2024-02-28T12:34:56Z',
      end: '2024-03-03T01:02:03Z',
    }
    const truth = settled(simulator.truth.continuous(query))
    for (const call of [{}, { chunk: 'P1D' }, { chunk: 'PT5H' }, { chunk: 'PT7M13S' }]) {
      const { rows, meta } = await waterClient(simulator).getContinuous(query, call)
      expect(rows.map(plain)).toEqual(truth)
      expect(meta.reduce((sum, { rowsOutside, rowsMerged }) => sum + rowsOutside + rowsMerged, 0)).toBe(0)
    }
    const pieces = simulator.requests
      .map(({ query: { time = '' } }) => time.split('/').map(Date.parse))
      .filter(([from = 0, to = 0]) => to - from === 433_000 - 1000)
    expect(pieces.length).toBeGreaterThan(500)
  })

  it('R57: says what is missing where the caller says how often a value is due', async () => {
    const simulator = await simulateWater({
      faults: [{ do: { type: 'rows', drop: [{ from: '2024-03-01T06:00:00Z', to: '2024-03-01T06:45:00Z' }] } }],
    })
    const query = { monitoringLocationId: SITE, parameterCode: '00060', start: '2024-03-01', end: '2024-03-01T23:59Z' }
    expect((await waterClient(simulator).getContinuous(query)).completeness).toBeUndefined()
    const { completeness, rows } = await waterClient(simulator).getContinuous({ ...query, cadence: 'PT15M' })
    expect(completeness).toMatchObject({
      expected: 96,
      received: 92,
      missing: [{ start: new Date('2024-03-01T06:00Z'), end: new Date('2024-03-01T06:45Z') }],
    })
    expect(rows).toHaveLength(92)
  })

  it('must show 4: thirty years of one site in one call: cut, halved where slow, complete, every reading once', async () => {
    const simulator = await simulateWater({
      faults: [
        {
          when: { spanOverMs: 400 * 86_400_000, startsFrom: '2008-01-01', startsBefore: '2014-01-01' },
          do: { type: 'status', status: 504 },
        },
      ],
    })
    const { events, onEvent } = listen()
    const query = {
      monitoringLocationId: WELL,
      parameterCode: '72019',
      start: '1995-01-01',
      end: '2024-12-31T23:59:59Z',
    }
    const result = await waterClient(simulator).getContinuous(query, { onEvent })
    const truth = settled(simulator.truth.continuous(query))
    expect(truth.length).toBeGreaterThan(150_000)
    expect(result.rows.length).toBe(truth.length)
    expect(
      result.rows.every(
        (row, at) => row.time?.getTime() === Date.parse(truth[at]?.time ?? '') && plain(row).value === truth[at]?.value,
      ),
    ).toBe(true)
    expect(new Set(result.rows.map(row => `${row.time_series_id} ${row.time?.getTime()}`)).size).toBe(
      result.rows.length,
    )
    expect(events.filter(({ type }) => type === 'split').length).toBeGreaterThan(0)
    const longest = Math.max(...simulator.requests.map(({ spanMs = 0 }) => spanMs))
    expect(longest).toBeLessThanOrEqual(1100 * 86_400_000)
  }, 60_000)
})

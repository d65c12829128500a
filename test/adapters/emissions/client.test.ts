import { describe, expect, it } from 'vitest'
import { simulate } from '../../support/emissions.ts'
import { createManualClock } from '../../support/clocks.ts'
import { emissionsBody } from '../../support/fixtures.ts'
import { plainForecasts, plainFuels, plainValues } from '../../support/plain-rows.ts'
import { patientClient } from '../../support/patient-client.ts'

const region = 'CAISO_NORTH'
const at = (text: string): Date => new Date(text)

describe('getters return what the service has, each sample once, in order', () => {
  it.each(['co2_moer', 'health_damage'])('F01: getHistorical of %s over two months', async signalType => {
    const simulator = await simulate()
    const query = { region, signalType, start: '2024-01-01', end: '2024-03-01' }
    const result = await patientClient(simulator).getHistorical(query)
    expect(plainValues(result.rows)).toEqual(simulator.truth.historical(query))
    expect(result.rows).toHaveLength(17_281)
    expect(result.completeness).toEqual({ expected: 17_281, received: 17_281, missing: [] })
    expect(result.warnings).toEqual([])
  })

  it('F03: getHistorical from and to instants off the grid', async () => {
    const simulator = await simulate()
    const query = { region, start: '2024-01-01T00:03Z', end: '2024-02-05T11:59:59Z' }
    const result = await patientClient(simulator).getHistorical(query)
    expect(plainValues(result.rows)).toEqual(simulator.truth.historical(query))
    expect(simulator.requests.flatMap(({ query: { start, end } }) => (start ? [[start, end]] : []))).toEqual([
      ['2024-01-01T00:03:00Z', '2024-01-30T23:55:00Z'],
      ['2024-01-31T00:00:00Z', '2024-02-05T11:59:59Z'],
    ])
  })

  it('F04: getHistorical of one instant', async () => {
    const simulator = await simulate()
    const query = { region, start: '2024-01-01', end: '2024-01-01' }
    const { rows } = await patientClient(simulator).getHistorical(query)
    expect(plainValues(rows)).toEqual(simulator.truth.historical(query))
    expect(rows).toHaveLength(1)
    expect(simulator.stats.dataRequests).toBe(1)
  })

  it('getHistorical of the last days, up to now', async () => {
    const clock = createManualClock(Date.UTC(2026, 0, 31, 12, 2))
    const simulator = await simulate({ clock })
    const { rows } = await patientClient(simulator, { clock }).getHistorical({ region, last: 'P2D' })
    expect(rows[0]?.point_time).toEqual(at('2026-01-29T12:05Z'))
    expect(rows.at(-1)?.point_time).toEqual(at('2026-01-31T12:00Z'))
  })

  it('getHistorical of an older model', async () => {
    const simulator = await simulate()
    const query = { region, start: '2024-01-01', end: '2024-01-02', model: '2023-03-01' }
    const { rows, meta } = await patientClient(simulator).getHistorical(query)
    expect(plainValues(rows)).toEqual(simulator.truth.historical(query))
    expect(plainValues(rows)).not.toEqual(simulator.truth.historical({ ...query, model: '2026-03-01' }))
    expect(meta[0]?.source).toMatchObject({ model_date: '2023-03-01', model_type: 'binned_regression' })
  })

  it('getForecast: a row per five minutes from now to the horizon', async () => {
    const clock = createManualClock(Date.UTC(2026, 0, 31, 12, 2))
    const simulator = await simulate({ clock })
    const client = patientClient(simulator, { clock })
    for (const [horizonHours, rows] of [
      [undefined, 288],
      [0, 1],
      [72, 864],
    ] as const) {
      const query = { region, ...(horizonHours === undefined ? {} : { horizonHours }) }
      const result = await client.getForecast(query)
      expect(plainForecasts(result.rows)).toEqual(simulator.truth.forecast(query))
      expect(result.rows).toHaveLength(rows)
      expect(result.rows[0]).toMatchObject({
        generated_at: at('2026-01-31T12:00Z'),
        point_time: at('2026-01-31T12:00Z'),
      })
    }
  })

  it('getHistoricalForecast by span: the span selects when forecasts were made', async () => {
    const simulator = await simulate()
    const query = { region, start: '2024-02-28T22:00Z', end: '2024-02-29T23:00Z', horizonHours: 1 }
    const result = await patientClient(simulator).getHistoricalForecast(query)
    expect(plainForecasts(result.rows)).toEqual(simulator.truth.historicalForecast(query))
    expect(result.rows).toHaveLength(301 * 12)
    expect(result.completeness).toEqual({ expected: 301, received: 301, missing: [] })
    expect(simulator.stats.dataRequests).toBe(2)
  })

  it('getHistoricalForecast by dates: whole days and nothing between them', async () => {
    const simulator = await simulate()
    const dates = ['2024-03-05', '2024-03-01', '2024-03-02']
    const result = await patientClient(simulator).getHistoricalForecast({ region, dates, horizonHours: 0 })
    const days = ['2024-03-01', '2024-03-02', '2024-03-05'].flatMap(day =>
      simulator.truth.historicalForecast({ region, start: `${day}T00:00Z`, end: `${day}T23:55Z`, horizonHours: 0 }),
    )
    expect(plainForecasts(result.rows)).toEqual(days)
    expect(result.completeness).toEqual({ expected: 3 * 288, received: 3 * 288, missing: [] })
  })

  it('getSignalIndex: one row, in percent', async () => {
    const clock = createManualClock(Date.UTC(2026, 0, 31, 12, 2))
    const simulator = await simulate({ clock })
    const { rows, columns } = await patientClient(simulator, { clock }).getSignalIndex({ region: 'PSCO' })
    expect(plainValues(rows)).toEqual([simulator.truth.signalIndex({ region: 'PSCO' })])
    expect(columns).toContainEqual({ name: 'value', kind: 'number', unit: 'percentile' })
  })

  it('getFuelMix: a row per instant and fuel; a fuel that is left out has none', async () => {
    const simulator = await simulate()
    const query = { region, start: '2024-03-01', end: '2024-03-02' }
    const result = await patientClient(simulator).getFuelMix(query)
    expect(plainFuels(result.rows)).toEqual(simulator.truth.fuelMix(query))
    expect(result.completeness).toEqual({ expected: 289, received: 289, missing: [] })
    const keys = result.rows.map(row => `${row.point_time.toISOString()} ${row.fuel_type}`)
    expect([...keys].sort()).toEqual(keys)
    expect(new Set(keys).size).toBe(keys.length)
  })
})

describe("R57: completeness, against the cadence in the response's own metadata", () => {
  it('of an hourly signal counts hours', async () => {
    const simulator = await simulate()
    const query = { region: 'CAISO', signalType: 'co2_aoer', start: '2024-01-01', end: '2024-03-01' }
    const result = await patientClient(simulator).getHistorical(query)
    expect(plainValues(result.rows)).toEqual(simulator.truth.historical(query))
    expect(result.completeness).toEqual({ expected: 1441, received: 1441, missing: [] })
    expect(result.meta.map(({ rows }) => rows)).toEqual([720, 721])
  })

  it.each([
    ['with the warning of the service', true],
    ['without a word', false],
  ])('lists a gap, %s', async (_how, warn) => {
    const drop = [
      { from: '2024-01-10T00:00Z', to: '2024-01-10T05:55Z' },
      { from: '2024-02-05T12:00Z', to: '2024-02-05T12:00Z' },
    ]
    const simulator = await simulate({ faults: [{ do: { type: 'rows', drop, warn } }] })
    const result = await patientClient(simulator).getHistorical({ region, start: '2024-01-01', end: '2024-03-01' })
    expect(result.completeness).toEqual({
      expected: 17_281,
      received: 17_281 - 72 - 1,
      missing: [
        { start: at('2024-01-10T00:00Z'), end: at('2024-01-10T05:55Z') },
        { start: at('2024-02-05T12:00Z'), end: at('2024-02-05T12:00Z') },
      ],
    })
    expect(result.rows).toHaveLength(17_281 - 73)
    // Once each, though both responses said it; and with the response that raised it.
    expect(result.warnings).toEqual(warn ? [expect.stringMatching(/^MISSING_DATA: You made a valid request/)] : [])
    expect(result.meta.map(({ source }) => 'warnings' in source)).toEqual([warn, warn])
  })

  it('lists the runs that are missing of forecasts', async () => {
    const drop = [{ from: '2024-03-01T06:00Z', to: '2024-03-01T06:10Z' }]
    const simulator = await simulate({ faults: [{ do: { type: 'rows', drop } }] })
    const query = { region, dates: ['2024-03-01'], horizonHours: 1 }
    const result = await patientClient(simulator).getHistoricalForecast(query)
    expect(result.completeness).toEqual({
      expected: 288,
      received: 285,
      missing: [{ start: at('2024-03-01T06:00Z'), end: at('2024-03-01T06:10Z') }],
    })
  })

  it('F42: of an empty answer is all of the span', async () => {
    const span = { start: '2099-01-01T00:00Z', end: '2099-01-01T01:00Z' }
    const result = await patientClient(await simulate()).getHistorical({ region, ...span })
    expect(result.completeness).toEqual({
      expected: 13,
      received: 0,
      missing: [{ start: at(span.start), end: at(span.end) }],
    })
  })

  it('is of five minutes where no cadence is stated, and absent where only revised rows were asked for', async () => {
    const hour = { region, start: '2024-01-01', end: '2024-01-01T01:00Z' }
    const simulator = await simulate({
      faults: [{ when: { nth: 1 }, do: { type: 'meta', without: ['data_point_period_seconds'] } }],
    })
    const client = patientClient(simulator)
    expect((await client.getHistorical(hour)).completeness).toEqual({ expected: 13, received: 13, missing: [] })
    expect((await client.getHistorical({ ...hour, updatedSince: '2024-01-01T00:30Z' })).completeness).toBeUndefined()
    expect((await client.getHistorical(hour)).completeness?.expected).toBe(13)
  })
})

describe('R56: what comes twice or from outside', () => {
  it('getHistorical with updatedSince returns what was revised since, and when', async () => {
    const revise = {
      type: 'revise',
      from: '2024-01-01T02:00Z',
      to: '2024-01-01T02:10Z',
      at: '2024-02-01T00:00Z',
      add: 100,
    } as const
    const simulator = await simulate({ faults: [{ do: revise }] })
    const query = { region, start: '2024-01-01', end: '2024-01-02', updatedSince: '2024-01-15' }
    const { rows } = await patientClient(simulator).getHistorical(query)
    expect(plainValues(rows)).toEqual(simulator.truth.historical(query))
    expect(rows.map(row => row.last_updated)).toEqual([at(revise.at), at(revise.at), at(revise.at)])
  })

  it('two values for one instant are kept, last revised first, with a warning', async () => {
    const row = (value: number, last_updated: string): object => ({
      point_time: '2024-01-01T00:00:00+00:00',
      value,
      last_updated,
    })
    const data = [row(1, '2024-01-02T00:00:00Z'), row(2, '2024-01-03T00:00:00Z'), row(1, '2024-01-02T00:00:00Z')]
    const text = JSON.stringify({ data, meta: { data_point_period_seconds: 300 } })
    const simulator = await simulate({ faults: [{ do: { type: 'body', text } }] })
    const result = await patientClient(simulator).getHistorical({ region, start: '2024-01-01', end: '2024-01-01' })
    expect(result.rows.map(({ value }) => value)).toEqual([2, 1])
    expect(result.meta).toMatchObject([{ rows: 2, rowsMerged: 1 }])
    expect(result.warnings).toEqual([expect.stringContaining('different values')])
  })

  it('the duplicate of the documentation: markers that differ are both kept', async () => {
    const simulator = await simulate({
      faults: [{ do: { type: 'body', text: emissionsBody('historical.hourly.json') } }],
    })
    const result = await patientClient(simulator).getHistorical({
      region: 'CAISO',
      signalType: 'co2_aoer',
      start: '2023-10-26',
      end: '2023-10-27',
    })
    expect(result.rows.map(row => row.imputed_data_used)).toEqual([false, true])
    expect(result.completeness?.received).toBe(1)
  })

  it('rows in any order, twice, and from beyond the span become the truth', async () => {
    const mess = { type: 'rows', order: 'reversed', duplicate: 5, beyond: 3 } as const
    const simulator = await simulate({ faults: [{ do: mess }] })
    const query = { region, start: '2024-01-01', end: '2024-03-01' }
    const result = await patientClient(simulator).getHistorical(query)
    expect(plainValues(result.rows)).toEqual(simulator.truth.historical(query))
    expect(result.meta.map(({ rowsOutside }) => rowsOutside).every(count => count >= 6)).toBe(true)
    expect(result.meta.map(({ rowsMerged }) => rowsMerged).every(count => count > 0)).toBe(true)
  })
})

import { describe, expect, it, vi } from 'vitest'
import { holidayCalendar } from '../../../src/adapters/emissions/holidays.ts'
import { typicalYear } from '../../../src/adapters/emissions/typical-year.ts'
import type { HistoricalRow } from '../../../src/adapters/emissions/index.ts'
import { Retrieval } from '../../../src/retrieval/index.ts'
import { simulate } from '../../support/emissions.ts'
import { emissionsBody } from '../../support/fixtures.ts'
import { patientClient } from '../../support/patient-client.ts'

const zone = 'America/Los_Angeles'
const place = { region: 'CAISO_NORTH', zone, year: 2026 }
const noHolidays = { isHoliday: () => false }

const historyOf = (rows: HistoricalRow[]): Retrieval<HistoricalRow> =>
  new Retrieval({
    service: 'emissions',
    operation: 'getHistorical',
    rows,
    meta: [],
    columns: [
      { name: 'point_time', kind: 'instant' },
      { name: 'value', kind: 'number', unit: 'lbs_co2_per_mwh' },
    ],
    warnings: [],
  })
const row = (at: string, value: number | null): HistoricalRow => ({ point_time: new Date(at), value })

describe('getTypicalYear', () => {
  it('gives the numbers of the published calculator on the same history', { timeout: 60_000 }, async () => {
    const simulator = await simulate()
    const result = await patientClient(simulator).getTypicalYear({ ...place, end: '2026-03-01T00:00Z' })
    const { values } = JSON.parse(emissionsBody('typical-year.json')) as { values: number[] }
    expect(result.rows).toHaveLength(8760)
    const worst = Math.max(...result.rows.map(({ value }, at) => Math.abs((value ?? Number.NaN) - (values[at] ?? 0))))
    expect(worst).toBeLessThan(1e-6)
    expect(result.rows[0]?.point_time).toEqual(new Date('2026-01-01T08:00Z'))
    expect(result.columns[1]).toMatchObject({ name: 'value', unit: 'lbs_co2_per_mwh' })
    expect(result.completeness).toMatchObject({ expected: 315_361, received: 315_361, missing: [] })
    expect(result.withMeta()[0]).not.toHaveProperty('meta_url')
  })

  it(
    'R49: with a cap, the first hours of the same year: all of the history was looked at',
    { timeout: 60_000 },
    async () => {
      const client = patientClient(await simulate())
      const query = { ...place, end: '2026-03-01T00:00Z' }
      const whole = await client.getTypicalYear(query)
      const capped = await client.getTypicalYear(query, { maxRows: 30 })
      expect(capped.rows).toEqual(whole.rows.slice(0, 30))
      expect(capped.completeness).toEqual(whole.completeness)
    },
  )

  it('loses no sample where requests meet, as the published one does when now is between two samples', async () => {
    const simulator = await simulate()
    const meta = JSON.parse(emissionsBody('typical-year.meta.json')) as { samplesWhenHistoryEndsAt0002Z: number }
    const client = patientClient(simulator)
    const end = new Date('2026-03-01T00:02Z')
    const plan = client.planHistorical({
      region: place.region,
      start: new Date(end.getTime() - 1095 * 86_400_000),
      end,
    })
    // One sample is lost at each border of theirs: 315,360 are there.
    expect(meta.samplesWhenHistoryEndsAt0002Z).toBe(315_360 - (plan.requests - 1))
  })

  it.each([
    [{ ...place, zone: 'Mars/Olympus' }, 'zone is not known'],
    [{ ...place, holidays: 'XX' }, "holidays: 'XX' is no country"],
    [{ ...place, year: 2026.5 }, 'year'],
    [{ region: 'CAISO_NORTH', year: 2026 } as typeof place, 'zone'],
  ])('refuses %j before any request', async (query, words) => {
    const simulator = await simulate()
    await expect(patientClient(simulator).getTypicalYear(query)).rejects.toThrow(words)
    expect(simulator.requests).toEqual([])
  })
})

describe('typicalYear', () => {
  it('averages by month, hour and kind of day, by the clocks of the zone', () => {
    const history = historyOf([
      row('2024-01-02T08:00Z', 10), // Tuesday, midnight in Los Angeles
      row('2024-01-03T08:30Z', 20), // Wednesday, half past
      row('2024-01-06T08:00Z', 90), // Saturday
      row('2024-01-04T08:00Z', null),
    ])
    const { rows } = typicalYear(history, { ...place, year: 2025 }, noHolidays)
    const at = (text: string) => rows.find(({ point_time }) => +point_time === Date.parse(text))
    expect(at('2025-01-01T08:00Z')).toMatchObject({ value: 15, samples: 2, month: 1, hour: 0, is_weekday: true })
    expect(at('2025-01-04T08:00Z')).toMatchObject({ value: 90, samples: 1, is_weekday: false })
  })

  it('repeats the hour in front where no sample is behind an hour, and says so', () => {
    const { rows, warnings } = typicalYear(historyOf([row('2024-01-02T09:00Z', 7)]), place, noHolidays)
    expect(rows.slice(0, 3).map(({ value, samples }) => [value, samples])).toEqual([
      [null, 0],
      [7, 1],
      [7, 0],
    ])
    expect(warnings.at(-1)).toMatch(/^\d+ hours have no sample behind them/)
  })

  it.each([
    ['America/Los_Angeles', 2024, 8784],
    ['America/Los_Angeles', 2025, 8760],
    ['Asia/Kolkata', 2025, 8760],
  ])('has every hour of a year in %s %i once', (where, year, hours) => {
    const { rows } = typicalYear(historyOf([]), { ...place, zone: where, year }, noHolidays)
    expect(rows).toHaveLength(hours)
    expect(new Set(rows.map(({ point_time }) => +point_time)).size).toBe(hours)
    expect(rows.filter(({ hour }) => hour === 2).length).toBe(where.startsWith('America') ? hours / 24 - 1 : hours / 24)
  })
})

describe('holidayCalendar', () => {
  it.each([
    ['2024-07-04', true],
    ['2026-07-03', true], // in lieu of a Saturday
    ['2021-12-31', true], // New Year's Day of the year after
    ['2023-11-10', true], // Veterans Day, in lieu
    ['2024-11-12', false],
    ['2020-06-19', false], // not yet a holiday
  ])('US: %s is one: %s', async (date, holiday) => {
    expect((await holidayCalendar('US')).isHoliday(date)).toBe(holiday)
  })

  it('knows parts of countries', async () => {
    expect((await holidayCalendar('DE-BY')).isHoliday('2025-01-06')).toBe(true)
    expect((await holidayCalendar('DE')).isHoliday('2025-01-06')).toBe(false)
  })

  it('says what to install where the package is not there', async () => {
    vi.doMock('date-holidays', () => {
      throw new Error('not there')
    })
    try {
      await expect(holidayCalendar('US')).rejects.toThrow('npm i date-holidays')
    } finally {
      vi.doUnmock('date-holidays')
    }
  })
})

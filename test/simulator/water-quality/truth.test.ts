import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startSimulator, type Simulator, type TruthResult } from '../../../src/simulator/index.ts'
import { get, readTable, SMALL, tableOf } from './table.ts'

let simulator: Simulator
beforeAll(async () => {
  simulator = await startSimulator()
})
afterAll(() => simulator.close())

const AREA = { countycode: 'US:55:025', startDateLo: '01-01-2021', startDateHi: '12-31-2022', mimeType: 'csv' }

describe('what is served is the truth', () => {
  const byId = (rows: Iterable<readonly string[]>): string[] => [...rows].map(row => row.join('|')).sort()
  const told = (results: Iterable<TruthResult>): string[] =>
    byId(
      [...results].map(({ provider, site, id, date, time, zone, text, condition, limit }) => [
        provider,
        site,
        id,
        date,
        time,
        zone,
        text,
        condition,
        limit,
      ]),
    )

  it('in the older interface', async () => {
    const query = { ...AREA, dataProfile: 'resultPhysChem' }
    const table = await tableOf(get(simulator, '/data/Result/search', query))
    const names = [
      'ProviderName',
      'MonitoringLocationIdentifier',
      'ResultIdentifier',
      'ActivityStartDate',
      'ActivityStartTime/Time',
      'ActivityStartTime/TimeZoneCode',
      'ResultMeasureValue',
      'ResultDetectionConditionText',
      'DetectionQuantitationLimitMeasure/MeasureValue',
    ].map(name => table.column(name))
    const rows = table.rows.map((_, row) => names.map(column => column[row] ?? ''))
    expect(byId(rows)).toEqual(told(simulator.truth.waterQuality.results({ service: 'legacy', query })))
    expect(rows.length).toBeGreaterThan(1000)
  })

  it.each(['wqx3', 'samples'] as const)('in %s', async service => {
    const samples = {
      countyFips: 'US:55:025',
      activityStartDateLower: '2021-01-01',
      activityStartDateUpper: '2022-12-31',
    }
    const query = service === 'wqx3' ? AREA : samples
    const path = service === 'wqx3' ? '/wqx3/Result/search' : '/samples-data/results/fullphyschem'
    const { text } = await get(simulator, path, query)
    const table = readTable(text.replace(/\n$/, ''))
    const names = [
      'ProviderName',
      'Location_Identifier',
      'Result_MeasureIdentifier',
      'Activity_StartDate',
      'Activity_StartTime',
      'Activity_StartTimeZone',
      'Result_Measure',
      'Result_ResultDetectionCondition',
      'DetectionLimit_MeasureA',
    ].map(name => table.column(name))
    const rows = table.rows.map((_, row) => names.map(column => column[row] ?? ''))
    expect(byId(rows)).toEqual(told(simulator.truth.waterQuality.results({ service, query })))
    expect(rows.length).toBeGreaterThan(300)
  })

  it('with counts and sites that agree', async () => {
    const { results, counts, sites } = simulator.truth.waterQuality
    const query = { service: 'legacy', query: SMALL } as const
    const all = [...results(query)]
    const tally = counts(query)
    expect(Object.keys(tally).sort()).toEqual(['NWIS', 'STORET'])
    expect(all).toHaveLength((tally['NWIS']?.results ?? 0) + (tally['STORET']?.results ?? 0))
    expect(sites(query)).toEqual([...new Set(all.map(({ site }) => site))].sort())
  })
})

describe('specimens', () => {
  const truthOf = (name: string): TruthResult[] => [
    ...simulator.truth.waterQuality.results({ service: 'legacy', query: { siteid: `SPECIMEN_WQX-${name}` } }),
  ]

  it('F08: zones, all on one day', () => {
    const at = (hour: number): number => Date.parse('2023-07-15T00:30:00Z') + hour * 3_600_000
    expect(truthOf('ZONES').map(({ zone, instant }) => [zone, instant])).toEqual([
      ['UTC', at(10)],
      ['EST', at(15)],
      ['EDT', at(14)],
      ['XYZ', null],
      ['', null],
    ])
  })

  it('F47: values that are no numbers, and censored ones, never from a limit alone', () => {
    const values = truthOf('VALUES')
    const of = (text: string, condition = ''): unknown[] => {
      const found = values.find(value => value.text === text && value.condition === condition)
      return [found?.value, found?.censored]
    }
    expect(of('1e-3')).toEqual([0.001, null])
    expect(of('1,200')).toEqual([null, null])
    expect(of('ND')).toEqual([null, null])
    expect(of('0')).toEqual([0, null])
    expect(of('0', 'Not Detected')).toEqual([null, 'below'])
    expect(of('<0.05')).toEqual([null, 'below'])
    expect(of('>2400')).toEqual([null, 'above'])
    expect(of('0.4')).toEqual([0.4, null])
    expect(of('', 'Not Reported')).toEqual([null, null])
  })

  it('F53: texts with every trap of the dialect arrive as they are', async () => {
    const table = await tableOf(
      get(simulator, '/data/Result/search', 'siteid=SPECIMEN_WQX-TEXTS&mimeType=csv&sorted=yes'),
    )
    expect(table.column('ActivityCommentText')).toEqual([
      'one, two',
      'first line\nsecond line',
      'first line\r\nsecond, "line"',
      'he said "yes"',
      'a 5" pipe',
      ' blanks around ',
      'café, ≥ 3 µg/l',
      'tab\there',
    ])
  })

  it('have no date, and times of every form', () => {
    expect(truthOf('UNDATED').map(({ date, instant }) => [date, instant])).toEqual([
      ['', null],
      ['', null],
      ['', null],
    ])
    expect(truthOf('TIMES').filter(({ instant }) => instant !== null)).toHaveLength(4)
  })
})

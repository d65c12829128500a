import { describe, expect, it } from 'vitest'
import { QueryError } from '../../../src/index.ts'
import { errorOf } from '../../support/field-case.ts'
import { answer, startScripted } from '../../support/scripted-server.ts'
import { NO_QUOTAS, simulateWater, siteIds, targets, waterClient } from '../../support/streamflow.ts'

const SITE = 'USGS-01000000'
/** Path and decoded query of the requests that reached a server. */
const sent = (simulator: Awaited<ReturnType<typeof simulateWater>>): string[] =>
  targets(simulator).map(decodeURIComponent)

describe('getStatistics', () => {
  it('F50: repeats the name of a list, and writes a state as the service wants it', async () => {
    const simulator = await simulateWater()
    await waterClient(simulator).getStatistics({
      monitoringLocationId: siteIds(2),
      parameterCode: ['00060', '00065'],
      normalType: 'DOY',
      start: '01-01',
      end: '01-02',
      state: 'Virginia',
      computationType: 'median',
    })
    expect(sent(simulator)).toEqual([
      '/statistics/v0/observationNormals?monitoring_location_id=USGS-01000000&monitoring_location_id=USGS-01000001&parameter_code=00060&parameter_code=00065&computation_type=median&normal_type=DOY&state_code=US:51&start_date=01-01&end_date=01-02',
    ])
  })

  it('walks along its tokens, and gives every site once', async () => {
    const simulator = await simulateWater()
    const query = {
      monitoringLocationId: siteIds(7),
      parameterCode: '00060',
      normalType: 'MOY',
      computationType: ['arithmetic_mean', 'percentile'],
    } as const
    const whole = await waterClient(simulator).getStatistics(query)
    const paged = await waterClient(simulator).getStatistics({ ...query, pageSize: 2 })
    expect(paged.rows).toEqual(whole.rows)
    expect(paged.meta.length).toBeGreaterThan(1)
    expect(new Set(whole.rows.map(({ monitoring_location_id }) => monitoring_location_id)).size).toBeGreaterThan(1)
  })

  it('sends a token back letter for letter', async () => {
    const next = 'a+b/c=&d %'
    const server = await startScripted(visit =>
      answer(visit, { body: { features: [], next: visit.arrival.query.has('next_token') ? null : next } }),
    )
    await waterClient(server).getStatistics({ monitoringLocationId: SITE, normalType: 'MOY' })
    expect(server.arrivals.map(({ query }) => query.get('next_token'))).toEqual([null, next])
    expect(server.arrivals[1]?.query.get('normal_type')).toBe('MOY')
  })

  it('gives a row for each percentile, and ranks of minimum, median and maximum', async () => {
    const simulator = await simulateWater()
    const { rows } = await waterClient(simulator).getStatistics({
      monitoringLocationId: SITE,
      parameterCode: '00060',
      normalType: 'DOY',
      start: '03-01',
      end: '03-01',
    })
    const ranks = rows.map(({ computation, percentile }) => `${computation} ${percentile}`)
    expect(ranks).toEqual(
      expect.arrayContaining([
        'minimum 0',
        'median 50',
        'maximum 100',
        'arithmetic_mean null',
        'percentile 5',
        'percentile 95',
      ]),
    )
    for (const { value, sample_count } of rows)
      expect([typeof value, typeof sample_count]).toEqual(['number', 'number'])
  })

  it('asks for months and years of a date range', async () => {
    const simulator = await simulateWater()
    const { rows, columns } = await waterClient(simulator).getStatistics({
      of: 'dateRange',
      monitoringLocationId: SITE,
      parameterCode: '00060',
      intervalType: ['M', 'WY'],
      start: '2010-01-01',
      end: '2010-02-01',
    })
    expect(sent(simulator)[0]).toContain('/observationIntervals?')
    expect(new Set(rows.map(({ interval_type }) => interval_type))).toEqual(new Set(['month', 'water_year']))
    expect(columns.filter(({ kind }) => kind === 'date').map(({ name }) => name)).toEqual(['start_date', 'end_date'])
  })

  it.each<[object, string]>([
    [{ start: '2010-01-01' }, 'MM-DD'],
    [{ of: 'dateRange', start: '01-01' }, 'YYYY-MM-DD'],
    [{ intervalType: 'M' }, 'does not go with'],
    [{ of: 'dateRange', normalType: 'DOY' }, 'does not go with'],
    [{ computationType: 'mode' }, 'computationType'],
    [{ sites: 'x' }, "'sites' is not known"],
  ])('refuses %j', async (query, help) => {
    const simulator = await simulateWater()
    const error = await errorOf(waterClient(simulator).getStatistics(query as never))
    expect(error).toBeInstanceOf(QueryError)
    expect((error as Error).message).toContain(help)
    expect(simulator.requests).toEqual([])
  })

  it('has a quota of its own', async () => {
    const simulator = await simulateWater({
      streamflow: { quotas: { ...NO_QUOTAS.quotas, withoutKey: { count: 1, perMs: 3_600_000 } } },
    })
    const client = waterClient(simulator)
    await client.getReferenceTable('states')
    expect(client.planDaily({ monitoringLocationId: SITE }).quota.remaining).toBe(0)
    expect(
      (await client.getStatistics({ monitoringLocationId: SITE, parameterCode: '00060', normalType: 'MOY' })).length,
    ).toBeGreaterThan(0)
  })
})

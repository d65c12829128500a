import { describe, expect, it } from 'vitest'
import { QueryError } from '../../../src/index.ts'
import { page } from '../../support/feature-pages.ts'
import { errorOf } from '../../support/field-case.ts'
import { answer, startScripted } from '../../support/scripted-server.ts'
import { simulateWater, siteIds, waterClient } from '../../support/streamflow.ts'

const SITE = 'USGS-01000000'

describe('getNearestContinuous', () => {
  const query = { monitoringLocationId: siteIds(2), parameterCode: '00060' }

  it('chooses for every target and series the nearest reading', async () => {
    const simulator = await simulateWater()
    const moments = ['2024-03-01T10:03:00Z', '2024-03-01T10:12:00Z', '2024-03-05T23:59:59Z']
    const { rows, columns } = await waterClient(simulator).getNearestContinuous({ ...query, targets: moments })
    expect(columns.slice(0, 2).map(({ name }) => name)).toEqual(['target_time', 'offset_seconds'])
    const truth = simulator.truth.continuous({ ...query, start: '2024-03-01', end: '2024-03-07' })
    const series = [...new Set(truth.map(({ time_series_id }) => time_series_id))]
    expect(rows).toHaveLength(moments.length * series.length)
    for (const row of rows) {
      const distances = truth
        .filter(one => one.time_series_id === row.time_series_id)
        .map(one => Math.abs(Date.parse(one.time) - row.target_time.getTime()))
      expect(Math.abs(row.offset_seconds) * 1000).toBe(Math.min(...distances))
    }
  })

  it('R49: with a cap, the first of the same readings: all were looked at', async () => {
    const simulator = await simulateWater()
    const asked = { ...query, targets: ['2024-03-01T10:03:00Z', '2024-03-01T10:12:00Z', '2024-03-05T23:59:59Z'] }
    const client = waterClient(simulator)
    const { rows } = await client.getNearestContinuous(asked)
    const capped = await client.getNearestContinuous(asked, { maxRows: 2 })
    expect(capped.rows).toEqual(rows.slice(0, 2))
    expect(capped.withMeta()).toHaveLength(2)
    expect(await errorOf(client.getNearestContinuous(asked, { maxRows: 0 }))).toMatchObject({ argument: 'maxRows' })
  })

  it.each<['first' | 'last' | 'mean', number]>([
    ['first', -450],
    ['last', 450],
    ['mean', 0],
  ])('of two at the same distance takes the %s', async (ties, offset) => {
    const simulator = await simulateWater()
    const target = '2024-03-01T10:07:30Z'
    const readings = simulator.truth.continuous({
      monitoringLocationId: SITE,
      parameterCode: '00060',
      start: '2024-03-01T10:00Z',
      end: '2024-03-01T10:15Z',
    })
    expect(readings).toHaveLength(2)
    const { rows } = await waterClient(simulator).getNearestContinuous({
      monitoringLocationId: SITE,
      parameterCode: '00060',
      targets: target,
      ties,
    })
    const values = readings.map(({ value }) => Number(value))
    const expected = { first: values[0], last: values[1], mean: ((values[0] ?? 0) + (values[1] ?? 0)) / 2 }[ties]
    expect(rows).toMatchObject([{ offset_seconds: offset, value: expected, target_time: new Date(target) }])
    expect(rows[0]?.continuous_id === null).toBe(ties === 'mean')
  })

  it('asks for many targets in few requests, none too long, none over more than the service takes', async () => {
    const simulator = await simulateWater()
    const start = Date.UTC(2012, 0, 1)
    const targetTimes = Array.from({ length: 400 }, (_, n) => start + n * 10 * 86_400_000 + 60_000)
    const { rows, warnings } = await waterClient(simulator).getNearestContinuous({
      monitoringLocationId: SITE,
      parameterCode: '00060',
      targets: targetTimes,
    })
    expect(simulator.stats.statuses).toEqual({ 200: simulator.requests.length })
    expect(simulator.requests.length).toBeLessThan(30)
    expect(rows.length + Number(/^\d+/.exec(warnings[0] ?? '0')?.[0])).toBe(400)
    const order = rows.map(({ target_time }) => target_time.getTime())
    expect(order).toEqual([...order].sort((a, b) => a - b))
  })

  it('F41: keeps two instruments of one site apart: each has a nearest reading of its own', async () => {
    const reading = (series: string, time: string) => ({
      id: `${series} ${time}`,
      geometry: null,
      properties: { time_series_id: series, monitoring_location_id: SITE, parameter_code: '00060', time, value: '1' },
    })
    const list = [
      reading('s-1', '2024-03-01T10:00:00+00:00'),
      reading('s-2', '2024-03-01T10:01:00+00:00'),
      reading('s-2', '2024-03-01T10:05:00+00:00'),
    ]
    const server = await startScripted(visit => answer(visit, { body: page(list) }))
    const { rows } = await waterClient(server).getNearestContinuous({
      monitoringLocationId: SITE,
      parameterCode: '00060',
      targets: '2024-03-01T10:02:00Z',
    })
    expect(rows.map(row => [row.time_series_id, row.offset_seconds])).toEqual([
      ['s-1', -120],
      ['s-2', -60],
    ])
  })

  it('counts the targets that have no reading, and gives them no row', async () => {
    const simulator = await simulateWater()
    const { rows, warnings } = await waterClient(simulator).getNearestContinuous({
      monitoringLocationId: SITE,
      parameterCode: '00060',
      targets: ['1890-01-01', '2024-03-01T10:00Z'],
    })
    expect(rows).toHaveLength(1)
    expect(warnings).toEqual(['1 of 2 targets have no reading within 450 s'])
  })

  it.each<[object, string]>([
    [{ targets: [] }, 'targets'],
    [{}, 'targets'],
    [{ targets: 'soon' }, 'soon'],
    [{ targets: '2024-01-01', window: 'wide' }, 'window'],
    [{ targets: '2024-01-01', ties: 'any' }, 'ties'],
    [{ targets: '2024-01-01', start: '2024-01-01' }, "'start' is not known"],
    [{ targets: '2024-01-01', filter: "a = 'b'" }, "'filter' is not known"],
    [{ targets: '2024-01-01', properties: ['value'] }, 'time_series_id'],
    [{ targets: '2024-01-01', monitoringLocationId: siteIds(600) }, 'fewer sites'],
  ])('refuses %j', async (more, help) => {
    const simulator = await simulateWater()
    const error = await errorOf(waterClient(simulator).getNearestContinuous({ ...query, ...more } as never))
    expect(error).toBeInstanceOf(QueryError)
    expect((error as Error).message).toContain(help)
    expect(simulator.requests).toEqual([])
  })
})

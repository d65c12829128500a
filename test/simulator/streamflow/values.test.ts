import { afterEach, describe, expect, it } from 'vitest'
import { startSimulator, type Simulator, type TruthObservation } from '../../../src/simulator/index.ts'
import { createHandClock } from '../hand-clock.ts'
import { features, itemsPath, NO_QUOTAS, observations, page } from './pages.ts'

const running: Simulator[] = []
afterEach(async () => {
  for (const simulator of running.splice(0)) await simulator.close()
})

async function start(now = '2026-09-15T12:34:00Z', sites = 2000): Promise<Simulator> {
  const simulator = await startSimulator({ clock: createHandClock(now), streamflow: { ...NO_QUOTAS, sites } })
  running.push(simulator)
  return simulator
}

describe('values', () => {
  it('are the same in every simulation, whatever its age, size and seed', async () => {
    const [first, second] = [await start(), await start('2026-10-20T00:00:00Z', 40)]
    const query = { monitoringLocationId: first.truth.site(12), start: '2024-01-01', end: '2024-02-01' }
    expect(first.truth.daily(query)).toEqual(second.truth.daily(query))
    expect(first.truth.continuous(query)).toEqual(second.truth.continuous(query))
    expect(first.truth.daily(query).length).toBeGreaterThan(30)
  })

  it('are what truth says, for days and for instants', async () => {
    const simulator = await start()
    const site = simulator.truth.site(15)
    const query = { monitoringLocationId: site, start: '2024-03-01', end: '2024-03-31T23:59:59Z' }
    const time = '2024-03-01T00:00:00Z/2024-03-31T23:59:59Z'
    for (const collection of ['daily', 'continuous'] as const) {
      const found = await features(simulator, collection, { monitoring_location_id: site, time })
      const truth = simulator.truth[collection](query)
      expect(truth.length).toBeGreaterThan(60)
      expect(observations(found)).toEqual(truth)
    }
  })

  it('are texts with what is no number now and then, and say why', async () => {
    const simulator = await start()
    const rows = simulator.truth.daily({ parameterCode: '00060', start: '2000-01-01', end: '2001-12-31' })
    const odd = (value: string | null): TruthObservation[] => rows.filter(row => row.value === value)
    expect(odd(null).length).toBeGreaterThan(100)
    expect(odd('Ice').length).toBeGreaterThan(20)
    expect(odd('').length).toBeGreaterThan(10)
    expect(new Set(odd(null).map(row => row.qualifier?.join()))).toEqual(new Set(['ICE']))
    expect(new Set(odd('').map(row => row.qualifier?.join()))).toEqual(new Set(['EQUIP,ESTIMATED']))
    const plain = rows.filter(({ value }) => value !== null && value !== 'Ice' && value !== '')
    expect(plain.every(({ value }) => /^\d+(\.\d+)?$/.test(value ?? ''))).toBe(true)
    expect(new Set(rows.map(row => row.approval_status))).toEqual(new Set(['Approved', null]))
  })

  it('are provisional once they are young', async () => {
    const simulator = await start()
    const rows = simulator.truth.daily({
      monitoringLocationId: simulator.truth.site(1),
      parameterCode: '00060',
      start: '2025-09-01',
      end: '2025-10-31',
    })
    const statuses = rows
      .filter(row => row.approval_status !== null)
      .map(row => [row.time < '2025-10-01', row.approval_status])
    expect(new Set(statuses.map(String))).toEqual(new Set(['true,Approved', 'false,Provisional']))
  })

  it('keep maximum, mean and minimum of a day in their order', async () => {
    const simulator = await start()
    const rows = simulator.truth.daily({
      monitoringLocationId: simulator.truth.site(0),
      parameterCode: '00060',
      start: '2024-01-01',
      end: '2024-12-31',
    })
    const of = (statistic: string): Map<string, string | null> =>
      new Map(rows.filter(row => row.statistic_id === statistic).map(row => [row.time, row.value]))
    const [highest, lowest, mean] = [of('00001'), of('00002'), of('00003')]
    expect(mean.size).toBe(366)
    for (const [time, value] of mean) {
      const [low, middle, high] = [lowest.get(time), value, highest.get(time)].map(text => Number(text || NaN)) as [
        number,
        number,
        number,
      ]
      if ([low, middle, high].some(Number.isNaN)) continue
      expect(low).toBeLessThan(middle)
      expect(middle).toBeLessThan(high)
    }
  })

  it('end with yesterday, and ten minutes ago', async () => {
    const simulator = await start('2026-09-15T12:34:00Z')
    const query = {
      monitoringLocationId: simulator.truth.site(1),
      parameterCode: '00060',
      start: '2026-09-01',
      end: '2027-01-01',
    }
    expect(simulator.truth.daily(query).at(-1)?.time).toBe('2026-09-14')
    expect(simulator.truth.continuous(query).at(-1)?.time).toBe('2026-09-15T12:15:00+00:00')
  })
})

describe('sites', () => {
  it('follow a rule, and differ in kind from the thousandth on', async () => {
    const simulator = await start()
    const sites = simulator.truth.records('monitoring-locations')
    expect(sites).toHaveLength(2000)
    expect(sites.map(({ id }) => id).slice(0, 2)).toEqual(['USGS-01000000', 'USGS-01000001'])
    const kinds = sites.map(({ properties }) => properties['site_type_code'])
    expect(new Set(kinds.slice(0, 1000))).toEqual(new Set(['ST']))
    expect(new Set(kinds)).toEqual(new Set(['ST', 'GW', 'LK', 'SP']))
    expect(new Set(sites.map(({ properties }) => properties['state_code'])).size).toBe(52)
    const units = sites.map(({ properties }) => String(properties['hydrologic_unit_code']).length)
    expect(new Set(units)).toEqual(new Set([8, 12]))
    expect(sites.filter(({ coordinates }) => coordinates === null).length).toBe(32)
  })

  it('have thirty years of daily discharge from the first to the thousandth, but for those that were given up', async () => {
    const simulator = await start()
    const ids = Array.from({ length: 1000 }, (_, n) => simulator.truth.site(n))
    const series = simulator.truth
      .records('time-series-metadata', { parameter_code: '00060', statistic_id: '00003' })
      .filter(({ properties }) => ids.includes(String(properties['monitoring_location_id'])))
    expect(series).toHaveLength(1000)
    expect(series.every(({ properties }) => String(properties['begin']) < '1990')).toBe(true)
    const ended = series.filter(({ properties }) => String(properties['end']) < '2026')
    expect(ended.map(({ properties }) => Number(String(properties['monitoring_location_id']).slice(-3)) % 20)).toEqual(
      ended.map(() => 19),
    )
    expect(ended).toHaveLength(50)
  })

  it('can be any others besides, some with letters that need more than one byte', async () => {
    const more = ['AK008-Ü1', 'MBMG-70 2/3', 'USGS-ß+']
    const simulator = await startSimulator({ streamflow: { ...NO_QUOTAS, sites: 10, moreSites: more } })
    running.push(simulator)
    const path = itemsPath('daily', {
      monitoring_location_id: more.join(','),
      parameter_code: '00060',
      statistic_id: '00003',
      time: '2024-01-01/2024-01-31',
      limit: 1000,
    })
    const { features: found } = await page(simulator.url + path)
    const counts = more.map(id => found.filter(({ properties }) => properties['monitoring_location_id'] === id).length)
    expect(counts).toEqual([31, 31, 31])
    await expect(startSimulator({ streamflow: { moreSites: ['nothing'] } })).rejects.toMatchObject({
      code: 'HEADRACE_CONFIGURATION',
    })
  })
})

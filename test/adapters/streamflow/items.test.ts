import { describe, expect, it } from 'vitest'
import { createStreamflow, type DailyRow, type StreamflowClient } from '../../../src/adapters/streamflow/index.ts'
import type { Checkpoint } from '../../../src/index.ts'
import type { AnyRow, Retrieval, StreamBatch } from '../../../src/retrieval/index.ts'
import type { Simulator } from '../../../src/simulator/index.ts'
import { simulateWater, siteIds, waterClient } from '../../support/streamflow.ts'

const SITE = 'USGS-01000000'
const MONTH = { parameterCode: '00060', start: '2024-03-01', end: '2024-03-31' } as const

describe('streams', () => {
  it('give the rows of the getter in batches, in order within each response', async () => {
    const simulator = await simulateWater()
    const query = { monitoringLocationId: siteIds(4), ...MONTH, pageSize: 50 }
    const whole = await waterClient(simulator).getDaily(query)
    const rows: DailyRow[] = []
    for await (const batch of waterClient(simulator).streamDaily(query)) {
      const times = batch.rows.map(row => `${row.monitoring_location_id} ${row.statistic_id} ${row.time}`)
      expect(times).toEqual([...times].sort())
      expect(batch.meta[0]?.rows).toBe(batch.rows.length)
      rows.push(...batch.rows)
    }
    expect(new Set(rows.map(row => row.daily_id))).toEqual(new Set(whole.rows.map(row => row.daily_id)))
    expect(rows).toHaveLength(whole.length)
  })

  it('R60: can be left and taken up as a stream, page by page', async () => {
    const simulator = await simulateWater()
    const query = { monitoringLocationId: siteIds(3), ...MONTH, pageSize: 40 }
    const ids: string[] = []
    let rest = waterClient(simulator).streamDaily(query) as AsyncGenerator<StreamBatch<AnyRow>, void, void>
    for (let left = 1; left > 0;) {
      for await (const batch of rest) {
        ids.push(...batch.rows.map(row => String(row['daily_id'])))
        const checkpoint = JSON.parse(JSON.stringify(batch.checkpoint())) as Checkpoint
        left = checkpoint.left.length
        rest = waterClient(simulator).streamFrom(checkpoint)
        break
      }
      expect(ids.length).toBeLessThan(1000)
    }
    const truth = simulator.truth.daily({ monitoringLocationId: siteIds(3), ...MONTH })
    expect(ids).toHaveLength(truth.length)
    expect(new Set(ids).size).toBe(truth.length)
  })

  it('are not made of a getter that has none', () => {
    const checkpoint = { version: 1, service: 'streamflow', operation: 'getPeaks', query: {}, left: [] } as const
    const client = createStreamflow({ env: {} })
    expect(() => client.streamFrom(checkpoint)).toThrow(/of getPeaks, .* what can: getContinuous, getDaily/)
  })

  it('do not repeat what overlapping pages repeat', async () => {
    const simulator = await simulateWater({ faults: [{ do: { type: 'cursor', how: 'overlap', rows: 5 } }] })
    const ids: unknown[] = []
    for await (const { rows } of waterClient(simulator).streamDaily({
      monitoringLocationId: SITE,
      ...MONTH,
      pageSize: 20,
    }))
      ids.push(...rows.map(row => row.daily_id))
    expect(new Set(ids).size).toBe(ids.length)
    expect(ids.length).toBe(simulator.truth.daily({ monitoringLocationId: SITE, ...MONTH }).length)
  })
})

describe('a stream whose records are refreshed on the way', () => {
  it('R56: does not give a sample twice that says the same under another identifier', async () => {
    const simulator = await simulateWater()
    simulator.setFaults([{ when: { nth: [2, 3, 4, 5, 6, 7] }, do: { type: 'reissue', generation: 1 } }])
    const samples: string[] = []
    let merged = 0
    const query = { monitoringLocationId: SITE, ...MONTH, pageSize: 15 }
    for await (const { rows, meta } of waterClient(simulator).streamDaily(query)) {
      samples.push(...rows.map(({ time_series_id, time }) => `${time_series_id} ${time}`))
      merged += meta[0]?.rowsMerged ?? 0
    }
    expect(merged).toBeGreaterThan(0)
    expect(new Set(samples).size).toBe(samples.length)
  })
})

describe('every collection', () => {
  const getters: [string, string, (client: StreamflowClient) => Promise<Retrieval>, Record<string, string>][] = [
    [
      'getLatestContinuous',
      'latest-continuous',
      client => client.getLatestContinuous({ monitoringLocationId: siteIds(3) }),
      { monitoring_location_id: siteIds(3).join() },
    ],
    [
      'getLatestDaily',
      'latest-daily',
      client => client.getLatestDaily({ monitoringLocationId: siteIds(3) }),
      { monitoring_location_id: siteIds(3).join() },
    ],
    [
      'getFieldMeasurements',
      'field-measurements',
      client => client.getFieldMeasurements({ monitoringLocationId: siteIds(3) }),
      { monitoring_location_id: siteIds(3).join() },
    ],
    [
      'getLatestFieldMeasurements',
      'latest-field-measurements',
      client => client.getLatestFieldMeasurements({ monitoringLocationId: siteIds(3) }),
      { monitoring_location_id: siteIds(3).join() },
    ],
    [
      'getFieldMeasurementsMetadata',
      'field-measurements-metadata',
      client => client.getFieldMeasurementsMetadata({ monitoringLocationId: siteIds(3) }),
      { monitoring_location_id: siteIds(3).join() },
    ],
    [
      'getChannelMeasurements',
      'channel-measurements',
      client => client.getChannelMeasurements({ monitoringLocationId: siteIds(3) }),
      { monitoring_location_id: siteIds(3).join() },
    ],
    [
      'getPeaks',
      'peaks',
      client => client.getPeaks({ monitoringLocationId: siteIds(3) }),
      { monitoring_location_id: siteIds(3).join() },
    ],
    [
      'getMonitoringLocations',
      'monitoring-locations',
      client => client.getMonitoringLocations({ state: 'VA', pageSize: 10 }),
      { state_code: '51' },
    ],
    [
      'getTimeSeriesMetadata',
      'time-series-metadata',
      client => client.getTimeSeriesMetadata({ monitoringLocationId: siteIds(3) }),
      { monitoring_location_id: siteIds(3).join() },
    ],
    [
      'getCombinedMetadata',
      'combined-metadata',
      client => client.getCombinedMetadata({ monitoringLocationId: siteIds(3) }),
      { monitoring_location_id: siteIds(3).join() },
    ],
    [
      'getReferenceTable',
      'statistic-codes',
      client => client.getReferenceTable('statistic-codes', { pageSize: 10 }),
      {},
    ],
    ['getCollection', 'states', client => client.getCollection('states', { pageSize: 10 }), {}],
  ]

  it.each(getters)('%s gives the records of the service, sorted', async (_name, collection, call, filters) => {
    const simulator = await simulateWater()
    const { rows, columns } = await call(waterClient(simulator))
    const truth = simulator.truth.records(collection, filters)
    expect(rows).toHaveLength(truth.length)
    expect(truth.length).toBeGreaterThan(0)
    const seen = new Set(rows.flatMap(row => Object.values(row)))
    for (const { id } of truth) expect(seen.has(String(id))).toBe(true)
    for (const row of rows) expect(Object.keys(row)).toEqual(columns.map(({ name }) => name))
  })

  it('R57: a table of codes says whether all of it came', async () => {
    const simulator = await simulateWater()
    const { meta } = await waterClient(simulator).getReferenceTable('statistic-codes', { pageSize: 10 })
    const total = meta[0]?.source['numberMatched']
    expect(meta.reduce((sum, { rows }) => sum + rows, 0)).toBe(total)
  })

  it('gets a collection that the table does not know', async () => {
    const simulator = await simulateWater()
    await expect(waterClient(simulator).getCollection('brand-new')).rejects.toMatchObject({ status: 404 })
  })
})

describe('the answer to a query that finds nothing', () => {
  it.each<[string, (client: StreamflowClient) => Promise<Retrieval<AnyRow>>]>([
    ['getDaily', client => client.getDaily({ monitoringLocationId: 'USGS-99999999', ...MONTH })],
    ['getContinuous', client => client.getContinuous({ monitoringLocationId: 'USGS-99999999', ...MONTH })],
    ['getMonitoringLocations', client => client.getMonitoringLocations({ monitoringLocationId: 'USGS-99999999' })],
    ['getWaterLevels', client => client.getWaterLevels({ monitoringLocationId: 'XX-1' })],
  ])('F42: %s: no rows, no error, the columns as ever, and a record of the answer', async (_name, call) => {
    const simulator = await simulateWater()
    const { rows, columns, meta } = await call(waterClient(simulator))
    expect(rows).toEqual([])
    expect(columns.length).toBeGreaterThan(8)
    expect(meta).toMatchObject([{ status: 200, rows: 0 }])
  })
})

describe('plans', () => {
  it('say what a query takes, and send nothing', async () => {
    const simulator: Simulator = await simulateWater()
    const plan = waterClient(simulator).planDaily({
      monitoringLocationId: siteIds(100),
      parameterCode: '00060',
      statisticId: '00003',
      start: '1995-01-01',
      end: '2024-12-31',
    })
    expect(plan).toMatchObject({
      operation: 'getDaily',
      expectedRows: 1_095_800,
      quota: { perHour: 50, remaining: undefined, enough: true, hours: 0 },
    })
    expect(plan.requests).toBeLessThanOrEqual(24)
    expect(plan.parts.flatMap(({ ids }) => ids)).toEqual(siteIds(100))
    expect(simulator.requests).toEqual([])
  })

  it('R38: do not say that the quota is enough where nobody can know', async () => {
    const simulator = await simulateWater()
    const client = waterClient(simulator, { quotaPerHour: 1 })
    const query = { state: 'VA', parameterCode: '00060', start: '2020-01-01' }
    expect(client.planDaily(query)).toMatchObject({ expectedRows: undefined, quota: { enough: undefined } })
    // The list alone takes more than one request.
    const sites = Array.from({ length: 800 }, (_, n) => `USGS-${2_000_000 + n}`)
    expect(client.planDaily({ monitoringLocationId: sites, start: '2020-01-01' }).quota.enough).toBe(false)
  })

  it('are kept: the query takes as many requests as were planned', async () => {
    const simulator = await simulateWater()
    const client = waterClient(simulator)
    const query = {
      monitoringLocationId: siteIds(20),
      parameterCode: '00060',
      statisticId: '00003',
      start: '2015-01-01',
      end: '2024-12-31',
      pageSize: 5000,
    }
    const { requests } = client.planDaily(query)
    await client.getDaily(query)
    expect(Math.abs(simulator.requests.length - requests)).toBeLessThanOrEqual(requests / 10)
    // One walk over everything: its rows, and its pages.
    const rows = simulator.truth.daily(query).length
    expect(simulator.requests.length).toBeLessThanOrEqual(Math.ceil(rows / 5000) * 1.1)
  })
})

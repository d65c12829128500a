import { describe, expect, it } from 'vitest'
import type { StreamflowClient } from '../../../src/adapters/streamflow/index.ts'
import type { Retrieval } from '../../../src/retrieval/index.ts'
import { simulateWater, waterClient } from '../../support/streamflow.ts'

describe('the groundwater network', () => {
  it('ends a walk at the first page without records, which costs one request', async () => {
    const simulator = await simulateWater()
    const { rows, meta } = await waterClient(simulator).getGroundwaterProviders({ pageSize: 2 })
    expect(rows).toEqual((await waterClient(simulator).getGroundwaterProviders()).rows)
    expect(meta.at(-1)?.rows).toBe(0)
    expect(meta).toHaveLength(Math.ceil(rows.length / 2) + 1)
  })

  it('F47: numbers that come as text are numbers, sorted by well and time', async () => {
    const simulator = await simulateWater()
    const { rows } = await waterClient(simulator).getWaterLevels({ start: '2020-01-01', end: '2020-12-31' })
    expect(rows.length).toBeGreaterThan(0)
    for (const row of rows) {
      expect(row.sample_time).toBeInstanceOf(Date)
      expect(row.sample_time?.getUTCFullYear()).toBe(2020)
      expect(row.orig_value === null || typeof row.orig_value === 'number').toBe(true)
      expect(typeof row.id).toBe('string')
    }
    const order = rows.map(row => `${row.monitoring_location_id} ${row.sample_time?.toISOString()}`)
    expect(order).toEqual([...order].sort())
  })

  it('streams water levels, and plans them', async () => {
    const simulator = await simulateWater()
    const query = { start: '2020-01-01', end: '2020-03-31' }
    expect(waterClient(simulator).planWaterLevels(query)).toMatchObject({ requests: 1, expectedRows: undefined })
    let count = 0
    for await (const { rows } of waterClient(simulator).streamWaterLevels(query)) count += rows.length
    expect(count).toBe((await waterClient(simulator).getWaterLevels(query)).length)
  })

  it.each<[string, (client: StreamflowClient) => Promise<Retrieval>, string]>([
    [
      'sites',
      client => client.getGroundwaterSites({ monitoringLocationId: 'AKDNR-535134236016630' }),
      '/ngwmn/ogcapi/collections/sites/items',
    ],
    [
      'lithology',
      client => client.getLithology({ monitoringLocationId: 'AKDNR-535134236016630' }),
      '/ngwmn/ogcapi/collections/lithologyObs/items',
    ],
    [
      'construction',
      client => client.getWellConstruction({ monitoringLocationId: 'AKDNR-535134236016630' }),
      '/ngwmn/ogcapi/collections/constructionObs/items',
    ],
  ])('gives %s of a well', async (_what, call, path) => {
    const simulator = await simulateWater()
    const { rows } = await call(waterClient(simulator))
    expect(simulator.requests[0]?.path).toBe(path)
    expect(rows.length).toBeGreaterThan(0)
    expect(new Set(rows.map(row => row['monitoring_location_id']))).toEqual(new Set(['AKDNR-535134236016630']))
  })

  it('finds providers by any spelling of a state', async () => {
    const simulator = await simulateWater()
    const { state } = (await waterClient(simulator).getGroundwaterProviders()).rows[0] ?? {}
    const { rows } = await waterClient(simulator).getGroundwaterProviders({ state: String(state) })
    expect(rows.length).toBeGreaterThan(0)
    expect(new Set(rows.map(row => row.state))).toEqual(new Set([state]))
  })
})

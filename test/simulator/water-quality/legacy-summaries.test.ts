import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startSimulator, type Simulator } from '../../../src/simulator/index.ts'
import { get, SITES, tableOf } from './table.ts'

let simulator: Simulator
beforeAll(async () => {
  simulator = await startSimulator()
})
afterAll(() => simulator.close())

describe('summaries and features', () => {
  it('sites as features tell their counts as text', async () => {
    const query = { siteid: SITES[0], mimeType: 'geojson' }
    const { headers, text } = await get(simulator, '/data/Station/search', query)
    expect(headers['content-type']).toBe('application/vnd.geo+json')
    const { features } = JSON.parse(text) as { features: { properties: Record<string, unknown> }[] }
    const counts = simulator.truth.waterQuality.counts({ service: 'legacy', query })['NWIS']
    expect(features).toHaveLength(1)
    expect(features[0]?.properties).toMatchObject({
      activityCount: String(counts?.activities),
      resultCount: String(counts?.results),
      HUCEightDigitCode: expect.stringMatching(/^0\d{7}$/) as string,
    })
    const none = await get(simulator, '/data/Station/search', { siteid: 'USGS-0', mimeType: 'geojson' })
    expect(none.text).toBe('{"type":"FeatureCollection","features":[]}')
  })

  it('the period of record adds up to what the site has', async () => {
    const query = { siteid: SITES[0], dataProfile: 'periodOfRecord', mimeType: 'csv' }
    const table = await tableOf(get(simulator, '/data/summary/monitoringLocation/search', query))
    const results = table.column('ResultCount').reduce((sum, count) => sum + Number(count), 0)
    expect(results).toBe(simulator.truth.waterQuality.counts({ service: 'legacy', query })['NWIS']?.results)
    expect(new Set(table.column('YearSummarized')).size).toBeGreaterThan(8)
  })

  it('organizations with their years', async () => {
    const { headers, text } = await get(simulator, '/data/summary/organization/search', {
      organization: 'ARS',
      mimeType: 'json',
    })
    expect(headers['content-type']).toBe('application/json')
    expect(JSON.parse(text)).toMatchObject({
      organization: [{ organizationID: 'ARS', totalMonitoringLocationsSampled: '12' }],
    })
  })

  it('lists of codes, whole, by page, by text; and whether a value is in them', async () => {
    const list = async (path: string): Promise<{ codes: { value: string }[]; recordCount: number }> =>
      JSON.parse((await get(simulator, path)).text) as { codes: { value: string }[]; recordCount: number }
    expect((await list('/Codes/providers?mimeType=json')).codes.map(({ value }) => value)).toEqual([
      'NWIS',
      'STEWARDS',
      'STORET',
    ])
    const page = await list('/Codes/Statecode?countrycode=US&mimeType=json&pagenumber=2&pagesize=5')
    expect(page).toMatchObject({ recordCount: 14 })
    expect(page.codes).toHaveLength(5)
    const found = await list('/codes/characteristicname?text=phosph&mimeType=json')
    expect(found.codes.map(({ value }) => value)).toEqual(['Phosphorus', 'Orthophosphate'])
    const counties = await list('/Codes/countycode?statecode=US:55;US:44&mimeType=json')
    expect(counties.recordCount).toBe(5)
    const validate = (value: string): Promise<{ status: number | undefined }> =>
      get(simulator, '/Codes/characteristicname/validate', { value, mimeType: 'json' })
    expect(await validate('Temperature, water')).toMatchObject({ status: 200 })
    expect(await validate('Temperature')).toMatchObject({ status: 404 })
    expect((await get(simulator, '/Codes/providers', 'text=n')).headers['content-type']).toBe('application/xml')
  })
})

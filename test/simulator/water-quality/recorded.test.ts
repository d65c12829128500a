import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startSimulator, type Simulator } from '../../../src/simulator/index.ts'
import { get, readTable } from './table.ts'

const folder = join(import.meta.dirname, '../../../fixtures/water-quality')
const read = (name: string): string => readFileSync(join(folder, name), 'utf8')
const bodies = readdirSync(folder).filter(name => !name.endsWith('.meta.json'))

/** Where the expected outputs of the service's own tests lie; not everybody has them. */
const golden = join(import.meta.dirname, '../../../../shared/recorded/water-quality/server-golden')
const goldenHeaders = existsSync(golden) ? readdirSync(golden).filter(name => name.endsWith('NoResult.csv')) : []

let simulator: Simulator
beforeAll(async () => {
  simulator = await startSimulator()
})
afterAll(() => simulator.close())

describe('the fixtures', () => {
  it.each(bodies)('say where they come from: %s', name => {
    const meta = JSON.parse(read(name.replace(/\.[a-z]+$/, '.meta.json'))) as Record<string, unknown>
    expect(meta).toMatchObject({
      source: expect.stringMatching(/^https:\/\/github\.com\//) as string,
      request: expect.any(String) as string,
      recorded: expect.stringMatching(/^\d{4}-\d\d-\d\d$/) as string,
      status: expect.any(Number) as number,
      kind: expect.any(String) as string,
      cut: expect.any(String) as string,
    })
  })

  it.each(bodies.filter(name => name.endsWith('.csv') && !name.startsWith('failure')))('are sound: %s', name => {
    expect(readTable(read(name).replace(/\n$/, '')).columns.length).toBeGreaterThan(2)
  })
})

const SITE = 'USGS-05510007'
const one = `siteid=${SITE}&mimeType=csv`
const result = (profile: string): string => `/data/Result/search?${one}&dataProfile=${profile}`

/** Where the simulator gives what was recorded in a fixture. */
const TABLES: Readonly<Record<string, string>> = {
  'legacy.pcresult.csv': `/data/Result/search?${one}`,
  'legacy.narrowResult.csv': result('narrowResult'),
  'legacy.resultPhysChem.csv': result('resultPhysChem'),
  'legacy.biological.csv': result('biological'),
  'legacy.resultPrimary.csv': result('resultPrimary'),
  'legacy.resultBroad.csv': result('resultBroad'),
  'legacy.activity.csv': `/data/Activity/search?${one}`,
  'legacy.activityAll.csv': `/data/Activity/search?${one}&dataProfile=activityAll`,
  'legacy.activityMetric.csv': `/data/ActivityMetric/search?${one}`,
  'legacy.biologicalMetric.csv': `/data/BiologicalMetric/search?${one}`,
  'legacy.organization.csv': `/data/Organization/search?${one}`,
  'legacy.project.csv': `/data/Project/search?${one}`,
  'legacy.projectMonitoringLocationWeighting.csv': `/data/ProjectMonitoringLocationWeighting/search?${one}`,
  'legacy.resDetectQntLmt.csv': `/data/ResultDetectionQuantitationLimit/search?${one}`,
  'legacy.station.local-aquifer.csv': `/data/Station/search?${one}`,
  'legacy.periodOfRecord.csv': `/data/summary/monitoringLocation/search?${one}&dataProfile=periodOfRecord`,
  'wqx3.fullPhysChem.csv': `/wqx3/Result/search?${one}&dataProfile=fullPhysChem`,
  'wqx3.narrow.csv': `/wqx3/Result/search?${one}&dataProfile=narrow`,
  'wqx3.station.csv': `/wqx3/Station/search?${one}`,
  'samples.fullphyschem.csv': `/samples-data/results/fullphyschem?monitoringLocationIdentifier=${SITE}`,
  'samples.summary.csv': `/samples-data/summary/${SITE}?mimeType=text/csv`,
}

describe('the simulator answers in the shape that was recorded', () => {
  it.each(Object.entries(TABLES))('%s: the same header line, the same end', async (name, path) => {
    const [address = '', query = ''] = path.split('?')
    const { status, text } = await get(simulator, address, query)
    const recorded = read(name)
    expect(status).toBe(200)
    expect(text.split('\n', 1)[0]).toBe(recorded.split('\n', 1)[0])
    // Two of the recordings were saved by a tool that closes the last line.
    if (!name.startsWith('wqx3')) expect(text.endsWith('\n')).toBe(recorded.endsWith('\n'))
  })

  it('a column came later to the sites than the others', () => {
    const columns = read('legacy.station.csv').split('\n', 1)[0]?.split(',') ?? []
    const now = read('legacy.station.local-aquifer.csv').split('\n', 1)[0]?.split(',') ?? []
    expect(now.filter(name => name !== 'LocalAqfrName')).toEqual(columns)
  })

  it.each(goldenHeaders)("the header line of the service's own tests: %s", async name => {
    const stem = name.replace('NoResult.csv', '')
    const path = TABLES[`legacy.${stem}.csv`]
    const expected = readFileSync(join(golden, name), 'utf8').trimEnd()
    if (path === undefined) {
      expect(stem).toBe('station')
      return
    }
    const [address = '', query = ''] = path.split('?')
    const { text } = await get(simulator, address, query.replace(SITE, 'USGS-0'))
    expect(text).toBe(expected)
  })

  it.each([
    ['legacy.station-features.geojson', `/data/Station/search?siteid=${SITE}&mimeType=geojson`],
    ['legacy.summaryMonitoringLocation.geojson', `/data/summary/monitoringLocation/search?siteid=${SITE}`],
    [
      'legacy.periodOfRecord-features.geojson',
      `/data/summary/monitoringLocation/search?siteid=${SITE}&dataProfile=periodOfRecord&mimeType=geojson`,
    ],
    ['legacy.summaryOrganization.json', `/data/summary/organization/search?organization=ARS`],
    ['wqx3.status.json', 'status'],
  ])('%s: the same names and types', async (name, path) => {
    const status = async (): Promise<string> => {
      const { headers } = await get(simulator, '/wqx3/Result/search', one)
      return `/wqx3/status/${String(headers['wqp-request-id'])}`
    }
    const [address = '', query = ''] = (path === 'status' ? await status() : path).split('?')
    const { text } = await get(simulator, address, query)
    expect(shapeOf(JSON.parse(text))).toEqual(shapeOf(JSON.parse(read(name))))
  })

  it('failures in the words that were recorded', async () => {
    const path = '/data/Result/search'
    const sentence = /Something bad happened\. Contact us with Reference Number: 1893345127$/
    simulator.setFaults([{ do: { type: 'breakDown', when: 'after-rows' } }])
    const query = `${one}&dataProfile=narrowResult`
    expect((await get(simulator, path, query)).text).toMatch(sentence)
    expect(read('failure.sentence-on-last-row.csv')).toMatch(sentence)
    simulator.setFaults([{ do: { type: 'breakDown', when: 'before-rows' } }])
    expect((await get(simulator, path, query)).text).toBe(read('failure.sentence-before-rows.csv'))
    simulator.setFaults([{ do: { type: 'html' } }])
    expect((await get(simulator, path, one)).text).toBe(read('failure.maintenance.html'))
    simulator.setFaults([])
    const meta = JSON.parse(read('failure.invalid.meta.json')) as { headers: { Warning: string }; status: number }
    const refused = await get(simulator, path, 'siteid=040851385&startDateLo=1-2-2011&mimeType=csv')
    expect([refused.status, refused.headers.warning]).toEqual([meta.status, meta.headers.Warning])
    expect(refused.text).toBe(read('failure.invalid.txt'))
  })
})

/** Names and types. Of a list, its first entry stands for all; counts by name are their own matter. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.length === 0 ? [] : [shapeOf(value[0])]
  if (typeof value !== 'object' || value === null) return typeof value
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => a.localeCompare(b))
      .map(([name, field]) => [name, name === 'characteristicGroupResultCount' ? 'counts' : shapeOf(field)]),
  )
}

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startSimulator, type Simulator } from '../../../src/simulator/index.ts'
import { get, readTable, SITES, tableOf, type Table } from './table.ts'

let simulator: Simulator
beforeAll(async () => {
  simulator = await startSimulator()
})
afterAll(() => simulator.close())

const SITE = SITES[0]
const YEAR = { activityStartDateLower: '2022-01-01', activityStartDateUpper: '2022-12-31' }
const ONE = { monitoringLocationIdentifier: SITE, ...YEAR, mimeType: 'text/csv' }

/** A table whose text ends with a line feed, as it does here. */
const closed = async (path: string, query: Record<string, string> | string): Promise<Table> => {
  const { status, text } = await get(simulator, path, query)
  expect(status).toBe(200)
  expect(text.endsWith('\n')).toBe(true)
  return readTable(text.slice(0, -1))
}

describe('Samples', () => {
  it('has 181 columns in its own spelling', async () => {
    const { columns, rows } = await closed('/samples-data/results/fullphyschem', ONE)
    expect(columns).toHaveLength(181)
    expect(columns).toEqual(expect.arrayContaining(['Activity_MediaSubdivision', 'GroupSummaryWeight_MeasureUnit']))
    expect(columns.at(-1)).toBe('USGSSampleAquifer')
    expect(rows.length).toBeGreaterThan(10)
  })

  it.each([
    ['results', 'basicphyschem'],
    ['results', 'fullbio'],
    ['results', 'basicbio'],
    ['results', 'narrow'],
    ['results', 'resultdetectionquantitationlimit'],
    ['results', 'labsampleprep'],
    ['results', 'count'],
    ['locations', 'site'],
    ['locations', 'count'],
    ['activities', 'sampact'],
    ['activities', 'actmetric'],
    ['activities', 'actgroup'],
    ['activities', 'count'],
    ['projects', 'project'],
    ['projects', 'projectmonitoringlocationweight'],
    ['organizations', 'organization'],
    ['organizations', 'count'],
  ])('answers %s/%s', async (resource, profile) => {
    const { columns } = await closed(`/samples-data/${resource}/${profile}`, ONE)
    expect(columns.length).toBeGreaterThan(0)
  })

  it('has the same rows of the Survey as the newer interface of the Portal, identifiers included', async () => {
    const own = await closed('/samples-data/results/fullphyschem', ONE)
    const query = { siteid: SITE, startDateLo: '01-01-2022', startDateHi: '12-31-2022', mimeType: 'csv' }
    const portal = await tableOf(get(simulator, '/wqx3/Result/search', query))
    for (const name of ['Result_MeasureIdentifier', 'Result_Measure', 'Activity_StartTimeZone']) {
      expect([...own.column(name)].sort()).toEqual([...portal.column(name)].sort())
    }
  })

  it.each([
    ['a day at both ends', { activityStartDateLower: '2023-03-01', activityStartDateUpper: '2023-03-05' }, 5],
    ['a single day', { activityStartDateLower: '2023-03-01', activityStartDateUpper: '2023-03-01' }, 1],
  ])('includes %s', async (_, span, days) => {
    const query = { monitoringLocationIdentifier: 'USGS-01910007', mimeType: 'text/csv', ...span }
    const dates = (await closed('/samples-data/activities/sampact', query)).column('Activity_StartDate')
    expect(new Set(dates).size).toBe(days)
  })

  it('takes lists repeated, and divides nothing at commas or semicolons', async () => {
    const two = ['USGS-05510007', 'USGS-05510014']
    const count = async (values: readonly string[]): Promise<number> =>
      (
        await closed(
          '/samples-data/locations/site',
          new URLSearchParams(values.map((id): [string, string] => ['monitoringLocationIdentifier', id])).toString(),
        )
      ).rows.length
    expect(await count(two)).toBe(2)
    expect(await count([two.join(';')])).toBe(0)
    expect(await count([two.join(',')])).toBe(0)
  })

  it('a bare number of a site finds nothing, and agencies have nothing here', async () => {
    const rows = async (id: string): Promise<number> =>
      (await closed('/samples-data/results/narrow', { monitoringLocationIdentifier: id })).rows.length
    expect(await rows('05510007')).toBe(0)
    expect(await rows('WIDNR_WQX-10001')).toBe(0)
  })

  it.each([
    [{ characteristic: 'Temperature, water' }, 'Result_Characteristic'],
    [{ usgsPCode: '00400' }, 'USGSpcode'],
    [{ characteristicGroup: 'Physical' }, 'Result_CharacteristicGroup'],
    [{ activityMediaName: 'Sediment' }, 'Activity_Media'],
    [{ activityTypeCode: 'Field Msr/Obs' }, 'Activity_TypeCode'],
    [{ characteristicUserSupplied: 'Lead, water, total' }, 'Result_CharacteristicUserSupplied'],
  ])('filters by %j', async (filter, column) => {
    const query = { stateFips: 'US:55', ...YEAR, ...filter }
    const table = await closed('/samples-data/results/fullphyschem', query as Record<string, string>)
    expect(table.rows.length).toBeGreaterThan(0)
    expect(new Set(table.column(column))).toEqual(new Set(Object.values(filter)))
  })

  it('sums up one site, and only one', async () => {
    const table = await closed(`/samples-data/summary/${SITE}`, { mimeType: 'text/csv' })
    expect(table.columns).toEqual([
      'monitoringLocationIdentifier',
      'characteristicGroup',
      'characteristic',
      'characteristicUserSupplied',
      'resultCount',
      'activityCount',
      'firstActivity',
      'mostRecentActivity',
    ])
    const counts = simulator.truth.waterQuality.counts({
      service: 'samples',
      query: { monitoringLocationIdentifier: SITE },
    })['USGS']
    expect(table.column('resultCount').reduce((sum, count) => sum + Number(count), 0)).toBe(counts?.results)
    expect((await closed('/samples-data/summary/USGS-0', '')).rows).toEqual([])
    expect(await get(simulator, `/samples-data/summary/${SITE}/${SITE}`)).toMatchObject({ status: 404 })
  })

  it('lists codes', async () => {
    const list = async (path: string): Promise<Record<string, string>[]> =>
      (JSON.parse((await get(simulator, `/samples-data/${path}`)).text) as { data: Record<string, string>[] }).data
    expect((await list('codeservice/states'))[0]).toMatchObject({
      stateAbbrev: 'WI',
      fipsCode: '55',
      countryCode: 'US',
    })
    expect((await list('codeservice/characteristics?group=Nutrient&pageNumber=2&pageSize=4')).length).toBe(2)
    expect((await list('codeservice/observedproperty?text=nitr')).length).toBeGreaterThan(1)
    expect((await list('reference-list')).length).toBe(8)
    expect(await get(simulator, '/samples-data/codeservice/unknown')).toMatchObject({ status: 404 })
  })

  it.each([
    ['results/fullphyschem', 'activityStartDateLower=01-01-2022', 400],
    ['results/fullphyschem', 'boundingBox=1,2,3', 400],
    ['results/fullphyschem', 'pointLocationLatitude=1', 400],
    ['results/fullphyschem', 'hydrologicUnit=123', 400],
    ['results/fullphyschem', 'mimeType=csv', 400],
    ['results/nothing', '', 404],
    ['nothing/site', '', 404],
  ])('refuses %s?%s with a code and a description', async (path, query, status) => {
    const reply = await get(simulator, `/samples-data/${path}`, query)
    expect(reply.status).toBe(status)
    expect(JSON.parse(reply.text)).toEqual({
      code: status === 404 ? 'NotFound' : 'BadRequest',
      description: expect.any(String) as string,
    })
  })

  it('points on the edge of a box are inside here, and outside in the Portal', async () => {
    const [box] = (await closed('/samples-data/locations/site', { monitoringLocationIdentifier: SITE })).rows
    const [west = '', south = ''] = [box?.[18], box?.[17]]
    const text = `${west},${south},${Number(west) + 0.001},${Number(south) + 0.001}`
    const own = await closed('/samples-data/locations/site', { boundingBox: text })
    expect(own.column('Location_Identifier')).toContain(SITE)
    const portal = await tableOf(get(simulator, '/data/Station/search', { bBox: text, mimeType: 'csv' }))
    expect(portal.column('MonitoringLocationIdentifier')).not.toContain(SITE)
  })
})

describe('keys and limits of Samples', () => {
  it('an unknown key is refused in the words of the gateway; no key is fine', async () => {
    const strict = await startSimulator({ waterQuality: { samplesKeys: ['good'] } })
    const ask = (key?: string): Promise<{ status: number | undefined; text: string }> =>
      get(strict, `/samples-data/summary/${SITE}`, '', key === undefined ? {} : { headers: { 'X-Api-Key': key } })
    expect(await ask()).toMatchObject({ status: 200 })
    expect(await ask('good')).toMatchObject({ status: 200 })
    const refused = await ask('bad')
    expect(refused.status).toBe(403)
    expect(JSON.parse(refused.text)).toMatchObject({ error: { code: 'API_KEY_INVALID' } })
    expect(JSON.stringify(strict.requests)).not.toContain('"good"')
    await strict.close()
  })

  it('too much is refused with a time to come back, for each key of its own; the Portal likewise', async () => {
    const window = { count: 2, perMs: 60_000 }
    const strict = await startSimulator({ waterQuality: { samplesLimit: window, portalLimit: window } })
    const path = `/samples-data/summary/${SITE}`
    const statuses: unknown[] = []
    for (const key of ['a', 'a', 'a', 'b']) {
      statuses.push((await get(strict, path, '', { headers: { 'x-api-key': key } })).status)
    }
    expect(statuses).toEqual([200, 200, 429, 200])
    const last = await get(strict, path, '', { headers: { 'x-api-key': 'a' } })
    expect(last.headers['retry-after']).toBe('60')
    expect(JSON.parse(last.text)).toMatchObject({ error: { code: 'OVER_RATE_LIMIT' } })
    for (let n = 0; n < 2; n++) await get(strict, '/Codes/providers', 'mimeType=json')
    expect(await get(strict, '/Codes/providers', 'mimeType=json')).toMatchObject({ status: 429 })
    strict.reset()
    expect(await get(strict, '/Codes/providers', 'mimeType=json')).toMatchObject({ status: 200 })
    await strict.close()
  })
})

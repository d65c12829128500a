import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startSimulator, type Simulator } from '../../../src/simulator/index.ts'
import { ask, type Reply } from '../ask.ts'
import { createHandClock } from '../hand-clock.ts'
import { NO_QUOTAS, page, walk, type Feature, type PageBody } from './pages.ts'

let simulator: Simulator
beforeAll(async () => {
  simulator = await startSimulator({ clock: createHandClock('2026-09-15T12:34:00Z'), streamflow: NO_QUOTAS })
})
afterAll(() => simulator.close())

const get = (path: string): Promise<Reply> => ask(simulator.url + path, { patienceMs: 10_000 })
const read = async <Body = PageBody>(path: string): Promise<Body> => JSON.parse((await get(path)).text) as Body

describe('the river network', () => {
  const nldi = (path: string): Promise<PageBody> => read(`/nldi/linked-data${path}`)
  const names = ({ features }: PageBody, name = 'identifier'): unknown[] =>
    features.map(({ properties }) => properties[name])
  const SITE = '/nwissite/USGS-01000045'

  it('lists its sources', async () => {
    const sources = await read<{ source: string }[]>('/nldi/linked-data/')
    expect(sources.map(({ source }) => source)).toEqual(expect.arrayContaining(['nwissite', 'WQP', 'comid', 'huc12pp']))
    expect(sources).toHaveLength(16)
  })

  it('knows a feature by its source, and a reach by its number', async () => {
    const site = await nldi(SITE)
    expect(names(site)).toEqual(['USGS-01000045'])
    expect(site.features[0]?.geometry?.type).toBe('Point')
    const reach = await nldi('/comid/13290045')
    expect([names(reach), reach.features[0]?.geometry?.type]).toEqual([['13290045'], 'LineString'])
    expect(names(site, 'comid')).toEqual(names(reach, 'comid'))
  })

  it('finds the reach at a position', async () => {
    const [x, y] = (await nldi(SITE)).features[0]?.geometry?.coordinates ?? []
    expect(names(await nldi(`/comid/position?coords=POINT(${x}%20${y})`))).toEqual(['13290045'])
    expect((await get('/nldi/linked-data/comid/position?coords=POINT(0%200)')).status).toBe(404)
    expect((await get('/nldi/linked-data/comid/position?coords=here')).status).toBe(500)
  })

  it('walks upstream, the further the more, and no further than the spring', async () => {
    const walked = async (mode: string, distance: number): Promise<unknown[]> =>
      names(await nldi(`${SITE}/navigation/${mode}/flowlines?distance=${distance}`), 'nhdplus_comid')
    expect(await walked('UM', 0)).toEqual(['13290045'])
    const [near, far] = [await walked('UM', 3), await walked('UM', 999)]
    expect(far).toEqual(['13290045', '13290044', '13290043', '13290042', '13290041', '13290040'])
    expect(near).toEqual(far.slice(0, near.length))
    expect(near.length).toBeGreaterThan(1)
    expect(near.length).toBeLessThan(6)
  })

  it('walks into what flows in, and down to where it flows', async () => {
    const walked = async (from: number, mode: string, distance: number): Promise<string[]> =>
      names(
        await nldi(`/comid/${13_290_000 + from}/navigation/${mode}/flowlines?distance=${distance}`),
        'nhdplus_comid',
      ) as string[]
    const [main, all] = [await walked(22, 'UM', 500), await walked(22, 'UT', 500)]
    expect(all.length).toBeGreaterThan(main.length)
    expect(all).toEqual(expect.arrayContaining(main))
    expect(all).toContain('13290079')
    const down = await walked(79, 'DM', 500)
    expect(down.slice(0, 2)).toEqual(['13290079', '13290020'])
    expect(down.at(-1)).toBe('13290039')
    expect(await walked(79, 'DD', 500)).toEqual(down)
  })

  it('stops where it is told, and finds features on its way', async () => {
    const path = '/comid/13290045/navigation/UM'
    expect(names(await nldi(`${path}/flowlines?distance=50&stopComid=13290043`), 'nhdplus_comid')).toHaveLength(3)
    const sites = await nldi(`${path}/nwissite?distance=50`)
    expect(names(sites)).toEqual([45, 44, 43, 42, 41, 40].map(n => `USGS-010000${n}`))
    expect(names(await nldi(`${path}/vigil?distance=50`))).toEqual([])
  })

  it('draws a basin', async () => {
    const { features } = await nldi(`${SITE}/basin?simplified=true&splitCatchment=false`)
    const { type, coordinates } = (features[0] as Feature).geometry as unknown as {
      type: string
      coordinates: number[][][]
    }
    expect([features.length, type, coordinates[0]?.[0]]).toEqual([1, 'Polygon', coordinates[0]?.at(-1)])
  })

  it.each([
    ['/nldi/linked-data/nowhere/x', 404],
    ['/nldi/linked-data/nwissite/USGS-99999999', 404],
    ['/nldi/linked-data/comid/1', 404],
    ['/nldi/linked-data/comid/13290045/navigation/UP/flowlines?distance=1', 404],
    ['/nldi/linked-data/comid/13290045/navigation/UM', 404],
    ['/nldi/linked-data/comid/13290045/navigation/UM/nowhere?distance=1', 404],
    ['/nldi/linked-data/comid/13290045/navigation/UM/flowlines', 500],
  ])('%s is a %d', async (path, status) => expect((await get(path)).status).toBe(status))

  it('lists the features of a source', async () => {
    expect((await nldi('/nwissite')).features).toHaveLength(5000)
    expect((await nldi('/vigil')).features).toEqual([])
  })
})

describe('watersheds', () => {
  interface Watershed {
    readonly workspaceID: string
    readonly featurecollection?: { name: string; feature: { type: string; features: Feature[] } }[]
    readonly parameters?: { code: string; value: number }[]
  }
  const path = '/streamstatsservices/watershed.geojson?rcode=NY&xlocation=-74.524&ylocation=43.939&crs=4326'

  it('have a point, an outline and figures', async () => {
    const body = await read<Watershed>(`${path}&includeparameters=true&includefeatures=true&simplify=true`)
    expect(body.featurecollection?.map(({ name }) => name)).toEqual(['globalwatershedpoint', 'globalwatershed'])
    expect(body.parameters?.map(({ code }) => code)).toEqual(['DRNAREA', 'PRECIP', 'FOREST'])
    expect(await read(path)).toEqual(body)
    const bare = await read<Watershed>(`${path}&includeparameters=false&includefeatures=False`)
    expect(Object.keys(bare)).toEqual(['workspaceID', 'messages'])
  })

  it('can be downloaded as what they are called', async () => {
    const { workspaceID } = await read<Watershed>(path)
    const reply = await get(`/streamstatsservices/download?workspaceID=${workspaceID}&format=SHAPE`)
    expect([reply.status, reply.headers['content-type'], reply.bytes.subarray(0, 4).toString('latin1')]).toEqual([
      200,
      'application/zip',
      'PK\u0005\u0006',
    ])
    expect((await get('/streamstatsservices/download?workspaceID=none')).status).toBe(404)
  })

  it.each(['rcode=XX&xlocation=-74.5&ylocation=43.9', 'rcode=NY&xlocation=0&ylocation=0', 'rcode=NY'])(
    'are refused with a 500 off the network: %s',
    async query => expect((await get(`/streamstatsservices/watershed.geojson?${query}`)).status).toBe(500),
  )
})

describe('groundwater', () => {
  const items = (collection: string, query: Record<string, string> = {}): string =>
    `${simulator.url}/ngwmn/ogcapi/collections/${collection}/items?${new URLSearchParams(query)}`

  it('always has a next page, the last one empty, and no totals', async () => {
    const pages = await walk(items('lithologyObs', { limit: '50' }), {}, 4)
    expect(pages.map(({ features }) => features.length)).toEqual([50, 50, 29, 0])
    expect(pages.every(({ links }) => links.some(({ rel }) => rel === 'next'))).toBe(true)
    expect(Object.keys(pages[0] as PageBody)).toEqual(['type', 'features', 'links', 'timeStamp'])
    expect(new URL(pages[0]?.links.find(({ rel }) => rel === 'next')?.href ?? '').searchParams.get('offset')).toBe('50')
  })

  it('numbers its observations and leaves their geometry out', async () => {
    const { features } = await page(items('waterLevelObs', { monitoring_location_id: 'MBMG-702934', limit: '3' }))
    expect(features.map(feature => Object.keys(feature))).toEqual(
      [...Array<string[]>(3)].map(() => ['type', 'properties', 'id']),
    )
    expect(features.map(({ id }) => typeof id)).toEqual(['number', 'number', 'number'])
    expect(features[0]?.properties).toMatchObject({
      agency_code: 'MBMG',
      monitoring_location_number: '702934',
      sample_time: expect.stringMatching(/^1978-\d\d-\d\dT\d\d:\d\d:00-00:00$/) as string,
      orig_value: expect.stringMatching(/^\d+(\.\d+)?$/) as string,
    })
  })

  it('selects by a range of time, or by one exactly', async () => {
    const query = { monitoring_location_id: 'MBMG-702934', limit: '1000' }
    const year = await page(items('waterLevelObs', { ...query, datetime: '2022-01-01T00:00:00Z/2022-12-31T23:59:59Z' }))
    const times = year.features.map(({ properties }) => String(properties['sample_time']))
    expect(times.length).toBeGreaterThan(10)
    expect(times.every(time => time.startsWith('2022-'))).toBe(true)
    const one = await page(items('waterLevelObs', { ...query, sample_time: times[3] ?? '' }))
    expect(one.features.map(({ properties }) => properties['sample_time'])).toEqual([times[3]])
  })

  it('has sites of many agencies, under the names of their states, and providers under their codes', async () => {
    const all = await page(items('sites', { limit: '1000' }))
    expect(all.features.map(({ id }) => id)).toEqual(
      expect.arrayContaining(['AKDNR-535134236016630', 'MBMG-702934', 'USGS-01001007']),
    )
    const state = String(all.features[0]?.properties['state_name'])
    const some = await page(items('sites', { state_name: state }))
    expect(new Set(some.features.map(({ properties }) => properties['state_name']))).toEqual(new Set([state]))
    expect((await page(items('providers', { state: 'MT' }))).features.map(({ id }) => id)).toEqual(['MBMG'])
    expect((await page(items('providers', { state: 'MT,AK' }))).features).toEqual([])
  })

  it('knows what wells are made of', async () => {
    const { features } = await page(items('constructionObs', { monitoring_location_id: 'MBMG-702934' }))
    expect(features.map(({ properties }) => properties['type'])).toEqual(['casing', 'screen'])
    expect((await get('/ngwmn/ogcapi/collections/sites/schema')).status).toBe(200)
    expect((await get('/ngwmn/ogcapi/collections/nothing/items')).status).toBe(404)
  })
})

describe('water use', () => {
  const query = {
    format: 'csv',
    model: 'wu-public-supply-wd',
    variable: 'pswdtot,pswdgw',
    location: 'stateCd:RI',
    timeres: 'monthly',
  }
  const use = (more: Record<string, string> = {}): Promise<Reply> =>
    get(`/nwaa-data/data?${new URLSearchParams({ ...query, ...more })}`)

  it('is a table with its header on every page', async () => {
    const whole = (await use({ startdate: '2020-01', enddate: '2020-03' })).text.trimEnd().split('\n')
    expect(whole[0]).toBe('huc12_id,year_month,pswdtot_mgd,pswdgw_mgd')
    expect(whole).toHaveLength(1 + 40 * 3)
    const rows: string[] = []
    let next: string | undefined =
      `/nwaa-data/data?${new URLSearchParams({ ...query, startdate: '2020-01', enddate: '2020-03', limit: '15' })}`
    let pages = 0
    while (next !== undefined) {
      const reply: Reply = await get(next)
      const [header, ...found] = reply.text.trimEnd().split('\n')
      expect(header).toBe(whole[0])
      rows.push(...found)
      pages += 1
      const link = /^<(.+)>; rel="next"$/.exec(String(reply.headers.link ?? ''))?.[1]
      next = link?.replace(simulator.url, '')
    }
    expect([pages, rows]).toEqual([3, whole.slice(1)])
  })

  it.each([
    [{ timeres: 'annualcy', startdate: '2001', enddate: '2003' }, 40 * 3],
    [{ location: 'huc12:010900020502', startdate: '2020-12' }, 1],
    [{ location: 'countyCd:44007', startdate: '2020-01', enddate: '2020-01' }, 5],
    [{ location: 'huc8:01090004', startdate: '2020-12', limit: '3' }, 3],
  ])('is cut as told: %j', async (more, rows) => {
    expect((await use(more as Record<string, string>)).text.trimEnd().split('\n')).toHaveLength(1 + rows)
  })

  it.each([
    [{ model: 'wu-tea' }, 'Invalid model name: wu-tea'],
    [{ variable: 'tea' }, 'Valid variables are: pswdgw, pswdsw, pswdtot'],
    [{ location: 'stateCd:XX' }, 'Invalid location'],
    [{ location: 'huc8:01' }, 'Invalid location'],
    [{ timeres: 'hourly' }, 'Invalid timeres'],
    [{ enddate: '' }, 'Empty value for parameter: enddate'],
    [{ sight: '1' }, 'Unknown parameter: sight'],
  ])('refuses %j', async (more, detail) => {
    const reply = await use(more as Record<string, string>)
    expect(reply.status).toBe(400)
    expect((JSON.parse(reply.text) as { detail: string }).detail).toContain(detail)
  })

  it('lists its models', async () => {
    expect(await read<unknown[]>('/nwaa-data/models')).toHaveLength(10)
    expect((await get('/nwaa-data/nothing')).status).toBe(404)
  })
})

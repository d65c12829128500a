import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startSimulator, type Simulator } from '../../../src/simulator/index.ts'
import { ask } from '../ask.ts'
import { createHandClock } from '../hand-clock.ts'
import { features, itemsPath, nextOf, NO_QUOTAS, observations, page, walk, type PageBody } from './pages.ts'

let simulator: Simulator
beforeAll(async () => {
  simulator = await startSimulator({ clock: createHandClock('2026-09-15T12:34:00Z'), streamflow: NO_QUOTAS })
})
afterAll(() => simulator.close())

const decode = (cursor: string | null): string => Buffer.from(cursor ?? '', 'base64url').toString('utf8')
const cursorOf = (url: string | undefined): string | null => new URL(url ?? 'http://x').searchParams.get('cursor')
const lastId = ({ features: found }: PageBody): string => String(found.at(-1)?.id)
const DAILY = { monitoring_location_id: 'USGS-01000004,USGS-01000003', time: '2023-01-01/2023-12-31' }

describe('cursors', () => {
  it.each([
    ['daily', DAILY],
    ['continuous', { monitoring_location_id: 'USGS-01000004', time: '2024-01-01T00:00:00Z/2024-01-03T00:00:00Z' }],
    ['monitoring-locations', { state_name: 'Wisconsin' }],
    ['time-series-metadata', { hydrologic_unit_code: '0301010' }],
    ['combined-metadata', { hydrologic_unit_code: '0301010' }],
    ['latest-daily', { parameter_code: '00010' }],
    ['latest-continuous', { parameter_code: '00045' }],
    ['latest-field-measurements', { monitoring_location_id: 'USGS-01000000,USGS-01000001' }],
    ['field-measurements', { monitoring_location_id: 'USGS-01000000', time: '2020-01-01/..' }],
    ['field-measurements-metadata', { parameter_code: '72019' }],
    ['channel-measurements', { monitoring_location_id: 'USGS-01000000' }],
    ['peaks', { monitoring_location_id: 'USGS-01000000' }],
  ])('of %s are the last identifier, whose order the rows follow', async (collection, query) => {
    const limit = 37
    const pages = await walk(simulator.url + itemsPath(collection, { ...query, limit }))
    const ids = pages.flatMap(found => found.features.map(({ id }) => String(id)))
    expect(ids).toEqual(ids.toSorted())
    expect(new Set(ids).size).toBe(ids.length)
    expect(ids).toEqual(simulator.truth.records(collection, query).map(({ id }) => id))
    pages.slice(0, -1).forEach(found => {
      expect(decode(cursorOf(nextOf(found)))).toBe(lastId(found))
      expect([found.features.length, found.numberReturned]).toEqual([limit, limit])
    })
    expect(nextOf(pages.at(-1) as PageBody)).toBeUndefined()
    expect(pages.length).toBe(Math.ceil(ids.length / limit))
    expect(pages.length).toBeGreaterThan(collection === 'latest-field-measurements' ? 0 : 1)
    expect(pages.every(found => found.numberMatched === undefined)).toBe(true)
  })

  it('bring the same rows at any page size', async () => {
    const sizes = [1000, 333, 97]
    const runs = await Promise.all(
      sizes.map(async limit => {
        const pages = await walk(simulator.url + itemsPath('daily', { ...DAILY, limit }))
        return pages.flatMap(found => found.features)
      }),
    )
    expect(runs[1]).toEqual(runs[0])
    expect(runs[2]).toEqual(runs[0])
    const truth = simulator.truth.daily({
      monitoringLocationId: ['USGS-01000004', 'USGS-01000003'],
      start: '2023-01-01',
      end: '2023-12-31',
    })
    expect(observations(runs[0] ?? [])).toEqual(truth)
  })

  it('leave no empty page behind when the rows fill the last one', async () => {
    const query = { monitoring_location_id: 'USGS-01000001', parameter_code: '00060', time: '2024-01-01/2024-01-20' }
    const pages = await walk(simulator.url + itemsPath('daily', { ...query, limit: 10 }))
    expect(pages.map(found => found.features.length)).toEqual([10, 10])
  })

  it('are taken again and again, and refused when they are none', async () => {
    const first = await page(simulator.url + itemsPath('daily', { ...DAILY, limit: 5 }))
    const next = nextOf(first) ?? ''
    expect((await page(next)).features).toEqual((await page(next)).features)
    const reply = await ask(simulator.url + itemsPath('daily', { ...DAILY, cursor: 'bm9uZQ' }))
    expect([reply.status, reply.text]).toEqual([400, expect.stringContaining('cursor')])
  })

  it('walk a selection of everything without working it all out', async () => {
    const [first, second] = await walk(simulator.url + itemsPath('daily', { limit: 2000 }), {}, 2)
    const ids = [first, second].flatMap(found => (found as PageBody).features.map(({ id }) => String(id)))
    expect(ids).toHaveLength(4000)
    expect(ids).toEqual(ids.toSorted())
  })

  it('go on with the body that was posted', async () => {
    const body = { op: 'in', args: [{ property: 'monitoring_location_id' }, ['USGS-01000004']] }
    const options = { method: 'POST', body: JSON.stringify(body) }
    const pages = await walk(
      simulator.url + itemsPath('daily', { limit: 500, parameter_code: '00060', time: '2020-01-01/2020-12-31' }),
      options,
    )
    expect(pages.map(found => found.features.length)).toEqual([500, 500, 98])
  })
})

describe('offsets', () => {
  it.each(['states', 'counties', 'parameter-codes', 'site-types', 'statistic-codes'])(
    'page through %s, with the total',
    async name => {
      const limit = name === 'parameter-codes' ? 7000 : 10
      const pages = await walk(simulator.url + itemsPath(name, { limit }))
      const ids = pages.flatMap(found => found.features.map(({ id }) => id))
      expect(new Set(ids).size).toBe(ids.length)
      expect(pages.every(found => found.numberMatched === ids.length)).toBe(true)
      expect(pages.map(found => new URL(nextOf(found) ?? 'http://x').searchParams.get('offset'))).toEqual([
        ...pages.slice(1).map((_, place) => String(limit * (place + 1))),
        null,
      ])
    },
  )

  it('are what sorted rows are paged by, the link behind the alternates', async () => {
    const query = { ...DAILY, sortby: 'time', skipGeometry: 'true', properties: 'time,value' }
    const pages = await walk(simulator.url + itemsPath('daily', { ...query, limit: 1000 }))
    const times = pages.flatMap(found => found.features.map(({ properties }) => String(properties['time'])))
    expect(times).toEqual(times.toSorted())
    expect(pages[0]?.links.map(({ rel }) => rel)).toEqual([
      'self',
      'alternate',
      'alternate',
      'alternate',
      'next',
      'collection',
    ])
    expect(times).toHaveLength((await features(simulator, 'daily', DAILY)).length)
  })

  it('sort downwards, and by two fields', async () => {
    const query = { ...DAILY, sortby: '-time,+parameter_code', limit: 500 }
    const { features: found } = await page(simulator.url + itemsPath('daily', query))
    const keys = found.map(
      ({ properties }) => [String(properties['time']), String(properties['parameter_code'])] as const,
    )
    expect(keys).toEqual(keys.toSorted(([a, c], [b, d]) => (a === b ? (c < d ? -1 : c > d ? 1 : 0) : a < b ? 1 : -1)))
  })

  it('can begin anywhere, in unsorted rows, too', async () => {
    const all = await page(simulator.url + itemsPath('daily', { ...DAILY, limit: 30 }))
    const some = await page(simulator.url + itemsPath('daily', { ...DAILY, limit: 5, offset: 20 }))
    expect(some.features).toEqual(all.features.slice(20, 25))
    const self = some.links.find(({ rel }) => rel === 'self')?.href ?? ''
    expect(self).toContain('f=json&offset=20&lang=en-US&limit=5&skipGeometry=false&monitoring_location_id=')
    expect(cursorOf(nextOf(some))).not.toBeNull()
  })
})

describe('links', () => {
  it('name the parameters in the order that was recorded', async () => {
    const path =
      '/ogcapi/v0/collections/daily/items?time=2020-04-01T00:00:00Z/2020-04-10T23:59:59Z&limit=2&agency_code=USGS&lang=en-US&properties=time,value&skipGeometry=true&offset=0'
    const { links, timeStamp } = await page(simulator.url + path)
    const shared =
      'lang=en-US&limit=2&properties=time,value&skipGeometry=true&time=2020-04-01T00%3A00%3A00Z%2F2020-04-10T23%3A59%3A59Z&agency_code=USGS'
    const items = `${simulator.url}/ogcapi/v0/collections/daily/items`
    const [next, self, ...rest] = links
    expect(next?.href).toMatch(new RegExp(`^${items}\\?cursor=[\\w-]+&`))
    expect(next?.href.endsWith(`&${shared}&f=json`)).toBe(true)
    expect(next).toEqual({ rel: 'next', href: next?.href, type: 'application/geo+json', title: 'Items (next)' })
    expect(self?.href).toBe(`${items}?f=json&${shared}`)
    expect(rest.map(({ rel, href }) => [rel, href.replace(items, '').slice(0, 9)])).toEqual([
      ['alternate', '?f=jsonld'],
      ['alternate', '?f=html&l'],
      ['alternate', '?f=csv&la'],
      ['collection', `${simulator.url}/ogcapi/v0/collections/daily`.slice(0, 9)],
    ])
    expect(timeStamp).toBe('2026-09-15T12:34:00.000000Z')
  })

  it('are on the host that the client knows', async () => {
    const url = simulator.url.replace('127.0.0.1', 'localhost')
    const { links } = await page(url + itemsPath('states', { limit: 1 }))
    expect(new Set(links.map(({ href }) => new URL(href).host))).toEqual(new Set([new URL(url).host]))
  })

  it('lead from the first version of the API to the second, when told', async () => {
    const other = await startSimulator({ streamflow: { ...NO_QUOTAS, nextVersion: 'v1' } })
    const pages = await walk(other.url + itemsPath('daily', { ...DAILY, limit: 1000 }, 'v0'))
    const paths = other.requests.map(({ path }) => path.split('/')[2])
    await other.close()
    expect(paths).toEqual(['v0', ...pages.slice(1).map(() => 'v1')])
    expect(pages.length).toBeGreaterThan(2)
  })

  it('leave out the key that the query carried', async () => {
    const { links } = await page(`${simulator.url}${itemsPath('daily', { ...DAILY, limit: 1 })}&api_key=abc`)
    expect(links.filter(({ href }) => href.includes('api_key'))).toEqual([])
  })
})

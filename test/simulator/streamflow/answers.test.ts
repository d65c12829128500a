import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startSimulator, type Simulator } from '../../../src/simulator/index.ts'
import { ask, type Reply } from '../ask.ts'
import { createHandClock } from '../hand-clock.ts'
import { features, itemsPath, NO_QUOTAS, page, type Feature } from './pages.ts'

let simulator: Simulator
beforeAll(async () => {
  simulator = await startSimulator({ clock: createHandClock('2026-09-15T12:34:00Z'), streamflow: NO_QUOTAS })
})
afterAll(() => simulator.close())

const get = (path: string): Promise<Reply> => ask(simulator.url + path, { patienceMs: 10_000 })
const SITE = 'USGS-01000000'
const MONTH = { monitoring_location_id: SITE, time: '2024-01-01/2024-01-31' }

describe('what comes back', () => {
  it('is what was asked for, in that order, with the identifier in any case', async () => {
    const query = { ...MONTH, properties: 'value,id,time', limit: 2 }
    const { features: found } = await page(simulator.url + itemsPath('daily', query))
    expect(found.map(feature => Object.keys(feature))).toEqual([
      ['type', 'properties', 'id', 'geometry'],
      ['type', 'properties', 'id', 'geometry'],
    ])
    expect(found.map(({ properties }) => Object.keys(properties))).toEqual([
      ['value', 'time'],
      ['value', 'time'],
    ])
  })

  it('has no geometry when that is skipped, nor where the place is not known', async () => {
    const { features: skipped } = await page(simulator.url + itemsPath('daily', { ...MONTH, skipGeometry: 'true' }))
    expect(skipped.every(({ geometry }) => geometry === null)).toBe(true)
    const query = { monitoring_location_id: 'USGS-01000060', time: '2024-01-01' }
    const { features: unknown } = await page(simulator.url + itemsPath('daily', query))
    expect(unknown.map(({ geometry }) => geometry)).toEqual(unknown.map(() => null))
    expect(unknown.length).toBeGreaterThan(0)
  })

  it('lies in the box', async () => {
    const [west, south, east, north] = [-91, 42.8, -89, 44]
    const found = await features(simulator, 'monitoring-locations', { bbox: [west, south, east, north].join() })
    expect(found.length).toBeGreaterThan(10)
    for (const { geometry } of found.filter(feature => feature.geometry)) {
      const [x = 0, y = 0] = geometry?.coordinates ?? []
      expect([x >= west, x <= east, y >= south, y <= north]).toEqual([true, true, true, true])
    }
  })

  it('is empty with all its links but the next', async () => {
    const body = await page(simulator.url + itemsPath('daily', { ...MONTH, approval_status: 'Provisional' }))
    expect([body.features, body.numberReturned, body.links.map(({ rel }) => rel)]).toEqual([
      [],
      0,
      ['self', 'alternate', 'alternate', 'alternate', 'collection'],
    ])
  })

  it('can be a table, one page of it, with the point in two columns', async () => {
    const reply = await get(itemsPath('daily', { ...MONTH, f: 'csv', limit: 3, properties: 'time,value,qualifier' }))
    const [header, ...rows] = reply.text.trimEnd().split('\r\n')
    expect(reply.headers['content-type']).toBe('text/csv; charset=utf-8')
    expect([header, rows.length]).toEqual(['x,y,id,time,value,qualifier', 3])
    expect(rows[0]).toMatch(/^-[\d.]+,[\d.]+,[0-9a-f-]{36},2024-01-\d\d,/)
  })

  it.each([
    ['html', 'text/html', '<!doctype html>'],
    ['jsonld', 'application/ld+json', '{"@context":'],
  ])('can be %s', async (f, type, start) => {
    const reply = await get(itemsPath('daily', { ...MONTH, f, limit: 1 }))
    expect([reply.headers['content-type'], reply.text.startsWith(start)]).toEqual([type, true])
  })

  it('says which version of the API it is, from the second on', async () => {
    expect((await get(itemsPath('states', { limit: 1 }))).headers['api-version']).toBe('1.2.0')
    expect((await get(itemsPath('states', { limit: 1 }, 'v0'))).headers).not.toHaveProperty('api-version')
  })

  it('tells local time with its offset from the second version on', async () => {
    const query = { monitoring_location_id: SITE, parameter_code: '00060', statistic_id: '00003' }
    const begin = async (version: string): Promise<unknown[]> => {
      const { features: found } = await page(simulator.url + itemsPath('time-series-metadata', query, version))
      return ['begin', 'begin_utc', 'last_modified'].map(name => found[0]?.properties[name])
    }
    expect(await begin('v0')).toEqual([
      '1930-10-01T00:00:00.000001',
      '1930-10-01T06:00:00+00:00',
      '2026-06-05T17:16:13.005607',
    ])
    expect(await begin('v1')).toEqual([
      '1930-10-01T00:00:00-06:00',
      '1930-10-01T06:00:00+00:00',
      '2026-06-05T17:16:13.005607+00:00',
    ])
  })
})

describe('other paths', () => {
  it.each([
    '',
    '/',
    '/conformance',
    '/openapi',
    '/collections',
    '/collections/daily',
    '/collections/daily/queryables',
    '/collections/daily/schema',
  ])('/ogcapi/v1%s is there', async path => expect((await get(`/ogcapi/v1${path}`)).status).toBe(200))

  it.each([
    '/ogcapi/v1/collections/hourly/items',
    '/ogcapi/v1/collections/hourly',
    '/ogcapi/v1/collections/daily/things',
    '/ogcapi/v1/collections/daily/items/x/y',
    '/ogcapi/v1/nothing',
    '/ogcapi/v2/collections',
    '/ogcapi',
    '/statistics/v0/nothing',
  ])('%s is not', async path => {
    const reply = await get(path)
    expect([reply.status, Object.keys(JSON.parse(reply.text) as object)]).toEqual([
      404,
      ['code', 'type', 'description'],
    ])
  })

  it('lists every collection of the contract', async () => {
    const { collections } = JSON.parse((await get('/ogcapi/v1/collections')).text) as { collections: { id: string }[] }
    expect(collections).toHaveLength(35)
    expect(collections.map(({ id }) => id)).toEqual(
      expect.arrayContaining([
        'daily',
        'continuous',
        'peaks',
        'hydrologic-unit-codes',
        'combined-metadata',
        'topographic-codes',
      ]),
    )
  })

  it('says which filters split lists', async () => {
    const { properties } = JSON.parse((await get('/ogcapi/v1/collections/daily/queryables')).text) as {
      properties: Record<string, { type?: string; description?: string }>
    }
    const splits = Object.entries(properties).filter(([, { description = '' }]) =>
      /split parameters/i.test(description),
    )
    expect(splits.map(([name]) => name).sort()).toEqual([
      'monitoring_location_id',
      'parameter_code',
      'statistic_id',
      'time_series_id',
    ])
    expect(properties['altitude']?.type).toBe('number')
    expect(properties).toHaveProperty('geometry')
  })

  it.each(['daily', 'continuous', 'monitoring-locations', 'time-series-metadata', 'peaks', 'states'])(
    'gives one record of %s by its identifier',
    async collection => {
      const { features: found } = await page(simulator.url + itemsPath(collection, { limit: 3 }))
      for (const feature of found) {
        const reply = await get(`/ogcapi/v1/collections/${collection}/items/${feature.id}`)
        const { links, ...same } = JSON.parse(reply.text) as Feature & { links: unknown[] }
        expect([same, links.length]).toEqual([feature, 2])
      }
      const none = await get(`/ogcapi/v1/collections/${collection}/items/ffffffff-0000`)
      expect(none.status).toBe(404)
    },
  )

  it('answers OPTIONS on items, and no other method', async () => {
    const options = await ask(simulator.url + itemsPath('daily'), { method: 'OPTIONS' })
    expect([options.status, options.headers.allow]).toEqual([200, 'GET, POST, OPTIONS'])
    expect((await ask(simulator.url + itemsPath('daily'), { method: 'PUT' })).status).toBe(404)
  })
})

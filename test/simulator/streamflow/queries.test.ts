import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startSimulator, type Simulator } from '../../../src/simulator/index.ts'
import { ask, type Reply } from '../ask.ts'
import { createHandClock } from '../hand-clock.ts'
import { bodyOf, features, itemsPath, NO_QUOTAS, page, post, type Feature } from './pages.ts'

let simulator: Simulator
beforeAll(async () => {
  simulator = await startSimulator({ clock: createHandClock('2026-09-15T12:34:00Z'), streamflow: NO_QUOTAS })
})
afterAll(() => simulator.close())

const get = (path: string): Promise<Reply> => ask(simulator.url + path, { patienceMs: 10_000 })
const values = (found: readonly Feature[], name: string): unknown[] => [
  ...new Set(found.map(({ properties }) => properties[name])),
]
const SITE = 'USGS-01000000'
const MONTH = { monitoring_location_id: SITE, time: '2024-01-01/2024-01-31' }

describe('limits', () => {
  it.each([
    ['daily', {}, 10],
    ['states', {}, 52],
    ['daily', { limit: 3 }, 3],
    // More than the largest is as much as the largest.
    ['parameter-codes', { limit: 90_000 }, 19_200],
    ['parameter-codes', {}, 10_000],
  ])('%s with %j: %d rows', async (collection, query, count) => {
    expect((await page(simulator.url + itemsPath(collection, query))).features).toHaveLength(count)
  })

  it.each(['0', '-1', 'x', '1.5', ''])('refuse %j', async limit => {
    expect((await get(itemsPath('daily', { limit }))).status).toBe(400)
  })

  it('can be lower than the service has them', async () => {
    const other = await startSimulator({ streamflow: { ...NO_QUOTAS, pageCap: 7 } })
    const { features: found } = await page(other.url + itemsPath('daily', { limit: 1000 }))
    await other.close()
    expect(found).toHaveLength(7)
  })
})

describe('filters', () => {
  it('take lists where the service splits them, and only there', async () => {
    const both = await features(simulator, 'daily', { ...MONTH, parameter_code: '00060,00010' })
    expect(values(both, 'parameter_code').toSorted()).toEqual(['00010', '00060'])
    const none = await features(simulator, 'daily', { ...MONTH, approval_status: 'Approved,Provisional' })
    expect(none).toEqual([])
    const instants = { monitoring_location_id: SITE, statistic_id: '00011,00003', time: '2024-01-01' }
    expect(await features(simulator, 'continuous', instants)).toEqual([])
  })

  it.each([
    ['daily', { hydrologic_unit_code: '0701', time: '2024-01-01' }],
    ['monitoring-locations', { hydrologic_unit_code: '0701' }],
    ['time-series-metadata', { hydrologic_unit_code: '0701' }],
  ])('match the beginning of a hydrologic unit: %s', async (collection, query) => {
    const found = await features(simulator, collection, query)
    expect(found.length).toBeGreaterThan(10)
    const sites = new Set(
      simulator.truth.records('monitoring-locations', { hydrologic_unit_code: '0701' }).map(({ id }) => id),
    )
    const names = values(found, collection === 'monitoring-locations' ? 'id' : 'monitoring_location_id')
    expect(names.every(name => sites.has(String(name)))).toBe(true)
  })

  it('look at the site of a record, although the record does not show it', async () => {
    const query = {
      state_name: 'Wisconsin',
      site_type_code: 'ST',
      parameter_code: '00060',
      statistic_id: '00003',
      time: '2024-01-01',
    }
    const found = await features(simulator, 'daily', query)
    const sites = simulator.truth.records('monitoring-locations', { state_code: '55', site_type: 'Stream' })
    expect(values(found, 'monitoring_location_id').length).toBeGreaterThan(20)
    expect(values(found, 'monitoring_location_id').length).toBeLessThanOrEqual(sites.length)
    expect(found.every(({ properties }) => !('state_name' in properties))).toBe(true)
  })

  it.each([
    ['monitoring-locations', { altitude: '537.2' }, 1],
    ['peaks', { monitoring_location_id: SITE, water_year: '1990,1991', parameter_code: '00060' }, 2],
    ['peaks', { monitoring_location_id: SITE, month: '2' }, 13],
    ['field-measurements', { monitoring_location_id: SITE, year: '2024', parameter_code: '00065' }, 9],
    ['time-series-metadata', { monitoring_location_id: SITE, computation_period_identifier: 'Points,Daily' }, 13],
    ['time-series-metadata', { monitoring_location_id: SITE, sublocation_identifier: 'Bottom' }, 2],
    ['combined-metadata', { monitoring_location_id: SITE, data_type: 'Field measurements' }, 2],
    ['states', { state_postal_code: 'WI' }, 1],
    ['counties', { state_fips_code: '55' }, 5],
    ['latest-daily', { monitoring_location_id: SITE, time: 'P7D' }, 8],
    ['latest-daily', { monitoring_location_id: 'USGS-01000019', time: 'P7D' }, 0],
    ['latest-daily', { monitoring_location_id: 'USGS-01000019' }, 1],
    ['daily', { ...MONTH, time: '2020-01-01/2024-12-31', qualifier: '["EQUIP","ESTIMATED"]' }, 1],
    ['daily', { monitoring_location_id: 'USGS-99999999' }, 0],
  ])('%s %j: %d', async (collection, query, count) => {
    expect(await features(simulator, collection, query)).toHaveLength(count)
  })

  it.each([
    ['daily', { sight: '1' }, 'unknown query parameter'],
    ['states', { datetime: '2024-01-01' }, 'unknown query parameter'],
    ['daily', { properties: 'time,geometry' }, 'geometry'],
    ['daily', { sortby: 'sight' }, 'sight'],
    ['daily', { time: 'soon' }, 'time'],
    ['daily', { qualifier: 'ICE' }, 'JSON array'],
    ['daily', { altitude: 'high' }, 'number'],
    ['peaks', { water_year: '1990,x' }, 'number'],
    ['daily', { bbox: '1,2,3' }, 'bbox'],
    ['daily', { bbox: '-90,35,-91,34' }, 'miny'],
    ['daily', { skipGeometry: 'maybe' }, 'skipGeometry'],
    ['daily', { filter: 'value =' }, 'CQL'],
    ['daily', { filter: '{"op":"and","args":[]}', 'filter-lang': 'cql-json' }, 'CQL'],
  ])('%s refuses %j in the words of the application', async (collection, query, word) => {
    const reply = await get(itemsPath(collection, query as Record<string, string>))
    expect(reply.status).toBe(400)
    const body = JSON.parse(reply.text) as Record<string, string>
    expect(Object.keys(body)).toEqual(['code', 'type', 'description'])
    expect([body['code'], body['type']]).toEqual(['InvalidParameterValue', 'InvalidParameterValue'])
    expect(body['description']).toContain(word)
  })
})

describe('time', () => {
  const days = async (time: string, name = 'time'): Promise<string[]> => {
    const query = {
      monitoring_location_id: 'USGS-01000001',
      parameter_code: '00060',
      statistic_id: '00003',
      [name]: time,
    }
    const found = await features(simulator, 'daily', query)
    return found.map(({ properties }) => String(properties['time'])).sort()
  }

  it.each([
    ['2020-04-01T00:00:00Z/2020-04-10T23:59:59Z', 10, '2020-04-01', '2020-04-10'],
    ['2020-04-01/2020-04-10', 10, '2020-04-01', '2020-04-10'],
    ['2020-04-01', 1, '2020-04-01', '2020-04-01'],
    ['2026-09-10/..', 5, '2026-09-10', '2026-09-14'],
    ['P7D', 7, '2026-09-09', '2026-09-14'],
    ['2020-04-10/2020-04-01', 0, undefined, undefined],
  ])('%s: %d days', async (time, count, first, last) => {
    const found = await days(time)
    expect([found.at(0), found.at(-1)]).toEqual([first, last])
    expect(found).toHaveLength(time === 'P7D' ? 6 : count)
    expect(await days(time, 'datetime')).toEqual(found)
  })

  it('reaches from the beginning when the start is open', async () => {
    const found = await days('../1940-01-01')
    expect(found[0]).toBe('1937-10-01')
    expect(found.at(-1)).toBe('1940-01-01')
  })

  it('is exact for instants', async () => {
    const query = { monitoring_location_id: SITE, parameter_code: '00060' }
    const at = (time: string): Promise<Feature[]> => features(simulator, 'continuous', { ...query, time })
    expect(await at('2024-02-01T00:15:00Z')).toHaveLength(1)
    expect(await at('2024-02-01T00:14:59Z')).toHaveLength(0)
    expect(await at('2024-02-01T00:15:00Z/2024-02-01T01:00:00Z')).toHaveLength(4)
    expect(await at('2024-01-31T19:15:00-05:00')).toHaveLength(1)
  })

  it.each(['last_modified', 'begin', 'end', 'begin_utc'])('filters by %s', async name => {
    const all = await features(simulator, 'time-series-metadata', { monitoring_location_id: SITE })
    const none = await features(simulator, 'time-series-metadata', {
      monitoring_location_id: SITE,
      [name]: '../1900-01-01',
    })
    const some = await features(simulator, 'time-series-metadata', {
      monitoring_location_id: SITE,
      [name]: '1900-01-01/..',
    })
    expect([none.length, some.length]).toEqual([0, all.length])
  })

  it('leaves a year of instants when it is not named', async () => {
    const found = await features(simulator, 'continuous', { monitoring_location_id: SITE, parameter_code: '00045' })
    const times = found.map(({ properties }) => String(properties['time'])).sort()
    expect([times[0], times.at(-1)]).toEqual(['2025-09-15T12:45:00+00:00', '2026-09-15T12:15:00+00:00'])
  })

  it.each([
    ['2020-01-01T00:00:00Z/2023-01-05T00:00:00Z', 200],
    ['2020-01-01T00:00:00Z/2023-01-05T00:00:01Z', 400],
    ['2020-01-01T00:00:00Z/..', 400],
    ['2024-01-01T00:00:00Z/..', 200],
    ['../2020-01-01T00:00:00Z', 400],
    ['P3Y', 200],
    ['P4Y', 400],
  ])('%s of instants is answered with %d', async (time, status) => {
    const query = { monitoring_location_id: SITE, parameter_code: '00060', time }
    const reply = await get(itemsPath('continuous', query))
    expect(reply.status).toBe(status)
    if (status === 400) expect(reply.text).toContain('1100 days')
  })

  it('can be open, however long, when told', async () => {
    const other = await startSimulator({ streamflow: { ...NO_QUOTAS, openWindow: 'serve' } })
    const reply = await ask(
      other.url + itemsPath('continuous', { monitoring_location_id: SITE, time: '../2020-01-01' }),
    )
    await other.close()
    expect([reply.status, bodyOf(reply).features.length]).toEqual([200, 10])
  })
})

describe('CQL', () => {
  const windows = `(time >= '2010-01-01T00:00:00Z' AND time <= '2010-01-01T00:30:00Z') OR (time >= '2020-01-01T00:00:00Z' AND time <= '2020-01-01T00:15:00Z')`

  it('takes windows that are far apart', async () => {
    const query = { monitoring_location_id: SITE, parameter_code: '00060', filter: windows, 'filter-lang': 'cql-text' }
    const found = await features(simulator, 'continuous', query)
    expect(found.map(({ properties }) => String(properties['time']).slice(0, 16)).sort()).toEqual([
      '2010-01-01T00:00',
      '2010-01-01T00:15',
      '2010-01-01T00:30',
      '2020-01-01T00:00',
      '2020-01-01T00:15',
    ])
  })

  it('falls over a number without quotes, and not over one with', async () => {
    const bad = await get(itemsPath('daily', { ...MONTH, filter: 'value >= 1000' }))
    expect([bad.status, JSON.parse(bad.text)]).toMatchObject([500, { code: 'NoApplicableCode' }])
    const good = await features(simulator, 'daily', { ...MONTH, filter: `value >= '4'` })
    expect(good.length).toBeGreaterThan(0)
    expect(good.every(({ properties }) => String(properties['value']) >= '4')).toBe(true)
  })

  it.each<[string, unknown, number]>([
    ['monitoring-locations', { op: 'in', args: [{ property: 'id' }, [SITE, 'USGS-01000001']] }, 2],
    ['monitoring-locations', { op: 'like', args: [{ property: 'hydrologic_unit_code' }, '0301010%'] }, 10],
    [
      'daily',
      {
        op: 'and',
        args: [
          { op: 'in', args: [{ property: 'monitoring_location_id' }, [SITE, 'USGS-01000001']] },
          { op: 'in', args: [{ property: 'parameter_code' }, ['00060']] },
          { op: 'in', args: [{ property: 'statistic_id' }, ['00003']] },
          { op: 'between', args: [{ property: 'time' }, '2024-01-01', '2024-01-05'] },
        ],
      },
      10,
    ],
    [
      'monitoring-locations',
      {
        op: 'or',
        args: [
          { op: '=', args: [{ property: 'id' }, SITE] },
          { op: '=', args: [{ property: 'monitoring_location_number' }, '01000007'] },
        ],
      },
      2,
    ],
  ])('%s posted %j: %d', async (collection, body, count) => {
    const found = await page(simulator.url + itemsPath(collection, { limit: 1000 }), post(body))
    expect(found.features).toHaveLength(count)
    const plain = { method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }
    expect((await page(simulator.url + itemsPath(collection, { limit: 1000 }), plain)).features).toEqual(found.features)
  })

  it('goes together with the parameters of the query', async () => {
    const body = { op: 'in', args: [{ property: 'monitoring_location_id' }, [SITE, 'USGS-01000001']] }
    const query = { statistic_id: '00003', parameter_code: '00060', time: '2024-01-01', skipGeometry: 'true' }
    const { features: found } = await page(simulator.url + itemsPath('daily', query), post(body))
    expect(found.map(({ geometry }) => geometry)).toEqual([null, null])
  })

  it.each(['', '{', '[]', '{"op":"near","args":[]}'])('refuses the body %j', async body => {
    const reply = await ask(simulator.url + itemsPath('daily'), { method: 'POST', body })
    expect([reply.status, reply.text]).toEqual([400, expect.stringContaining('CQL')])
  })
})

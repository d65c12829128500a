import { describe, expect, it } from 'vitest'
import type { StreamflowClient, StreamflowOptions } from '../../../src/adapters/streamflow/index.ts'
import { QueryError } from '../../../src/errors.ts'
import type { SimulatorRequest } from '../../../src/simulator/index.ts'
import { simulateWater, siteIds, targets, waterClient } from '../../support/streamflow.ts'

const SITE = 'USGS-01000000'
const DAY = { start: '2024-03-01', end: '2024-03-02' }

/** What a call puts on the wire: path and query decoded, and the body. */
async function onWire(
  call: (client: StreamflowClient) => Promise<unknown>,
  options: StreamflowOptions = {},
): Promise<{ path: string; query: Record<string, string>; body?: unknown; method: string }> {
  const simulator = await simulateWater()
  await call(waterClient(simulator, options))
  const [request] = simulator.requests as [SimulatorRequest]
  // Pages that follow are as the service links them.
  expect(simulator.requests.slice(1).filter(({ query }) => !('cursor' in query) && !('offset' in query))).toEqual([])
  const { f, limit, ...query } = request.query
  expect([f, Number(limit) > 0]).toEqual(['json', true])
  return {
    method: request.method,
    path: request.path,
    query,
    ...(request.body === undefined ? {} : { body: JSON.parse(request.body) as unknown }),
  }
}

const items = (collection: string): string => `/ogcapi/v1/collections/${collection}/items`

describe('the contract, section 6: a query on the wire', () => {
  it.each<[string, (client: StreamflowClient) => Promise<unknown>, string, Record<string, string>]>([
    [
      'one site and its days',
      client => client.getDaily({ monitoringLocationId: SITE, parameterCode: '00060', statisticId: '00003', ...DAY }),
      items('daily'),
      { monitoring_location_id: SITE, parameter_code: '00060', statistic_id: '00003', time: '2024-03-01/2024-03-02' },
    ],
    [
      'lists with commas on fields that take them',
      client => client.getDaily({ monitoringLocationId: siteIds(2), parameterCode: ['00060', '00065'], ...DAY }),
      items('daily'),
      {
        monitoring_location_id: 'USGS-01000000,USGS-01000001',
        parameter_code: '00060,00065',
        time: '2024-03-01/2024-03-02',
      },
    ],
    [
      'instants that end in Z',
      client =>
        client.getContinuous({ monitoringLocationId: SITE, start: '2024-03-01T00:00-05:00', end: '2024-03-01T06:00' }),
      items('continuous'),
      { monitoring_location_id: SITE, time: '2024-03-01T05:00:00Z/2024-03-01T06:00:00Z' },
    ],
    [
      'days of the zone of the query',
      client => client.getDaily({ monitoringLocationId: SITE, zone: 'Asia/Kolkata', ...DAY }),
      items('daily'),
      { monitoring_location_id: SITE, time: '2024-03-01/2024-03-02' },
    ],
    [
      'an end without a start',
      client => client.getDaily({ monitoringLocationId: SITE, end: '2024-03-01' }),
      items('daily'),
      { monitoring_location_id: SITE, time: '../2024-03-01' },
    ],
    [
      'the whole record',
      client => client.getDaily({ monitoringLocationId: SITE, parameterCode: '00060' }),
      items('daily'),
      { monitoring_location_id: SITE, parameter_code: '00060' },
    ],
    [
      'a duration for what is newest',
      client => client.getLatestContinuous({ monitoringLocationId: SITE, last: 'P7D' }),
      items('latest-continuous'),
      { monitoring_location_id: SITE, time: 'P7D' },
    ],
    [
      'an open interval for what is newest',
      client => client.getLatestDaily({ monitoringLocationId: SITE, start: '2024-01-01' }),
      items('latest-daily'),
      { monitoring_location_id: SITE, time: '2024-01-01/..' },
    ],
    [
      'what a site is called under the name of its identifier',
      client => client.getMonitoringLocations({ monitoringLocationId: siteIds(2) }),
      items('monitoring-locations'),
      { id: 'USGS-01000000,USGS-01000001' },
    ],
    [
      'the same for a series',
      client => client.getTimeSeriesMetadata({ timeSeriesId: 'abc', computationPeriodIdentifier: ['Points', 'Daily'] }),
      items('time-series-metadata'),
      { id: 'abc', computation_period_identifier: 'Points,Daily' },
    ],
    [
      'a state by its name as a code',
      client => client.getMonitoringLocations({ state: 'virginia', siteTypeCode: 'ST' }),
      items('monitoring-locations'),
      { site_type_code: 'ST', state_code: '51' },
    ],
    [
      'a state by its code as a name',
      client => client.getTimeSeriesMetadata({ state: 'VA', parameterCode: '00060' }),
      items('time-series-metadata'),
      { parameter_code: '00060', state_name: 'Virginia' },
    ],
    [
      'the beginning of a hydrologic unit',
      client => client.getMonitoringLocations({ hydrologicUnitCode: '0207' }),
      items('monitoring-locations'),
      { hydrologic_unit_code: '0207' },
    ],
    [
      'a qualifier as a list in JSON',
      client => client.getDaily({ monitoringLocationId: SITE, qualifier: 'ESTIMATED', ...DAY }),
      items('daily'),
      { monitoring_location_id: SITE, qualifier: '["ESTIMATED"]', time: '2024-03-01/2024-03-02' },
    ],
    [
      'when a record was modified, always with its time',
      client => client.getDaily({ monitoringLocationId: SITE, lastModified: { start: '2026-01-01' }, ...DAY }),
      items('daily'),
      { monitoring_location_id: SITE, last_modified: '2026-01-01T00:00:00Z/..', time: '2024-03-01/2024-03-02' },
    ],
    [
      'numbers',
      client => client.getPeaks({ monitoringLocationId: SITE, waterYear: [1990, 1991] }),
      items('peaks'),
      { monitoring_location_id: SITE, water_year: '1990,1991' },
    ],
    [
      'chosen columns and no places',
      client =>
        client.getDaily({
          monitoringLocationId: SITE,
          properties: ['time', 'value', 'daily_id'],
          geometry: 'none',
          ...DAY,
        }),
      items('daily'),
      { properties: 'time,value', skipGeometry: 'true', monitoring_location_id: SITE, time: '2024-03-01/2024-03-02' },
    ],
    [
      'a box',
      client => client.getMonitoringLocations({ bbox: [-90.6, 34.4, -90.5, 34.6] }),
      items('monitoring-locations'),
      { bbox: '-90.6,34.4,-90.5,34.6' },
    ],
    [
      'a condition in text',
      client =>
        client.getCollection('daily', { filter: "parameter_code = '00060'", monitoringLocationId: SITE, ...DAY }),
      items('daily'),
      {
        monitoring_location_id: SITE,
        time: '2024-03-01/2024-03-02',
        filter: "parameter_code = '00060'",
        'filter-lang': 'cql-text',
      },
    ],
    [
      'lists beside a condition in text',
      client =>
        client.getCollection('daily', {
          filter: "parameter_code = '00060'",
          monitoringLocationId: SITE,
          approvalStatus: ['Approved', 'Provisional'],
          ...DAY,
        }),
      items('daily'),
      {
        monitoring_location_id: SITE,
        time: '2024-03-01/2024-03-02',
        filter: "approval_status IN ('Approved', 'Provisional') AND (parameter_code = '00060')",
        'filter-lang': 'cql-text',
      },
    ],
    [
      'a table of codes',
      client => client.getReferenceTable('states', { stateName: 'Virginia' }),
      items('states'),
      { state_name: 'Virginia' },
    ],
    [
      'wells by their own paths',
      client => client.getWaterLevels({ monitoringLocationId: 'MBMG-702934', start: '2020-01-01', end: '2020-02-01' }),
      '/ngwmn/ogcapi/collections/waterLevelObs/items',
      { monitoring_location_id: 'MBMG-702934', datetime: '2020-01-01T00:00:00Z/2020-02-01T00:00:00Z' },
    ],
  ])('F50: %s', async (_what, call, path, query) => {
    const sent = await onWire(call)
    expect(sent).toEqual({ method: 'GET', path, query })
  })

  it.each<[string, (client: StreamflowClient) => Promise<unknown>, Record<string, string>, unknown]>([
    [
      'a list on a field that takes none',
      client => client.getMonitoringLocations({ state: ['VA', 'Maryland'], siteTypeCode: 'ST' }),
      { site_type_code: 'ST' },
      { op: 'and', args: [{ op: 'in', args: [{ property: 'state_code' }, ['51', '24']] }] },
    ],
    [
      'beginnings of several hydrologic units',
      client => client.getMonitoringLocations({ hydrologicUnitCode: ['0207', '0208'] }),
      {},
      {
        op: 'and',
        args: [
          {
            op: 'or',
            args: ['0207%', '0208%'].map(text => ({ op: 'like', args: [{ property: 'hydrologic_unit_code' }, text] })),
          },
        ],
      },
    ],
    [
      'every list, once one of them needs it',
      client =>
        client.getDaily({
          monitoringLocationId: siteIds(2),
          approvalStatus: ['Approved', 'Provisional'],
          parameterCode: '00060',
          ...DAY,
        }),
      { parameter_code: '00060', time: '2024-03-01/2024-03-02' },
      {
        op: 'and',
        args: [
          { op: 'in', args: [{ property: 'monitoring_location_id' }, siteIds(2)] },
          { op: 'in', args: [{ property: 'approval_status' }, ['Approved', 'Provisional']] },
        ],
      },
    ],
    [
      'a name with a comma on a field that takes lists',
      client => client.getDaily({ monitoringLocationId: 'USGS-1,2', ...DAY }),
      { time: '2024-03-01/2024-03-02' },
      { op: 'and', args: [{ op: 'in', args: [{ property: 'monitoring_location_id' }, ['USGS-1,2']] }] },
    ],
    [
      "the caller's own condition",
      client =>
        client.getCollection('daily', {
          filter: { op: '=', args: [{ property: 'monitoring_location_id' }, SITE] },
          ...DAY,
        }),
      { time: '2024-03-01/2024-03-02' },
      { op: '=', args: [{ property: 'monitoring_location_id' }, SITE] },
    ],
    [
      "the caller's own condition beside a list",
      client =>
        client.getCollection('daily', {
          filter: { op: '=', args: [{ property: 'monitoring_location_id' }, SITE] },
          parameterCode: ['00060', '00065'],
          ...DAY,
        }),
      { time: '2024-03-01/2024-03-02' },
      {
        op: 'and',
        args: [
          { op: 'in', args: [{ property: 'parameter_code' }, ['00060', '00065']] },
          { op: '=', args: [{ property: 'monitoring_location_id' }, SITE] },
        ],
      },
    ],
  ])('F50: asks by POST: %s', async (_what, call, query, body) => {
    expect(await onWire(call)).toMatchObject({ method: 'POST', query, body })
  })

  it('R13: a POST only asks, so it is repeated, and paged with its body', async () => {
    const simulator = await simulateWater({ faults: [{ when: { nth: [1, 3] }, do: { type: 'status', status: 503 } }] })
    const result = await waterClient(simulator).getMonitoringLocations({
      state: ['VA', 'MD'],
      siteTypeCode: 'ST',
      pageSize: 50,
    })
    expect(result.length).toBe(138)
    expect(new Set(simulator.requests.map(({ method, body }) => `${method} ${body}`)).size).toBe(1)
    expect(simulator.requests.every(({ headers }) => headers['content-type'] === 'application/query-cql-json')).toBe(
      true,
    )
    expect(simulator.requests).toHaveLength(5)
  })

  it('F50: a plus, a blank and a quote arrive as they are, and what is not set is not sent', async () => {
    const sent = await onWire(client =>
      client.getMonitoringLocations({
        monitoringLocationName: "O'Brien + Sons & Co",
        siteType: undefined,
        state: undefined,
      } as never),
    )
    expect(sent.query).toEqual({ monitoring_location_name: "O'Brien + Sons & Co" })
  })

  it('speaks version 0 where it is told to', async () => {
    expect(
      (await onWire(client => client.getDaily({ monitoringLocationId: SITE, ...DAY }), { apiVersion: 'v0' })).path,
    ).toBe('/ogcapi/v0/collections/daily/items')
  })

  it('asks for no more rows of a page than the caller takes', async () => {
    const simulator = await simulateWater()
    await waterClient(simulator).getDaily({ monitoringLocationId: SITE, ...DAY }, { maxRows: 7 })
    expect(simulator.requests[0]?.query['limit']).toBe('7')
  })

  it('names a value once, however often it was given', async () => {
    const sent = await onWire(client =>
      client.getDaily({ monitoringLocationId: [SITE, SITE, 'USGS-01000001', SITE], ...DAY }),
    )
    expect(sent.query['monitoring_location_id']).toBe(`${SITE},USGS-01000001`)
  })
})

describe('a query that cannot work is refused before any request', () => {
  it.each<[string, (client: StreamflowClient) => Promise<unknown>, string]>([
    [
      'a misspelt filter',
      client => client.getDaily({ monitoringLocationIds: SITE } as never),
      "did you mean 'monitoringLocationId'",
    ],
    [
      'a filter of another collection',
      client => client.getPeaks({ statisticId: '00003' } as never),
      "'statisticId' is not known here",
    ],
    [
      'the name as the service has it',
      client => client.getDaily({ monitoring_location_id: SITE } as never),
      "did you mean 'monitoringLocationId'",
    ],
    ['F48: a code as a number', client => client.getDaily({ parameterCode: 60 as never }), 'leading zeros'],
    [
      'F48: a list with a number in it',
      client => client.getDaily({ parameterCode: ['00060', 65 as never] }),
      'leading zeros',
    ],
    ['an empty list', client => client.getDaily({ monitoringLocationId: [] }), 'must not be an empty list'],
    [
      'a hydrologic unit as a number',
      client => client.getMonitoringLocations({ hydrologicUnitCode: 2070010 as never }),
      'leading zeros',
    ],
    [
      'a hydrologic unit with letters',
      client => client.getMonitoringLocations({ hydrologicUnitCode: 'O207' }),
      '2 to 12 digits',
    ],
    [
      'a state that does not exist',
      client => client.getMonitoringLocations({ state: 'Virgina' }),
      "did you mean 'Virginia'",
    ],
    ['a state twice', client => client.getMonitoringLocations({ state: 'VA', stateCode: '51' }), 'not both'],
    [
      'several states where one is taken',
      client => client.getGroundwaterProviders({ state: ['VA', 'MD'] }),
      'one state at a time',
    ],
    ['a column that is none', client => client.getDaily({ properties: ['tiem'] }), "did you mean 'time'"],
    [
      'continuous values without a start',
      client => client.getContinuous({ monitoringLocationId: SITE } as never),
      'start is missing',
    ],
    [
      'F04: an end before the start',
      client => client.getContinuous({ start: '2024-02-01', end: '2024-01-01' }),
      'is before start',
    ],
    ['F04: a date that does not exist', client => client.getDaily({ start: '2024-02-30' }), '2024-02-30'],
    [
      'a filter that runs backwards',
      client => client.getDaily({ lastModified: { start: '2024-02-01', end: '2024-01-01' } }),
      'is before start',
    ],
    [
      'R26: more than the service takes at a time',
      client => client.getContinuous({ start: '2010-01-01', end: '2020-01-01' }, { chunk: 'P1200D' }),
      'takes at most',
    ],
    ['a page larger than there are', client => client.getDaily({ pageSize: 60_000 }), '50,000'],
    [
      'a bare number in a condition',
      client => client.getCollection('daily', { filter: 'value > 1000' }),
      'need quotes',
    ],
    [
      'a condition that is none',
      client => client.getCollection('daily', { filter: { a: 1 } as never }),
      'must be CQL2',
    ],
    ['a collection whose name is an address', client => client.getCollection('../x'), 'must be a name'],
    [
      'a table that is none',
      client => client.getReferenceTable('parameter-code' as never),
      "did you mean 'parameter-codes'",
    ],
    [
      'a key among the filters',
      client => client.getCollection('brand-new', { apiKey: 'x' }),
      'looks like a credential',
    ],
    [
      'a box with three corners',
      client => client.getMonitoringLocations({ bbox: [1, 2, 3] }),
      'west, south, east, north',
    ],
    [
      'R27: a name that does not fit into a request',
      client => client.getDaily({ monitoringLocationId: [SITE, 'x'.repeat(9000)], ...DAY }),
      'too long to be asked for',
    ],
  ])('%s', async (_what, call, help) => {
    const simulator = await simulateWater()
    const error = await call(waterClient(simulator)).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(QueryError)
    expect((error as Error).message).toContain(help)
    expect(targets(simulator)).toEqual([])
  })

  it('a field that the service does not know, when it is asked first: once for each collection', async () => {
    const simulator = await simulateWater()
    const client = waterClient(simulator)
    const query = { checkQueryables: true, monitoringLocationId: SITE, ...DAY }
    await client.getDaily(query)
    await client.getDaily(query)
    expect(targets(simulator).map(target => /queryables/.test(target))).toEqual([true, false, false])
    const error = await client
      .getCollection('agency-codes', { checkQueryables: true, agencyName: 'x' })
      .catch((thrown: unknown) => thrown)
    expect(error).not.toBeInstanceOf(QueryError)
    await expect(client.getCollection('brand-new', { checkQueryables: true, colour: 'x' })).rejects.toThrow(
      /404: Collection not found/,
    )
  })
})

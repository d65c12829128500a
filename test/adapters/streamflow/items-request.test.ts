import { describe, expect, it } from 'vitest'
import type { StreamflowClient } from '../../../src/adapters/streamflow/index.ts'
import { onWire } from '../../support/on-wire.ts'
import { simulateWater, siteIds, waterClient } from '../../support/streamflow.ts'

const SITE = 'USGS-01000000'
const DAY = { start: '2024-03-01', end: '2024-03-02' }

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
      client => client.getDaily({ monitoringLocationId: SITE, parameterCode: '00010', end: '2024-03-01' }),
      items('daily'),
      { monitoring_location_id: SITE, parameter_code: '00010', time: '../2024-03-01' },
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

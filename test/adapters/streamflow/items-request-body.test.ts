import { describe, expect, it } from 'vitest'
import type { StreamflowClient } from '../../../src/adapters/streamflow/index.ts'
import { onWire } from '../../support/on-wire.ts'
import { simulateWater, siteIds, waterClient } from '../../support/streamflow.ts'

const SITE = 'USGS-01000000'
const DAY = { start: '2024-03-01', end: '2024-03-02' }

describe('the contract, section 6.4: a query in a body', () => {
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
})

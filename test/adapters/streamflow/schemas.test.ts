import { describe, expect, it } from 'vitest'
import type { StreamflowClient } from '../../../src/adapters/streamflow/index.ts'
import { QueryError } from '../../../src/errors.ts'
import { simulateWater, targets, waterClient } from '../../support/streamflow.ts'

const SITE = 'USGS-01000000'
const DAY = { start: '2024-03-01', end: '2024-03-02' }

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
    [
      'a site without its agency',
      client => client.getDaily({ monitoringLocationId: [SITE, '01000000'] }),
      'lacks its agency',
    ],
    [
      'a site without its agency, as an identifier',
      client => client.getMonitoringLocations({ monitoringLocationId: '01000000' }),
      'lacks its agency',
    ],
    ['F48: a code without its zeros', client => client.getDaily({ parameterCode: '60' }), 'five digits'],
    ['a statistic by its name', client => client.getDaily({ statisticId: 'mean' }), 'five digits'],
    [
      'the time as the official clients have it',
      client => client.getDaily({ time: '2024-01-01/2024-01-31' } as never),
      'give start, end, or last',
    ],
    ['a cap on rows among the filters', client => client.getDaily({ max_rows: 10 } as never), 'second argument'],
    [
      'a cadence that is no length of time',
      client => client.getContinuous({ monitoringLocationId: SITE, cadence: '15min', ...DAY }),
      "such as 'PT15M'",
    ],
    [
      'a box whose corners are upside down',
      client => client.getMonitoringLocations({ bbox: [-91, 35, -90, 34] }),
      'south below north',
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

import { describe, expect, it } from 'vitest'
import type { StreamflowClient } from '../../../src/adapters/streamflow/index.ts'
import { QueryError } from '../../../src/index.ts'
import { errorOf } from '../../support/field-case.ts'
import { answer, startScripted } from '../../support/scripted-server.ts'
import { simulateWater, targets, waterClient } from '../../support/streamflow.ts'

const SITE = 'USGS-01000000'
/** Path and decoded query of the requests that reached a server. */
const sent = (simulator: Awaited<ReturnType<typeof simulateWater>>): string[] =>
  targets(simulator).map(decodeURIComponent)

describe('the river network', () => {
  const origin = { featureSource: 'WQP', featureId: SITE }

  it.each<[(client: StreamflowClient) => Promise<unknown>, string]>([
    [
      client => client.getFlowlines({ ...origin, navigation: 'UM', trimStart: false }),
      '/nldi/linked-data/WQP/USGS-01000000/navigation/UM/flowlines?f=json&distance=5&trimStart=false',
    ],
    [
      client => client.getFlowlines({ comid: 13294314, navigation: 'DD', distanceKm: 50, stopComid: 13294316 }),
      '/nldi/linked-data/comid/13294314/navigation/DD/flowlines?f=json&distance=50&stopComid=13294316',
    ],
    [
      client => client.getBasin(origin),
      '/nldi/linked-data/WQP/USGS-01000000/basin?f=json&simplified=true&splitCatchment=false',
    ],
    [client => client.getFeatures(origin), '/nldi/linked-data/WQP/USGS-01000000?f=json'],
    [
      client => client.getFeatures({ ...origin, navigation: 'UM', dataSource: 'nwissite' }),
      '/nldi/linked-data/WQP/USGS-01000000/navigation/UM/nwissite?f=json&distance=50',
    ],
    [
      client => client.getFeatures({ latitude: 43.087, longitude: -89.509 }),
      '/nldi/linked-data/comid/position?f=json&coords=POINT(-89.509 43.087)',
    ],
    [client => client.getFeatures({ dataSource: 'nwissite' }), '/nldi/linked-data/nwissite?f=json'],
    [client => client.getFeatureSources(), '/nldi/linked-data?f=json'],
  ])('F50: the contract, section 10 (%#)', async (call, target) => {
    const simulator = await simulateWater()
    await call(waterClient(simulator))
    expect(sent(simulator)).toEqual([target])
  })

  it('F42: an answer without bytes, or with a text that is no JSON, is no rows', async () => {
    for (const body of ['', 'No catchment found']) {
      const server = await startScripted(visit => answer(visit, { body }))
      const { rows, columns, meta } = await waterClient(server).getFlowlines({ ...origin, navigation: 'UM' })
      expect([rows.length, columns.length, meta.length]).toEqual([0, 2, 1])
    }
  })

  it.each([
    [429, 2],
    [502, 2],
    [503, 2],
    [504, 2],
    [500, 1],
    [404, 1],
  ])(
    'R6: a %i is asked for again where that may help, %d times in all: a 500 is a refused query',
    async (status, times) => {
      const simulator = await simulateWater({ faults: [{ when: { nth: 1 }, do: { type: 'status', status } }] })
      const end = await waterClient(simulator)
        .getFeatures(origin)
        .catch((thrown: unknown) => thrown)
      expect(end).toMatchObject(times > 1 ? { length: 1 } : { name: 'RequestError', status })
      expect(simulator.requests).toHaveLength(times)
    },
  )

  it('F44: a web page is an error', async () => {
    const server = await startScripted(visit => answer(visit, { body: '<html><title>Maintenance</title></html>' }))
    await expect(waterClient(server).getBasin(origin)).rejects.toMatchObject({ kind: 'bad_response' })
  })

  it.each<[(client: StreamflowClient) => Promise<unknown>, string]>([
    [client => client.getFlowlines({ navigation: 'UM' }), 'featureSource and featureId, or comid'],
    [client => client.getFlowlines({ ...origin, comid: 5, navigation: 'UM' }), 'one of them'],
    [client => client.getFlowlines({ ...origin, navigation: 'UP' as never }), 'navigation'],
    [client => client.getFeatures({ latitude: 43 }), 'together'],
    [client => client.getFeatures({ latitude: 43, longitude: -89, comid: 5 }), 'one of them'],
    [client => client.getFeatures({ ...origin, dataSource: 'WQP' }), 'navigation'],
    [client => client.getFeatures({ ...origin, navigation: 'UM' }), 'dataSource'],
    [client => client.getBasin({ featureSource: 'WQP' } as never), 'featureId is missing'],
  ])('refuses what cannot work (%#)', async (call, help) => {
    const simulator = await simulateWater()
    const error = await errorOf(call(waterClient(simulator)))
    expect(error).toBeInstanceOf(QueryError)
    expect((error as Error).message).toContain(help)
    expect(simulator.requests).toEqual([])
  })
})

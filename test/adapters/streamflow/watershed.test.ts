import { describe, expect, it } from 'vitest'
import { errorOf } from '../../support/field-case.ts'
import { answer, startScripted } from '../../support/scripted-server.ts'
import { simulateWater, streamflowBody, targets, waterClient } from '../../support/streamflow.ts'

/** Path and decoded query of the requests that reached a server. */
const sent = (simulator: Awaited<ReturnType<typeof simulateWater>>): string[] =>
  targets(simulator).map(decodeURIComponent)

describe('getWatershed', () => {
  const place = { longitude: -74.524, latitude: 43.939 }

  it('gives the outline and a column for each characteristic', async () => {
    const simulator = await simulateWater()
    const { rows, columns } = await waterClient(simulator).getWatershed({ state: 'New York', ...place })
    expect(sent(simulator)).toEqual([
      '/streamstatsservices/watershed.geojson?rcode=NY&xlocation=-74.524&ylocation=43.939&crs=4326&includeparameters=true&includeflowtypes=false&includefeatures=true&simplify=true',
    ])
    expect(rows).toMatchObject([
      { rcode: 'NY', geometry: { type: 'Polygon' }, point: { type: 'Point' }, DRNAREA: expect.any(Number) as number },
    ])
    expect(columns.map(({ name }) => name)).toEqual(expect.arrayContaining(['workspaceID', 'DRNAREA', 'FOREST']))
  })

  it('reads a watershed as it was described', async () => {
    const server = await startScripted(visit => answer(visit, { body: streamflowBody('streamstats.watershed.json') }))
    const { rows } = await waterClient(server).getWatershed({ region: 'NY', ...place })
    expect(rows[0]?.['DRNAREA']).toEqual(expect.any(Number))
  })

  it('R6: a place off the network is refused once, in the words of the service', async () => {
    const simulator = await simulateWater()
    const error = await errorOf(waterClient(simulator).getWatershed({ state: 'NY', longitude: 10, latitude: 50 }))
    expect(error).toMatchObject({
      kind: 'http_5xx',
      status: 500,
      serverMessage: expect.stringContaining('delineating') as string,
    })
    expect(simulator.requests).toHaveLength(1)
  })

  it.each([
    ['{"message":"no such study area"}', 'no such study area'],
    ['{"code":"X","description":"out of order"}', 'out of order'],
    ['{}', 'featurecollection'],
  ])('R10 F45: %s with a status of success is an error, not a place without anything', async (body, words) => {
    const server = await startScripted(visit => answer(visit, { body }))
    const error = await errorOf(waterClient(server).getWatershed({ state: 'NY', ...place }))
    expect(error).toMatchObject({ name: 'RequestError', kind: 'bad_response' })
    expect((error as Error).message).toContain(words)
  })

  it.each<[object, string]>([
    [{ ...place }, 'state is missing'],
    [{ ...place, state: 'NY', region: 'NY' }, 'not both'],
    [{ state: 'NY', latitude: 43 }, 'longitude is missing'],
    [{ state: 'NY', ...place, latitude: 99 }, 'latitude'],
  ])('refuses %j', async (query, help) => {
    const simulator = await simulateWater()
    const error = await errorOf(waterClient(simulator).getWatershed(query as never))
    expect((error as Error).message).toContain(help)
    expect(simulator.requests).toEqual([])
  })
})

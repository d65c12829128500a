import { describe, expect, it } from 'vitest'
import type { EmissionsClient } from '../../src/adapters/emissions/index.ts'
import type { Retrieval } from '../../src/index.ts'
import type { FaultAction } from '../../src/simulator/index.ts'
import { clientFor, errorOf, PATIENT, REGION, simulateCase } from '../support/field-case.ts'
import { page } from '../support/feature-pages.ts'
import { createPaged } from '../support/page-adapter.ts'
import { answer, startScripted } from '../support/scripted-server.ts'

const ONE_DAY = { region: REGION, start: '2024-01-01T00:00Z', end: '2024-01-01T23:55Z' } as const
const empty = (body: object): FaultAction => ({ type: 'body', text: JSON.stringify(body) })
const META = {
  region: REGION,
  warnings: [],
  data_point_period_seconds: 300,
  units: 'lbs_co2_per_mwh',
  model: { date: '2026-03-01' },
}
const noData = empty({ data: [], meta: META })
const NO_COVERAGE: FaultAction = {
  type: 'status',
  status: 404,
  body: { error: 'No coverage available for these coordinates and signal_type' },
}

/** Every getter, with what its service says when there is nothing. */
const GETTERS: [keyof EmissionsClient, (client: EmissionsClient) => Promise<Retrieval>, FaultAction][] = [
  ['getHistorical', client => client.getHistorical(ONE_DAY), noData],
  ['getFuelMix', client => client.getFuelMix(ONE_DAY), noData],
  ['getHistoricalForecast', client => client.getHistoricalForecast({ ...ONE_DAY, horizonHours: 1 }), noData],
  ['getForecast', client => client.getForecast({ region: REGION }), noData],
  ['getSignalIndex', client => client.getSignalIndex({ region: REGION }), noData],
  ['getAccess', client => client.getAccess(), empty({ signal_types: [] })],
  ['getMaps', client => client.getMaps(), empty({ type: 'FeatureCollection', features: [], meta: {} })],
  ['getRegion', client => client.getRegion({ latitude: 37, longitude: -120 }), NO_COVERAGE],
]

describe('F42: a service that has nothing', () => {
  it.each(GETTERS)(
    "F42: %s returns no rows, its usual columns, and the answer's own metadata row",
    async (_, get, nothing) => {
      const simulator = await simulateCase()
      const full = await get(clientFor(simulator, PATIENT))
      simulator.setFaults([{ do: nothing }])
      const none = await get(clientFor(simulator, PATIENT))
      expect(full.rows.length).toBeGreaterThan(0)
      expect(none.rows).toEqual([])
      expect(none.columns.map(({ name, kind }) => ({ name, kind }))).toEqual(
        full.columns.map(({ name, kind }) => ({ name, kind })),
      )
      expect(none.meta).toMatchObject([{ rows: 0, attempts: 1, service: 'emissions' }])
      expect(none.toCsv()).toBe(`${full.columns.map(({ name }) => name).join(',')}\n`)
    },
  )

  it('F42: a span that holds no sample, and one that lies ahead, say what is missing', async () => {
    const simulator = await simulateCase()
    const client = clientFor(simulator, PATIENT)
    const between = await client.getHistorical({ region: REGION, start: '2024-01-01T00:01Z', end: '2024-01-01T00:04Z' })
    expect(between).toMatchObject({ rows: [], completeness: { expected: 0, received: 0, missing: [] } })
    const ahead = await client.getHistorical({ region: REGION, start: '2124-01-01T00:00Z', end: '2124-01-01T00:10Z' })
    expect(ahead).toMatchObject({ rows: [], completeness: { expected: 3, received: 0 } })
    expect(ahead.completeness?.missing).toEqual([
      { start: new Date('2124-01-01T00:00Z'), end: new Date('2124-01-01T00:10Z') },
    ])
  })

  it('F42: no features are no rows', async () => {
    const server = await startScripted(visit => answer(visit, { body: page([]) }))
    const result = await createPaged(server, PATIENT).getItems()
    expect(result.rows).toEqual([])
    expect(result.meta).toMatchObject([{ rows: 0, status: 200 }])
  })

  it('F42: an empty page with a link goes on', async () => {
    const server = await startScripted(visit =>
      answer(visit, { body: visit.arrival.n === 1 ? page([], '?page=2') : page([{ id: 'x' }]) }),
    )
    expect((await createPaged(server, PATIENT).getItems()).rows).toEqual([{ id: 'x' }])
  })
})

describe('F43: answers without a body', () => {
  it('F43: 200 with no bytes is an error, from both kinds of service', async () => {
    const server = await startScripted(visit => answer(visit, { headers: { 'content-type': 'application/json' } }))
    const error = await errorOf(createPaged(server, PATIENT).getItems())
    expect(error).toMatchObject({ name: 'RequestError', kind: 'bad_response', status: 200 })
    expect((error as Error).message).toContain('empty answer')
    expect(server.arrivals).toHaveLength(1)

    const simulator = await simulateCase({ faults: [{ do: { type: 'body', text: '' } }] })
    for (const [, get] of GETTERS) {
      const failed = await errorOf(get(clientFor(simulator, PATIENT)))
      expect(failed).toMatchObject({ kind: 'bad_response' })
      expect((failed as Error).message).toContain('empty answer')
    }
  })

  it('F43: 204 is no rows', async () => {
    const server = await startScripted(({ response }) => void response.writeHead(204).end())
    const result = await createPaged(server, PATIENT).getItems()
    expect(result).toMatchObject({ rows: [], meta: [{ status: 204, rows: 0 }] })
  })

  it.each(GETTERS)('F43: 204 is no rows of %s', async (_, get) => {
    const server = await startScripted(visit => {
      if (visit.arrival.path === '/login') return answer(visit, { body: { token: 'sim-token-1' } })
      visit.response.writeHead(204).end()
    })
    expect(await get(clientFor(server, PATIENT))).toMatchObject({ rows: [], meta: [{ status: 204, rows: 0 }] })
  })

  it('F43: 404 with a message is an error that says so', async () => {
    const server = await startScripted(visit =>
      answer(visit, { status: 404, body: { code: 'NotFound', description: 'no such collection' } }),
    )
    const error = await errorOf(createPaged(server, PATIENT).getItems())
    expect(error).toMatchObject({
      name: 'RequestError',
      kind: 'http_4xx',
      status: 404,
      serverMessage: 'no such collection',
    })
  })
})

import { setupServer } from 'msw/node'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { mockSimulation, type MockedSimulation } from '../../../src/simulator/index.ts'
import { readTable, SMALL } from './table.ts'

const PORTAL = 'https://www.waterqualitydata.us'
const SAMPLES = 'https://api.waterdata.usgs.gov/samples-data'

describe('as request handlers, at the services own addresses', () => {
  let simulation: MockedSimulation
  let server: ReturnType<typeof setupServer>
  beforeAll(() => {
    simulation = mockSimulation({ waterQuality: { silenceMsPerThousand: 50, longestSilenceMs: 100 } })
    server = setupServer(...simulation.handlers)
    server.listen({ onUnhandledRequest: 'error' })
  })
  afterAll(() => server.close())

  const rows = async (url: string): Promise<number> =>
    readTable((await (await fetch(url)).text()).replace(/\n$/, '')).rows.length
  const total = (service: 'legacy' | 'wqx3'): number =>
    Object.values(simulation.truth.waterQuality.counts({ service, query: SMALL })).reduce(
      (sum, { results }) => sum + results,
      0,
    )

  it.each([
    ['legacy', '/data/Result/search'],
    ['legacy', '/data/Result/Search'],
    ['wqx3', '/wqx3/Result/search'],
  ] as const)('%s: %s streams its table', async (service, path) => {
    expect(await rows(`${PORTAL}${path}?${new URLSearchParams(SMALL)}`)).toBe(total(service))
  })

  it('Samples, codes and the document on a request', async () => {
    expect(await rows(`${SAMPLES}/summary/USGS-05510007?mimeType=text/csv`)).toBeGreaterThan(0)
    const codes = (await (await fetch(`${PORTAL}/Codes/providers?mimeType=json`)).json()) as { recordCount: number }
    expect(codes.recordCount).toBe(3)
    const reply = await fetch(`${PORTAL}/wqx3/Station/search?${new URLSearchParams(SMALL)}`)
    const status = await fetch(`${PORTAL}/wqx3/status/${reply.headers.get('wqp-request-id')}`)
    expect(await status.json()).toMatchObject({ failed: false, totalRows: 3 })
  })

  it('a body in JSON, and a connection lost in a silence', async () => {
    const { mimeType, siteid, ...rest } = SMALL
    const post = { method: 'POST', headers: { 'content-type': 'application/json' } }
    const body = JSON.stringify({ ...rest, siteid: siteid.split(';') })
    const reply = await fetch(`${PORTAL}/data/Result/search/count?mimeType=json`, { ...post, body })
    expect(await reply.json()).toMatchObject({ 'Total-Result-Count': String(total('legacy')) })
    const wide = new URLSearchParams({ countycode: 'US:55:025', mimeType })
    await expect(fetch(`${PORTAL}/data/Result/search?${wide}`)).rejects.toThrow('Failed to fetch')
    expect(simulation.requests.at(-1)).toMatchObject({ status: 'cut' })
  })
})

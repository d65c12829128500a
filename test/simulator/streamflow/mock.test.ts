import { setupServer } from 'msw/node'
import { afterEach, describe, expect, it } from 'vitest'
import { mockSimulation, type MockedSimulation, type MockOptions } from '../../../src/simulator/index.ts'
import { itemsPath, nextOf, NO_QUOTAS, post, type PageBody } from './pages.ts'

const WATER_DATA = 'https://api.waterdata.usgs.gov'
let stop: (() => void) | undefined
afterEach(() => {
  stop?.()
  stop = undefined
})

/** Puts a simulation in place of the network. */
function intercept(options: MockOptions = {}): MockedSimulation {
  const simulation = mockSimulation({ streamflow: NO_QUOTAS, ...options })
  const server = setupServer(...simulation.handlers)
  server.listen({ onUnhandledRequest: 'error' })
  stop = () => server.close()
  return simulation
}

describe('handlers', () => {
  it.each([
    WATER_DATA + itemsPath('states'),
    `${WATER_DATA}/statistics/v0/observationNormals?monitoring_location_id=USGS-01000000&start_date=01-01&end_date=01-01`,
    `${WATER_DATA}/stac/v0/search?limit=1`,
    `${WATER_DATA}/stac-files/ratings/USGS.01000000.exsa.rdb`,
    `${WATER_DATA}/ngwmn/ogcapi/collections/providers/items`,
    'https://api.water.usgs.gov/nldi/linked-data/comid/13290000',
    'https://api.water.usgs.gov/nwaa-data/models',
    'https://streamstats.usgs.gov/streamstatsservices/watershed.geojson?rcode=NY&xlocation=-74.5&ylocation=43.9',
  ])('answer where the service really is: %s', async url => {
    intercept()
    expect((await fetch(url)).status).toBe(200)
  })

  it('lead from page to page there, posted questions included', async () => {
    const { requests, truth } = intercept()
    const options = post({ op: 'in', args: [{ property: 'monitoring_location_id' }, ['USGS-01000000']] })
    const init = { method: 'POST', body: options.body ?? '', headers: options.headers ?? {} }
    const query = { parameter_code: '00060', statistic_id: '00003', time: '2024-01-01/2024-01-31', limit: 20 }
    const first = (await (await fetch(WATER_DATA + itemsPath('daily', query), init)).json()) as PageBody
    expect(nextOf(first)?.startsWith(`${WATER_DATA}/ogcapi/v1/collections/daily/items?cursor=`)).toBe(true)
    const second = (await (await fetch(nextOf(first) ?? '', init)).json()) as PageBody
    const count = truth.daily({
      parameterCode: '00060',
      statisticId: '00003',
      monitoringLocationId: 'USGS-01000000',
      start: '2024-01-01',
      end: '2024-01-31',
    }).length
    expect([first.features.length + second.features.length, nextOf(second)]).toEqual([count, undefined])
    expect(requests.map(({ method, body }) => [method, body])).toEqual([
      ['POST', options.body],
      ['POST', options.body],
    ])
  })

  it('answer at another address, links included', async () => {
    intercept({ baseUrl: 'http://water.test/api' })
    const reply = (await (await fetch(`http://water.test/api${itemsPath('states', { limit: 1 })}`)).json()) as PageBody
    expect(nextOf(reply)).toMatch(/^http:\/\/water\.test\/api\/ogcapi\/v1\/collections\/states\/items\?/)
  })
})

import { describe, expect, it } from 'vitest'
import { createStreamflow, type StreamflowOptions } from '../../../src/adapters/streamflow/index.ts'
import { ConfigurationError } from '../../../src/errors.ts'
import { page } from '../../support/feature-pages.ts'
import { errorOf } from '../../support/field-case.ts'
import { answer, startScripted } from '../../support/scripted-server.ts'
import { simulateWater, waterClient } from '../../support/streamflow.ts'
import { TEST_API_KEY } from '../../tooling/secrets.ts'

const settingsOf = (options: StreamflowOptions): Record<string, string> =>
  Object.fromEntries(
    createStreamflow(options)
      .describeSettings()
      .map(({ setting, value, source }) => [setting, `${value} (${source})`]),
  )

describe('settings', () => {
  it('hold without anything set', () => {
    expect(settingsOf({ env: {} })).toMatchObject({
      apiKey: 'not set (default)',
      apiVersion: 'v1 (default)',
      baseUrl: 'https://api.waterdata.usgs.gov/ (default)',
      waterUrl: 'https://api.water.usgs.gov/ (default)',
      streamStatsUrl: 'https://streamstats.usgs.gov/ (default)',
      retries: '4 (default)',
      concurrency: '8 (default)',
    })
  })

  it('are taken from the names that users of the official clients have in their environment', () => {
    const env = {
      API_USGS_PAT: TEST_API_KEY,
      API_USGS_RETRIES: '2',
      API_USGS_STALL_TIMEOUT: '90',
      API_USGS_CONCURRENT: '3',
    }
    expect(settingsOf({ env })).toMatchObject({
      apiKey: 'set (API_USGS_PAT)',
      retries: '2 (API_USGS_RETRIES)',
      stallMs: '90000 (API_USGS_STALL_TIMEOUT)',
      concurrency: '3 (API_USGS_CONCURRENT)',
    })
  })

  it('of the caller outrank those of the environment; empty is not set', () => {
    expect(settingsOf({ env: { API_USGS_RETRIES: '2', API_USGS_CONCURRENT: ' ' }, retries: 1 })).toMatchObject({
      retries: '1 (client option)',
      concurrency: '8 (default)',
    })
    expect(settingsOf({ env: { HEADRACE_RETRIES: '5', API_USGS_RETRIES: '2' } })['retries']).toBe(
      '5 (HEADRACE_RETRIES)',
    )
  })

  it('take no address from the environment', () => {
    expect(
      settingsOf({ env: { API_USGS_BASE_URL: 'https://evil.example', BASE_URL: 'https://evil.example' } })['baseUrl'],
    ).toContain('api.waterdata.usgs.gov')
  })

  it.each<[StreamflowOptions, string]>([
    [{ baseUrl: 'ftp://x' }, 'baseUrl'],
    [{ baseUrl: 'undefined/v1' }, 'baseUrl'],
    [{ baseUrl: 'http://example.org' }, 'readable'],
    [{ waterUrl: 'http://example.org' }, 'waterUrl'],
    [{ apiVersion: 'v2' as never }, 'apiVersion'],
    [{ apiKey: 'two words' }, 'apiKey'],
    [{ quotaPerHour: 0 }, 'quotaPerHour'],
    [{ retries: -1 }, 'retries'],
    [{ concurency: 3 } as never, "did you mean 'concurrency'"],
    [{ env: { API_USGS_RETRIES: '4x' } }, 'API_USGS_RETRIES'],
    [{ env: { API_USGS_STALL_TIMEOUT: 'soon' } }, 'API_USGS_STALL_TIMEOUT'],
  ])('F55: %j is refused before any request', (options, help) => {
    expect(() => createStreamflow({ env: {}, ...options })).toThrow(ConfigurationError)
    expect(() => createStreamflow({ env: {}, ...options })).toThrow(help)
  })
})

describe('the key', () => {
  it('R40: goes to the host that it is for, and to none of the neighbours', async () => {
    const home = await simulateWater()
    const elsewhere = await simulateWater()
    const client = waterClient(home, { apiKey: TEST_API_KEY, waterUrl: elsewhere.url, streamStatsUrl: elsewhere.url })
    await client.getLatestDaily({ monitoringLocationId: 'USGS-01000000' })
    await client.getGroundwaterProviders()
    await client.getStatistics({ monitoringLocationId: 'USGS-01000000', parameterCode: '00060', normalType: 'MOY' })
    await client.getRatings({ monitoringLocationId: 'USGS-01000000' })
    await client.getFeatureSources()
    await client.getWatershed({ state: 'NY', longitude: -74.524, latitude: 43.939 })
    await client.getWaterUse({
      model: 'wu-thermoelectric',
      variable: 'tewdtot',
      huc: '010900020502',
      resolution: 'annualcy',
    })
    expect(new Set(home.requests.map(({ key }) => key)).size).toBe(1)
    expect(home.requests.every(({ headers }) => headers['x-api-key'] !== undefined)).toBe(true)
    expect(elsewhere.requests).toHaveLength(3)
    expect(
      elsewhere.requests.filter(
        ({ key, headers }) =>
          key !== undefined || headers['x-api-key'] !== undefined || headers['authorization'] !== undefined,
      ),
    ).toEqual([])
  })

  it('R44: is no part of an address, and a refused one is final', async () => {
    const simulator = await simulateWater({ streamflow: { keys: ['another'] } })
    const error = await waterClient(simulator, { apiKey: TEST_API_KEY })
      .getLatestDaily({ monitoringLocationId: 'USGS-01000000' })
      .catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({
      kind: 'http_4xx',
      status: 403,
      serverMessage: expect.stringMatching(/key/i) as string,
    })
    expect(simulator.requests).toHaveLength(1)
    expect(simulator.requests[0]?.search).not.toContain(TEST_API_KEY)
  })

  it('is not needed', async () => {
    const simulator = await simulateWater()
    expect((await waterClient(simulator).getReferenceTable('states')).length).toBeGreaterThan(0)
    expect(simulator.requests[0]?.key).toBeUndefined()
  })
})

describe('R35 R38: quotas', () => {
  const SITE = 'USGS-01000000'

  it('are of each family: groundwater counts with water data, statistics does not', async () => {
    const server = await startScripted(visit =>
      answer(visit, {
        headers: {
          'x-ratelimit-limit': '50',
          'x-ratelimit-remaining': visit.arrival.path.includes('ngwmn') ? '0' : '40',
        },
        body: page([]),
      }),
    )
    const client = waterClient(server)
    await client.getStatistics({ monitoringLocationId: SITE, normalType: 'MOY' })
    expect(client.planDaily({ monitoringLocationId: SITE }).quota.remaining).toBeUndefined()
    await client.getGroundwaterSites({ monitoringLocationId: SITE })
    expect(client.planDaily({ monitoringLocationId: SITE }).quota.remaining).toBe(0)
    await client.getStatistics({ monitoringLocationId: SITE, normalType: 'MOY' }, { priority: 'bulk' })
    const error = await errorOf(client.getDaily({ monitoringLocationId: SITE }, { priority: 'bulk' }))
    expect(error).toMatchObject({ kind: 'rate_limited' })
    expect(server.arrivals).toHaveLength(3)
  })
})

describe('policies', () => {
  const asked = {
    'water data': (client: ReturnType<typeof waterClient>) =>
      client.getLatestDaily({ monitoringLocationId: 'USGS-01000000' }),
    statistics: (client: ReturnType<typeof waterClient>) =>
      client.getStatistics({ monitoringLocationId: 'USGS-01000000', parameterCode: '00060', normalType: 'MOY' }),
    navigation: (client: ReturnType<typeof waterClient>) => client.getFeatureSources(),
    watersheds: (client: ReturnType<typeof waterClient>) =>
      client.getWatershed({ state: 'NY', longitude: -74.524, latitude: 43.939 }),
    'water use': (client: ReturnType<typeof waterClient>) =>
      client.getWaterUse({
        model: 'wu-thermoelectric',
        variable: 'tewdtot',
        huc: '010900020502',
        resolution: 'annualcy',
      }),
  }

  it.each<[keyof typeof asked, number, boolean]>([
    ['water data', 500, true],
    ['water data', 503, true],
    ['water data', 504, true],
    ['water data', 400, false],
    ['water data', 404, false],
    ['statistics', 500, true],
    ['navigation', 500, false],
    ['navigation', 502, true],
    ['navigation', 504, true],
    ['watersheds', 500, false],
    ['watersheds', 503, true],
    ['water use', 500, true],
    ['water use', 400, false],
  ])('R6: of %s, a status %d is repeated: %s', async (family, status, repeated) => {
    const simulator = await simulateWater({ faults: [{ when: { attempts: 1 }, do: { type: 'status', status } }] })
    const outcome = await asked[family](waterClient(simulator)).then(
      () => 'answered',
      (error: { status?: number }) => error.status,
    )
    expect(outcome).toBe(repeated ? 'answered' : status)
    expect(simulator.requests).toHaveLength(repeated ? 2 : 1)
  })
})

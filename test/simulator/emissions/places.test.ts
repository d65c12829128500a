import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startSimulator, type Simulator } from '../../../src/simulator/index.ts'
import { ask, logIn } from '../ask.ts'

interface Access {
  readonly signal_types: {
    readonly signal_type: string
    readonly regions: {
      readonly region: string
      readonly region_full_name: string
      readonly parent: string
      readonly data_point_period_seconds: number
      readonly endpoints: { readonly endpoint: string; readonly models: Record<string, string>[] }[]
    }[]
  }[]
}

let simulator: Simulator
let pro: string
let free: string

beforeAll(async () => {
  simulator = await startSimulator()
  pro = await logIn(simulator)
  free = await logIn(simulator, 'free:free-pass-1!')
})
afterAll(() => simulator.close())

const read = async <Body>(path: string, token = pro): Promise<{ status: number | undefined; body: Body }> => {
  const { status, text } = await ask(simulator.url + path, { token })
  return { status, body: JSON.parse(text) as Body }
}

describe('GET /v3/region-from-loc', () => {
  it.each([
    ['39.7522', '-105.0', 'co2_moer', 'PSCO', 'Public Service Co of Colorado'],
    ['42.372', '-72.519', 'co2_moer', 'ISONE_WCMA', 'ISONE Western/Central Massachusetts'],
    ['37.77', '-122.42', 'co2_moer', 'CAISO_NORTH', 'California ISO Northern'],
    ['37.77', '-122.42', 'co2_aoer', 'CAISO', 'CAISO'],
    ['48.85', '2.35', 'co2_moer', 'FR', 'France'],
  ])('knows %s, %s for %s', async (latitude, longitude, signal_type, region, name) => {
    const { status, body } = await read(
      `/v3/region-from-loc?${new URLSearchParams({ latitude, longitude, signal_type })}`,
    )
    expect([status, body]).toEqual([200, { region, region_full_name: name, signal_type }])
  })

  it.each([
    ['the sea', '0', '0', 'co2_moer'],
    ['a country without that signal', '48.85', '2.35', 'health_damage'],
  ])('says 404 for %s, and repeats the question', async (_, latitude, longitude, signal_type) => {
    const { status, body } = await read(
      `/v3/region-from-loc?${new URLSearchParams({ latitude, longitude, signal_type })}`,
    )
    const error = 'No coverage available for these coordinates and signal_type'
    expect([status, body]).toEqual([404, { error, latitude, longitude, signal_type }])
  })

  it.each([
    ['no latitude', 'longitude=0', 'latitude'],
    ['words', 'latitude=north&longitude=0', 'latitude'],
    ['too far east', 'latitude=0&longitude=181', 'longitude'],
    ['a signal nobody knows', 'latitude=0&longitude=0&signal_type=noise', 'signal_type'],
  ])('refuses %s with 422', async (_, query, parameter) => {
    const { status, body } = await read(`/v3/region-from-loc?${query}`)
    expect(status).toBe(422)
    expect(body).toMatchObject({ detail: [{ loc: ['query', parameter] }] })
  })
})

describe('GET /v3/my-access', () => {
  it('lists four levels: signal, region, endpoint, model', async () => {
    const { body } = await read<Access>('/v3/my-access')
    expect(body.signal_types.map(({ signal_type }) => signal_type)).toEqual([
      'co2_moer',
      'co2_aoer',
      'health_damage',
      'marginal_fuel_mix',
    ])
    expect(body.signal_types[0]?.regions.find(({ region }) => region === 'PJM_NJ')).toEqual({
      region: 'PJM_NJ',
      region_full_name: 'PJM New Jersey',
      parent: 'PJM',
      data_point_period_seconds: 300,
      endpoints: ['v3/historical', 'v3/forecast'].map(endpoint => ({
        endpoint,
        models: [
          ['2023-03-01', '2012-01-01'],
          ['2026-03-01', '2016-01-01'],
        ].map(([model, start]) => ({
          model,
          data_start: start,
          train_start: start,
          train_end: model,
          ...(endpoint === 'v3/historical' ? { type: 'binned_regression' } : {}),
        })),
      })),
    })
  })

  it('shows the free plan its one region', async () => {
    const { body } = await read<Access>('/v3/my-access', free)
    expect(
      body.signal_types.map(({ signal_type, regions }) => [signal_type, regions.map(({ region }) => region)]),
    ).toEqual([
      ['co2_moer', ['CAISO_NORTH']],
      ['health_damage', ['CAISO_NORTH']],
    ])
  })

  it('can be narrowed', async () => {
    const { body } = await read<Access>('/v3/my-access?region=CAISO&signal_type=co2_aoer')
    expect(body.signal_types).toHaveLength(1)
    expect(body.signal_types[0]?.regions).toHaveLength(1)
    expect(body.signal_types[0]?.regions[0]).toMatchObject({ region: 'CAISO', data_point_period_seconds: 3600 })
  })

  it('names regions that can in fact be read', async () => {
    const { body } = await read<Access>('/v3/my-access')
    for (const { signal_type, regions } of body.signal_types.slice(0, 3)) {
      for (const { region } of regions) {
        const span = 'start=2024-03-01T00:00Z&end=2024-03-01T00:00Z'
        const { status } = await read(`/v3/historical?region=${region}&signal_type=${signal_type}&${span}`)
        expect(status).toBe(200)
      }
    }
  })
})

describe('GET /v3/maps', () => {
  it('gives the regions of the signal as closed shapes', async () => {
    const { body } = await read<{
      features: { properties: { region: string }; geometry: { type: string; coordinates: number[][][][] } }[]
      meta: object
    }>('/v3/maps?signal_type=co2_aoer')
    const access = await read<Access>('/v3/my-access?signal_type=co2_aoer')
    expect(body.features.map(({ properties }) => properties.region)).toEqual(
      access.body.signal_types[0]?.regions.map(({ region }) => region),
    )
    for (const { geometry } of body.features) {
      expect(geometry.type).toBe('MultiPolygon')
      expect(geometry.coordinates[0]?.[0]?.[0]).toEqual(geometry.coordinates[0]?.[0]?.at(-1))
    }
    expect(body.meta).toEqual({ last_updated: '2026-03-18T00:00:00+00:00', signal_type: 'co2_aoer' })
  })

  it('is not for the free plan, and needs a signal', async () => {
    expect((await read('/v3/maps?signal_type=co2_moer', free)).status).toBe(403)
    expect((await read('/v3/maps')).status).toBe(422)
  })
})

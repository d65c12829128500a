import { describe, expect, it } from 'vitest'
import { createManualClock } from '../../support/clocks.ts'
import { simulate } from '../../support/emissions.ts'
import { patientClient } from '../../support/patient-client.ts'

const denver = { latitude: 39.7522, longitude: -105 }
const ocean = { latitude: 0, longitude: 0 }
const DAY_MS = 86_400_000

describe('getRegion', () => {
  it('names the grid region of a place', async () => {
    const simulator = await simulate()
    const { rows, meta } = await patientClient(simulator).getRegion(denver)
    expect(rows).toEqual([
      { region: 'PSCO', region_full_name: 'Public Service Co of Colorado', signal_type: 'co2_moer' },
    ])
    expect(meta).toMatchObject([{ status: 200, operation: 'getRegion', rows: 1, span: null, chunk: 0 }])
  })

  it('the contract, section 4: takes 404 for "no region covers this place", not for an error', async () => {
    const simulator = await simulate()
    const { rows, meta } = await patientClient(simulator).getRegion(ocean)
    expect(rows).toEqual([])
    expect(meta).toMatchObject([
      { status: 404, rows: 0, source: { answer: expect.stringContaining('No coverage') as string } },
    ])
    expect(simulator.stats).toMatchObject({ dataRequests: 1, logins: 1 })
  })

  it.each([404, 400])('F43: takes a %d that says something else for an error with that status', async status => {
    const simulator = await simulate({
      faults: [{ do: { type: 'status', status, body: { message: 'no such path' } } }],
    })
    await expect(patientClient(simulator).getRegion(denver)).rejects.toMatchObject({
      name: 'RequestError',
      kind: 'http_4xx',
      status,
      serverMessage: 'no such path',
      attempts: 1,
    })
    expect(simulator.stats.dataRequests).toBe(1)
  })
})

describe('the contract, section 4: the look-ups that were answered', () => {
  it('are kept, covered or not: the second time asks nobody', async () => {
    const simulator = await simulate()
    const client = patientClient(simulator)
    for (const place of [denver, ocean, denver, ocean]) await client.getRegion(place)
    expect(simulator.stats.dataRequests).toBe(2)
  })

  it('are kept per signal and place, and the default signal is one of them', async () => {
    const simulator = await simulate()
    const client = patientClient(simulator)
    const answers = [
      await client.getRegion({ latitude: 37, longitude: -120 }),
      await client.getRegion({ latitude: 37, longitude: -120, signalType: 'co2_aoer' }),
      await client.getRegion({ latitude: 37, longitude: -120, signalType: 'co2_moer' }),
      await client.getRegion({ latitude: 37.1, longitude: -120 }),
    ]
    expect(answers.map(({ rows }) => rows[0]?.region)).toEqual(['CAISO_NORTH', 'CAISO', 'CAISO_NORTH', 'CAISO_NORTH'])
    expect(simulator.requests.filter(({ path }) => path === '/v3/region-from-loc').map(({ query }) => query)).toEqual([
      { latitude: '37', longitude: '-120', signal_type: 'co2_moer' },
      { latitude: '37', longitude: '-120', signal_type: 'co2_aoer' },
      { latitude: '37.1', longitude: '-120', signal_type: 'co2_moer' },
    ])
  })

  it('are kept for a week, and then asked for again', async () => {
    const clock = createManualClock()
    const simulator = await simulate()
    const client = patientClient(simulator, { clock })
    await client.getRegion(denver)
    await clock.advance(7 * DAY_MS - 1)
    await client.getRegion(denver)
    expect(simulator.stats.dataRequests).toBe(1)
    await clock.advance(1)
    await client.getRegion(denver)
    expect(simulator.stats.dataRequests).toBe(2)
  })

  it.each([
    [0, 2],
    [60_000, 1],
  ])('are kept for regionCacheMs %d: %d requests for two calls', async (regionCacheMs, requests) => {
    const simulator = await simulate()
    const client = patientClient(simulator, { regionCacheMs })
    await client.getRegion(denver)
    await client.getRegion(denver)
    expect(simulator.stats.dataRequests).toBe(requests)
  })

  it('are kept by each client for itself', async () => {
    const simulator = await simulate()
    await patientClient(simulator).getRegion(denver)
    await patientClient(simulator).getRegion(denver)
    expect(simulator.stats.dataRequests).toBe(2)
  })

  it('are not kept when they failed', async () => {
    const simulator = await simulate({ faults: [{ when: { nth: 1 }, do: { type: 'status', status: 400 } }] })
    const client = patientClient(simulator)
    await expect(client.getRegion(denver)).rejects.toMatchObject({ status: 400 })
    expect((await client.getRegion(denver)).rows).toHaveLength(1)
    expect(simulator.stats.dataRequests).toBe(2)
  })

  it('are the same for the next caller, whatever the last one did to the answer', async () => {
    const client = patientClient(await simulate())
    for (let call = 1; call <= 3; call++) {
      const { rows } = await client.getRegion(denver)
      expect(rows.map(({ region }) => region)).toEqual(['PSCO'])
      rows.length = 0
    }
  })

  it('do not hide a mistake in the query', async () => {
    const client = patientClient(await simulate())
    await client.getRegion(denver)
    await expect(client.getRegion({ ...denver, radius: 5 } as never)).rejects.toMatchObject({ argument: 'radius' })
  })
})

describe('getAccess', () => {
  it('lists what the account may ask for, a row per signal, region, endpoint and model', async () => {
    const simulator = await simulate()
    const free = { username: 'free', password: 'free-pass-1!' }
    const { rows } = await patientClient(simulator, free).getAccess()
    expect(new Set(rows.map(({ region }) => region))).toEqual(new Set(['CAISO_NORTH']))
    expect(new Set(rows.map(row => row.signal_type))).toEqual(new Set(['co2_moer', 'health_damage']))
    expect(new Set(rows.map(({ model }) => model))).toEqual(new Set(['2023-03-01', '2026-03-01']))
    const keys = rows.map(row => [row.signal_type, row.region, row.endpoint, row.model].join(' '))
    expect(new Set(keys).size).toBe(rows.length)
  })
})

describe('getMaps', () => {
  it('returns one outline for each region of the signal', async () => {
    const simulator = await simulate()
    const { rows, meta } = await patientClient(simulator).getMaps({ signalType: 'co2_aoer' })
    expect(rows.map(({ region }) => region)).toContain('CAISO')
    expect(rows[0]?.geometry).toMatchObject({ type: 'MultiPolygon' })
    expect(meta[0]?.source).toMatchObject({ signal_type: 'co2_aoer' })
  })
})

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startSimulator, type Simulator } from '../../../src/simulator/index.ts'
import { ask, bodyOf, logIn } from '../ask.ts'

interface WireMix {
  readonly point_time: string
  readonly values: { readonly fuel_type: string; readonly value: number }[]
}

const PATH = `/v3/fuel-mix?${new URLSearchParams({ region: 'PSCO', signal_type: 'marginal_fuel_mix', start: '2026-01-01T00:00Z', end: '2026-01-01T01:00Z' })}`
let simulator: Simulator

beforeAll(async () => {
  simulator = await startSimulator()
})
afterAll(() => simulator.close())

describe('GET /v3/fuel-mix', () => {
  it('gives shares that sum to one, and agree with the truth', async () => {
    const reply = await ask(simulator.url + PATH, { token: await logIn(simulator) })
    const { data, meta } = bodyOf<WireMix>(reply)
    expect(data).toHaveLength(13)
    for (const { values } of data) expect(values.reduce((sum, { value }) => sum + value, 0)).toBeCloseTo(1, 9)
    expect(meta).toMatchObject({ region: 'PSCO', signal_type: 'marginal_fuel_mix', units: 'proportion', warnings: [] })
    const truth = simulator.truth.fuelMix({ region: 'PSCO', start: '2026-01-01', end: '2026-01-01T01:00Z' })
    expect(
      data.map(({ point_time, values }) => ({
        point_time: Date.parse(point_time),
        values: Object.fromEntries(values.map(({ fuel_type, value }) => [fuel_type, value])),
      })),
    ).toEqual(truth)
  })

  it('is not for the free plan', async () => {
    const reply = await ask(simulator.url + PATH, { token: await logIn(simulator, 'free:free-pass-1!') })
    expect(reply.status).toBe(403)
    expect(reply.text).toContain('Invalid scope')
  })

  it('refuses more than 32 days', async () => {
    const long = PATH.replace('end=2026-01-01', 'end=2026-02-10')
    expect((await ask(simulator.url + long, { token: await logIn(simulator) })).status).toBe(400)
  })
})

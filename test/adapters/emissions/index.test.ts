import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type * as Emissions from '../../../src/adapters/emissions/index.ts'
import type { Simulator } from '../../../src/simulator/index.ts'
import { simulate } from '../../support/emissions.ts'

const region = 'CAISO_NORTH'
const hour = { region, start: '2024-03-01', end: '2024-03-01T01:00Z' }
let door: typeof Emissions

/** The environment as somebody has it who works with one account. */
function settle(simulator: Simulator, username = 'demo'): void {
  vi.stubEnv('WATTTIME_USER', username)
  vi.stubEnv('WATTTIME_PASSWORD', `${username}-pass-1!`)
  vi.stubEnv('WATTTIME_API_URL', simulator.url)
}

beforeEach(async () => {
  for (const name of ['WATTTIME_USER', 'WATTTIME_PASSWORD', 'WATTTIME_API_URL']) vi.stubEnv(name, undefined)
  vi.resetModules()
  door = await import('../../../src/adapters/emissions/index.ts')
})
afterEach(() => vi.unstubAllEnvs())

describe('the bare getters', () => {
  it('R63: read the environment when first used, not when imported', async () => {
    const simulator = await simulate()
    settle(simulator)
    expect((await door.getHistorical(hour)).rows).toHaveLength(13)
    expect(simulator.requests.map(({ user }) => user)).toEqual(['demo', 'demo'])
  })

  it('share one client, made once: the environment may change behind it', async () => {
    const simulator = await simulate()
    settle(simulator)
    await door.getHistorical(hour)
    settle(simulator, 'free')
    await door.getForecast({ region, horizonHours: 0 })
    expect(simulator.stats).toMatchObject({ logins: 1, dataRequests: 2 })
    expect(new Set(simulator.requests.map(({ user }) => user))).toEqual(new Set(['demo']))
  })

  it('R45: write nothing to the environment', async () => {
    const simulator = await simulate()
    settle(simulator)
    const before = { ...process.env }
    await door.getHistorical(hour)
    expect(process.env).toEqual(before)
  })

  it('F23: say which variable is missing, and can be used once it is set', async () => {
    const simulator = await simulate()
    vi.stubEnv('WATTTIME_API_URL', simulator.url)
    await expect(door.getHistorical(hour)).rejects.toMatchObject({
      code: 'HEADRACE_CONFIGURATION',
      source: 'WATTTIME_USER',
      message: expect.stringContaining('WATTTIME_USER') as string,
    })
    expect(simulator.stats.requests).toBe(0)
    settle(simulator)
    expect((await door.getHistorical(hour)).rows).toHaveLength(13)
  })

  it('reject, and do not throw, when the environment makes no sense', async () => {
    vi.stubEnv('HEADRACE_RETRIES', 'many')
    const call = door.getHistorical(hour)
    await expect(call).rejects.toMatchObject({
      code: 'HEADRACE_CONFIGURATION',
      setting: 'retries',
      source: 'HEADRACE_RETRIES',
    })
  })

  it('are all there, each the same as the method of a client', async () => {
    const simulator = await simulate()
    settle(simulator)
    const place = { latitude: 39.7522, longitude: -105 }
    const user = { username: 'freddo', password: 'Fr0g!frog', email: 'freddo@example.org' }
    const count = async (stream: AsyncIterable<{ rows: readonly unknown[] }>): Promise<number> => {
      let rows = 0
      for await (const batch of stream) rows += batch.rows.length
      return rows
    }
    const checkpoint = { version: 1, service: 'emissions', operation: 'getHistorical', query: hour } as const
    const answers = {
      getAccess: (await door.getAccess()).operation,
      getRegion: (await door.getRegion(place)).rows[0]?.region,
      getHistorical: (await door.getHistorical(hour)).rows.length,
      streamHistorical: await count(door.streamHistorical(hour)),
      planHistorical: door.planHistorical(hour).requests,
      getForecast: (await door.getForecast({ region, horizonHours: 1 })).rows.length,
      getHistoricalForecast: (await door.getHistoricalForecast({ ...hour, horizonHours: 0 })).rows.length,
      streamHistoricalForecast: await count(door.streamHistoricalForecast({ ...hour, horizonHours: 0 })),
      planHistoricalForecast: door.planHistoricalForecast(hour).requests,
      getSignalIndex: (await door.getSignalIndex({ region })).rows.length,
      getFuelMix: (await door.getFuelMix(hour)).completeness?.received,
      streamFuelMix: (await count(door.streamFuelMix(hour))) > 13,
      planFuelMix: door.planFuelMix(hour).requests,
      getMaps: (await door.getMaps()).rows.length > 0,
      getTypicalYear: (await door.getTypicalYear({ region, zone: 'America/Los_Angeles', year: 2025 })).rows.length,
      register: (await door.register(user)).ok,
      requestPasswordReset: (await door.requestPasswordReset()).ok,
      resumeFrom: (await door.resumeFrom({ ...checkpoint, left: [] })).rows,
      streamFrom: await count(door.streamFrom({ ...checkpoint, left: [hour] })),
    }
    expect(answers).toEqual({
      getAccess: 'getAccess',
      getRegion: 'PSCO',
      getHistorical: 13,
      streamHistorical: 13,
      planHistorical: 1,
      getForecast: 12,
      getHistoricalForecast: 13,
      streamHistoricalForecast: 13,
      planHistoricalForecast: 1,
      getSignalIndex: 1,
      getFuelMix: 13,
      streamFuelMix: true,
      planFuelMix: 1,
      getMaps: true,
      getTypicalYear: 8760,
      register: 'User created',
      requestPasswordReset: 'Please check your email for the password reset link',
      resumeFrom: [],
      streamFrom: 13,
    })
    const methods = Object.keys(door.createEmissions({ env: {} })).filter(name => name !== 'describeSettings')
    expect(Object.keys(answers).sort()).toEqual(methods.sort())
    expect(simulator.stats.logins).toBe(1)
  })
})

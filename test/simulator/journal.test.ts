import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { startSimulator, type Simulator, type SimulatorRequest } from '../../src/simulator/index.ts'
import { peakWithin } from '../../src/simulator/journal.ts'
import { seen } from '../tooling/leaks.ts'
import { TEST_PASSWORD, TEST_USERNAME } from '../tooling/secrets.ts'
import { ask, basic, historicalPath, logIn } from './ask.ts'

const PATH = historicalPath('2024-03-01T00:00Z', '2024-03-02T00:00Z')
let simulator: Simulator
let token: string

beforeEach(async () => {
  simulator = await startSimulator({ accounts: [{ username: TEST_USERNAME, password: TEST_PASSWORD, plan: 'pro' }] })
  token = await logIn(simulator, `${TEST_USERNAME}:${TEST_PASSWORD}`)
  simulator.reset()
})
afterEach(() => {
  seen('simulator', simulator.requests)
  return simulator.close()
})

describe('the record', () => {
  it('keeps a request as it was sent', async () => {
    await ask(
      `${simulator.url}/v3/historical?region=CAISO_NORTH&start=2024-03-01%2000:00%2B00:00&end=2024-03-01T00:05Z&x=a&x=b`,
      { token, headers: { 'User-Agent': 'me/1' } },
    )
    expect(simulator.requests).toHaveLength(1)
    expect(simulator.requests[0]).toMatchObject({
      n: 1,
      method: 'GET',
      path: '/v3/historical',
      search: '?region=CAISO_NORTH&start=2024-03-01%2000:00%2B00:00&end=2024-03-01T00:05Z&x=a&x=b',
      query: { region: 'CAISO_NORTH', start: '2024-03-01 00:00+00:00', end: '2024-03-01T00:05Z', x: 'b' },
      headers: { 'user-agent': 'me/1', authorization: expect.stringMatching(/^Bearer #[0-9a-f]{8}$/) as string },
      spanMs: 300_000,
      isAccount: false,
      duringPause: false,
      status: 400,
    })
    expect(simulator.requests[0]?.endedAt).toBeGreaterThan(simulator.requests[0]?.at ?? Infinity)
  })

  it('numbers requests in order of arrival, whatever the order of the answers', async () => {
    simulator.setFaults([{ when: { nth: 1 }, do: { type: 'latency', ms: 80 } }])
    const first = ask(`${simulator.url}${PATH}&q=1`, { token })
    await sleep(20)
    await ask(`${simulator.url}${PATH}&q=2`, { token })
    await first
    expect(simulator.requests.map(({ n, query }) => [n, query['q']])).toEqual([
      [1, '1'],
      [2, '2'],
    ])
    const [slow, quick] = simulator.requests
    expect(quick?.endedAt).toBeLessThan(slow?.endedAt ?? 0)
  })

  it('holds secrets as fingerprints only, whatever header they come in', async () => {
    const headers = {
      ...basic(`${TEST_USERNAME}:${TEST_PASSWORD}`),
      'x-api-key': token,
      cookie: `t=${token}`,
      'proxy-authorization': token,
    }
    await ask(`${simulator.url}/login`, { headers })
    const [login] = simulator.requests
    expect(login?.headers).toMatchObject({
      authorization: expect.stringMatching(/^Basic #[0-9a-f]{8}$/) as string,
      'x-api-key': expect.stringMatching(/^#[0-9a-f]{8}$/) as string,
      cookie: expect.stringMatching(/^#[0-9a-f]{8}$/) as string,
    })
    expect(JSON.stringify(simulator.requests)).not.toMatch(/sim-token-|leak-/)
  })

  it('knows the user, without showing the name when printed', async () => {
    await ask(simulator.url + PATH, { token })
    expect(simulator.requests[0]?.user).toBe(TEST_USERNAME)
    expect(JSON.stringify(simulator.requests)).not.toContain(TEST_USERNAME)
  })

  it('starts anew after a reset, and leaves the old list as it is', async () => {
    await ask(simulator.url + PATH, { token })
    const old = simulator.requests
    simulator.reset()
    expect([old.length, simulator.requests.length, simulator.stats.requests]).toEqual([1, 0, 0])
    await ask(simulator.url + PATH, { token })
    expect(simulator.requests[0]?.n).toBe(1)
    expect(simulator.stats.repeats).toBe(0)
  })

  it('starts the counters of faults anew after a reset, too', async () => {
    simulator.setFaults([{ when: { nth: 1 }, do: { type: 'status', status: 503 } }])
    const status = async (): Promise<number | undefined> => (await ask(simulator.url + PATH, { token })).status
    expect([await status(), await status()]).toEqual([503, 200])
    simulator.reset()
    expect([await status(), await status()]).toEqual([503, 200])
  })
})

describe('figures', () => {
  it('count requests, logins, repeats and statuses', async () => {
    await ask(`${simulator.url}/login`)
    await ask(`${simulator.url}/login`)
    await ask(simulator.url + PATH, { token })
    await ask(simulator.url + PATH, { token })
    await ask(`${simulator.url}${PATH}&model=2023-03-01`, { token })
    await ask(`${simulator.url}/v3/nothing`, { token })
    expect(simulator.stats).toMatchObject({
      requests: 6,
      dataRequests: 4,
      logins: 2,
      repeats: 1,
      statuses: { '200': 3, '401': 2, '404': 1 },
      timesHung: 0,
      duringPause: 0,
    })
  })

  it('know how many were open at once', async () => {
    simulator.setFaults([{ do: { type: 'latency', ms: 60 } }])
    await Promise.all([1, 2, 3, 4].map(() => ask(simulator.url + PATH, { token })))
    await ask(simulator.url + PATH, { token })
    expect(simulator.stats.peakOpen).toBe(4)
  })

  it.each([
    ['none', [], 0],
    ['all in one second', [0, 500, 999], 3],
    ['a second apart to the millisecond', [0, 1000, 2000], 1],
    ['a busy stretch in the middle', [0, 900, 1000, 1100, 1899, 1900, 3000], 4],
  ])('know the busiest second: %s', (_, times, peak) => {
    const requests = times.map(at => ({ at }) as SimulatorRequest)
    expect(peakWithin(requests, 1000)).toBe(peak)
  })

  it('know the busiest stretch of any length', async () => {
    await ask(simulator.url + PATH, { token })
    await sleep(30)
    await ask(simulator.url + PATH, { token })
    expect([simulator.peakWithin(10), simulator.peakWithin(10_000), simulator.stats.peakPerSecond]).toEqual([1, 2, 2])
  })
})

describe('a simulation', () => {
  it('is the same for the same seed, whatever the port and the order', async () => {
    const statusesOf = async (seed: number, shuffle: boolean): Promise<(number | undefined)[]> => {
      const other = await startSimulator({
        seed,
        faults: [{ when: { probability: 0.5 }, do: { type: 'status', status: 503 } }],
      })
      const good = await logIn(other)
      const days = Array.from({ length: 20 }, (_, index) => index + 1)
      const statuses = new Map<number, number | undefined>()
      for (const day of shuffle ? days.toReversed() : days) {
        const start = `2024-03-${String(day).padStart(2, '0')}T00:00Z`
        statuses.set(day, (await ask(other.url + historicalPath(start, start), { token: good })).status)
      }
      await other.close()
      return days.map(day => statuses.get(day))
    }
    const first = await statusesOf(7, false)
    expect(new Set(first)).toEqual(new Set([200, 503]))
    expect(await statusesOf(7, true)).toEqual(first)
    expect(await statusesOf(8, false)).not.toEqual(first)
  })

  it('takes two spellings of one question for the same', async () => {
    simulator.setFaults([{ when: { attempts: 1 }, do: { type: 'status', status: 503 } }])
    const spellings = [PATH, historicalPath('2024-03-01 00:00:00+00:00', '2024-03-02T01:00:00+01:00')]
    const statuses: (number | undefined)[] = []
    for (const path of spellings) statuses.push((await ask(simulator.url + path, { token })).status)
    expect(statuses).toEqual([503, 200])
  })
})

import { afterEach, describe, expect, it } from 'vitest'
import { startSimulator, type Simulator, type SimulatorOptions } from '../../src/simulator/index.ts'
import { createLimiter } from '../../src/simulator/limits.ts'
import { ask, historicalPath, logIn } from './ask.ts'
import { createHandClock } from './hand-clock.ts'

describe('createLimiter', () => {
  const passes = (
    limiter: ReturnType<typeof createLimiter>,
    times: readonly number[],
    user = 'u',
    isLogin = false,
  ): boolean[] => times.map(at => limiter.check(user, isLogin, at) === undefined)

  it('is a window that slides, and does not count what it refused', () => {
    const limiter = createLimiter({ requests: { count: 2, perMs: 100 } })
    expect(passes(limiter, [0, 50, 60, 99, 100, 120, 149, 150])).toEqual([
      true,
      true,
      false,
      false,
      true,
      false,
      false,
      true,
    ])
  })

  it('counts each user alone', () => {
    const limiter = createLimiter({ requests: { count: 1, perMs: 100 } })
    expect([...passes(limiter, [0, 1], 'a'), ...passes(limiter, [2], 'b')]).toEqual([true, false, true])
  })

  it('counts a login twice: as a login and as a request', () => {
    const limiter = createLimiter({ requests: { count: 3, perMs: 100 }, logins: { count: 2, perMs: 100 } })
    expect(passes(limiter, [0, 1, 2], 'u', true)).toEqual([true, true, false])
    expect(passes(limiter, [3, 4])).toEqual([true, false])
  })

  it('has the limits of the service unless told otherwise', () => {
    const limiter = createLimiter()
    expect(
      passes(
        limiter,
        Array.from({ length: 101 }, (_, at) => at),
        'u',
        true,
      ).lastIndexOf(true),
    ).toBe(99)
    expect(
      passes(
        limiter,
        Array.from({ length: 2901 }, (_, at) => 200 + at),
      ).lastIndexOf(true),
    ).toBe(2899)
    expect(limiter.check('u', false, 300_000)).toBeUndefined()
  })

  it('can be switched off', () => {
    const limiter = createLimiter({ requests: null, logins: null })
    expect(
      passes(
        limiter,
        Array.from({ length: 5000 }, () => 0),
        'u',
        true,
      ),
    ).not.toContain(false)
  })

  it.each([
    [undefined, { 'retry-after': '1' }],
    [2, { 'retry-after': '2' }],
    [0, { 'retry-after': '0' }],
    ['soon', { 'retry-after': 'soon' }],
    [null, {}],
  ])('says with retryAfter %j: %j', (retryAfter, headers) => {
    const limiter = createLimiter({ perSecond: { count: 1, ...(retryAfter === undefined ? {} : { retryAfter }) } })
    limiter.check('u', false, 0)
    expect(limiter.check('u', false, 10)).toEqual(headers)
  })

  it.each([
    [false, [true, false, true]],
    [true, [true, false, false]],
  ])('lets nobody in during the pause when strict (%s)', (strict, expected) => {
    const limiter = createLimiter({ perSecond: { count: 1, retryAfter: 5, strict } })
    expect(passes(limiter, [0, 500, 1600])).toEqual(expected)
  })
})

describe('limits of the server', () => {
  const PATH = historicalPath('2024-03-01T00:00Z', '2024-03-01T00:00Z')
  let simulator: Simulator
  afterEach(() => simulator.close())

  const start = async (options: SimulatorOptions): Promise<string> => {
    simulator = await startSimulator(options)
    return logIn(simulator)
  }

  it('answers 429 beyond the limit, and runs on the clock that was handed in', async () => {
    const clock = createHandClock('2026-06-01T12:00:00Z')
    const token = await start({ clock, limits: { requests: { count: 3, perMs: 300_000 } } })
    const statuses = async (): Promise<(number | undefined)[]> =>
      [
        await ask(simulator.url + PATH, { token }),
        await ask(simulator.url + PATH, { token }),
        await ask(simulator.url + PATH, { token }),
      ].map(reply => reply.status)
    expect(await statuses()).toEqual([200, 200, 429])
    clock.advance(300_000)
    expect(await statuses()).toEqual([200, 200, 200])
  })

  it('answers the 101st login within five minutes with 429', async () => {
    await start({ clock: createHandClock('2026-06-01T12:00:00Z') })
    for (let login = 2; login <= 100; login++) await logIn(simulator)
    const headers = { authorization: `Basic ${btoa('demo:demo-pass-1!')}` }
    const reply = await ask(`${simulator.url}/login`, { headers })
    expect(reply.status).toBe(429)
    expect(reply.headers).not.toHaveProperty('retry-after')
    expect(simulator.stats).toMatchObject({ logins: 101, statuses: { '200': 100, '429': 1 } })
  })

  it('notes what comes while a Retry-After is running, whoever gave it', async () => {
    const clock = createHandClock('2026-06-01T12:00:00Z')
    const token = await start({ clock, limits: { perSecond: { count: 2, retryAfter: 1 } } })
    const get = async (): Promise<number | undefined> => (await ask(simulator.url + PATH, { token })).status
    expect([await get(), await get()]).toEqual([200, 429])
    clock.advance(999)
    await get()
    expect(simulator.stats.duringPause).toBe(1)
    clock.advance(1001)
    await get()
    expect(simulator.stats.duringPause).toBe(1)
    const date = new Date(clock.now() + 5000).toUTCString()
    simulator.setFaults([{ when: { nth: 1 }, do: { type: 'status', status: 503, headers: { 'Retry-After': date } } }])
    clock.advance(1000)
    expect([await get(), await get()]).toEqual([503, 200])
    expect(simulator.requests.at(-1)?.duringPause).toBe(true)
  })

  it('does not strike or count what a limit refused', async () => {
    const token = await start({
      clock: createHandClock('2026-06-01T12:00:00Z'),
      limits: { perSecond: { count: 2 } },
      faults: [{ when: { nth: 2 }, do: { type: 'status', status: 500 } }],
    })
    const replies = [await ask(simulator.url + PATH, { token }), await ask(simulator.url + PATH, { token })]
    expect(replies.map(reply => reply.status)).toEqual([200, 429])
  })
})

import { describe, expect, it } from 'vitest'
import { createManualClock } from '../support/clocks.ts'
import { drive } from '../support/drive.ts'
import { listen } from '../support/emissions.ts'
import { botOf, granting } from '../support/exchange.ts'
import { errorOf } from '../support/field-case.ts'
import { createNeutral } from '../support/neutral-client.ts'
import { STREAMFLOW_POLICY } from '../support/page-adapter.ts'
import { DEFAULTS } from '../support/paged-replay.ts'
import { answer, inTurn, startScripted, type Script } from '../support/scripted-server.ts'

/** Design T again: what bounds a wish, and failures that only the body tells. */

describe('T, R21, R22: two time-outs, a deadline, and wishes that expire', () => {
  const silent: Script = () => {}

  it('R22: the deadline cuts an attempt in flight, and says so', async () => {
    const clock = createManualClock()
    const server = await startScripted(silent, clock)
    const call = (): Promise<unknown> => errorOf(botOf(server, clock).getItems({}, { deadlineMs: 5_000 }))
    const error = await drive(clock, call, { held: () => server.open })
    expect(error).toMatchObject({ kind: 'deadline', attempts: 1 })
    expect((error as Error).message).toMatch(/the deadline of 5000 ms came first.*deadlineMs or expiresAt/)
    expect(clock.monotonic()).toBeGreaterThanOrEqual(5_000)
    expect(clock.monotonic()).toBeLessThan(5_500)
    await expect.poll(() => server.open, { timeout: 5_000 }).toBe(0)
  })

  it('R22: no wait is begun that would end after it', async () => {
    const clock = createManualClock()
    const server = await startScripted(visit => answer(visit, { status: 429, headers: { 'retry-after': '30' } }), clock)
    const call = (): Promise<unknown> => errorOf(botOf(server, clock).getItems({}, { deadlineMs: 20_000 }))
    expect(await drive(clock, call)).toMatchObject({ kind: 'deadline', attempts: 1, status: 429 })
    expect(clock.monotonic()).toBeLessThan(1_000)
    expect(server.arrivals).toHaveLength(1)
  })

  it.each([-1, 0])('R22: a wish that had expired before it was asked (%d ms) sends nothing', async ms => {
    const clock = createManualClock()
    const server = await startScripted(granting, clock)
    const call = (): Promise<unknown> =>
      errorOf(botOf(server, clock).getItems({}, { expiresAt: new Date(clock.now() + ms) }))
    expect(await drive(clock, call)).toMatchObject({ kind: 'deadline', attempts: 0 })
    expect(server.arrivals).toHaveLength(0)
  })

  it('R22: a wish that expires in the queue is never sent', async () => {
    const clock = createManualClock()
    const server = await startScripted(granting, clock)
    const bot = botOf(server, clock, { rate: { requests: 1, perMs: 10_000 } })
    const calls = (): Promise<unknown> =>
      Promise.all([
        bot.getItems({ sites: ['first'] }),
        errorOf(bot.getItems({ sites: ['late'] }, { expiresAt: clock.now() + 3_000 })),
      ])
    const [, error] = (await drive(clock, calls)) as [unknown, unknown]
    expect(error).toMatchObject({ kind: 'deadline', attempts: 0 })
    expect(server.arrivals.map(({ query }) => query.get('monitoring_location_id'))).toEqual(['first'])
    expect(clock.monotonic()).toBeLessThan(4_000)
  })

  it('R23: a call sends no more than it may', async () => {
    const clock = createManualClock()
    const server = await startScripted(visit => answer(visit, { status: 503 }), clock)
    const call = (): Promise<unknown> => errorOf(botOf(server, clock).getItems({}, { maxRequests: 2 }))
    const error = await drive(clock, call)
    expect(error).toMatchObject({ kind: 'other' })
    expect((error as Error).message).toContain('maxRequests')
    expect(server.arrivals).toHaveLength(2)
  })

  it('R13: an order that timed out is never sent again', async () => {
    const clock = createManualClock()
    const server = await startScripted(silent, clock)
    const bot = createNeutral(server, { ...DEFAULTS, clock, policy: STREAMFLOW_POLICY })
    const error = await drive(clock, () => errorOf(bot.send('POST', false)), { held: () => server.open, stepMs: 500 })
    expect(error).toMatchObject({ kind: 'timeout', attempts: 1 })
    expect(server.arrivals).toHaveLength(1)
  })
})

describe('T, R10: failures are told by the body, too', () => {
  const tooMany: Script = visit =>
    answer(visit, { headers: { 'retry-after': '5' }, body: { code: 'OVER_RATE_LIMIT', message: 'slow down' } })

  it('R36: a "too many" inside a success closes the gate for everybody, like the status', async () => {
    const clock = createManualClock()
    const server = await startScripted(inTurn(tooMany, granting), clock)
    const { events, onEvent } = listen()
    const bot = botOf(server, clock, { concurrency: 1 })
    const calls = (): Promise<unknown> =>
      Promise.all(Array.from({ length: 5 }, (_, at) => bot.getItems({ sites: [`s-${at}`] }, { onEvent })))
    expect(await drive(clock, calls)).toHaveLength(5)
    expect(server.arrivals).toHaveLength(6)
    expect(events.filter(({ type }) => type === 'pause')).toHaveLength(1)
    const times = server.arrivals.map(({ at }) => at)
    expect((times[1] ?? 0) - (times[0] ?? 0)).toBeGreaterThanOrEqual(5_000)
  })

  it('one that does not pass ends as rate limited, in the words of the service', async () => {
    const clock = createManualClock()
    const server = await startScripted(tooMany, clock)
    const error = await drive(clock, () => errorOf(botOf(server, clock).getItems()))
    expect(error).toMatchObject({ kind: 'rate_limited', attempts: 5, serverMessage: 'slow down' })
  })

  it('an error object is never taken for an empty answer', async () => {
    const clock = createManualClock()
    const server = await startScripted(visit => answer(visit, { body: { error: 'market closed' } }), clock)
    const error = await drive(clock, () => errorOf(botOf(server, clock).getItems()))
    expect(error).toMatchObject({ kind: 'bad_response', attempts: 1, serverMessage: 'market closed' })
    expect(server.arrivals).toHaveLength(1)
  })
})

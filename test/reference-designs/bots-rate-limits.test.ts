import { describe, expect, it } from 'vitest'
import { createManualClock } from '../support/clocks.ts'
import { drive } from '../support/drive.ts'
import { botOf, granting, MINUTE_MS, openExchange, REQUESTS_A_MINUTE, type Exchange } from '../support/exchange.ts'
import type { PagedClient } from '../support/page-adapter.ts'
import { answer, inTurn, startScripted } from '../support/scripted-server.ts'

/**
 * Design T, a course chapter on retries, time-outs and rate limits for trading bots: full jitter, two time-outs and a
 * deadline, a limiter with two classes on our side, wishes that expire, failures told by the body too, and no storm.
 */

/** The opening bell: 90 requests that can wait and 30 that cannot, all at one instant. */
async function ringTheBell(bots: readonly PagedClient[]): Promise<void> {
  const wishes = Array.from({ length: 120 }, (_, at) => ({
    at,
    priority: at % 4 === 3 ? ('interactive' as const) : ('bulk' as const),
  }))
  const results = await Promise.all(
    wishes.map(({ at, priority }) => bots[at % bots.length]?.getItems({ sites: [`${priority}-${at}`] }, { priority })),
  )
  expect(results.every(result => result?.rows.length === 1)).toBe(true)
}

/** Place of the last interactive wish among those granted, from 1. */
function lastInteractive({ granted }: Exchange): number {
  return granted.findLastIndex(wish => wish.startsWith('interactive')) + 1
}

describe('T: the opening bell, 120 requests at once against 200 a minute', () => {
  it('R33, R37: with the limit told, nobody is refused, and what cannot wait goes first', async () => {
    const clock = createManualClock()
    const exchange = await openExchange(clock)
    const rate = [
      { requests: 20, perMs: 6_000 },
      { requests: REQUESTS_A_MINUTE, perMs: MINUTE_MS },
    ]
    const bot = botOf(exchange, clock, { rate })
    await drive(clock, () => ringTheBell([bot]), { held: () => 0, stepMs: 100 })
    expect(exchange.arrivals).toHaveLength(120)
    expect([exchange.refusals, exchange.strikes, exchange.banned]).toEqual([0, 0, false])
    expect(new Set(exchange.granted).size).toBe(120)
    // The first eight slots were taken before the first that cannot wait came; one in ten goes between them after.
    expect(lastInteractive(exchange)).toBeLessThanOrEqual(30 + 8 + 4)
    // 120 requests at 20 per 6 s take five such stretches, and hardly more.
    expect(clock.monotonic()).toBeGreaterThanOrEqual(5 * 6_000)
    expect(clock.monotonic()).toBeLessThan(5 * 6_000 + 3_000)
  })

  it.each([1, 3])(
    'R36: with the limit not told, there is no storm: %d bots, at most 1.15 of the requests needed, no ban',
    async count => {
      const clock = createManualClock()
      const exchange = await openExchange(clock)
      const bots = Array.from({ length: count }, () => botOf(exchange, clock, { rate: null, retries: 10 }))
      await drive(clock, () => ringTheBell(bots), { held: () => 0, stepMs: 100 })
      expect(new Set(exchange.granted).size).toBe(120)
      expect(exchange.arrivals.length).toBeLessThanOrEqual(120 * 1.15)
      expect(exchange.refusals).toBeGreaterThan(0)
      expect(exchange.banned).toBe(false)
      expect(lastInteractive(exchange)).toBeLessThanOrEqual(30 + 8 + 4 + exchange.refusals)
    },
  )

  it('R36: after a "too many" nobody asks until the wait is over, and then not all at once', async () => {
    const clock = createManualClock()
    const server = await startScripted(
      inTurn(visit => answer(visit, { status: 429, headers: { 'retry-after': '10' } }), granting),
      clock,
    )
    const bot = botOf(server, clock, { rate: 10, concurrency: 1 })
    const calls = (): Promise<unknown> =>
      Promise.all(Array.from({ length: 20 }, (_, at) => bot.getItems({ sites: [`s-${at}`] })))
    await drive(clock, calls, { stepMs: 50 })
    const times = server.arrivals.map(({ at }) => at)
    expect(server.arrivals).toHaveLength(21)
    expect(times[1]).toBeGreaterThanOrEqual((times[0] ?? 0) + 10_000)
    // R36: at half the rate from there on: five in any second.
    for (const [at, time] of times.entries())
      if (at > 5) expect(time - (times[at - 5] ?? 0)).toBeGreaterThanOrEqual(1_000)
  })

  it('T: the same bell with plain repeats is banned: the exchange does what it says', async () => {
    const clock = createManualClock()
    const exchange = await openExchange(clock)
    const ask = async (): Promise<number> => (await fetch(`${exchange.url}/ogcapi/v0/collections/daily/items`)).status
    const askAll = (count: number): Promise<number[]> => Promise.all(Array.from({ length: count }, ask))
    const refused = (await askAll(120)).filter(status => status === 429)
    expect(refused).toHaveLength(100)
    // Everybody again after a second, as if nothing had been said.
    await clock.advance(1_000)
    expect(await askAll(refused.length)).toContain(403)
    expect(exchange.banned).toBe(true)
  })
})

describe('T, R37: two classes', () => {
  it('bulk leaves the last tenth of the rate alone while somebody waits in person', async () => {
    const clock = createManualClock()
    const server = await startScripted(granting, clock)
    const bot = botOf(server, clock, { rate: 10 })
    const run = async (): Promise<void> => {
      const bulk = Array.from({ length: 40 }, (_, at) => bot.getItems({ sites: [`bulk-${at}`] }, { priority: 'bulk' }))
      for (let at = 0; at < 4; at++) {
        await bot.getItems({ sites: [`interactive-${at}`] }, { priority: 'interactive' })
        await new Promise<void>(resolve => clock.after(500, resolve))
      }
      await Promise.all(bulk)
    }
    await drive(clock, run)
    const bulkTimes = server.arrivals
      .filter(({ query }) => query.get('monitoring_location_id')?.startsWith('bulk'))
      .map(({ at }) => at)
    const early = bulkTimes.filter(at => at > 1_100 && at < 2_100).length
    expect(early).toBeLessThanOrEqual(9)
    expect(bulkTimes).toHaveLength(40)
  })

  it('bulk never starves: one in ten goes between', async () => {
    const clock = createManualClock()
    const exchange = await openExchange(clock, 1_000)
    const bot = botOf(exchange, clock, { rate: 10, concurrency: 1 })
    const calls = (): Promise<unknown> =>
      Promise.all([
        ...Array.from({ length: 60 }, (_, at) =>
          bot.getItems({ sites: [`interactive-${at}`] }, { priority: 'interactive' }),
        ),
        ...Array.from({ length: 6 }, (_, at) => bot.getItems({ sites: [`bulk-${at}`] }, { priority: 'bulk' })),
      ])
    await drive(clock, calls, { stepMs: 50 })
    const places = exchange.granted.flatMap((wish, at) => (wish.startsWith('bulk') ? [at] : []))
    expect(places).toHaveLength(6)
    for (const [at, place] of places.entries()) expect(place - (places[at - 1] ?? 0)).toBeLessThanOrEqual(11)
  })
})

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Failure } from '../../src/transport/failure.ts'
import { createGate, type Entry } from '../../src/transport/gate.ts'
import type { RateLimit } from '../../src/transport/rate-window.ts'
import { createManualClock, type ManualClock } from '../support/clocks.ts'
import { crowd, entry } from '../support/gate.ts'
import { holdsInTime } from '../support/properties.ts'
import { listenersOn } from '../support/transport.ts'

const names = (prefix: string, count: number): string[] => Array.from({ length: count }, (_, at) => `${prefix}${at + 1}`)

describe('slots', () => {
  it('R34: lets in as many as the setting says, the next when one ends', async () => {
    const clock = createManualClock()
    const requests = crowd(createGate(clock), { concurrency: 2 })
    for (const name of names('r', 4)) requests.enter(name)
    await clock.advance(0)
    expect(requests.entered).toEqual(['r1', 'r2'])
    requests.finish('r2')
    await clock.advance(0)
    expect(requests.entered).toEqual(['r1', 'r2', 'r3'])
    requests.finish('r1', 'r3')
    await clock.advance(0)
    expect(requests.entered).toEqual(['r1', 'r2', 'r3', 'r4'])
    expect(clock.timers).toBe(0)
  })

  it('R34: the setting of each request holds for itself', async () => {
    const clock = createManualClock()
    const requests = crowd(createGate(clock))
    requests.enter('wide', { concurrency: 3 })
    requests.enter('narrow', { concurrency: 1 })
    await clock.advance(0)
    expect(requests.entered).toEqual(['wide'])
    requests.finish('wide')
    await clock.advance(0)
    expect(requests.entered).toEqual(['wide', 'narrow'])
  })

  it('R39: halves once for a wave that struggles, and creeps back with rounds of successes', async () => {
    const clock = createManualClock()
    const requests = crowd(createGate(clock), { concurrency: 4 })
    for (const name of names('r', 12)) requests.enter(name)
    await clock.advance(10)
    const changes = names('r', 4).map(name => requests.pass(name).ended('struggled'))
    expect(changes).toEqual([{ what: 'concurrency', value: 2 }, undefined, undefined, undefined])
    await clock.advance(0)
    expect(requests.entered).toHaveLength(6)
    expect(requests.pass('r5').ended('success')).toBeUndefined()
    expect(requests.pass('r6').ended('success')).toEqual({ what: 'concurrency', value: 3 })
    await clock.advance(0)
    expect(requests.entered).toHaveLength(9)
  })

  it('R39: an end that says nothing about the service changes nothing', async () => {
    const clock = createManualClock()
    const requests = crowd(createGate(clock), { concurrency: 4 })
    requests.enter('a')
    await clock.advance(0)
    expect(requests.pass('a').ended('other')).toBeUndefined()
    for (const name of names('r', 5)) requests.enter(name)
    await clock.advance(0)
    expect(requests.entered).toHaveLength(5)
  })
})

describe('rate', () => {
  const rate: RateLimit[] = [{ requests: 2, perMs: 1000 }]

  it('R33: lets in two, the next two when a second and a margin are over', async () => {
    const clock = createManualClock()
    const requests = crowd(createGate(clock), { rate })
    for (const name of names('r', 5)) requests.enter(name)
    await clock.advance(0)
    expect(requests.entered).toEqual(['r1', 'r2'])
    requests.finish('r1', 'r2')
    await clock.advance(1024)
    expect(requests.entered).toHaveLength(2)
    await clock.advance(1)
    expect(requests.entered).toEqual(['r1', 'r2', 'r3', 'r4'])
  })

  it('R33: a request counts from the instant it was written, not from the instant it was let in', async () => {
    const clock = createManualClock()
    const requests = crowd(createGate(clock), { rate })
    for (const name of names('r', 3)) requests.enter(name)
    await clock.advance(5000)
    // Both are still shaking hands: nobody knows when they will arrive, so nobody else may go.
    expect(requests.entered).toEqual(['r1', 'r2'])
    expect(clock.timers).toBe(0)
    requests.pass('r1').sent()
    requests.pass('r1').heard()
    await clock.advance(1025)
    expect(requests.entered).toEqual(['r1', 'r2', 'r3'])
  })

  it('R33: without an answer it is taken to arrive a little after it was written', async () => {
    const clock = createManualClock()
    const requests = crowd(createGate(clock), { rate: [{ requests: 1, perMs: 1000 }] })
    requests.enter('r1')
    requests.enter('r2')
    await clock.advance(0)
    requests.pass('r1').sent()
    await clock.advance(1099)
    expect(requests.entered).toEqual(['r1'])
    await clock.advance(1)
    expect(requests.entered).toEqual(['r1', 'r2'])
  })

  it('R33: an answer much later does not make it count from then', async () => {
    const clock = createManualClock()
    const requests = crowd(createGate(clock), { rate: [{ requests: 1, perMs: 1000 }] })
    requests.enter('r1')
    requests.enter('r2')
    await clock.advance(0)
    requests.pass('r1').sent()
    await clock.advance(900)
    requests.pass('r1').heard()
    requests.pass('r1').heard()
    requests.pass('r1').sent()
    await clock.advance(199)
    expect(requests.entered).toEqual(['r1'])
    await clock.advance(1)
    expect(requests.entered).toEqual(['r1', 'r2'])
  })

  it('R33: an answer that comes before the last byte was written counts as its arrival', async () => {
    const clock = createManualClock()
    const requests = crowd(createGate(clock), { rate: [{ requests: 1, perMs: 1000 }] })
    requests.enter('r1')
    requests.enter('r2')
    await clock.advance(500)
    requests.pass('r1').heard()
    await clock.advance(1024)
    expect(requests.entered).toEqual(['r1'])
    await clock.advance(1)
    expect(requests.entered).toEqual(['r1', 'r2'])
  })

  it('R33: what was not sent after all does not count', async () => {
    const clock = createManualClock()
    const requests = crowd(createGate(clock), { rate: [{ requests: 1, perMs: 1000 }] })
    requests.enter('r1')
    requests.enter('r2')
    await clock.advance(0)
    requests.pass('r1').refund()
    requests.pass('r1').ended('other')
    await clock.advance(0)
    expect(requests.entered).toEqual(['r1', 'r2'])
  })

  it('R33: no sliding window ever holds more than the limit, whatever the arrivals, delays and ends', async () => {
    const upTo = (max: number) => fc.oneof(fc.constant(0), fc.integer({ min: 0, max }))
    const request = fc.record({
      at: upTo(3000),
      connectMs: upTo(1500),
      wayMs: upTo(75),
      serveMs: upTo(1500),
      end: fc.constantFrom('answered', 'answered', 'answered', 'lost', 'never sent', 'refunded'),
      priority: fc.constantFrom('interactive' as const, 'bulk' as const),
    })
    const limits = fc.array(fc.record({ requests: fc.integer({ min: 1, max: 6 }), perMs: fc.integer({ min: 100, max: 2000 }) }), {
      minLength: 1,
      maxLength: 2,
    })
    await holdsInTime(
      fc.asyncProperty(fc.array(request, { minLength: 1, maxLength: 25 }), limits, fc.integer({ min: 1, max: 8 }), async (requests, rate, concurrency) => {
        const clock = createManualClock()
        const gate = createGate(clock)
        const arrivals: number[] = []
        let over = 0
        for (const { at, connectMs, wayMs, serveMs, end, priority } of requests) {
          clock.after(at, () => {
            void gate.enter(entry({ rate, concurrency, priority })).then(pass => {
              const finish = (): void => {
                over += 1
                pass.ended('other')
              }
              if (end === 'refunded') {
                pass.refund()
                return finish()
              }
              clock.after(connectMs, () => {
                if (end === 'never sent') return finish()
                pass.sent()
                clock.after(wayMs, () => arrivals.push(clock.monotonic()))
                clock.after(wayMs + serveMs, () => {
                  if (end === 'answered') pass.heard()
                  finish()
                })
                return undefined
              })
              return undefined
            })
          })
        }
        await clock.runUntil(() => over === requests.length)
        expect(over).toBe(requests.length)
        arrivals.sort((a, b) => a - b)
        for (const { requests: most, perMs } of rate) {
          const tooSoon = arrivals.filter((instant, at) => instant - (arrivals[at - most] ?? Number.NEGATIVE_INFINITY) < perMs)
          expect(tooSoon).toEqual([])
        }
        expect(clock.timers).toBe(0)
      }),
      150,
    )
  })
})

describe('pauses', () => {
  const rate: RateLimit[] = [{ requests: 4, perMs: 1000 }]

  /** Runs until everybody has entered; says when each did. Whoever enters is answered at once. */
  async function entries(clock: ManualClock, requests: ReturnType<typeof crowd>, count: number): Promise<number[]> {
    const instants: number[] = []
    for (let at = 0; at < count; ) {
      await clock.runUntil(() => requests.entered.length > at, 1)
      const name = requests.entered[at]
      if (name === undefined) continue
      instants.push(clock.monotonic())
      requests.finish(name)
      at += 1
    }
    return instants
  }

  it('R36: nobody leaves until the pause is over, then at the slowed rate and not in a burst', async () => {
    const clock = createManualClock()
    const gate = createGate(clock)
    expect(gate.pausedMs()).toBe(0)
    expect(gate.pause(5000)).toEqual({ what: 'rate', value: 0.5 })
    expect(gate.pausedMs()).toBe(5000)
    const requests = crowd(gate, { rate })
    for (const name of names('r', 6)) requests.enter(name)
    await clock.advance(4999)
    expect([requests.entered, gate.pausedMs()]).toEqual([[], 1])
    expect(await entries(clock, requests, 6)).toEqual([5000, 5000, 6025, 6025, 7050, 7050])
    expect(gate.pausedMs()).toBe(0)
  })

  it('R36: where no rate is set, what was queued does not leave in a burst either', async () => {
    const clock = createManualClock()
    const gate = createGate(clock)
    const requests = crowd(gate)
    for (const name of names('before', 12)) requests.enter(name)
    await clock.advance(0)
    requests.finish(...names('before', 12))
    gate.pause(1000)
    for (const name of names('r', 13)) requests.enter(name)
    await clock.advance(999)
    expect(requests.entered).toHaveLength(12)
    await clock.advance(1)
    // Twelve in the second before: six from now on, some of which are still within its window.
    const after = requests.entered.length - 12
    expect(after).toBeLessThanOrEqual(6)
    requests.finish(...requests.entered.slice(12))
    await clock.advance(1024)
    expect(requests.entered.length - 12).toBeLessThanOrEqual(12)
  })

  it('R36: requests that queue behind a pause hear of a longer one', async () => {
    const clock = createManualClock()
    const gate = createGate(clock)
    gate.pause(1000)
    const requests = crowd(gate, { rate })
    requests.enter('a')
    await clock.advance(500)
    // A second refusal in the same pause is the same lesson.
    expect(gate.pause(2000)).toBeUndefined()
    await clock.advance(1999)
    expect(requests.entered).toEqual([])
    await clock.advance(1)
    expect(requests.entered).toEqual(['a'])
  })

  it('R36: a shorter pause does not shorten the present one', () => {
    const gate = createGate(createManualClock())
    gate.pause(1000)
    gate.pause(10)
    expect(gate.pausedMs()).toBe(1000)
  })

  it('R36: a pause that begins after the last one slows down further', async () => {
    const clock = createManualClock()
    const gate = createGate(clock)
    gate.pause(10)
    await clock.advance(10)
    expect(gate.pause(10)).toEqual({ what: 'rate', value: 0.25 })
  })

  it('R36: a pause longer than the patience of a request fails it at once, as rate-limited with the rest of the wait', async () => {
    const clock = createManualClock()
    const gate = createGate(clock)
    gate.pause(3_600_000)
    const requests = crowd(gate)
    requests.enter('impatient', { patienceMs: 3_599_999 })
    requests.enter('patient', { patienceMs: 3_600_000 })
    await clock.advance(0)
    const [[name, failure]] = requests.refused as [[string, Failure]]
    expect(requests.refused).toHaveLength(1)
    expect(name).toBe('impatient')
    expect(failure).toMatchObject({
      name: 'Failure',
      class: 'status',
      status: 429,
      retryAfterMs: 3_600_000,
      message: 'the service asked for a pause of which 3600 s are left',
    })
    await clock.advance(3_600_000)
    expect(requests.entered).toEqual(['patient'])
  })

  it('R36: whoever waits already is failed at once, too, when a longer pause begins', async () => {
    const clock = createManualClock()
    const gate = createGate(clock)
    gate.pause(100)
    const requests = crowd(gate, { patienceMs: 1000 })
    requests.enter('a')
    gate.pause(5000)
    await clock.advance(0)
    expect(requests.refused.map(([name]) => name)).toEqual(['a'])
    expect(clock.timers).toBe(0)
  })

  it('R36: the rate comes back with successes', async () => {
    const clock = createManualClock()
    const gate = createGate(clock)
    gate.pause(1)
    await clock.advance(1)
    const requests = crowd(gate, { rate: [{ requests: 1000, perMs: 1000 }] })
    for (const name of names('r', 100)) requests.enter(name)
    await clock.advance(0)
    const changes = names('r', 100).map(name => requests.pass(name).ended('success'))
    expect(changes.filter(change => change !== undefined)).toEqual([{ what: 'rate', value: 9 / 16 }])
    expect(changes.at(-1)).toEqual({ what: 'rate', value: 9 / 16 })
  })
})

describe('lanes', () => {
  it('R37: an interactive request overtakes bulk work in line', async () => {
    const clock = createManualClock()
    const requests = crowd(createGate(clock), { concurrency: 1 })
    requests.enter('first', { priority: 'bulk' })
    requests.enter('bulk', { priority: 'bulk' })
    requests.enter('now', { priority: 'interactive' })
    await clock.advance(0)
    requests.finish('first')
    await clock.advance(0)
    expect(requests.entered).toEqual(['first', 'now'])
  })

  it('R37: bulk leaves the last tenth of the rate to interactive work', async () => {
    const clock = createManualClock()
    const rate = [{ requests: 10, perMs: 1000 }]
    const requests = crowd(createGate(clock), { rate })
    requests.enter('early')
    await clock.advance(0)
    for (const name of names('b', 10)) requests.enter(name, { priority: 'bulk' })
    await clock.advance(0)
    expect(requests.entered).toHaveLength(9)
    requests.enter('late')
    await clock.advance(0)
    expect(requests.entered.at(-1)).toBe('late')
  })

  it('R62: whoever is aborted in line leaves no timer and no listener, and the next gets the turn', async () => {
    const clock = createManualClock()
    const gate = createGate(clock)
    gate.pause(1000)
    const controller = new AbortController()
    const requests = crowd(gate)
    requests.enter('leaving', { signal: controller.signal })
    requests.enter('staying')
    expect(clock.timers).toBe(1)
    controller.abort('enough')
    await clock.advance(0)
    expect(requests.refused).toEqual([['leaving', 'enough']])
    expect(listenersOn(controller.signal)).toBe(0)
    expect(clock.timers).toBe(1)
    await clock.advance(1000)
    expect(requests.entered).toEqual(['staying'])
    expect(clock.timers).toBe(0)
  })

  it('R62: when the last one leaves the line, the alarm is switched off', async () => {
    const clock = createManualClock()
    const gate = createGate(clock)
    gate.pause(1000)
    const controller = new AbortController()
    const requests = crowd(gate)
    requests.enter('leaving', { signal: controller.signal })
    controller.abort()
    await clock.advance(0)
    expect(clock.timers).toBe(0)
  })
})

describe('quota', () => {
  const bulk: Partial<Entry> = { priority: 'bulk', quotaWindowMs: 60_000 }
  const remaining = (left: number) => ({ 'x-ratelimit-remaining': String(left), 'x-ratelimit-limit': '100' })

  async function told(left: number, usual: Partial<Entry> = bulk) {
    const clock = createManualClock()
    const gate = createGate(clock)
    const requests = crowd(gate, usual)
    requests.enter('first')
    await clock.advance(0)
    requests.pass('first').answered(remaining(left))
    requests.finish('first')
    return { clock, requests }
  }

  it('R38: bulk work goes on as long as something is left beside the reserve', async () => {
    const { clock, requests } = await told(5)
    for (const name of names('b', 3)) requests.enter(name, { quotaReserve: 2 })
    requests.enter('one too many', { quotaReserve: 2 })
    await clock.advance(0)
    expect(requests.entered).toEqual(['first', 'b1', 'b2', 'b3'])
    expect(requests.refused).toEqual([])
  })

  it('R38: what is held goes on, or fails, with the next reading', async () => {
    const { clock, requests } = await told(2)
    for (const name of names('b', 4)) requests.enter(name)
    await clock.advance(0)
    expect(requests.entered).toEqual(['first', 'b1', 'b2'])
    requests.pass('b1').answered(remaining(1))
    requests.finish('b1')
    await clock.advance(0)
    // One left, and one under way that the reading may not know of.
    expect(requests.entered).toEqual(['first', 'b1', 'b2'])
    requests.pass('b2').answered(remaining(0))
    requests.finish('b2')
    await clock.advance(0)
    expect(requests.refused.map(([name]) => name)).toEqual(['b3', 'b4'])
  })

  it('R38: at zero bulk work fails as rate-limited, with the time after which the reading is void', async () => {
    const { clock, requests } = await told(0)
    await clock.advance(20_000)
    requests.enter('b')
    await clock.advance(0)
    expect(requests.refused[0]?.[1]).toMatchObject({
      class: 'quota_spent',
      retryAfterMs: 40_000,
      message: 'the quota is used up: 0 of 100 requests left',
    })
  })

  it('R38: interactive work may use what bulk work must leave', async () => {
    const { clock, requests } = await told(0)
    requests.enter('now', { priority: 'interactive' })
    await clock.advance(0)
    expect(requests.entered).toEqual(['first', 'now'])
  })

  it('R38: a reading that has expired holds nobody up', async () => {
    const { clock, requests } = await told(0)
    await clock.advance(60_000)
    requests.enter('b')
    await clock.advance(0)
    expect(requests.entered).toEqual(['first', 'b'])
  })

  it('R38: an answer without the header leaves the last reading in force', async () => {
    const { clock, requests } = await told(1)
    requests.enter('b1')
    await clock.advance(0)
    requests.pass('b1').answered({ 'x-request-id': '7' })
    requests.finish('b1')
    requests.pass('first').answered({ 'x-ratelimit-remaining': '0' })
    requests.enter('b2')
    await clock.advance(0)
    expect(requests.refused[0]?.[1]).toMatchObject({ message: 'the quota is used up: 0 of an unknown number of requests left' })
  })
})

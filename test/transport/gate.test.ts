import { describe, expect, it } from 'vitest'
import { createGate, type Entry } from '../../src/transport/gate.ts'
import { createManualClock } from '../support/clocks.ts'
import { crowd } from '../support/gate.ts'
import { listenersOn } from '../support/transport.ts'

const names = (prefix: string, count: number): string[] =>
  Array.from({ length: count }, (_, at) => `${prefix}${at + 1}`)

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
    await clock.advance(1)
    expect(requests.entered).toHaveLength(5)
    expect(requests.pass('r1').ended('struggled')).toEqual({ what: 'concurrency', value: 2 })
    const ends = names('r', 4)
      .slice(1)
      .map(name => requests.pass(name).ended('other'))
    expect(ends).toEqual([undefined, undefined, undefined])
  })

  it('R36 R39: a struggle is no success: it brings back no rate', async () => {
    const clock = createManualClock()
    const gate = createGate(clock)
    gate.pause(1, true)
    await clock.advance(1)
    const requests = crowd(gate, { concurrency: 1 })
    const end = async (name: string, outcome: 'success' | 'struggled'): Promise<unknown> => {
      requests.enter(name, { rate: [{ requests: 1000, perMs: 1000 }] })
      await clock.advance(1)
      return requests.pass(name).ended(outcome)
    }
    for (const name of names('r', 99)) expect(await end(name, 'success')).toBeUndefined()
    expect(await end('slow', 'struggled')).toBeUndefined()
    expect(await end('last', 'success')).toEqual({ what: 'rate', value: 9 / 16 })
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
    gate.pause(1000, true)
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
    gate.pause(1000, true)
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

  it('R38: an answer that was overtaken does not bring back what another has used', async () => {
    const { clock, requests } = await told(3)
    for (const name of names('b', 3)) requests.enter(name)
    await clock.advance(5)
    expect(requests.entered).toEqual(['first', 'b1', 'b2', 'b3'])
    requests.pass('b3').answered(remaining(0))
    requests.finish('b3')
    requests.pass('b1').answered(remaining(2))
    requests.finish('b1')
    requests.pass('b2').answered(remaining(1))
    requests.finish('b2')
    requests.enter('b4')
    await clock.advance(0)
    expect(requests.refused.map(([name]) => name)).toEqual(['b4'])
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

  it('R38: its last reading can be looked at', async () => {
    const clock = createManualClock()
    const gate = createGate(clock)
    expect(gate.quota()).toBeUndefined()
    await clock.advance(5)
    const requests = crowd(gate)
    requests.enter('first')
    await clock.advance(0)
    requests.pass('first').answered(remaining(7))
    expect(gate.quota()).toEqual({ remaining: 7, limit: 100, at: 5 })
  })

  it('R38: what is kept in reserve is told as left', async () => {
    const { clock, requests } = await told(3)
    requests.enter('b', { quotaReserve: 3 })
    await clock.advance(0)
    expect(requests.refused[0]?.[1]).toMatchObject({ message: 'the quota is used up: 3 of 100 requests left' })
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
    expect(requests.refused[0]?.[1]).toMatchObject({
      message: 'the quota is used up: 0 of an unknown number of requests left',
    })
  })
})

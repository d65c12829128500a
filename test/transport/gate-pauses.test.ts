import { describe, expect, it } from 'vitest'
import type { Failure } from '../../src/transport/failure.ts'
import { createGate } from '../../src/transport/gate.ts'
import type { RateLimit } from '../../src/transport/rate-window.ts'
import { createManualClock, type ManualClock } from '../support/clocks.ts'
import { crowd } from '../support/gate.ts'

const names = (prefix: string, count: number): string[] =>
  Array.from({ length: count }, (_, at) => `${prefix}${at + 1}`)

describe('pauses', () => {
  const rate: RateLimit[] = [{ requests: 4, perMs: 1000 }]

  /** Runs until everybody has entered; says when each did. Whoever enters is answered at once. */
  async function entries(clock: ManualClock, requests: ReturnType<typeof crowd>, count: number): Promise<number[]> {
    const instants: number[] = []
    for (let at = 0; at < count;) {
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
    expect(gate.pause(5000, true)).toEqual({ what: 'rate', value: 0.5 })
    expect(gate.pausedMs()).toBe(5000)
    const requests = crowd(gate, { rate })
    for (const name of names('r', 6)) requests.enter(name)
    await clock.advance(4999)
    expect([requests.entered, gate.pausedMs()]).toEqual([[], 1])
    expect(await entries(clock, requests, 6)).toEqual([5000, 5000, 6025, 6025, 7050, 7050])
    expect(gate.pausedMs()).toBe(0)
  })

  it('R18: a pause that nobody named is sat out by those who would not wait for a service', async () => {
    const clock = createManualClock()
    const gate = createGate(clock)
    gate.pause(4000, false)
    const requests = crowd(gate, { patienceMs: 1000 })
    requests.enter('in a hurry', { deadlineAt: 3999 })
    requests.enter('patient')
    await clock.advance(0)
    expect(requests.refused.map(([name]) => name)).toEqual(['in a hurry'])
    await clock.advance(4000)
    expect(requests.entered).toEqual(['patient'])
  })

  it('R36: where no rate is set, what was queued does not leave in a burst either', async () => {
    const clock = createManualClock()
    const gate = createGate(clock)
    const requests = crowd(gate)
    for (const name of names('before', 12)) requests.enter(name)
    await clock.advance(0)
    requests.finish(...names('before', 12))
    gate.pause(1000, true)
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
    gate.pause(1000, true)
    const requests = crowd(gate, { rate })
    requests.enter('a')
    await clock.advance(500)
    // A second refusal in the same pause is the same lesson.
    expect(gate.pause(2000, true)).toBeUndefined()
    await clock.advance(1999)
    expect(requests.entered).toEqual([])
    await clock.advance(1)
    expect(requests.entered).toEqual(['a'])
  })

  it('R36: a shorter pause does not shorten the present one', () => {
    const gate = createGate(createManualClock())
    gate.pause(1000, true)
    gate.pause(10, true)
    expect(gate.pausedMs()).toBe(1000)
  })

  it('R36: a pause that begins after the last one slows down further', async () => {
    const clock = createManualClock()
    const gate = createGate(clock)
    gate.pause(10, true)
    await clock.advance(10)
    expect(gate.pause(10, true)).toEqual({ what: 'rate', value: 0.25 })
  })

  it('R36: a pause longer than the patience of a request fails it at once, as rate-limited with the rest of the wait', async () => {
    const clock = createManualClock()
    const gate = createGate(clock)
    gate.pause(3_600_000, true)
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

  it('R36: what is left of a pause counts, not its length', async () => {
    const clock = createManualClock()
    const gate = createGate(clock)
    await clock.advance(10_000)
    gate.pause(1500.4, true)
    const requests = crowd(gate)
    requests.enter('impatient', { patienceMs: 1500 })
    await clock.advance(1)
    requests.enter('patient', { patienceMs: 1500 })
    await clock.advance(0)
    expect(requests.refused.map(([name]) => name)).toEqual(['impatient'])
    expect(requests.refused[0]?.[1]).toMatchObject({
      retryAfterMs: 1501,
      message: 'the service asked for a pause of which 2 s are left',
    })
  })

  it('R36: where no rate is set, the requests of the second before say what was borne', async () => {
    const clock = createManualClock()
    const gate = createGate(clock)
    const requests = crowd(gate)
    for (const name of names('old', 30)) requests.enter(name)
    await clock.advance(500)
    requests.finish(...names('old', 30))
    await clock.advance(1000)
    for (const name of names('new', 16)) requests.enter(name)
    await clock.advance(0)
    requests.finish(...names('new', 16))
    gate.pause(3000, true)
    for (const name of names('r', 20)) requests.enter(name)
    await clock.advance(3000)
    expect(requests.entered.slice(46)).toEqual(names('r', 8))
  })

  it('R36: whoever waits already is failed at once, too, when a longer pause begins', async () => {
    const clock = createManualClock()
    const gate = createGate(clock)
    gate.pause(100, true)
    const requests = crowd(gate, { patienceMs: 1000 })
    requests.enter('a')
    gate.pause(5000, true)
    await clock.advance(0)
    expect(requests.refused.map(([name]) => name)).toEqual(['a'])
    expect(clock.timers).toBe(0)
  })

  it('R36: the rate comes back with successes', async () => {
    const clock = createManualClock()
    const gate = createGate(clock)
    gate.pause(1, true)
    await clock.advance(1)
    const requests = crowd(gate, { rate: [{ requests: 1000, perMs: 1000 }] })
    for (const name of names('r', 100)) requests.enter(name)
    await clock.advance(0)
    const changes = names('r', 100).map(name => requests.pass(name).ended('success'))
    expect(changes.filter(change => change !== undefined)).toEqual([{ what: 'rate', value: 9 / 16 }])
    expect(changes.at(-1)).toEqual({ what: 'rate', value: 9 / 16 })
  })
})

import { describe, expect, it } from 'vitest'
import { createLanes, type LaneEntry, type Lanes, type Priority } from '../../src/transport/lanes.ts'
import { createManualClock } from '../support/clocks.ts'
import { listenersOn } from '../support/transport.ts'

interface Named extends LaneEntry {
  readonly name: string
}

const named = (name: string, priority: Priority, signal = new AbortController().signal): Named => ({
  name,
  priority,
  signal,
})
const nothing = (): void => {}

/** Lets in whoever is first, so many times. */
function letIn(lanes: Lanes<Named, string>, times: number): string[] {
  return Array.from({ length: times }, () => {
    const waiter = lanes.first()
    if (waiter) lanes.letIn(waiter, 'pass')
    return waiter?.entry.name ?? 'nobody'
  })
}

function fill(lanes: Lanes<Named, string>, priority: Priority, count: number): void {
  for (let at = 1; at <= count; at++) void lanes.wait(named(`${priority[0]}${at}`, priority), nothing)
}

describe('createLanes', () => {
  it('R37: interactive requests go first, each line in the order of arrival', () => {
    const lanes = createLanes<Named, string>(createManualClock())
    fill(lanes, 'bulk', 2)
    fill(lanes, 'interactive', 2)
    expect(letIn(lanes, 5)).toEqual(['i1', 'i2', 'b1', 'b2', 'nobody'])
  })

  it('R37: one bulk request goes after nine interactive ones in a row, so bulk never starves', () => {
    const lanes = createLanes<Named, string>(createManualClock())
    fill(lanes, 'interactive', 20)
    fill(lanes, 'bulk', 3)
    const order = letIn(lanes, 23)
    expect(order.flatMap((name, at) => (name.startsWith('b') ? [at] : []))).toEqual([9, 19, 22])
  })

  it('R37: with nobody else in line, nine in a row do not hold up the tenth', () => {
    const lanes = createLanes<Named, string>(createManualClock())
    fill(lanes, 'interactive', 12)
    expect(letIn(lanes, 12).at(-1)).toBe('i12')
  })

  it('hands the pass to whoever is let in, and leaves no listener', async () => {
    const lanes = createLanes<Named, string>(createManualClock())
    const { signal } = new AbortController()
    const admitted = lanes.wait(named('a', 'interactive', signal), nothing)
    const refused = lanes.wait(named('b', 'interactive', signal), nothing)
    expect(listenersOn(signal)).toBe(2)
    letIn(lanes, 1)
    lanes.first()?.refuse('too late')
    await expect(admitted).resolves.toBe('pass')
    await expect(refused).rejects.toBe('too late')
    expect(lanes.first()).toBeUndefined()
    expect(listenersOn(signal)).toBe(0)
  })

  it('R62: whoever is aborted in line leaves it, and the others hear of it', async () => {
    const lanes = createLanes<Named, string>(createManualClock())
    const controller = new AbortController()
    let changes = 0
    const changed = (): void => void (changes += 1)
    const leaving = lanes.wait(named('a', 'bulk', controller.signal), changed)
    void lanes.wait(named('b', 'bulk'), changed)
    expect(changes).toBe(2)
    controller.abort('my own reason')
    await expect(leaving).rejects.toBe('my own reason')
    expect(changes).toBe(3)
    expect(lanes.first()?.entry.name).toBe('b')
    expect(listenersOn(controller.signal)).toBe(0)
  })

  it('R62: whoever comes aborted does not stand in line', async () => {
    const lanes = createLanes<Named, string>(createManualClock())
    let changes = 0
    const late = lanes.wait(named('a', 'interactive', AbortSignal.abort('over')), () => void (changes += 1))
    await expect(late).rejects.toBe('over')
    expect([lanes.first(), changes]).toEqual([undefined, 0])
    expect(lanes.limitsFor('bulk', [{ requests: 10, perMs: 1000 }])).toEqual([{ requests: 10, perMs: 1000 }])
  })

  it.each([
    [10, 9],
    [3000, 2700],
    [5, 4],
    [2, 1],
    [1, 1],
  ])('R37: while interactive work arrives, bulk gets of %d only %d', (requests, left) => {
    const lanes = createLanes<Named, string>(createManualClock())
    void lanes.wait(named('a', 'interactive'), nothing)
    expect(lanes.limitsFor('bulk', [{ requests, perMs: 7 }])).toEqual([{ requests: left, perMs: 7 }])
    expect(lanes.limitsFor('interactive', [{ requests, perMs: 7 }])).toEqual([{ requests, perMs: 7 }])
  })

  it('R37: a second after the last interactive request, bulk may use the whole rate again', async () => {
    const clock = createManualClock()
    const lanes = createLanes<Named, string>(clock)
    const limits = [{ requests: 10, perMs: 1000 }]
    expect(lanes.limitsFor('bulk', limits)).toBe(limits)
    void lanes.wait(named('b', 'bulk'), nothing)
    expect(lanes.limitsFor('bulk', limits)).toBe(limits)
    void lanes.wait(named('a', 'interactive'), nothing)
    await clock.advance(1000)
    expect(lanes.limitsFor('bulk', limits)).toEqual([{ requests: 9, perMs: 1000 }])
    await clock.advance(1)
    expect(lanes.limitsFor('bulk', limits)).toBe(limits)
  })
})

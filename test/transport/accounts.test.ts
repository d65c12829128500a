import { describe, expect, it } from 'vitest'
import { gateFor } from '../../src/transport/accounts.ts'
import { createManualClock } from '../support/clocks.ts'
import { crowd } from '../support/gate.ts'

describe('gateFor', () => {
  it('R35: every client of one host and account gets the same gate', () => {
    const clock = createManualClock()
    expect(gateFor(clock, 'toy.test', 'a')).toBe(gateFor(clock, 'toy.test', 'a'))
  })

  it('R35: another host, another account and another clock have gates of their own', () => {
    const clock = createManualClock()
    const gates = [
      gateFor(clock, 'toy.test', 'a'),
      gateFor(clock, 'toy.test', 'b'),
      gateFor(clock, 'toy.test:81', 'a'),
      gateFor(clock, 'toy.test', ''),
      gateFor(createManualClock(), 'toy.test', 'a'),
    ]
    expect(new Set(gates).size).toBe(gates.length)
  })

  it('R35: two clients of one account do not double the rate', async () => {
    const clock = createManualClock()
    const rate = [{ requests: 3, perMs: 1000 }]
    const [one, two] = [
      crowd(gateFor(clock, 'toy.test', 'a'), { rate }),
      crowd(gateFor(clock, 'toy.test', 'a'), { rate }),
    ]
    for (const name of ['1', '2', '3']) {
      one.enter(name)
      two.enter(name)
    }
    await clock.advance(0)
    expect(one.entered.length + two.entered.length).toBe(3)
  })
})

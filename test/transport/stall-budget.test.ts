import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createStallBudget } from '../../src/transport/stall-budget.ts'
import { holds } from '../support/properties.ts'

describe('createStallBudget', () => {
  it('R19: is spent when the silence is longer than allowed, not when it is as long', () => {
    const budget = createStallBudget(60, 1000)
    expect(budget.silentMs(1000)).toBe(0)
    expect(budget.spent(1060)).toBe(false)
    expect(budget.spent(1061)).toBe(true)
    expect(budget.silentMs(1061)).toBe(61)
  })

  it('R19: starts anew with every byte', () => {
    const budget = createStallBudget(60, 0)
    budget.heard(1000)
    expect(budget.silentMs(1050)).toBe(50)
    expect([budget.spent(1060), budget.spent(1061)]).toEqual([false, true])
  })

  it('R19: a budget of less than a millisecond is one', () => {
    expect([createStallBudget(0.5, 0).spent(0.4), createStallBudget(0.5, 0).spent(0.6)]).toEqual([false, true])
  })

  it('R19: 0 waits without end', () => {
    const budget = createStallBudget(0, 0)
    expect(budget.spent(1e12)).toBe(false)
    expect(budget.silentMs(1e12)).toBe(1e12)
  })

  it('R20: credit takes a wait out of the silence and keeps what came before it', () => {
    const budget = createStallBudget(60, 0)
    budget.credit(100, 140)
    expect(budget.silentMs(140)).toBe(40)
    expect([budget.spent(160), budget.spent(161)]).toEqual([false, true])
  })

  it('R20: credit never reaches past now, so it cannot be saved up', () => {
    const budget = createStallBudget(60, 0)
    budget.credit(1_000_000, 50)
    expect(budget.silentMs(50)).toBe(0)
    expect([budget.spent(110), budget.spent(111)]).toEqual([false, true])
  })

  it('R20: whatever happens, the silence is the time since the last byte less the waits that count as none', () => {
    const happenings = fc.array(
      fc.record({ ms: fc.integer({ min: 0, max: 1000 }), what: fc.constantFrom('silence', 'wait', 'byte') }),
    )
    holds(
      fc.property(happenings, list => {
        const budget = createStallBudget(100, 0)
        let now = 0
        let silent = 0
        for (const { ms, what } of list) {
          now += ms
          if (what === 'silence') silent += ms
          if (what === 'wait') budget.credit(ms, now)
          if (what === 'byte') {
            budget.heard(now)
            silent = 0
          }
          expect(budget.silentMs(now)).toBe(silent)
          expect(budget.spent(now)).toBe(silent > 100)
        }
      }),
    )
  })
})

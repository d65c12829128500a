import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createAdaptiveConcurrency } from '../../src/transport/concurrency.ts'
import { holds } from '../support/properties.ts'

describe('createAdaptiveConcurrency', () => {
  it('R39: allows the setting until the service struggles', () => {
    const concurrency = createAdaptiveConcurrency()
    expect([1, 8, 40].map(most => concurrency.allowed(most))).toEqual([1, 8, 40])
    expect(concurrency.succeeded(8)).toBeUndefined()
  })

  it('R39: halves once for all requests that were under way together', () => {
    const concurrency = createAdaptiveConcurrency()
    expect(concurrency.struggled(0, 100, 8)).toBe(4)
    expect(concurrency.struggled(0, 110, 8)).toBeUndefined()
    expect(concurrency.struggled(50, 120, 8)).toBeUndefined()
    expect(concurrency.struggled(100, 130, 8)).toBeUndefined()
    expect(concurrency.allowed(8)).toBe(4)
  })

  it('R39: halves again for a request that began after the last cut, down to one', () => {
    const concurrency = createAdaptiveConcurrency()
    const caps = [8, 8, 8, 8, 8].map((most, at) => concurrency.struggled(at * 100 + 1, at * 100 + 100, most))
    expect(caps).toEqual([4, 2, 1, undefined, undefined])
    expect(concurrency.allowed(8)).toBe(1)
  })

  it.each([
    [7, 3],
    [3, 1],
    [2, 1],
  ])('R39: half of %d is %d', (most, half) => {
    expect(createAdaptiveConcurrency().struggled(0, 1, most)).toBe(half)
  })

  it('R39: one at a time cannot be halved, and nothing is said of it', () => {
    const concurrency = createAdaptiveConcurrency()
    expect(concurrency.struggled(0, 1, 1)).toBeUndefined()
    expect(concurrency.allowed(8)).toBe(8)
  })

  it('R39: creeps back by one with every round of successes, never above the setting', () => {
    const concurrency = createAdaptiveConcurrency()
    concurrency.struggled(0, 1, 6)
    const caps = Array.from({ length: 30 }, () => concurrency.succeeded(6))
    // Three successes at three, four at four, five at five.
    expect(caps.flatMap((cap, at) => (cap === undefined ? [] : [[at + 1, cap]]))).toEqual([
      [3, 4],
      [7, 5],
      [12, 6],
    ])
    expect(concurrency.allowed(6)).toBe(6)
  })

  it('R39: a new struggle takes back the successes counted so far', () => {
    const concurrency = createAdaptiveConcurrency()
    concurrency.struggled(0, 1, 8)
    for (let success = 0; success < 3; success++) expect(concurrency.succeeded(8)).toBeUndefined()
    expect(concurrency.struggled(2, 3, 8)).toBe(2)
    expect(concurrency.succeeded(8)).toBeUndefined()
    expect(concurrency.succeeded(8)).toBe(3)
  })

  it('R34: a smaller setting outranks what was learned, and learning starts from it', () => {
    const concurrency = createAdaptiveConcurrency()
    concurrency.struggled(0, 1, 16)
    expect(concurrency.allowed(3)).toBe(3)
    expect(concurrency.struggled(2, 3, 3)).toBe(1)
  })

  it('R39: stays between one and the setting, whatever happens', () => {
    holds(
      fc.property(fc.integer({ min: 1, max: 20 }), fc.array(fc.boolean(), { maxLength: 200 }), (most, outcomes) => {
        const concurrency = createAdaptiveConcurrency()
        outcomes.forEach((succeeded, at) => {
          const before = concurrency.allowed(most)
          const said = succeeded ? concurrency.succeeded(most) : concurrency.struggled(at, at, most)
          const after = concurrency.allowed(most)
          expect(after).toBeGreaterThanOrEqual(1)
          expect(after).toBeLessThanOrEqual(most)
          expect(said).toBe(after === before ? undefined : after)
        })
      }),
    )
  })
})

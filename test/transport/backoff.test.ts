import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { SERVER_WAIT_JITTER_MS, backoffMs } from '../../src/transport/backoff.ts'
import { holds } from '../support/properties.ts'

const backoff = { baseDelayMs: 500, maxDelayMs: 30_000 }

describe('backoffMs', () => {
  it.each([
    [1, 500],
    [2, 1000],
    [3, 2000],
    [4, 4000],
    [6, 16_000],
    [7, 30_000],
    [8, 30_000],
    [5000, 30_000],
  ])('R17: retry %d waits up to %d ms', (retry, ceiling) => {
    expect(backoffMs(retry, backoff, () => 0)).toBe(0)
    expect(backoffMs(retry, backoff, () => 0.25)).toBe(ceiling / 4)
    expect(backoffMs(retry, backoff, () => 0.999)).toBeCloseTo(ceiling * 0.999, 9)
  })

  it('R17: lies anywhere between nothing and the ceiling, which doubles up to the longest wait', () => {
    const chance = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })
    const delays = fc.tuple(
      fc.double({ min: 0.1, max: 1e6, noNaN: true }),
      fc.double({ min: 1, max: 1000, noNaN: true }),
    )
    holds(
      fc.property(fc.integer({ min: 1, max: 2000 }), delays, chance, (retry, [baseDelayMs, times], random) => {
        const maxDelayMs = baseDelayMs * times
        const wait = backoffMs(retry, { baseDelayMs, maxDelayMs }, () => random)
        const ceiling = Math.min(maxDelayMs, baseDelayMs * 2 ** (retry - 1))
        expect(wait).toBeGreaterThanOrEqual(0)
        expect(wait).toBeLessThanOrEqual(ceiling)
        expect(wait / ceiling).toBeCloseTo(random, 6)
      }),
    )
  })

  it('R18: a second is the most that is added to a wait a service names', () => {
    expect(SERVER_WAIT_JITTER_MS).toBe(1000)
  })
})

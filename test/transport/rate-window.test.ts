import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { LONGEST_WAY_MS, forgetOld, nextStart, slower, type Start } from '../../src/transport/rate-window.ts'
import { holds } from '../support/properties.ts'

/** Requests known to have arrived at these instants. */
const arrived = (...instants: number[]): Start[] => instants.map(at => ({ at, sent: true, arrived: true }))
/** Written at that instant; no answer has come yet. */
const written = (at: number): Start => ({ at, sent: true, arrived: false })
/** Allowed at that instant, and still without a connection. */
const unsent = (at: number): Start => ({ at, sent: false, arrived: false })
const two = [{ requests: 2, perMs: 1000 }]

describe('nextStart', () => {
  it.each<[string, Start[], number, number | undefined]>([
    // name, what was started, now, when the next may go
    ['nothing before', [], 0, 0],
    ['room', arrived(0), 10, 10],
    ['no room: when the oldest leaves the window, and a little later', arrived(0, 500), 600, 1025],
    ['the instant at which it leaves', arrived(0, 500), 1025, 1025],
    ['a moment before', arrived(0, 500), 1024, 1025],
    ['only the last two count', arrived(-300, 0, 500), 600, 1025],
    ['in another order than allowed', arrived(500, 0), 600, 1025],
    ['written and unanswered: it may arrive a little later', [written(0), ...arrived(500)], 600, 1100],
    ['both written and unanswered', [written(0), written(500)], 600, 1100],
    ['one on its way: it counts from now', [unsent(0)], 900, 900],
    ['one on its way and one arrived: the latter leaves first', [...arrived(0), unsent(10)], 600, 1025],
    ['two on their way: nobody knows when they arrive', [unsent(0), unsent(10)], 5000, undefined],
    ['two on their way behind one arrived', [...arrived(0), unsent(10), unsent(20)], 600, undefined],
    ['three on their way', [unsent(0), unsent(1), unsent(2)], 10, undefined],
  ])('R33: %s', (_name, starts, now, expected) => {
    expect(nextStart(starts, two, now)).toBe(expected)
  })

  it('R33: every window must have room', () => {
    const limits = [...two, { requests: 3, perMs: 10_000 }]
    expect(nextStart(arrived(0, 2000, 4000), limits, 6000)).toBe(10_025)
    expect(nextStart(arrived(0, 2000, 2100), limits, 2200)).toBe(10_025)
    expect(nextStart(arrived(0, 2000, 2100), two, 2200)).toBe(3025)
    expect(nextStart([unsent(0), unsent(0)], [{ requests: 9, perMs: 1000 }, ...two], 5)).toBeUndefined()
  })

  it('R33: without limits everybody may go at once', () => {
    expect(nextStart(arrived(0, 0, 0), [], 0)).toBe(0)
    expect(nextStart([unsent(0)], [], 7)).toBe(7)
  })

  it('R33: never names an instant at which a window could hold more than its limit', () => {
    const limit = fc.record({ requests: fc.integer({ min: 1, max: 5 }), perMs: fc.integer({ min: 1, max: 500 }) })
    const start = fc.record({ at: fc.integer({ min: 0, max: 1000 }), sent: fc.constant(true), arrived: fc.boolean() })
    holds(
      fc.property(
        fc.array(limit, { minLength: 1, maxLength: 3 }),
        fc.array(start, { maxLength: 20 }),
        fc.integer({ min: 1000, max: 1400 }),
        (limits, starts, now) => {
          const next = nextStart(starts, limits, now) ?? Number.NaN
          expect(next).toBeGreaterThanOrEqual(now)
          for (const { requests, perMs } of limits) {
            const within = starts.filter(one => next - (one.arrived ? one.at : one.at + LONGEST_WAY_MS) < perMs)
            expect(within.length).toBeLessThan(requests)
          }
        },
      ),
    )
  })
})

describe('forgetOld', () => {
  it('R33: drops from the front what no window looks at any more', () => {
    const starts = [...arrived(0, 974, 975, 976), unsent(1)]
    forgetOld(starts, 1000, 2000)
    expect(starts).toEqual([...arrived(976), unsent(1)])
    forgetOld(starts, 1000, 2001)
    expect(starts).toEqual([unsent(1)])
  })

  it('R33: keeps what is still on its way, however long ago it was allowed', () => {
    const starts = [unsent(0), ...arrived(1)]
    forgetOld(starts, 1000, 1_000_000)
    expect(starts).toEqual([unsent(0), ...arrived(1)])
  })

  it('R33: drops everything when everything is old', () => {
    const starts = [...arrived(0), written(1)]
    forgetOld(starts, 1000, 1100)
    expect(starts).toEqual([written(1)])
    forgetOld(starts, 1000, 1101)
    expect(starts).toEqual([])
    forgetOld(starts, 1000, 9999)
    expect(starts).toEqual([])
  })
})

describe('slower', () => {
  it.each([
    [10, 1000, 0.5, { requests: 5, perMs: 1000 }],
    [10, 1000, 0.25, { requests: 2, perMs: 1000 }],
    [1, 1000, 1, { requests: 1, perMs: 1000 }],
    [1, 1000, 0.5, { requests: 1, perMs: 2000 }],
    [3, 1000, 0.5, { requests: 1, perMs: 1000 }],
    [10, 1000, 1 / 16, { requests: 1, perMs: 1600 }],
    [3000, 300_000, 0.5, { requests: 1500, perMs: 300_000 }],
  ])('R36: %d per %d ms at a share of %d', (requests, perMs, share, expected) => {
    expect(slower([{ requests, perMs }], share)).toEqual([expected])
  })

  it('R36: never lets out more per second than the share, nor nothing at all', () => {
    const share = fc.double({ min: 1 / 16, max: 1, noNaN: true })
    holds(
      fc.property(
        fc.integer({ min: 1, max: 5000 }),
        fc.integer({ min: 1, max: 300_000 }),
        share,
        (requests, perMs, pace) => {
          const [limit] = slower([{ requests, perMs }], pace)
          const { requests: fewer = 0, perMs: longer = 0 } = limit ?? {}
          expect(fewer).toBeGreaterThanOrEqual(1)
          expect(Number.isInteger(fewer)).toBe(true)
          expect(fewer / longer).toBeLessThanOrEqual((requests / perMs) * pace * (1 + 1e-9))
        },
      ),
    )
  })
})

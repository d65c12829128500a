import { describe, expect, it } from 'vitest'
import { createPace, type Pace } from '../../src/transport/pace.ts'

const ten = [{ requests: 10, perMs: 1000 }]

function succeed(pace: Pace, times: number): (number | undefined)[] {
  return Array.from({ length: times }, () => pace.succeeded()).filter(share => share !== undefined)
}

describe('createPace', () => {
  it('R36: uses the set rate until the service refuses for it', () => {
    const pace = createPace()
    expect(pace.applied(ten)).toBe(ten)
    expect(pace.applied([])).toEqual([])
    expect(succeed(pace, 500)).toEqual([])
    expect(pace.applied(ten)).toBe(ten)
  })

  it('R36: halves the rate with every refusal, down to a sixteenth', () => {
    const pace = createPace()
    expect([1, 2, 3, 4, 5, 6].map(() => pace.slowDown(10))).toEqual([1 / 2, 1 / 4, 1 / 8, 1 / 16, 1 / 16, 1 / 16])
    expect(pace.applied(ten)).toEqual([{ requests: 1, perMs: 1600 }])
  })

  it('R36: regains a sixteenth with every hundred successes, up to the whole', () => {
    const pace = createPace()
    pace.slowDown(10)
    expect(succeed(pace, 99)).toEqual([])
    expect(pace.succeeded()).toBe(9 / 16)
    expect(pace.applied(ten)).toEqual([{ requests: 5, perMs: 1000 }])
    expect(succeed(pace, 99)).toEqual([])
    expect(succeed(pace, 601)).toEqual([10, 11, 12, 13, 14, 15, 16].map(share => share / 16))
    expect(pace.applied(ten)).toBe(ten)
    expect(succeed(pace, 200)).toEqual([])
  })

  it('R36: never goes above the set rate', () => {
    const pace = createPace()
    for (let refusals = 0; refusals < 4; refusals++) pace.slowDown(10)
    expect(succeed(pace, 5000).at(-1)).toBe(1)
  })

  it('R36: a refusal takes back the successes counted so far', () => {
    const pace = createPace()
    pace.slowDown(10)
    succeed(pace, 99)
    pace.slowDown(10)
    expect(pace.succeeded()).toBeUndefined()
    expect(succeed(pace, 99)).toEqual([5 / 16])
  })

  it.each([
    [20, { requests: 10, perMs: 1000 }],
    [13, { requests: 6, perMs: 1000 }],
    // So few say nothing about a rate.
    [9, { requests: 5, perMs: 1000 }],
    [0, { requests: 5, perMs: 1000 }],
  ])('R36: where no rate is set, half of what the service had borne: %d in the second before', (borne, limit) => {
    const pace = createPace()
    pace.slowDown(borne)
    expect(pace.applied([])).toEqual([limit])
    expect(pace.applied(ten)).toEqual([{ requests: 5, perMs: 1000 }])
  })

  it('R36: what says nothing about a rate is taken for ten a second', () => {
    const pace = createPace()
    for (let refusals = 0; refusals < 4; refusals++) pace.slowDown(0)
    expect(pace.applied([])).toEqual([{ requests: 1, perMs: 1600 }])
  })

  it('R36: what was borne before the first refusal stands until the rate is whole again', () => {
    const pace = createPace()
    pace.slowDown(32)
    pace.slowDown(12)
    expect(pace.applied([])).toEqual([{ requests: 8, perMs: 1000 }])
    succeed(pace, 1200)
    expect(pace.applied([])).toEqual([])
    pace.slowDown(40)
    expect(pace.applied([])).toEqual([{ requests: 20, perMs: 1000 }])
  })
})

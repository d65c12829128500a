import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { gather, head, scatter, tail, uuid } from '../../../src/simulator/streamflow/world/ids.ts'

describe('identifiers', () => {
  it('stand for one instant each, and tell which', () => {
    fc.assert(
      fc.property(fc.integer({ min: -60_000, max: 4_000_000 }), fc.integer(), (index, salt) => {
        expect(gather(scatter(index, salt), salt)).toBe(index)
      }),
    )
  })

  it('come in an order that is not that of time', () => {
    const words = Array.from({ length: 1000 }, (_, day) => scatter(19_000 + day, 7))
    expect(new Set(words).size).toBe(1000)
    const rising = words.filter((word, place) => place > 0 && word > (words[place - 1] ?? 0)).length
    expect(rising).toBeGreaterThan(400)
    expect(rising).toBeLessThan(600)
  })

  it('look like those of the service', () => {
    const form = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
    for (const name of ['USGS-01000000|a', 'b', '']) {
      expect(uuid(name)).toMatch(form)
      expect(head(scatter(3, 1)) + tail(name)).toMatch(form)
    }
  })

  it('differ from name to name', () => {
    const names = Array.from({ length: 20_000 }, (_, n) => `USGS-${n}|daily`)
    expect(new Set(names.map(tail)).size).toBe(20_000)
  })
})

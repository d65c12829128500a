import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { groupIds, splitIds } from '../../src/transport/ids.ts'
import { holds } from '../support/properties.ts'

/** Length of a comma-separated, encoded list behind an address of ten bytes. */
const bytesOf = (group: readonly string[]): number => 10 + encodeURIComponent(group.join(',')).length

describe('groupIds', () => {
  it.each([
    [[], 100, []],
    [['a'], 11, [['a']]],
    [['a', 'b'], 15, [['a', 'b']]],
    [['a', 'b'], 14, [['a'], ['b']]],
    [
      ['a', 'b', 'c', 'd', 'e'],
      19,
      [
        ['a', 'b', 'c'],
        ['d', 'e'],
      ],
    ],
    [['a', 'äöü', 'b'], 28, [['a'], ['äöü'], ['b']]],
  ])('R27 F49: groups %j within %d bytes as %j', (ids, budget, groups) => {
    expect(groupIds(ids, bytesOf, budget, 'sites')).toEqual(groups)
  })

  it('R27 F49: refuses an identifier that cannot fit alone, before anything is sent', () => {
    const long = 'x'.repeat(200)
    expect(() => groupIds(['a', long, 'b'], bytesOf, 100, 'sites')).toThrow(
      expect.objectContaining({
        name: 'QueryError',
        argument: 'sites',
        value: long,
        message: `sites '${'x'.repeat(60)}' is too long to be asked for (210 bytes of 100)`,
      }),
    )
  })

  it('R27 F49: asks for every identifier exactly once, in order, never over the budget', () => {
    const ids = fc.array(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 8 }), { maxLength: 60 })
    holds(
      fc.property(ids, fc.integer({ min: 160, max: 300 }), (asked, budget) => {
        const groups = groupIds(asked, bytesOf, budget, 'sites')
        expect(groups.flat()).toEqual(asked)
        groups.forEach((group, at) => {
          expect(group.length).toBeGreaterThan(0)
          expect(bytesOf(group)).toBeLessThanOrEqual(budget)
          // No group ends early.
          const next = groups[at + 1]?.[0]
          if (next !== undefined) expect(bytesOf([...group, next])).toBeGreaterThan(budget)
        })
      }),
    )
  })
})

describe('splitIds', () => {
  it.each([
    [undefined, undefined],
    [[], undefined],
    [['a'], undefined],
    [
      ['a', 'b'],
      [['a'], ['b']],
    ],
    [
      ['a', 'b', 'c'],
      [['a', 'b'], ['c']],
    ],
    [
      ['a', 'b', 'c', 'd'],
      [
        ['a', 'b'],
        ['c', 'd'],
      ],
    ],
  ])('R9 R27: halves %j as %j', (ids, halves) => {
    expect(splitIds(ids)).toEqual(halves)
  })
})

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { tidy, type RowOrder } from '../../src/transport/tidy.ts'
import { holds } from '../support/properties.ts'

interface Sample {
  readonly at: number | undefined
  readonly value: number
  readonly revised?: number
}

const order: RowOrder<Sample> = {
  compare: (a, b) => (a.at ?? 0) - (b.at ?? 0),
  instant: row => row.at,
  equal: (a, b) => a.value === b.value,
}
const withRevisions: RowOrder<Sample> = { ...order, revised: row => row.revised ?? 0 }

const row = (at: number | undefined, value = 0, revised?: number): Sample => ({
  at,
  value,
  ...(revised === undefined ? {} : { revised }),
})
const span = { start: 10, end: 20 }

describe('tidy', () => {
  it('R56: rows that come in order are not copied', () => {
    const rows = [row(10), row(15), row(20)]
    expect(tidy(rows, span, order)).toEqual({ rows, outside: 0, merged: 0, differing: 0 })
    expect(tidy(rows, span, order).rows).toBe(rows)
    expect(tidy([], span, order)).toEqual({ rows: [], outside: 0, merged: 0, differing: 0 })
  })

  it('R56: rows outside the asked span are dropped and counted; its ends are inside', () => {
    const rows = [row(9), row(10), row(20), row(21), row(500)]
    expect(tidy(rows, span, order)).toEqual({ rows: [row(10), row(20)], outside: 3, merged: 0, differing: 0 })
  })

  it('R56: without a span, or without an instant, nothing is outside', () => {
    expect(tidy([row(9), row(99)], undefined, order).rows).toEqual([row(9), row(99)])
    expect(tidy([row(undefined), row(9), row(12)], span, order)).toMatchObject({
      rows: [row(undefined), row(12)],
      outside: 1,
    })
  })

  it('R54: rows in another order are put in order', () => {
    expect(tidy([row(20), row(10), row(15)], span, order)).toEqual({
      rows: [row(10), row(15), row(20)],
      outside: 0,
      merged: 0,
      differing: 0,
    })
  })

  it('R56: exact duplicates are merged and counted, neighbours or not', () => {
    const rows = [row(10), row(10), row(15), row(10), row(15)]
    expect(tidy(rows, span, order)).toEqual({ rows: [row(10), row(15)], outside: 0, merged: 3, differing: 0 })
  })

  it('R56: values that differ for one sample are all kept, the last revised first', () => {
    const rows = [row(10, 1, 5), row(10, 2, 7), row(10, 3, 6), row(15, 4)]
    const tidied = tidy(rows, span, withRevisions)
    expect(tidied).toEqual({
      rows: [row(10, 2, 7), row(10, 3, 6), row(10, 1, 5), row(15, 4)],
      outside: 0,
      merged: 0,
      differing: 1,
    })
  })

  it('R56: where nothing says when a row was revised, they stay in the order in which they came', () => {
    const rows = [row(15, 9), row(10, 3), row(10, 1), row(10, 2)]
    expect(tidy(rows, span, order).rows).toEqual([row(10, 3), row(10, 1), row(10, 2), row(15, 9)])
  })

  it('R56: counts samples that differ, not rows, and merges duplicates among them', () => {
    const rows = [row(10, 1), row(10, 2), row(10, 1), row(10, 3), row(15, 1), row(15, 2), row(20, 1), row(20, 1)]
    const tidied = tidy(rows, span, order)
    expect(tidied.rows).toEqual([row(10, 1), row(10, 2), row(10, 3), row(15, 1), row(15, 2), row(20, 1)])
    expect([tidied.merged, tidied.differing]).toEqual([2, 2])
  })

  it('R56: nothing else is merged: equal values of neighbouring samples stay', () => {
    const rows = [row(10, 7), row(11, 7), row(12, 7)]
    expect(tidy(rows, span, order).rows).toEqual(rows)
  })

  it('R24 R56: what lies right at the start of a piece that meets another came with that one', () => {
    const rows = [row(10, 1), row(11, 2)]
    expect(tidy(rows, span, order, true)).toEqual({ rows: [row(11, 2)], outside: 0, merged: 1, differing: 0 })
    const mixed = [row(15, 3), row(9, 0), row(10, 1), row(10, 2), row(15, 3)]
    expect(tidy(mixed, span, order, true)).toEqual({ rows: [row(15, 3)], outside: 1, merged: 3, differing: 0 })
    expect(tidy([row(undefined), row(11)], span, order, true).rows).toHaveLength(2)
    expect(tidy(rows, undefined, order, true).rows).toHaveLength(2)
  })

  it('R54 R56: any shuffle with duplicates gives the same as the sorted unique rows', () => {
    const samples = fc.uniqueArray(fc.integer({ min: -20, max: 60 }), { maxLength: 30 })
    const shuffled = samples.chain(instants =>
      fc.tuple(
        fc.constant(instants),
        fc.shuffledSubarray([...instants, ...instants, ...instants], {
          minLength: instants.length * 3,
          maxLength: instants.length * 3,
        }),
      ),
    )
    holds(
      fc.property(shuffled, ([instants, rows]) => {
        const tidied = tidy(
          rows.map(at => row(at, at * 2)),
          span,
          order,
        )
        const inside = instants.filter(at => at >= span.start && at <= span.end).sort((a, b) => a - b)
        expect(tidied.rows).toEqual(inside.map(at => row(at, at * 2)))
        expect(tidied.outside).toBe(3 * (instants.length - inside.length))
        expect(tidied.merged).toBe(2 * inside.length)
        expect(tidied.differing).toBe(0)
      }),
    )
  })

  it('R56: no row is lost without being counted', () => {
    const some = fc.record({
      at: fc.integer({ min: 5, max: 25 }),
      value: fc.integer({ min: 0, max: 2 }),
      revised: fc.integer({ min: 0, max: 3 }),
    })
    holds(
      fc.property(fc.array(some, { maxLength: 60 }), rows => {
        const tidied = tidy(rows, span, withRevisions)
        expect(tidied.rows.length + tidied.outside + tidied.merged).toBe(rows.length)
        expect(new Set(tidied.rows.map(({ at, value }) => `${at} ${value}`)).size).toBe(tidied.rows.length)
        tidied.rows.slice(1).forEach((one, at) => {
          const before = tidied.rows[at]
          expect(one.at).toBeGreaterThanOrEqual(before?.at ?? Number.NaN)
          if (one.at === before?.at) expect(one.revised).toBeLessThanOrEqual(before?.revised ?? Number.NaN)
        })
      }),
    )
  })
})

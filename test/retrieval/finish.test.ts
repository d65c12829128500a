import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { arrange, attribute, type WholeOrder } from '../../src/retrieval/finish.ts'
import type { ResponseMeta } from '../../src/transport/index.ts'
import { holds } from '../support/properties.ts'

interface Sample extends Readonly<Record<string, unknown>> {
  readonly site: string
  readonly at: number
  readonly value: number
  readonly revised: number
  readonly id?: string
}

const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
const order: WholeOrder<Sample> = {
  compare: (a, b) => byText(a.site, b.site) || a.at - b.at,
  equal: (a, b) => (a.id !== undefined && a.id === b.id) || a.value === b.value,
  isSample: () => true,
  revised: row => row.revised,
  groups: ['site'],
  within: (a, b) => a.at - b.at,
}
const sample = (site: string, at: number, value = at, revised = 0, id?: string): Sample => ({
  site,
  at,
  value,
  revised,
  ...(id === undefined ? {} : { id }),
})

describe('arrange', () => {
  it('neither copies nor moves rows that come in order', () => {
    const rows = [sample('A', 1), sample('A', 2), sample('B', 1)]
    const finished = arrange(rows, order)
    expect(finished.rows).toBe(rows)
    expect(finished.from).toBeUndefined()
  })

  it.each<[string, Sample[]]>([
    ['stretches that change their places', [sample('B', 1), sample('B', 2), sample('A', 1), sample('A', 2)]],
    ['stretches of time of several sites', [sample('A', 1), sample('B', 1), sample('A', 2), sample('B', 2)]],
    ['stretches that overlap', [sample('A', 2), sample('A', 4), sample('A', 1), sample('A', 3), sample('B', 1)]],
    ['no order at all', [sample('B', 3), sample('A', 9), sample('B', 1), sample('A', 2), sample('A', 7)]],
    ['no rows', []],
  ])('R54: puts in order %s', (_what, rows) => {
    const { rows: sorted, from } = arrange(rows, order)
    expect(sorted).toEqual([...rows].sort(order.compare))
    sorted.forEach((row, at) => expect(row).toBe(rows[from?.[at] ?? at]))
  })

  it('R56: merges copies of a record, and counts where they came from', () => {
    const rows = [sample('A', 1, 5, 0, 'x'), sample('A', 2), sample('A', 1, 5, 0, 'x'), sample('A', 2)]
    expect(arrange(rows, order)).toEqual({ rows: rows.slice(0, 2), from: [0, 1], merged: [2, 3], warnings: [] })
  })

  it('R56: keeps versions of one sample, the last revised first, and says so', () => {
    const rows = [sample('A', 1, 5, 10), sample('A', 1, 6, 30), sample('A', 1, 7, 20), sample('A', 2)]
    const finished = arrange(rows, order)
    expect(finished.rows.map(({ value }) => value)).toEqual([6, 7, 5, 2])
    expect(finished.warnings).toEqual([expect.stringMatching('last revised first')])
  })

  it('F41: keeps rows that stand at one place without being the same record', () => {
    const rows = [sample('A', 1, 5), sample('A', 1, 6)]
    const finished = arrange(rows, { ...order, isSample: () => false })
    expect(finished.rows).toHaveLength(2)
    expect(finished.warnings).toEqual([])
  })

  it('R54: the division of a result does not show in it', () => {
    const cell = fc.record({ site: fc.constantFrom('A', 'B', 'C'), at: fc.integer({ min: 0, max: 30 }) })
    holds(
      fc.property(fc.uniqueArray(cell, { selector: ({ site, at }) => `${site}${at}`, maxLength: 60 }), cells => {
        const rows = cells.map(({ site, at }) => sample(site, at))
        const { rows: sorted, from, merged = [] } = arrange(rows, order)
        expect(sorted).toEqual([...rows].sort(order.compare))
        expect(merged).toEqual([])
        expect(new Set(Array.from(from ?? rows.keys())).size).toBe(rows.length)
      }),
    )
  })
})

describe('attribute', () => {
  const meta = [3, 0, 2].map(rows => ({ rows, rowsMerged: 1 }) as ResponseMeta)

  it('R55: says of every row which response brought it, and counts what is left of each', () => {
    const { meta: counted, origins } = attribute(meta, { rows: [{}, {}, {}, {}], from: [4, 0, 2, 3], merged: [1] })
    expect(Array.from(origins ?? [])).toEqual([2, 0, 0, 2])
    expect(counted.map(({ rows, rowsMerged }) => [rows, rowsMerged])).toEqual([
      [2, 2],
      [0, 1],
      [2, 1],
    ])
  })

  it('leaves metadata alone where nothing moved', () => {
    expect(attribute(meta, { rows: [] })).toEqual({ meta, origins: undefined })
  })
})

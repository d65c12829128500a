import { describe, expect, it } from 'vitest'
import { batchesOf, carriedOn, piecesOf, regrouped, type Itinerary } from '../../src/retrieval/itinerary.ts'
import type { Batch, Piece, ResponseMeta } from '../../src/transport/index.ts'

const piece = (start: number, end: number, more: Partial<Piece> = {}): Piece => ({
  span: { start, end },
  depth: 0,
  ...more,
})
const batch = (rows: string[], part: number): Batch<string> => ({
  rows,
  meta: { rows: rows.length, rowsMerged: 0 } as ResponseMeta,
  piece: piece(0, 0, { part }),
  left: [],
})
const rowsOf = (itinerary: Itinerary<string>): string[] => batchesOf(itinerary).flatMap(({ rows }) => rows)
const identity = (row: string): string => row

describe('an itinerary', () => {
  it('R54: what comes of a piece stands in its place, whatever else came before', () => {
    const before: Itinerary<string> = [{ piece: piece(0, 9) }, { batch: batch(['c'], 0) }, { piece: piece(20, 29) }]
    const run: Itinerary<string> = [{ batch: batch(['a'], 0) }, { batch: batch(['b'], 0) }, { batch: batch(['d'], 1) }]
    expect(rowsOf(carriedOn(before, run, undefined))).toEqual(['a', 'b', 'c', 'd'])
  })

  it('R60: a piece of which only a part came leaves the rest in its place', () => {
    const before: Itinerary<string> = [{ piece: piece(0, 29) }, { batch: batch(['z'], 0) }]
    const run: Itinerary<string> = [
      { batch: batch(['a'], 0) },
      { piece: piece(10, 19, { part: 0 }) },
      { batch: batch(['c'], 0) },
    ]
    const after = carriedOn(before, run, undefined)
    expect(after.map(stretch => ('piece' in stretch ? stretch.piece.span?.start : stretch.batch.rows[0]))).toEqual([
      'a',
      10,
      'c',
      'z',
    ])
    expect(piecesOf(after)).toHaveLength(1)
  })

  it('R56: rows of a walk that moved while it was interrupted are merged and counted', () => {
    const before: Itinerary<string> = [
      { batch: batch(['a', 'b'], 0) },
      { piece: piece(0, 9, { cursor: 'https://toy.test/?page=2' }) },
    ]
    const after = carriedOn(before, [{ batch: batch(['b', 'c'], 0) }], identity)
    expect(rowsOf(after)).toEqual(['a', 'b', 'c'])
    expect(batchesOf(after)[1]?.meta).toMatchObject({ rows: 1, rowsMerged: 1 })
  })

  it('R56: rows without an identity are never merged', () => {
    const before: Itinerary<string> = [{ batch: batch(['a', ''], 0) }, { piece: piece(0, 9) }]
    expect(rowsOf(carriedOn(before, [{ batch: batch(['', 'a'], 0) }], row => row || undefined))).toEqual(['a', '', ''])
  })

  it('R60: neighbours are joined, but not across something that was received', () => {
    const [first, second] = [piece(0, 9, { depth: 2, part: 0 }), piece(10, 19, { depth: 1, part: 0 })]
    const together: Itinerary<string> = [{ piece: first }, { piece: second }]
    expect(piecesOf(regrouped(together, 1))).toEqual([piece(0, 19, { part: 0 })])
    const apart: Itinerary<string> = [{ piece: first }, { batch: batch([], 0) }, { piece: second }]
    expect(piecesOf(regrouped(apart, 1))).toEqual([piece(0, 9, { part: 0 }), piece(10, 19, { part: 0 })])
  })

  it.each([
    ['of two parts of the query', { part: 0 }, { part: 1 }],
    ['that were never cut', {}, {}],
  ])('R60: neighbours %s stay what they are', (_, one, other) => {
    const pieces = [piece(0, 9, one), piece(10, 19, other)]
    expect(
      piecesOf(
        regrouped(
          pieces.map(each => ({ piece: each })),
          1,
        ),
      ),
    ).toEqual(pieces)
  })
})

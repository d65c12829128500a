import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  fromCheckpointPiece,
  meeting,
  spansOf,
  takeNext,
  toCheckpointPiece,
  type Piece,
} from '../../src/transport/piece.ts'
import type { SpanRules } from '../../src/transport/plan.ts'
import { holds } from '../support/properties.ts'
import { cuttings, gridOf } from '../support/spans.ts'

const TENS: SpanRules = { stepMs: 10, chunkMs: 100, mostMs: 1000, ends: 'trimmed' }

describe('takeNext', () => {
  it('R24: cuts the front off the first piece and leaves the rest in its place', () => {
    const todo: Piece[] = [
      { span: { start: 0, end: 250 }, ids: ['a'], depth: 0 },
      { span: { start: 500, end: 510 }, depth: 0 },
    ]
    expect(takeNext(todo, TENS, 100, 0)).toEqual({ span: { start: 0, end: 90 }, ids: ['a'], depth: 0 })
    expect(todo).toEqual([
      { span: { start: 100, end: 250 }, ids: ['a'], depth: 0 },
      { span: { start: 500, end: 510 }, depth: 0 },
    ])
  })

  it('R24: leaves nothing of a piece that fits', () => {
    const todo: Piece[] = [{ span: { start: 0, end: 100 }, depth: 0 }]
    expect(takeNext(todo, TENS, 100, 0)).toEqual({ span: { start: 0, end: 100 }, depth: 0 })
    expect(todo).toEqual([])
  })

  it('R30: a piece of a learned size counts as halved that often, its rest does not', () => {
    const todo: Piece[] = [{ span: { start: 0, end: 250 }, depth: 0 }]
    expect(takeNext(todo, TENS, 50, 1)?.depth).toBe(1)
    expect(todo[0]?.depth).toBe(0)
    expect(takeNext([{ span: { start: 0, end: 20 }, depth: 2 }], TENS, 50, 1)?.depth).toBe(2)
  })

  it('R24: where neighbours share an instant, it belongs to the one in front', () => {
    const shared: SpanRules = { ...TENS, ends: 'shared' }
    const todo: Piece[] = [{ span: { start: 0, end: 250 }, depth: 0 }]
    expect(takeNext(todo, shared, 100, 0)).toEqual({ span: { start: 0, end: 100 }, depth: 0 })
    expect(takeNext(todo, shared, 100, 0)).toEqual({ span: { start: 100, end: 200 }, startsAfter: true, depth: 0 })
    expect(todo).toEqual([{ span: { start: 200, end: 250 }, startsAfter: true, depth: 0 }])
    expect([meeting(shared), meeting(TENS)]).toEqual([{ startsAfter: true }, {}])
  })

  it.each<[string, Piece]>([
    ['a walk that has begun', { span: { start: 0, end: 900 }, cursor: 'https://toy.test/p?c=2', page: 2, depth: 1 }],
    ['a piece without a span', { ids: ['a', 'b'], depth: 0 }],
  ])('R60: takes %s as it is', (_name, piece) => {
    const todo = [piece]
    expect(takeNext(todo, TENS, 10, 2)).toBe(piece)
    expect(todo).toEqual([])
  })

  it('finds nothing to do in an empty list', () => {
    expect(takeNext([], TENS, 100, 0)).toBeUndefined()
  })

  it('R30: pieces taken with a changing size hold every grid instant of all spans once, in order', () => {
    holds(
      fc.property(
        cuttings('trimmed'),
        fc.integer({ min: 1, max: 3 }),
        fc.infiniteStream(fc.integer({ min: 1, max: 30 })),
        ({ span, rules }, copies, sizes) => {
          const far = 1000 * rules.stepMs
          const spans = Array.from({ length: copies }, (_, at) => ({
            start: span.start + at * far,
            end: span.end + at * far,
          }))
          const todo: Piece[] = spans.map(one => ({ span: one, depth: 0 }))
          const taken: Piece[] = []
          for (let piece = takeNext(todo, rules, rules.stepMs, 0); piece;) {
            taken.push(piece)
            piece = takeNext(todo, rules, (sizes.next().value as number) * rules.stepMs, 0)
          }
          const asked = spansOf(taken).flatMap(one => gridOf(one, rules.stepMs))
          expect(asked).toEqual(spans.flatMap(one => gridOf(one, rules.stepMs)))
        },
      ),
    )
  })
})

describe('a checkpoint of a piece', () => {
  it.each<[Piece, object]>([
    [
      { span: { start: 0, end: 86_399_500 }, depth: 2 },
      { start: '1970-01-01T00:00:00Z', end: '1970-01-01T23:59:59.500Z' },
    ],
    [{ ids: ['a', 'b'], depth: 0 }, { ids: ['a', 'b'] }],
    [{ cursor: 'https://toy.test/p?c=2', page: 3, depth: 0 }, { cursor: 'https://toy.test/p?c=2' }],
    [{ startsAfter: true, part: 3, depth: 1 }, { startsAfter: true }],
    [{ depth: 0 }, {}],
  ])('R60: of %j is %j', (piece, kept) => {
    expect(toCheckpointPiece(piece)).toEqual(kept)
    expect(Object.keys(toCheckpointPiece(piece))).toEqual(Object.keys(kept))
  })

  it('R60: is read back through JSON as the same question, begun anew', () => {
    const piece: Piece = {
      span: { start: 1_704_067_200_001, end: 1_704_067_200_002 },
      startsAfter: true,
      ids: ['x'],
      cursor: 'https://toy.test/?c',
      page: 4,
      depth: 2,
    }
    const back = fromCheckpointPiece(JSON.parse(JSON.stringify(toCheckpointPiece(piece))) as object)
    expect(back).toStrictEqual({
      span: piece.span,
      startsAfter: true,
      ids: ['x'],
      cursor: 'https://toy.test/?c',
      depth: 0,
    })
  })

  it.each([
    [{ start: '2024-01-02T00:00Z', end: '2024-01-01T00:00Z' }, 'checkpoint holds a span that ends before it starts'],
    [{ start: 'once', end: '2024-01-01T00:00Z' }, 'checkpoint is not an instant'],
    [{ start: '2024-01-01T00:00Z', end: '2024-02-30' }, 'checkpoint is not a date that exists'],
  ])('R60: from a file, %j is refused as no checkpoint', (kept, message) => {
    expect(() => fromCheckpointPiece(kept)).toThrow(
      expect.objectContaining({
        name: 'QueryError',
        argument: 'checkpoint',
        message: expect.stringContaining(message) as string,
      }),
    )
  })

  it.each([null, 5, 'all', { ids: 'abc' }, { ids: [5] }, { cursor: 7 }])(
    'R60: from a file, %j is refused as no part of a query',
    kept => {
      expect(() => fromCheckpointPiece(kept)).toThrow(
        expect.objectContaining({ name: 'QueryError', argument: 'checkpoint' }),
      )
    },
  )

  it('R60: a span of one instant is a span', () => {
    const instant = '2024-01-01T00:00:00Z'
    expect(fromCheckpointPiece({ start: instant, end: instant }).span).toEqual({
      start: Date.parse(instant),
      end: Date.parse(instant),
    })
  })

  it.each([{}, { start: '2024-01-01' }, { end: '2024-01-01' }])('R60: without both ends there is no span: %j', kept => {
    expect(fromCheckpointPiece(kept)).toStrictEqual({ depth: 0 })
  })
})

describe('spansOf', () => {
  it('lists the spans of the pieces that have one', () => {
    expect(spansOf([{ depth: 0 }, { span: { start: 1, end: 2 }, depth: 0 }])).toEqual([{ start: 1, end: 2 }])
  })
})

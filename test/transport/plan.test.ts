import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { SpanMs } from '../../src/span.ts'
import { isoText } from '../../src/time.ts'
import { chunkLength, planSpan, splitSpan, takePiece, type SpanRules } from '../../src/transport/plan.ts'
import { holds } from '../support/properties.ts'
import { cuttings, gridOf } from '../support/spans.ts'

const MINUTE = 60_000
const DAY = 86_400_000
const EMISSIONS: SpanRules = { stepMs: 5 * MINUTE, chunkMs: 30 * DAY, mostMs: 32 * DAY, ends: 'trimmed' }
const TENS: SpanRules = { stepMs: 10, chunkMs: 100, mostMs: 1000, ends: 'trimmed' }
const SHARED: SpanRules = { ...TENS, ends: 'shared' }

const between = (start: string, end: string): SpanMs => ({ start: Date.parse(start), end: Date.parse(end) })
const texts = (spans: readonly SpanMs[]): string[] =>
  spans.map(({ start, end }) => `${isoText(start)} … ${isoText(end)}`)
/** Spans in one line: `0…90 | 100…150`. */
const line = (spans: readonly SpanMs[] | undefined): string | undefined =>
  spans?.map(({ start, end }) => `${start}…${end}`).join(' | ')

describe('planSpan', () => {
  it.each([
    [
      'F01',
      between('2024-01-01T00:00Z', '2024-03-01T00:00Z'),
      ['2024-01-01T00:00:00Z … 2024-01-30T23:55:00Z', '2024-01-31T00:00:00Z … 2024-03-01T00:00:00Z'],
    ],
    [
      'F03',
      between('2024-01-01T00:00Z', '2024-01-31T00:03Z'),
      ['2024-01-01T00:00:00Z … 2024-01-30T23:55:00Z', '2024-01-31T00:00:00Z … 2024-01-31T00:03:00Z'],
    ],
    [
      'F04: start = end',
      between('2024-01-01T00:00Z', '2024-01-01T00:00Z'),
      ['2024-01-01T00:00:00Z … 2024-01-01T00:00:00Z'],
    ],
    [
      'R25: an off-grid start is sent as given, the border behind it lies on the grid',
      between('2024-01-01T00:02Z', '2024-02-05T00:00Z'),
      ['2024-01-01T00:02:00Z … 2024-01-30T23:55:00Z', '2024-01-31T00:00:00Z … 2024-02-05T00:00:00Z'],
    ],
  ])('%s: requests of the 30-day chunks', (_name, span, expected) => {
    expect(texts(planSpan(span, EMISSIONS))).toEqual(expected)
  })

  it.each([
    // start, end, size, pieces
    [0, 100, 100, '0…100'],
    [0, 101, 100, '0…90 | 100…101'],
    [0, 110, 100, '0…90 | 100…110'],
    [3, 103, 100, '3…103'],
    [3, 104, 100, '3…90 | 100…104'],
    [0, 40, 10, '0…0 | 10…10 | 20…20 | 30…40'],
    [0, 45, 25, '0…10 | 20…45'],
    [1, 30, 10, '1…10 | 20…30'],
    [1, 20, 10, '1…10 | 20…20'],
    // One grid instant cannot be divided, however long the stretch around it.
    [1, 19, 10, '1…19'],
    [1, 9, 10, '1…9'],
    [-25, 5, 10, '-25…-20 | -10…-10 | 0…5'],
  ])('R24: trimmed ends, %d to %d by %d', (start, end, size, expected) => {
    expect(line(planSpan({ start, end }, TENS, size))).toEqual(expected)
  })

  it.each([
    [0, 100, 100, '0…100'],
    [0, 110, 100, '0…100 | 100…110'],
    [3, 204, 100, '3…100 | 100…200 | 200…204'],
    // A border may lie less than a step behind the start: neighbours share it.
    [3, 25, 10, '3…10 | 10…20 | 20…25'],
    [-13, 4, 10, '-13…-10 | -10…0 | 0…4'],
  ])('R24: shared ends, %d to %d by %d', (start, end, size, expected) => {
    expect(line(planSpan({ start, end }, SHARED, size))).toEqual(expected)
  })

  it('R24: trimmed pieces hold every grid instant of the span exactly once, in order', () => {
    holds(
      fc.property(cuttings('trimmed'), ({ span, rules, size }) => {
        const pieces = planSpan(span, rules, size)
        expect(pieces.flatMap(piece => gridOf(piece, rules.stepMs))).toEqual(gridOf(span, rules.stepMs))
      }),
    )
  })

  it('R25: the first start and the last end are as given; the next start is the previous end plus a step', () => {
    holds(
      fc.property(cuttings('trimmed'), ({ span, rules, size }) => {
        const pieces = planSpan(span, rules, size)
        expect(pieces[0]?.start).toBe(span.start)
        expect(pieces.at(-1)?.end).toBe(span.end)
        pieces.slice(1).forEach((piece, at) => {
          expect(piece.start).toBe((pieces[at]?.end ?? Number.NaN) + rules.stepMs)
          expect(Math.abs(piece.start % rules.stepMs)).toBe(0)
        })
      }),
    )
  })

  it('R26: no piece is longer than the chunk, unless one grid instant is all it holds', () => {
    holds(
      fc.property(cuttings('trimmed'), ({ span, rules, size }) => {
        for (const piece of planSpan(span, rules, size)) {
          expect(piece.end).toBeGreaterThanOrEqual(piece.start)
          if (gridOf(piece, rules.stepMs).length > 1) expect(piece.end - piece.start).toBeLessThanOrEqual(size)
          else expect(piece.end - piece.start).toBeLessThan(2 * rules.stepMs)
        }
      }),
    )
  })

  it('R24: shared pieces meet at grid instants, cover the span and are never longer than the chunk', () => {
    holds(
      fc.property(cuttings('shared'), ({ span, rules, size }) => {
        const pieces = planSpan(span, rules, size)
        expect([pieces[0]?.start, pieces.at(-1)?.end]).toEqual([span.start, span.end])
        for (const { start, end } of pieces) expect(end - start).toBeLessThanOrEqual(size)
        pieces.slice(1).forEach(({ start, end }, at) => {
          expect(start).toBe(pieces[at]?.end)
          expect(Math.abs(start % rules.stepMs)).toBe(0)
          expect(end).toBeGreaterThan(start)
        })
      }),
    )
  })

  it('R24: the chunk of the rules is taken when no other is given', () => {
    expect(line(planSpan({ start: 0, end: 150 }, TENS))).toEqual('0…90 | 100…150')
  })
})

describe('takePiece', () => {
  it('R30: pieces of changing size tile the same grid', () => {
    holds(
      fc.property(cuttings('trimmed'), fc.infiniteStream(fc.integer({ min: 1, max: 30 })), ({ span, rules }, sizes) => {
        const pieces: SpanMs[] = []
        for (let rest: SpanMs | undefined = span; rest;) {
          const taken = takePiece(rest, rules, (sizes.next().value as number) * rules.stepMs)
          pieces.push(taken.piece)
          rest = taken.rest
        }
        expect(pieces.flatMap(piece => gridOf(piece, rules.stepMs))).toEqual(gridOf(span, rules.stepMs))
        expect([pieces[0]?.start, pieces.at(-1)?.end]).toEqual([span.start, span.end])
      }),
    )
  })

  it('R26: leaves no rest of a span that fits', () => {
    expect(takePiece({ start: 5, end: 105 }, TENS, 100)).toEqual({ piece: { start: 5, end: 105 }, rest: undefined })
  })
})

describe('splitSpan', () => {
  it.each([
    [0, 90, '0…40 | 50…90'],
    [0, 100, '0…40 | 50…100'],
    [0, 10, '0…0 | 10…10'],
    [0, 20, '0…0 | 10…20'],
    [0, 30, '0…10 | 20…30'],
    [1, 29, '1…10 | 20…29'],
    [9, 21, '9…10 | 20…21'],
    [1, 20, '1…10 | 20…20'],
    [10, 29, '10…10 | 20…29'],
    [1, 11, undefined],
    [11, 19, undefined],
    [0, 0, undefined],
    [0, 9, undefined],
    [-20, 0, '-20…-20 | -10…0'],
  ])('R28: trimmed ends, %d to %d', (start, end, expected) => {
    expect(line(splitSpan({ start, end }, TENS))).toEqual(expected)
  })

  it.each([
    [0, 100, '0…50 | 50…100'],
    [0, 20, '0…10 | 10…20'],
    [0, 30, '0…20 | 20…30'],
    [3, 31, '3…20 | 20…31'],
    [3, 29, undefined],
    [0, 10, undefined],
    [0, 0, undefined],
  ])('R28: shared ends, %d to %d', (start, end, expected) => {
    expect(line(splitSpan({ start, end }, SHARED))).toEqual(expected)
  })

  it('R28: both parts hold a grid instant, and neighbours meet by a step', () => {
    holds(
      fc.property(cuttings('trimmed'), ({ span, rules: { stepMs }, rules }) => {
        const whole = gridOf(span, stepMs)
        const parts = splitSpan(span, rules)
        if (whole.length < 2) {
          expect(parts).toBeUndefined()
          return
        }
        const [early, late] = parts ?? []
        expect(early?.start).toBe(span.start)
        expect(late?.end).toBe(span.end)
        expect(late?.start).toBe((early?.end ?? Number.NaN) + stepMs)
        expect((parts ?? []).flatMap(part => gridOf(part, stepMs))).toEqual(whole)
        for (const part of parts ?? []) expect(gridOf(part, stepMs).length).toBeGreaterThan(0)
      }),
    )
  })

  it('R28: cuts at the grid instant nearest the middle', () => {
    holds(
      fc.property(cuttings('trimmed'), ({ span, rules }) => {
        const parts = splitSpan(span, rules)
        fc.pre(gridOf(span, rules.stepMs).length > 3)
        const middle = (span.start + span.end) / 2
        expect(Math.abs((parts?.[1].start ?? Number.NaN) - middle)).toBeLessThanOrEqual(rules.stepMs / 2)
      }),
    )
  })

  it.each(['trimmed', 'shared'] as const)('R25: to any depth, %s leaves hold every grid instant of the span', ends => {
    holds(
      fc.property(cuttings(ends), fc.integer({ min: 0, max: 5 }), ({ span, rules, size }, depth) => {
        const leaves = (piece: SpanMs, left: number): SpanMs[] => {
          const parts = left > 0 ? splitSpan(piece, rules) : undefined
          return parts ? parts.flatMap(part => leaves(part, left - 1)) : [piece]
        }
        const asked = planSpan(span, rules, size).flatMap(piece => leaves(piece, depth))
        const instants = asked.flatMap(piece => gridOf(piece, rules.stepMs))
        // Where neighbours share an instant, it is asked for twice and merged by identity.
        expect(ends === 'shared' ? [...new Set(instants)] : instants).toEqual(gridOf(span, rules.stepMs))
      }),
    )
  })
})

describe('chunkLength', () => {
  it.each([
    [undefined, 100],
    [10, 10],
    [999.5, 999.5],
    [1000, 1000],
  ])('R26: takes %s as %d', (asked, length) => {
    expect(chunkLength(TENS, asked)).toBe(length)
  })

  it.each([
    [1001, 'chunk is 1001 ms, but the service takes at most 1 second at a time'],
    [34_560_000_000, 'chunk is 400 days, but'],
    [5_400_000, 'chunk is 90 minutes, but'],
    [9.9, 'shorter than the step of 10 ms'],
  ])('R26: refuses %d as an argument error', (asked, words) => {
    expect(() => chunkLength(TENS, asked)).toThrow(
      expect.objectContaining({
        name: 'QueryError',
        argument: 'chunk',
        value: String(asked),
        message: expect.stringContaining(words) as string,
      }),
    )
  })
})

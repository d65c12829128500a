import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { mergeSpans, spanOf, subtractSpans, type SpanMs } from '../src/span.ts'
import { holds } from './support/properties.ts'

const spans = (...pairs: [number, number][]): SpanMs[] => pairs.map(([start, end]) => ({ start, end }))

/** Spans on a grid of whole numbers, with the step between neighbours that are trimmed. */
const some = fc.array(
  fc
    .tuple(fc.integer({ min: 0, max: 60 }), fc.integer({ min: 0, max: 20 }))
    .map(([start, length]) => ({ start, end: start + length })),
  { maxLength: 8 },
)

function instants(list: readonly SpanMs[]): number[] {
  const found = new Set<number>()
  for (const { start, end } of list) for (let at = start; at <= end; at++) found.add(at)
  return [...found].sort((a, b) => a - b)
}

describe('spanOf', () => {
  it('shows instants as dates', () => {
    expect(spanOf({ start: 0, end: 1 })).toEqual({ start: new Date(0), end: new Date(1) })
  })
})

describe('mergeSpans', () => {
  it.each([
    [[], 5, []],
    [spans([0, 10]), 5, spans([0, 10])],
    [spans([0, 10], [15, 20]), 5, spans([0, 20])],
    [spans([0, 10], [16, 20]), 5, spans([0, 10], [16, 20])],
    [spans([15, 20], [0, 10]), 5, spans([0, 20])],
    [spans([0, 30], [5, 10], [31, 40]), 1, spans([0, 40])],
    [spans([0, 10], [10, 20]), 0, spans([0, 20])],
    [spans([0, 10], [11, 20]), 0, spans([0, 10], [11, 20])],
  ])('R60: joins %j that are no more than %d apart', (given, step, merged) => {
    expect(mergeSpans(given, step)).toEqual(merged)
  })

  it('R60: changes nothing that it was given', () => {
    const given = spans([5, 9], [0, 6])
    mergeSpans(given, 1)
    expect(given).toEqual(spans([5, 9], [0, 6]))
  })

  it('R60: covers the same grid with spans that stand apart, in order', () => {
    holds(
      fc.property(some, list => {
        const merged = mergeSpans(list, 1)
        expect(instants(merged)).toEqual(instants(list))
        merged.slice(1).forEach(({ start }, at) => expect(start - (merged[at]?.end ?? Number.NaN)).toBeGreaterThan(1))
      }),
    )
  })
})

describe('subtractSpans', () => {
  it.each([
    [spans([0, 100]), [], 5, spans([0, 100])],
    [spans([0, 100]), spans([0, 100]), 5, []],
    [spans([0, 100]), spans([-5, 200]), 5, []],
    [spans([0, 100]), spans([40, 60]), 5, spans([0, 35], [65, 100])],
    [spans([0, 100]), spans([0, 60]), 5, spans([65, 100])],
    [spans([0, 100]), spans([40, 100]), 5, spans([0, 35])],
    [spans([0, 100]), spans([4, 60]), 5, spans([65, 100])],
    [spans([0, 100]), spans([40, 96]), 5, spans([0, 35])],
    [spans([0, 100]), spans([101, 200]), 5, spans([0, 100])],
    [spans([50, 100]), spans([0, 49]), 5, spans([50, 100])],
    [spans([0, 10], [20, 30]), spans([5, 25]), 1, spans([0, 4], [26, 30])],
    [spans([0, 100]), spans([10, 20], [40, 50]), 5, spans([0, 5], [25, 35], [55, 100])],
    // Neighbours that share an instant.
    [spans([0, 100]), spans([40, 60]), 0, spans([0, 40], [60, 100])],
    [spans([0, 100]), spans([0, 60]), 0, spans([60, 100])],
    [spans([0, 100]), spans([40, 100]), 0, spans([0, 40])],
  ])('R60: %j without %j at a step of %d', (whole, taken, step, left) => {
    expect(subtractSpans(whole, taken, step)).toEqual(left)
  })

  it('R60: leaves the grid instants that were not taken, each once', () => {
    holds(
      fc.property(some, some, (whole, taken) => {
        const left = subtractSpans(mergeSpans(whole, 1), taken, 1)
        const gone = new Set(instants(taken))
        expect(left.flatMap(one => instants([one]))).toEqual(instants(whole).filter(at => !gone.has(at)))
      }),
    )
  })

  it('R60: what was taken and what is left make the whole', () => {
    holds(
      fc.property(some, some, (whole, taken) => {
        const left = subtractSpans(mergeSpans(whole, 1), taken, 1)
        const kept = subtractSpans(mergeSpans(whole, 1), left, 1)
        expect(mergeSpans([...left, ...kept], 1)).toEqual(mergeSpans(whole, 1))
      }),
    )
  })
})

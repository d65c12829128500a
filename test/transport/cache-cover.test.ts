import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { coverSpan, type KeptSpan } from '../../src/transport/cache-cover.ts'
import type { SpanRules } from '../../src/transport/plan.ts'

const trimmed: SpanRules = { stepMs: 10, chunkMs: 100, mostMs: 1000, ends: 'trimmed' }
const shared: SpanRules = { ...trimmed, stepMs: 1, ends: 'shared' }

const kept = (start: number, end: number, receivedAt = 1): KeptSpan => ({
  start,
  end,
  receivedAt,
  key: `${start}-${end}@${receivedAt}`,
})

/** Stretches as short texts: what is asked for, and what is taken from where. */
const shown = (span: [number, number], rules: SpanRules, ...spans: KeptSpan[]): string[] =>
  coverSpan({ start: span[0], end: span[1] }, rules, spans).map(
    ({ span: { start, end }, key }) => `${start}-${end}${key === undefined ? '' : ` from ${key}`}`,
  )

describe('coverSpan', () => {
  it('asks for everything where nothing is kept', () => {
    expect(shown([0, 90], trimmed)).toEqual(['0-90'])
  })

  it('asks for what lies in front of a kept answer, behind it and between two', () => {
    expect(shown([0, 190], trimmed, kept(30, 60), kept(100, 140))).toEqual([
      '0-20',
      '30-60 from 30-60@1',
      '70-90',
      '100-140 from 100-140@1',
      '150-190',
    ])
  })

  it('uses a part of an answer that reaches beyond the span', () => {
    expect(shown([50, 120], trimmed, kept(0, 90), kept(100, 200))).toEqual([
      '50-90 from 0-90@1',
      '100-120 from 100-200@1',
    ])
  })

  it('takes the newest where several cover a stretch', () => {
    expect(shown([0, 190], trimmed, kept(0, 190, 1), kept(50, 90, 2))).toEqual([
      '0-40 from 0-190@1',
      '50-90 from 50-90@2',
      '100-190 from 0-190@1',
    ])
  })

  it('does not ask for a rest in which no grid instant lies', () => {
    expect(shown([3, 97], trimmed, kept(7, 92))).toEqual(['3-92 from 7-92@1'])
  })

  it('knows the answer to a span without a grid instant again', () => {
    expect(shown([1, 1], trimmed, kept(1, 1))).toEqual(['1-1 from 1-1@1'])
    expect(shown([11, 12], trimmed, kept(3, 9))).toEqual(['11-12'])
  })

  it('lets shared stretches meet at an instant, which belongs to the first', () => {
    const stretches = coverSpan({ start: 0, end: 30 }, shared, [kept(10, 20)])
    expect(stretches).toEqual([
      { span: { start: 0, end: 10 }, meets: false },
      { span: { start: 10, end: 20 }, meets: true, key: '10-20@1' },
      { span: { start: 20, end: 30 }, meets: true },
    ])
  })

  it.each([trimmed, shared])('covers a single instant at the end of an answer ($ends)', rules => {
    expect(shown([20, 20], rules, kept(0, 20))).toEqual(['20-20 from 0-20@1'])
  })

  const instant = fc.integer({ min: 0, max: 300 })
  const stretch = fc.tuple(instant, instant).map(([a, b]) => ({ start: Math.min(a, b), end: Math.max(a, b) }))
  const answers = fc.array(
    fc.tuple(stretch, fc.integer({ min: 1, max: 5 })).map(([{ start, end }, at]) => kept(start, end, at)),
    { maxLength: 8 },
  )

  it('R25: holds every grid instant exactly once, each kept stretch inside its answer', () => {
    fc.assert(
      fc.property(stretch, answers, (span, spans) => {
        const parts = coverSpan(span, trimmed, spans)
        const seen = parts.flatMap(({ span: part }) => gridOf(part))
        expect(seen).toEqual(gridOf(span))
        for (const { span: part, key } of parts) {
          const from = spans.find(one => one.key === key)
          if (key !== undefined)
            expect(gridOf(from ?? { start: 1, end: 0 })).toEqual(expect.arrayContaining(gridOf(part)))
        }
      }),
    )
  })

  it('cuts shared spans without a gap, each kept stretch inside its answer', () => {
    fc.assert(
      fc.property(stretch, answers, (span, spans) => {
        const parts = coverSpan(span, shared, spans)
        expect(parts[0]?.span.start).toBe(span.start)
        expect(parts.at(-1)?.span.end).toBe(span.end)
        parts.slice(1).forEach(({ span: part, meets }, at) => {
          expect([part.start, meets]).toEqual([parts[at]?.span.end, true])
        })
        for (const { span: part, key } of parts) {
          const from = spans.find(one => one.key === key)
          if (from) expect(from.start <= part.start && part.end <= from.end).toBe(true)
        }
      }),
    )
  })
})

function gridOf({ start, end }: { readonly start: number; readonly end: number }): number[] {
  const grid: number[] = []
  for (let at = Math.ceil(start / 10) * 10; at <= end; at += 10) grid.push(at)
  return grid
}

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { segmentsOf, settle, without } from '../../src/pull/segments.ts'

const at = (text: string): number => Date.parse(text)
const STEP = 300_000

describe('settle', () => {
  const now = at('2026-11-30T12:03:20Z')
  const instants = { column: 't', by: 'instant', stepMs: STEP } as const
  const days = { column: 't', by: 'date', stepMs: 86_400_000 } as const

  it.each([
    ['an end that is given', { start: '2024-01-01', end: '2024-02-01' }, '2024-01-01T00:00Z', '2024-02-01T00:00Z'],
    ['now: the last step that is over', { last: 'P1D' }, '2026-11-29T12:03:20Z', '2026-11-30T11:55Z'],
    [
      'an end in the future, as now',
      { start: '2024-01-01', end: '2030-01-01' },
      '2024-01-01T00:00Z',
      '2026-11-30T11:55Z',
    ],
  ])('reads %s', (_what, times, start, end) => {
    expect(settle(times, instants, now, 'it')).toEqual({ start: at(start), end: at(end) })
  })

  it('takes whole days of the zone where a service has days, up to yesterday', () => {
    const zone = 'America/Los_Angeles'
    expect(settle({ start: '2024-01-01', zone }, days, at('2026-11-30T03:00Z'), 'it')).toEqual({
      start: at('2024-01-01'),
      end: at('2026-11-28'),
    })
  })

  it('refuses a stretch of which nothing is over', () => {
    expect(() => settle({ start: '2026-11-30' }, days, now, 'it')).toThrow(/holds nothing yet/)
    expect(() => settle({ start: '2030-01-01' }, instants, now, 'it')).toThrow(/is before start/)
  })
})

describe('segmentsOf', () => {
  it.each([
    ['all', 1],
    ['year', 3],
    ['month', 26],
    ['day', 762],
  ] as const)('cuts at the borders of a %s in UTC', (segment, count) => {
    const span = { start: at('2023-11-15T06:00Z'), end: at('2025-12-15T18:00Z') }
    const parts = segmentsOf(span, segment, STEP)
    expect(parts).toHaveLength(count)
    for (const { start } of parts.slice(1)) expect(start % 86_400_000).toBe(0)
  })

  it('holds every grid instant of the stretch exactly once', () => {
    const stretch = fc.tuple(fc.integer({ min: 0, max: 900 * 288 }), fc.integer({ min: 0, max: 200 * 288 }))
    fc.assert(
      fc.property(stretch, fc.constantFrom('day', 'month', 'year', 'all'), ([from, length], segment) => {
        const span = { start: at('2023-01-01') + from * STEP, end: at('2023-01-01') + (from + length) * STEP }
        const parts = segmentsOf(span, segment, STEP)
        const held = parts.reduce((sum, { start, end }) => sum + (end - start) / STEP + 1, 0)
        expect(held).toBe(length + 1)
        expect(parts[0]?.start).toBe(span.start)
        expect(parts.at(-1)?.end).toBe(span.end)
        parts.slice(1).forEach(({ start }, before) => expect(start).toBe((parts[before]?.end ?? 0) + STEP))
      }),
    )
  })
})

describe('without', () => {
  it('leaves what is not there yet, a step away from what is', () => {
    const span = { start: 0, end: 100 * STEP }
    const covered = [
      { start: 10 * STEP, end: 20 * STEP },
      { start: 90 * STEP, end: 120 * STEP },
    ]
    expect(without(span, covered, STEP)).toEqual([
      { start: 0, end: 9 * STEP },
      { start: 21 * STEP, end: 89 * STEP },
    ])
    expect(without(span, [{ start: -STEP, end: 100 * STEP }], STEP)).toEqual([])
  })
})

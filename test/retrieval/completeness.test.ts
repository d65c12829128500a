import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { measureCompleteness } from '../../src/retrieval/index.ts'

const STEP = 300_000
const at = (text: string): number => Date.parse(`2024-03-01T${text}Z`)
const span = { start: at('00:00:00'), end: at('01:00:00') }
const all = Array.from({ length: 13 }, (_, step) => span.start + step * STEP)
const without = (...steps: number[]): number[] => all.filter((_, step) => !steps.includes(step))
const hole = (from: string, to: string): object => ({ start: new Date(at(from)), end: new Date(at(to)) })

describe('R57: measureCompleteness', () => {
  it('finds nothing missing where everything came, both ends included', () => {
    expect(measureCompleteness(all, span, STEP)).toEqual({ expected: 13, received: 13, missing: [] })
  })

  it.each<[string, number[], object[]]>([
    ['at the start', without(0, 1), [hole('00:00:00', '00:05:00')]],
    ['at the end', without(12), [hole('01:00:00', '01:00:00')]],
    ['in the middle', without(5, 6, 7), [hole('00:25:00', '00:35:00')]],
    ['in two places', without(2, 9, 10), [hole('00:10:00', '00:10:00'), hole('00:45:00', '00:50:00')]],
    ['everywhere', [], [hole('00:00:00', '01:00:00')]],
  ])('lists a hole %s with both its ends', (_where, instants, missing) => {
    expect(measureCompleteness(instants, span, STEP)).toEqual({ expected: 13, received: instants.length, missing })
  })

  it('counts an instant once, however often it came', () => {
    const twice = all.flatMap(instant => [instant, instant])
    expect(measureCompleteness(twice, span, STEP)).toEqual({ expected: 13, received: 13, missing: [] })
  })

  it('counts neither what lies outside nor what lies off the grid', () => {
    const odd = [span.start - STEP, ...without(3), span.start + STEP / 2, span.end + STEP].sort((a, b) => a - b)
    expect(measureCompleteness(odd, span, STEP)).toEqual({
      expected: 13,
      received: 12,
      missing: [hole('00:15:00', '00:15:00')],
    })
  })

  it.each<[string, string, string, number]>([
    ['an end off the grid expects nothing beyond the last instant on it', '00:00:00', '00:04:59', 1],
    ['a start off the grid expects nothing before the first instant on it', '00:00:01', '00:10:00', 2],
    ['one instant on the grid is one', '00:05:00', '00:05:00', 1],
    ['one instant off the grid is none', '00:06:00', '00:06:00', 0],
    ['a stretch between two instants is none', '00:01:00', '00:04:00', 0],
  ])('%s', (_what, start, end, expected) => {
    const { expected: found, missing } = measureCompleteness([], { start: at(start), end: at(end) }, STEP)
    expect(found).toBe(expected)
    expect(missing).toHaveLength(expected > 0 ? 1 : 0)
  })

  it('F58: takes hours as it takes minutes, and instants before 1970', () => {
    const day = { start: Date.UTC(1969, 11, 31), end: Date.UTC(1969, 11, 31, 23) }
    const hours = Array.from({ length: 24 }, (_, hour) => day.start + hour * 3_600_000)
    expect(measureCompleteness(hours, day, 3_600_000)).toEqual({ expected: 24, received: 24, missing: [] })
  })

  it('what came and what is missing are the whole grid, each instant once, for any span and any hole', () => {
    const anySpan = fc.tuple(fc.integer({ min: -1e6, max: 1e9 }), fc.integer({ min: 0, max: 40 * STEP }))
    fc.assert(
      fc.property(anySpan, fc.array(fc.boolean(), { maxLength: 60 }), ([start, length], came) => {
        const asked = { start, end: start + length }
        const grid: number[] = []
        for (let instant = Math.ceil(start / STEP) * STEP; instant <= asked.end; instant += STEP) grid.push(instant + 0)
        const received = grid.filter((_, step) => came[step] ?? false)
        const result = measureCompleteness(received, asked, STEP)
        const missing = result.missing.flatMap(({ start: from, end: to }) => {
          const steps: number[] = []
          for (let instant = from.getTime(); instant <= to.getTime(); instant += STEP) steps.push(instant)
          return steps
        })
        expect(result.expected).toBe(grid.length)
        expect(result.received).toBe(received.length)
        expect([...received, ...missing].sort((a, b) => a - b)).toEqual(grid)
      }),
    )
  })
})

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { extentOf, readPoints, thinPoints, type Cadence, type Points } from '../../src/retrieval/chart-points.ts'
import type { AnyRow } from '../../src/retrieval/columns.ts'
import { fiveMinutely, MINUTE_MS, minute } from './sample-result.ts'

function linesOf(rows: readonly AnyRow[], cadence: Cadence = {}): readonly number[] {
  return readPoints(rows, 'point_time', 'value', cadence).line
}

function at(...minutes: readonly number[]): AnyRow[] {
  return minutes.map(time => ({ point_time: minute(time), value: 1 }))
}

describe('readPoints', () => {
  const missing = [{ start: minute(10), end: minute(10) }]

  it.each<[string, AnyRow[], Cadence, number[]]>([
    ['joins neighbours', at(0, 5, 10), {}, [0, 0, 0]],
    ['breaks where most rows are nearer', at(0, 5, 10, 20, 25), {}, [0, 0, 0, 1, 1]],
    ['joins a step that is a little late', at(0, 5, 10, 17, 22), {}, [0, 0, 0, 0, 0]],
    ['breaks by the stated cadence', at(0, 10, 20, 25), { periodMs: 5 * MINUTE_MS }, [0, 1, 2, 2]],
    ['joins by the stated cadence', at(0, 5, 10, 70), { periodMs: 60 * MINUTE_MS }, [0, 0, 0, 0]],
    [
      'breaks at what is known to be missing',
      at(0, 5, 15, 20),
      { completeness: { expected: 5, received: 4, missing } },
      [0, 0, 1, 1],
    ],
    [
      'joins all else when it is known what is missing',
      at(0, 5, 15, 60),
      { completeness: { expected: 5, received: 4, missing } },
      [0, 0, 1, 1],
    ],
    ['breaks at a row without a value', fiveMinutely([1, 2, null, 4]), {}, [0, 0, 1]],
    [
      'breaks at a value that is no number',
      [...at(0, 5), { point_time: minute(6), value: 'ice' }, ...at(10)],
      {},
      [0, 0, 1],
    ],
    ['breaks at a row without a time', [...at(0, 5), { point_time: null, value: 3 }, ...at(10)], {}, [0, 0, 1]],
    ['breaks where another series begins', at(0, 5, 10, 0, 5), {}, [0, 0, 0, 1, 1]],
    ['breaks where time stands still', at(0, 5, 5, 10), {}, [0, 0, 1, 1]],
    ['needs no row', [], {}, []],
  ])('%s', (_what, rows, cadence, lines) => {
    expect(linesOf(rows, cadence)).toEqual(lines)
  })

  it('reads calendar dates', () => {
    const rows = ['2024-03-01', '2024-03-02', '2024-03-05'].map(day => ({ day, flow: 1 }))
    expect(readPoints(rows, 'day', 'flow', {}).x).toEqual([0, 1440, 5760].map(time => minute(time).getTime()))
  })
})

describe('thinPoints', () => {
  /** Several series one after the other, holes included. */
  const manyPoints = fc
    .array(
      fc.array(
        fc.record({
          step: fc.integer({ min: 1, max: 50 }),
          y: fc.float({ noNaN: true, noDefaultInfinity: true }),
          hole: fc.boolean(),
        }),
        { minLength: 1, maxLength: 200 },
      ),
      { minLength: 1, maxLength: 4 },
    )
    .map(series => {
      let line = -1
      return series.flatMap(points => {
        let x = 0
        line += 1
        return points.map(({ step, y, hole }) => {
          if (hole) line += 1
          return { x: (x += step), y, line }
        })
      })
    })
    .map((all): Points => ({
      x: all.map(({ x }) => x),
      y: all.map(({ y }) => y),
      line: all.map(({ line }) => line),
      row: all.map((_, row) => row),
    }))

  it('keeps the extremes, the order and both ends, and invents nothing', () => {
    fc.assert(
      fc.property(manyPoints, fc.integer({ min: 1, max: 100 }), (points, most) => {
        const thin = thinPoints(points, most)
        expect(extentOf(thin.y)).toEqual(extentOf(points.y))
        expect([thin.x[0], thin.x.at(-1)]).toEqual([points.x[0], points.x.at(-1)])
        let from = 0
        for (let kept = 0; kept < thin.x.length; kept++) {
          while (
            points.x[from] !== thin.x[kept] ||
            points.y[from] !== thin.y[kept] ||
            points.line[from] !== thin.line[kept]
          ) {
            expect(from++).toBeLessThan(points.x.length)
          }
          from++
        }
      }),
    )
  })

  it('keeps the lowest and highest of every bucket', () => {
    const y = [0, 9, 1, -3, 0, 0, 7, 0, -2, 0]
    const points = { x: y.map((_, x) => x), y, line: y.map(() => 0), row: y.map((_, row) => row) }
    // Two buckets of five: first, last, lowest and highest of each.
    expect(thinPoints(points, 8).x).toEqual([0, 1, 3, 4, 5, 6, 8, 9])
  })

  it('leaves no more than asked for of one series, however many there were and however many holes', () => {
    const x = Array.from({ length: 100_000 }, (_, index) => index)
    const thin = thinPoints({ x, y: x.map(time => Math.sin(time)), line: x, row: x }, 5000)
    expect(thin.x.length).toBeLessThanOrEqual(5000)
    expect(thin.x.length).toBeGreaterThan(4000)
  })

  it('leaves few points, and points of one instant, as they are', () => {
    const points = { x: [1, 1, 1], y: [3, 2, 1], line: [0, 1, 2], row: [0, 1, 2] }
    expect(thinPoints(points, 3)).toBe(points)
    expect(thinPoints(points, 2).y).toEqual([3, 1])
  })
})

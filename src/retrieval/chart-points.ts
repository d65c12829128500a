import type { AnyRow } from './columns.ts'
import type { Completeness } from './completeness.ts'
import { timeOf } from './time-column.ts'

/** Points in the order of their rows. Only neighbours of the same line are joined. */
export interface Points {
  /** Epoch milliseconds. */
  readonly x: readonly number[]
  readonly y: readonly number[]
  /** Number of the line that a point belongs to; never falls. */
  readonly line: readonly number[]
  /** Which row a point comes from. */
  readonly row: readonly number[]
}

/** What is known of where rows should be. */
export interface Cadence {
  readonly completeness?: Completeness | undefined
  /** Distance of neighbours; without it, and without completeness, it is the one most rows keep. */
  readonly periodMs?: number | undefined
}

/** Points farther apart than so many periods are not joined. */
const WIDEST_STEP = 1.5
/** First, last, lowest and highest of each bucket are kept. */
const KEPT_PER_BUCKET = 4

/**
 * Reads the points of a chart. A line ends at a hole, at a row without a value, and where time does not go
 * forward, which is where another series begins.
 *
 * @param isValue - whether a row holds a value, where a number in it does not say so by itself
 */
export function readPoints(
  rows: readonly AnyRow[],
  xName: string,
  yName: string,
  cadence: Cadence,
  isValue: (row: AnyRow) => boolean = () => true,
): Points {
  const x: number[] = []
  const y: number[] = []
  const row: number[] = []
  const broken: boolean[] = []
  let valueMissing = false
  for (const [at, one] of rows.entries()) {
    const time = timeOf(one[xName])
    const value = one[yName]
    if (typeof value === 'number' && Number.isFinite(value) && !Number.isNaN(time) && isValue(one)) {
      broken.push(valueMissing)
      x.push(time)
      y.push(value)
      row.push(at)
      valueMissing = false
    } else {
      valueMissing = true
    }
  }
  const isHole = holeFinder(cadence, x)
  let current = 0
  const line = x.map((time, at) => {
    const before = x[at - 1]
    if (before !== undefined && (broken[at] === true || time <= before || isHole(before, time))) current += 1
    return current
  })
  return { x, y, line, row }
}

/**
 * Leaves out points that could not be told apart: of each bucket of time, its first, last, lowest and highest
 * are kept, so no extreme is lost; nothing is averaged, and no hole is closed.
 *
 * @param most - left as they are up to so many points; beyond, every series keeps about as many at most
 */
export function thinPoints(points: Points, most: number): Points {
  const { x, y, line, row } = points
  if (x.length <= most) return points
  const buckets = Math.max(1, Math.floor(most / KEPT_PER_BUCKET))
  const [low, high] = extentOf(x)
  const length = high - low || 1
  const bucketOf = (at: number): number =>
    Math.min(buckets - 1, Math.floor((((x[at] as number) - low) / length) * buckets))
  const kept: number[] = []
  for (let first = 0, next = 0; first < x.length; first = next) {
    const bucket = bucketOf(first)
    let [lowest, highest] = [first, first]
    for (next = first + 1; next < x.length && bucketOf(next) === bucket; next++) {
      if ((y[next] as number) < (y[lowest] as number)) lowest = next
      if ((y[next] as number) > (y[highest] as number)) highest = next
    }
    kept.push(...[...new Set([first, lowest, highest, next - 1])].sort((a, b) => a - b))
  }
  const pick = (from: readonly number[]): number[] => kept.map(at => from[at] as number)
  return { x: pick(x), y: pick(y), line: pick(line), row: pick(row) }
}

/** Lowest and highest of a list; not a number when it is empty. */
export function extentOf(numbers: readonly number[]): readonly [number, number] {
  let [low, high] = [Infinity, -Infinity]
  for (const number of numbers) {
    if (number < low) low = number
    if (number > high) high = number
  }
  return low <= high ? [low, high] : [Number.NaN, Number.NaN]
}

/** Whether something is missing between two instants. */
type HoleFinder = (before: number, after: number) => boolean

function holeFinder({ completeness, periodMs }: Cadence, x: readonly number[]): HoleFinder {
  if (completeness) return listedHoles(completeness)
  const widest = WIDEST_STEP * (periodMs ?? medianStep(x))
  return (before, after) => after - before > widest
}

function listedHoles({ missing }: Completeness): HoleFinder {
  const starts = missing.map(({ start }) => start.getTime()).sort((a, b) => a - b)
  return (before, after) => {
    let [from, to] = [0, starts.length]
    while (from < to) {
      const middle = (from + to) >> 1
      if ((starts[middle] as number) > before) to = middle
      else from = middle + 1
    }
    const next = starts[from]
    return next !== undefined && next < after
  }
}

function medianStep(x: readonly number[]): number {
  const steps = Float64Array.from(x.slice(1), (time, at) => time - (x[at] as number))
    .filter(step => step > 0)
    .sort()
  return steps[(steps.length - 1) >> 1] ?? Infinity
}

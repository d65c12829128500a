import { createByteCache } from '../byte-cache.ts'
import { writeInstant } from './instants.ts'
import { createSeries, type Series } from './values.ts'

const DAY_MS = 86_400_000
const CACHE_BYTES = 96 * 2 ** 20

/** What tells one series from another. */
export interface SeriesName {
  readonly region: string
  readonly signal: string
  readonly model: string
  readonly periodMs: number
}

/** Values, and the text of their rows, rendered once in pieces that any span can be put together from. */
export interface Blocks {
  seriesOf(name: SeriesName): Series
  /** Rows of a span in JSON, commas between them. `first` and `last` are on the grid and both included. */
  rows(name: SeriesName, first: number, last: number): Buffer
  /** One run of the forecast in JSON, of so many rows. */
  run(name: SeriesName, generatedAt: number, steps: number): Buffer
}

export function createBlocks(): Blocks {
  const series = new Map<string, Series>()
  const days = createByteCache<Day>(CACHE_BYTES)
  const runs = createByteCache<{ readonly bytes: Buffer }>(CACHE_BYTES)
  const heads = createRowHeads()

  const seriesOf = (name: SeriesName): Series => {
    const key = keyOf(name)
    const known = series.get(key) ?? createSeries(name.region, name.signal, name.model, name.periodMs)
    series.set(key, known)
    return known
  }

  return {
    seriesOf,
    rows(name, first, last) {
      const parts: Buffer[] = []
      for (let day = Math.floor(first / DAY_MS) * DAY_MS; day <= last; day += DAY_MS) {
        const { bytes, starts } = days.get(`${keyOf(name)}|${day}`, () => renderDay(seriesOf(name), heads, day))
        const from = Math.max(0, (first - day) / name.periodMs)
        const to = Math.min(starts.length - 2, (last - day) / name.periodMs)
        parts.push(bytes.subarray(starts[from], starts[to + 1]))
      }
      // Every row brings the comma before it, and the very first needs none.
      return Buffer.concat(parts).subarray(1)
    },
    run: (name, generatedAt, steps) =>
      runs.get(`${keyOf(name)}|${generatedAt}|${steps}`, () => ({
        bytes: renderRun(seriesOf(name), heads, generatedAt, steps),
      })).bytes,
  }
}

function keyOf({ region, signal, model, periodMs }: SeriesName): string {
  return `${region}|${signal}|${model}|${periodMs}`
}

interface Day {
  readonly bytes: Buffer
  /** Where each row begins, with its comma; one more for the end. */
  readonly starts: Uint32Array
}

function renderDay(series: Series, heads: RowHeads, day: number): Day {
  const rows = heads
    .of(day, series.periodMs)
    .map((head, slot) => `,${head}${series.valueAt(day + slot * series.periodMs)}}`)
  const starts = new Uint32Array(rows.length + 1)
  rows.forEach((row, slot) => {
    starts[slot + 1] = (starts[slot] ?? 0) + row.length
  })
  return { bytes: Buffer.from(rows.join(''), 'latin1'), starts }
}

function renderRun(series: Series, heads: RowHeads, generatedAt: number, steps: number): Buffer {
  const rows: string[] = []
  for (let step = 0; step < steps; step++) {
    const pointTime = generatedAt + step * series.periodMs
    const day = Math.floor(pointTime / DAY_MS) * DAY_MS
    const head = heads.of(day, series.periodMs)[(pointTime - day) / series.periodMs] ?? ''
    rows.push(`${head}${series.forecastAt(generatedAt, pointTime)}}`)
  }
  return Buffer.from(`{"generated_at":"${writeInstant(generatedAt)}","forecast":[${rows.join(',')}]}`, 'latin1')
}

/** Beginnings of rows, up to the value. The same for all series, and dear to write. */
interface RowHeads {
  of(day: number, periodMs: number): readonly string[]
}

function createRowHeads(): RowHeads {
  const known = new Map<number, readonly string[]>()
  return {
    of(day, periodMs) {
      const key = day + periodMs / DAY_MS
      const heads = known.get(key) ?? renderHeads(day, periodMs)
      if (known.size > 60) known.clear()
      known.set(key, heads)
      return heads
    },
  }
}

function renderHeads(day: number, periodMs: number): readonly string[] {
  const date = new Date(day).toISOString().slice(0, 10)
  return Array.from({ length: DAY_MS / periodMs }, (_, slot) => {
    const clock = new Date(slot * periodMs).toISOString().slice(11, 19)
    return `{"point_time":"${date}T${clock}+00:00","value":`
  })
}

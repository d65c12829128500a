import { createHash } from 'node:crypto'

/**
 * Rows as three whole numbers each: their group (when a forecast was made, in seconds; the number of a site; 0 where
 * there is none), what they are about (seconds), and the value times 1000. Small enough to keep beside a stream
 * without being noticed.
 */
export type Packed = Int32Array

const WIDTH = 3
/** Stands for a value that is absent: no value times 1000 comes near. */
const NONE = -(2 ** 31)
const LINES_AT_A_TIME = 50_000

/** Where the numbers of a row are. */
interface Fields<Row> {
  /** What the row is grouped by, as a whole number. @defaultValue nothing */
  readonly group?: (row: Row) => number
  /** Epoch milliseconds. */
  readonly time: (row: Row) => number
  readonly value: (row: Row) => number | null
}

/** Makes rows small, and nothing else on the way: while a stream runs, what is thrown away here is measured too. */
export function pack<Row>(rows: readonly Row[], { group, time, value }: Fields<Row>): Packed {
  const packed = new Int32Array(rows.length * WIDTH)
  let filled = 0
  for (const row of rows) {
    const number = value(row)
    packed[filled] = group ? group(row) : 0
    packed[filled + 1] = time(row) / 1000
    packed[filled + 2] = number === null ? NONE : Math.round(number * 1000)
    filled += WIDTH
  }
  return packed
}

/** How a group is written: in the order of its numbers. */
export type LabelOf = (group: number) => string

/** What is known of a result: how many rows, whether each comes after the one before, and their checksum. */
export interface Summary {
  readonly rows: number
  readonly ordered: boolean
  readonly sha256: string
}

/**
 * Sums rows up in the form that the neutral bench states: a line `label|seconds|thousandths` for each, sorted, hashed
 * with SHA-256.
 */
export function summarize(parts: readonly Packed[], labelOf: LabelOf = plainLabel): Summary {
  const all = new Int32Array(parts.reduce((length, part) => length + part.length, 0))
  let filled = 0
  for (const part of parts) {
    all.set(part, filled)
    filled += part.length
  }
  const rows = all.length / WIDTH
  const compare = (a: number, b: number): number => {
    for (let at = 0; at < WIDTH; at++) {
      const difference = (all[a * WIDTH + at] ?? 0) - (all[b * WIDTH + at] ?? 0)
      if (difference !== 0) return difference
    }
    return 0
  }
  const order = Uint32Array.from({ length: rows }, (_, at) => at)
  const ordered = order.every(at => at === 0 || compare(at - 1, at) < 0)
  if (!ordered) order.sort(compare)

  const hash = createHash('sha256')
  for (let from = 0; from < rows; from += LINES_AT_A_TIME) {
    const lines = Array.from(order.subarray(from, from + LINES_AT_A_TIME), at => lineOf(all, at, labelOf))
    hash.update(lines.join(''))
  }
  return { rows, ordered, sha256: hash.digest('hex') }
}

function plainLabel(group: number): string {
  return group === 0 ? '' : String(group)
}

function lineOf(all: Packed, at: number, labelOf: LabelOf): string {
  const [group = 0, time = 0, thousandths = NONE] = all.subarray(at * WIDTH, (at + 1) * WIDTH)
  return `${labelOf(group)}|${time}|${thousandths === NONE ? 'null' : thousandths}\n`
}

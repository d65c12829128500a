import type { RowsAction } from '../../content-action.ts'
import { epochMs } from '../../epoch.ts'

const DAY_MS = 86_400_000

/** What a change of rows needs to know about them. */
export interface RowSource<Row> {
  rows(): Iterable<Row>
  /** How many there are. Asked for only by changes that count. */
  total(): number
  /** So many rows before the span asked for, and as many after it. */
  beyond(count: number): { readonly before: readonly Row[]; readonly after: readonly Row[] }
  dayOf(row: Row): number | null
  /** The row with a value that is no number. */
  spoiled(row: Row): Row
}

/** Rows out of order, too many or too few. Only `reversed` holds them all at once. */
export function changeRows<Row>(source: RowSource<Row>, changes: readonly RowsAction[]): RowSource<Row> {
  let current = source
  for (const change of changes) {
    const before = current
    current = { ...source, rows: () => changed(before, change) }
  }
  return current
}

function* changed<Row>(source: RowSource<Row>, change: RowsAction): Generator<Row> {
  const { beyond = 0, order } = change
  const extra = beyond > 0 ? source.beyond(beyond) : { before: [], after: [] }
  const rows = thinned(source, change)
  if (order === 'reversed') return yield* [...extra.before, ...rows, ...extra.after].toReversed()
  yield* extra.before
  yield* rows
  yield* extra.after
}

function* thinned<Row>(source: RowSource<Row>, { drop = [], duplicate = 0, nan }: RowsAction): Generator<Row> {
  const places = drop.filter(what => typeof what === 'number')
  const spans = drop.filter(what => typeof what !== 'number')
  const total = duplicate > 0 || nan === true || places.some(place => place < 0) ? source.total() : 0
  const dropped = new Set(places.map(place => (place < 0 ? total + place : place)))
  const every = Math.max(1, Math.floor(total / Math.max(1, duplicate)))
  let place = -1
  for (const row of source.rows()) {
    place += 1
    if (dropped.has(place)) continue
    const day = source.dayOf(row)
    const time = day === null ? NaN : day * DAY_MS
    if (spans.some(({ from, to }) => time >= epochMs(from) && time <= epochMs(to))) continue
    yield nan === true && place === Math.floor(total / 2) ? source.spoiled(row) : row
    if (place % every === 0 && place / every < duplicate) yield row
  }
}

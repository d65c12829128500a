import type { ContentAction, ReviseAction, RowsAction } from '../../content-action.ts'
import { covers, isWithdrawn, revisionsIn } from '../../edits.ts'
import { epochMs } from '../../epoch.ts'
import type { Fields, Json } from '../json.ts'
import { writeInstant } from '../times.ts'
import { indexOf, type Found, type Plan } from './plan.ts'
import type { Writer } from './render.ts'
import { scatter } from '../world/ids.ts'

/** Rows of a page as text, changed as told. */
export function changedRows(
  plan: Plan,
  rows: readonly Found[],
  write: Writer,
  changes: readonly ContentAction[],
): readonly string[] {
  const revisions = revisionsIn(changes)
  const timeOf = (found: Found): number => plan.table.timeOf?.(found.track, found.index) ?? NaN
  let items = withoutWithdrawn(plan, rows, changes).map(found => ({
    time: timeOf(found),
    text: reviseText(write(found), timeOf(found), revisions),
  }))
  for (const change of changes) {
    if (change.type !== 'rows') continue
    const beyond = rowsBeyond(plan, change.beyond ?? 0).map(found => ({ time: timeOf(found), text: write(found) }))
    items = change.beyond === undefined ? keep(items, change) : [...beyond, ...keep(items, change)]
    items = repeat(items, change.duplicate ?? 0)
    if (change.order === 'reversed') items = items.toReversed()
    if (change.nan === true) {
      const middle = Math.floor(items.length / 2)
      items = items.map((item, place) => (place === middle ? { ...item, text: withNan(item.text) } : item))
    }
  }
  return items.map(({ text }) => text)
}

/** Rows that have not been taken away. */
export function withoutWithdrawn(
  { table }: Plan,
  rows: readonly Found[],
  changes: readonly ContentAction[],
): readonly Found[] {
  if (!changes.some(change => change.type === 'withdraw')) return rows
  return rows.filter(({ track, index }) => !isWithdrawn(table.timeOf?.(track, index) ?? NaN, changes))
}

interface Item {
  readonly time: number
  readonly text: string
}

function keep(items: readonly Item[], { drop = [] }: RowsAction): Item[] {
  return items.filter(
    (item, place) =>
      !drop.some(what =>
        typeof what === 'number'
          ? what === place || what === place - items.length
          : item.time >= epochMs(what.from) && item.time <= epochMs(what.to),
      ),
  )
}

function repeat(items: readonly Item[], count: number): Item[] {
  if (count === 0) return [...items]
  const every = Math.max(1, Math.floor(items.length / count))
  return items.flatMap((item, place) => (place % every === 0 && place / every < count ? [item, item] : [item]))
}

/** Rows of the first series before and after what was asked for. */
function rowsBeyond(plan: Plan, count: number): readonly Found[] {
  const [track] = plan.tracks
  if (count === 0 || track === undefined || plan.words.length === 0) return []
  let first = Infinity
  let last = -Infinity
  for (const word of plan.words) {
    const index = indexOf(plan, word)
    first = Math.min(first, index)
    last = Math.max(last, index)
  }
  const found = (index: number): Found => ({
    track,
    index,
    word: plan.salt === undefined ? index >>> 0 : scatter(index, plan.salt),
  })
  return Array.from({ length: count }, (_, step) => [found(first - 1 - step), found(last + 1 + step)]).flat()
}

function withNan(text: string): string {
  return text.replace(/"value":("[^"]*"|null)/, '"value":NaN')
}

function reviseText(text: string, time: number, revisions: readonly ReviseAction[]): string {
  if (!revisions.some(revision => covers(revision, time))) return text
  const feature = JSON.parse(text) as { properties: Fields }
  return JSON.stringify({ ...feature, properties: revisedFields(feature.properties, time, revisions) })
}

/** Fields of a record with the revisions that were made to its value. What is no number cannot be revised. */
export function revisedFields(fields: Fields, time: number, revisions: readonly ReviseAction[]): Fields {
  const due = revisions.filter(revision => covers(revision, time))
  const { value, last_modified: modified } = fields
  if (due.length === 0 || typeof value !== 'string' || value === '' || Number.isNaN(Number(value))) return fields
  const added = due.reduce((sum, { add }) => sum + add, Number(value))
  const latest = due.map(({ at }) => epochMs(at)).reduce((a, b) => Math.max(a, b))
  const changed: Record<string, Json> = { ...fields, value: String(Number(added.toPrecision(12))) }
  if (modified !== undefined) changed['last_modified'] = writeInstant(latest)
  return changed
}

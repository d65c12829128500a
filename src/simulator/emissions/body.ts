import type { ContentAction, RowsAction } from '../content-action.ts'
import { isWithdrawn } from '../edits.ts'
import { epochMs } from '../epoch.ts'
import type { Answer } from '../service.ts'
import type { SeriesQuery } from './series-query.ts'

/** A row as text, and the instant it is filed under. */
export interface Item {
  readonly time: number
  readonly text: string
}

/** Where rows come from: a grid, and what stands at each of its instants. */
export interface ItemSource {
  /** First and last instant with a row; there is none when `first` is after `last`. */
  readonly first: number
  readonly last: number
  readonly periodMs: number
  itemAt(time: number): Item
}

/** All rows of a source, changed as told. */
export function itemsOf(source: ItemSource, changes: readonly ContentAction[]): readonly Item[] {
  const { first, last, periodMs } = source
  let items: Item[] = []
  for (let time = first; time <= last; time += periodMs)
    if (!isWithdrawn(time, changes)) items.push(source.itemAt(time))
  for (const change of changes) {
    if (change.type === 'rows') items = changeItems(items, source, change)
  }
  return items
}

function changeItems(items: readonly Item[], source: ItemSource, change: RowsAction): Item[] {
  const { drop = [], duplicate = 0, beyond = 0 } = change
  let changed = items.filter(
    (item, place) =>
      !drop.some(what =>
        typeof what === 'number'
          ? what === place || what === place - items.length
          : item.time >= epochMs(what.from) && item.time <= epochMs(what.to),
      ),
  )
  if (beyond > 0 && items.length > 0) {
    const extra = Array.from({ length: beyond }, (_, index) => index + 1)
    const before = extra.map(steps => source.itemAt(source.first - steps * source.periodMs)).toReversed()
    changed = [...before, ...changed, ...extra.map(steps => source.itemAt(source.last + steps * source.periodMs))]
  }
  if (duplicate > 0) {
    const every = Math.max(1, Math.floor(changed.length / duplicate))
    changed = changed.flatMap((item, place) =>
      place % every === 0 && place / every < duplicate ? [item, item] : [item],
    )
  }
  if (change.order === 'reversed') changed = changed.toReversed()
  if (change.nan === true) {
    const middle = Math.floor(changed.length / 2)
    changed = changed.map((item, place) =>
      place === middle ? { ...item, text: item.text.replace(/"value":[^,}]+/, '"value":NaN') } : item,
    )
  }
  return changed
}

/** Rows and metadata as an answer. The metadata is changed as told, and warns where rows were dropped aloud. */
export function seriesAnswer(
  rows: Uint8Array | readonly Item[],
  meta: Readonly<Record<string, unknown>>,
  changes: readonly ContentAction[],
): Answer {
  const data = rows instanceof Uint8Array ? rows : Buffer.from(rows.map(({ text }) => text).join(','))
  const tail = `],"meta":${JSON.stringify(changeMeta(meta, changes))}}`
  return {
    status: 200,
    headers: { 'content-type': 'application/json' },
    body: Buffer.concat([Buffer.from('{"data":['), data, Buffer.from(tail)]),
  }
}

/** What every series says about itself. */
export function describeSeries(
  { region, signal, statedModel }: SeriesQuery,
  withType: boolean,
): Record<string, unknown> {
  return {
    data_point_period_seconds: signal.periodMs / 1000,
    region,
    warnings: [],
    signal_type: signal.name,
    model: statedModel === null ? null : { ...(withType ? { type: signal.modelType } : {}), date: statedModel },
    units: signal.units,
  }
}

function changeMeta(
  meta: Readonly<Record<string, unknown>>,
  changes: readonly ContentAction[],
): Record<string, unknown> {
  const changed: Record<string, unknown> = { ...meta }
  for (const change of changes) {
    if (change.type === 'rows' && change.warn === true) changed['warnings'] = [MISSING_DATA]
    if (change.type === 'meta') {
      Object.assign(changed, change.patch)
      for (const name of change.without ?? []) delete changed[name]
    }
  }
  return changed
}

const MISSING_DATA = {
  type: 'MISSING_DATA',
  message:
    'You made a valid request, but we have some datapoints missing. This can happen for a variety of reasons. ' +
    'If the data is less than a week old, we will most likely fill in this data soon. If it is older than that, ' +
    'we are missing enough important grid data during this time period that we are not able to generate an accurate estimate',
}

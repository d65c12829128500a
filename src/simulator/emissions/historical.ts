import type { ContentAction, ReviseAction } from '../content-action.ts'
import { covers, revisionsIn } from '../edits.ts'
import { epochMs } from '../epoch.ts'
import type { Answer } from '../service.ts'
import { describeSeries, itemsOf, seriesAnswer, type Item } from './body.ts'
import { writeInstant } from './instants.ts'
import { readInstantMaybe, readSeriesQuery, readSpan } from './series-query.ts'
import type { Series } from './values.ts'
import type { DataAsk, World } from './world.ts'

const DAY_MS = 86_400_000
const LONGEST_MS = 32 * DAY_MS

/** `GET /v3/historical`: what was measured, from `start` to `end`, as far as the model and the present reach. */
export function historical(ask: DataAsk, world: World, changes: readonly ContentAction[]): Answer {
  const { query } = ask
  const asked = readSeriesQuery(
    ask,
    world,
    'v3/historical',
    changes.filter(change => change.type === 'model'),
  )
  const span = readSpan(query, LONGEST_MS, '32 days')
  const since = readInstantMaybe(query, 'updated_since')
  const marked = /^(true|1)$/i.test(query.get('include_imputed_marker') ?? '')
  const { periodMs } = asked.signal
  const name = { region: asked.region, signal: asked.signal.name, model: asked.model.date, periodMs }
  const grid = gridWithin(span, periodMs, epochMs(asked.model.dataStart), world.clock.now())
  const meta = describeSeries(asked, true)
  const revisions = revisionsIn(changes)
  const isPlain =
    since === undefined &&
    !marked &&
    revisions.length === 0 &&
    !changes.some(change => change.type === 'rows' || change.type === 'withdraw')
  if (isPlain)
    return seriesAnswer(
      grid.first > grid.last ? Buffer.alloc(0) : world.blocks.rows(name, grid.first, grid.last),
      meta,
      changes,
    )

  const series = world.blocks.seriesOf(name)
  const itemAt = (time: number): Item => ({
    time,
    text: writeRow(series, time, revisions, { marked, dated: since !== undefined }),
  })
  const items = itemsOf({ ...grid, periodMs, itemAt }, changes)
  return seriesAnswer(
    items.filter(({ time }) => updatedAt(time, revisions) >= (since ?? -Infinity)),
    meta,
    changes,
  )
}

/** First and last instant of the grid that lie in a span, in a model's reach, and not in the future. */
export function gridWithin(
  span: { readonly start: number; readonly end: number },
  periodMs: number,
  dataStart: number,
  now: number,
): { readonly first: number; readonly last: number } {
  return {
    first: Math.ceil(Math.max(span.start, dataStart) / periodMs) * periodMs,
    last: Math.floor(Math.min(span.end, now) / periodMs) * periodMs,
  }
}

/** A value with the revisions that were made to it. */
export function revisedValue(series: Series, time: number, revisions: readonly ReviseAction[]): number {
  const added = revisions.filter(revision => covers(revision, time)).reduce((sum, { add }) => sum + add, 0)
  return Math.round((series.valueAt(time) + added) * 10) / 10
}

/** When a value last changed: on its revision, or when it appeared, which is at its own instant. */
export function updatedAt(time: number, revisions: readonly ReviseAction[]): number {
  return Math.max(time, ...revisions.filter(revision => covers(revision, time)).map(({ at }) => epochMs(at)))
}

function writeRow(
  series: Series,
  time: number,
  revisions: readonly ReviseAction[],
  { marked, dated }: { marked: boolean; dated: boolean },
): string {
  const row = `{"point_time":"${writeInstant(time)}","value":${revisedValue(series, time, revisions)}`
  const date = dated ? `,"last_updated":"${writeInstant(updatedAt(time, revisions))}"` : ''
  return `${row}${date}${marked ? `,"imputed_data_used":${series.isImputed(time)}` : ''}}`
}

import type { ContentAction } from '../content-action.ts'
import { epochMs } from '../epoch.ts'
import type { Answer } from '../service.ts'
import { describeSeries, itemsOf, seriesAnswer, type Item } from './body.ts'
import { gridWithin } from './historical.ts'
import { writeInstant } from './instants.ts'
import { readHorizon, readSeriesQuery, readSpan } from './series-query.ts'
import type { DataAsk, World } from './world.ts'

const DAY_MS = 86_400_000

/** `GET /v3/forecast`: the run of the current period. */
export function forecast(ask: DataAsk, world: World, changes: readonly ContentAction[]): Answer {
  const asked = readSeriesQuery(
    ask,
    world,
    'v3/forecast',
    changes.filter(change => change.type === 'model'),
  )
  const steps = readHorizon(ask.query)
  const { periodMs } = asked.signal
  const series = world.blocks.seriesOf({
    region: asked.region,
    signal: asked.signal.name,
    model: asked.model.date,
    periodMs,
  })
  const first = currentPeriod(world, periodMs)
  const itemAt = (time: number): Item => ({
    time,
    text: `{"point_time":"${writeInstant(time)}","value":${series.forecastAt(first, time)}}`,
  })
  const items = itemsOf({ first, last: first + (steps - 1) * periodMs, periodMs, itemAt }, changes)
  const meta = {
    ...describeSeries(asked, false),
    generated_at_period_seconds: periodMs / 1000,
    generated_at: writeInstant(first),
  }
  return seriesAnswer(items, meta, changes)
}

/** `GET /v3/forecast/historical`: the runs that were made from `start` to `end`. */
export function historicalForecast(ask: DataAsk, world: World, changes: readonly ContentAction[]): Answer {
  const asked = readSeriesQuery(
    ask,
    world,
    'v3/forecast/historical',
    changes.filter(change => change.type === 'model'),
  )
  const steps = readHorizon(ask.query)
  const span = readSpan(ask.query, DAY_MS, '24 hours')
  const { periodMs } = asked.signal
  const name = { region: asked.region, signal: asked.signal.name, model: asked.model.date, periodMs }
  const grid = gridWithin(span, periodMs, epochMs(asked.model.dataStart), world.clock.now())
  const meta = { ...describeSeries(asked, false), generated_at_period_seconds: periodMs / 1000 }
  if (changes.some(change => change.type === 'rows')) {
    const itemAt = (time: number): Item => ({ time, text: world.blocks.run(name, time, steps).toString('latin1') })
    return seriesAnswer(itemsOf({ ...grid, periodMs, itemAt }, changes), meta, changes)
  }
  const comma = Buffer.from(',')
  const parts: Buffer[] = []
  for (let time = grid.first; time <= grid.last; time += periodMs)
    parts.push(comma, world.blocks.run(name, time, steps))
  return seriesAnswer(Buffer.concat(parts).subarray(1), meta, changes)
}

/** `GET /v3/signal-index`: how dirty the present is, compared with the coming day: a percentile. */
export function signalIndex(ask: DataAsk, world: World, changes: readonly ContentAction[]): Answer {
  const query = new URLSearchParams(ask.query)
  if (!query.has('signal_type')) query.set('signal_type', 'co2_moer')
  const asked = readSeriesQuery(
    { ...ask, query },
    world,
    'v3/signal-index',
    changes.filter(change => change.type === 'model'),
  )
  const time = currentPeriod(world, asked.signal.periodMs)
  const value = indexAt(
    world,
    { region: asked.region, signal: asked.signal.name, model: asked.model.date, periodMs: asked.signal.periodMs },
    time,
  )
  const meta = { ...describeSeries(asked, false), units: 'percentile' }
  return seriesAnswer([{ time, text: JSON.stringify({ point_time: writeInstant(time), value }) }], meta, changes)
}

/** Share of the coming day that is cleaner than this instant, in percent. */
export function indexAt(world: World, name: Parameters<World['blocks']['seriesOf']>[0], time: number): number {
  const series = world.blocks.seriesOf(name)
  const now = series.valueAt(time)
  const steps = DAY_MS / name.periodMs
  let cleaner = 0
  for (let step = 1; step <= steps; step++) if (series.forecastAt(time, time + step * name.periodMs) < now) cleaner += 1
  return Math.round((100 * cleaner) / steps)
}

/** Start of the period that holds the present. */
export function currentPeriod({ clock }: World, periodMs: number): number {
  return Math.floor(clock.now() / periodMs) * periodMs
}

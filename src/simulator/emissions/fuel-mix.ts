import type { ContentAction } from '../content-action.ts'
import { epochMs } from '../epoch.ts'
import type { Answer } from '../service.ts'
import { describeSeries, itemsOf, seriesAnswer, type Item } from './body.ts'
import { gridWithin } from './historical.ts'
import { writeInstant } from './instants.ts'
import { readSeriesQuery, readSpan } from './series-query.ts'
import { fuelShares } from './values.ts'
import type { DataAsk, World } from './world.ts'

const LONGEST_MS = 32 * 86_400_000

/** `GET /v3/fuel-mix`: shares of the fuels at the margin, from `start` to `end`. */
export function fuelMix(ask: DataAsk, world: World, changes: readonly ContentAction[]): Answer {
  const query = new URLSearchParams(ask.query)
  if (!query.has('signal_type')) query.set('signal_type', 'marginal_fuel_mix')
  const asked = readSeriesQuery(
    { ...ask, query },
    world,
    'v3/fuel-mix',
    changes.filter(change => change.type === 'model'),
  )
  const span = readSpan(query, LONGEST_MS, '32 days')
  const { periodMs } = asked.signal
  const grid = gridWithin(span, periodMs, epochMs(asked.model.dataStart), world.clock.now())
  const itemAt = (time: number): Item => ({ time, text: writeRow(asked.region, asked.model.date, time) })
  return seriesAnswer(itemsOf({ ...grid, periodMs, itemAt }, changes), describeSeries(asked, false), changes)
}

function writeRow(region: string, model: string, time: number): string {
  const values = fuelShares(region, model, time).map(
    ([fuel, share]) => `{"fuel_type":"${fuel}","value":${share / 1000}}`,
  )
  return `{"point_time":"${writeInstant(time)}","values":[${values.join(',')}]}`
}

import { isWithdrawn, revisionsIn, type Edit } from '../edits.ts'
import { epochMs } from '../epoch.ts'
import type { ModelVersion } from '../options.ts'
import { newestOf, SIGNALS } from './catalogue.ts'
import { currentPeriod, indexAt } from './forecast.ts'
import { gridWithin, revisedValue, updatedAt } from './historical.ts'
import { fuelShares, type Series } from './values.ts'
import type { World } from './world.ts'

/** An instant given in code: ISO-8601 text (UTC where it names no zone), a `Date`, or epoch milliseconds. */
export type TruthInstant = string | number | Date

/** A series, and the span of it that was asked for, both ends included. */
export interface TruthQuery {
  readonly region: string
  /** @defaultValue 'co2_moer' */
  readonly signalType?: string
  readonly start: TruthInstant
  readonly end: TruthInstant
  /** @defaultValue the newest */
  readonly model?: string
  /** Only what changed at or after this instant. */
  readonly updatedSince?: TruthInstant
}

/** One value. `point_time` is in epoch milliseconds. */
export interface TruthRow {
  readonly point_time: number
  readonly value: number
}

/** One value of a forecast. */
export interface TruthForecastRow extends TruthRow {
  readonly generated_at: number
}

/** Shares of the fuels at one instant; a fuel that has none is absent. */
export interface TruthFuelRow {
  readonly point_time: number
  readonly values: Readonly<Record<string, number>>
}

/** What a correct client must end with, whatever the faults were. Knows no limit on spans. Oldest first. */
export interface EmissionsTruth {
  historical(query: TruthQuery): TruthRow[]
  /** The run of the period that holds the present. */
  forecast(
    query: Omit<TruthQuery, 'start' | 'end' | 'updatedSince'> & { readonly horizonHours?: number },
  ): TruthForecastRow[]
  /** Runs made from `start` to `end`. */
  historicalForecast(query: Omit<TruthQuery, 'updatedSince'> & { readonly horizonHours?: number }): TruthForecastRow[]
  signalIndex(query: { readonly region: string; readonly model?: string }): TruthRow
  fuelMix(query: Omit<TruthQuery, 'signalType' | 'updatedSince'>): TruthFuelRow[]
}

/** @param edits - tells what has become of values by the time of asking */
export function createTruth(world: World, edits: () => readonly Edit[]): EmissionsTruth {
  return {
    historical(query) {
      const { series, times } = locate(world, query, edits())
      const since = query.updatedSince === undefined ? -Infinity : epochMs(query.updatedSince)
      const inForce = revisionsIn(edits())
      return times
        .filter(time => updatedAt(time, inForce) >= since)
        .map(time => ({ point_time: time, value: revisedValue(series, time, inForce) }))
    },
    forecast(query) {
      const { series } = locate(world, { ...query, start: 0, end: 0 })
      return foresee(series, currentPeriod(world, series.periodMs), query.horizonHours)
    },
    historicalForecast(query) {
      const { series, times } = locate(world, query, edits())
      return times.flatMap(time => foresee(series, time, query.horizonHours))
    },
    signalIndex({ region, model }) {
      const periodMs = periodOf('co2_moer')
      const time = currentPeriod(world, periodMs)
      return {
        point_time: time,
        value: indexAt(world, { region, signal: 'co2_moer', model: versionOf(world, model).date, periodMs }, time),
      }
    },
    fuelMix(query) {
      const { times } = locate(world, { ...query, signalType: 'marginal_fuel_mix' }, edits())
      const { date } = versionOf(world, query.model)
      return times.map(time => ({
        point_time: time,
        values: Object.fromEntries(fuelShares(query.region, date, time).map(([fuel, share]) => [fuel, share / 1000])),
      }))
    },
  }
}

function locate(
  world: World,
  query: TruthQuery,
  edits: readonly Edit[] = [],
): { readonly series: Series; readonly times: readonly number[] } {
  const { region, signalType: signal = 'co2_moer' } = query
  const model = versionOf(world, query.model)
  const periodMs = periodOf(signal)
  const series = world.blocks.seriesOf({ region, signal, model: model.date, periodMs })
  const span = { start: epochMs(query.start), end: epochMs(query.end) }
  if (Number.isNaN(span.start + span.end))
    throw new RangeError(`not a span: ${String(query.start)} to ${String(query.end)}`)
  const { first, last } = gridWithin(span, periodMs, epochMs(model.dataStart), world.clock.now())
  return {
    series,
    times: Array.from(
      { length: Math.max(0, (last - first) / periodMs + 1) },
      (_, step) => first + step * periodMs,
    ).filter(time => !isWithdrawn(time, edits)),
  }
}

function foresee(series: Series, generatedAt: number, horizonHours = 24): TruthForecastRow[] {
  return Array.from({ length: Math.max(1, 12 * horizonHours) }, (_, step) => {
    const time = generatedAt + step * series.periodMs
    return { generated_at: generatedAt, point_time: time, value: series.forecastAt(generatedAt, time) }
  })
}

function versionOf({ models }: World, date: string | undefined): ModelVersion {
  return models.find(model => model.date === date) ?? newestOf(models)
}

function periodOf(signal: string): number {
  const found = SIGNALS.find(({ name }) => name === signal)
  if (found === undefined) throw new RangeError(`no such signal: '${signal}'`)
  return found.periodMs
}

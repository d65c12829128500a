import type { ForecastRow, FuelMixRow, HistoricalRow } from '../../src/adapters/emissions/index.ts'
import type { EmissionsTruth } from '../../src/simulator/index.ts'

/** Rows and the simulator's truth in one form, so that they can be compared: instants as epoch milliseconds. */

export function plainValues(rows: readonly HistoricalRow[]): ReturnType<EmissionsTruth['historical']> {
  return rows.map(({ point_time, value }) => ({ point_time: point_time.getTime(), value: value ?? Number.NaN }))
}

export function plainForecasts(rows: readonly ForecastRow[]): ReturnType<EmissionsTruth['forecast']> {
  return rows.map(({ generated_at, point_time, value }) => ({
    generated_at: generated_at.getTime(),
    point_time: point_time.getTime(),
    value: value ?? Number.NaN,
  }))
}

export function plainFuels(rows: readonly FuelMixRow[]): ReturnType<EmissionsTruth['fuelMix']> {
  const instants = [...new Set(rows.map(({ point_time }) => point_time.getTime()))]
  return instants.map(instant => ({
    point_time: instant,
    values: Object.fromEntries(
      rows.filter(row => row.point_time.getTime() === instant).map(row => [row.fuel_type, row.value ?? Number.NaN]),
    ),
  }))
}

import { describe, expect, it } from 'vitest'
import { createSeries, fuelShares } from '../../../src/simulator/emissions/values.ts'

const FIVE_MINUTES = 300_000
const noon = Date.UTC(2024, 5, 1, 12)
const week = Array.from({ length: 2016 }, (_, step) => noon + step * FIVE_MINUTES)

describe('createSeries', () => {
  const series = createSeries('PSCO', 'co2_moer', '2026-03-01', FIVE_MINUTES)
  const values = week.map(series.valueAt)

  it('gives the same value for the same instant, whoever asks', () => {
    expect(week.map(createSeries('PSCO', 'co2_moer', '2026-03-01', FIVE_MINUTES).valueAt)).toEqual(values)
  })

  it('has known values, so that a change of the formula does not pass unseen', () => {
    expect(values.slice(0, 4)).toEqual([705.8, 585.7, 608.4, 708.1])
  })

  it.each([
    ['region', createSeries('BPA', 'co2_moer', '2026-03-01', FIVE_MINUTES)],
    ['signal', createSeries('PSCO', 'health_damage', '2026-03-01', FIVE_MINUTES)],
    ['model', createSeries('PSCO', 'co2_moer', '2023-03-01', FIVE_MINUTES)],
  ])('gives other values for another %s', (_, other) => {
    expect(week.map(other.valueAt)).not.toEqual(values)
  })

  it('never goes below zero, and has zeros among its values', () => {
    expect(Math.min(...values)).toBe(0)
    expect(values.filter(value => value === 0).length).toBeGreaterThan(5)
    expect(Math.max(...values)).toBeLessThan(2000)
  })

  it('keeps to one decimal', () => {
    expect(values.every(value => Number(value.toFixed(1)) === value)).toBe(true)
  })

  it('swings with the day more than chance does', () => {
    const byHour = Array.from({ length: 24 }, (_, hour) =>
      mean(values.filter((_v, step) => Math.floor(step / 12) % 24 === hour)),
    )
    expect(Math.max(...byHour) - Math.min(...byHour)).toBeGreaterThan(200)
  })

  it('foresees the present exactly, and the far future less so', () => {
    const errorAfter = (steps: number): number =>
      mean(
        week.map(time =>
          Math.abs(series.forecastAt(time, time + steps * FIVE_MINUTES) - series.valueAt(time + steps * FIVE_MINUTES)),
        ),
      )
    expect(errorAfter(0)).toBe(0)
    expect(errorAfter(144)).toBeGreaterThan(errorAfter(12))
    expect(errorAfter(12)).toBeGreaterThan(0)
  })
})

describe('fuelShares', () => {
  it('sums to the whole at every instant, with no share of zero', () => {
    for (const time of week) {
      const shares = fuelShares('PSCO', '2026-03-01', time)
      expect(shares.reduce((sum, [, share]) => sum + share, 0)).toBe(1000)
      expect(shares.every(([, share]) => share > 0)).toBe(true)
    }
  })

  it('leaves out a fuel now and then', () => {
    expect(new Set(week.map(time => fuelShares('PSCO', '2026-03-01', time).length)).size).toBeGreaterThan(1)
  })
})

function mean(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0) / numbers.length
}

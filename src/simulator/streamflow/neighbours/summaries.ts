import type { Fields } from '../json.ts'
import { uuid } from '../world/ids.ts'
import type { Series } from '../world/series.ts'
import { dateText, hasRow, PROVISIONAL_FROM, valueAt } from '../world/values.ts'

const DAY_MS = 86_400_000

export const COMPUTATIONS: readonly string[] = ['arithmetic_mean', 'maximum', 'median', 'minimum', 'percentile']
const PERCENTILES = [5, 10, 25, 50, 75, 90, 95]

/** A day, counted from 1970, and the value of it. */
export type DayValue = readonly [day: number, value: number]

/**
 * Approved daily values of a stretch of days, both included. What is no number is left out.
 *
 * @param months - which months are wanted: `01` and so on
 */
export function approvedValues(
  series: Series,
  [from, to]: readonly [number, number],
  months?: ReadonlySet<string>,
): readonly DayValue[] {
  const first = Math.max(from, Math.ceil(series.begin / DAY_MS))
  const last = Math.min(to, Math.floor((series.end ?? Infinity) / DAY_MS), PROVISIONAL_FROM / DAY_MS - 1)
  const found: DayValue[] = []
  for (let day = first; day <= last; day++) {
    if (months !== undefined && !months.has(dateText(day).slice(5, 7))) continue
    const text = hasRow(series, day * DAY_MS) ? valueAt(series, day * DAY_MS) : null
    if (text !== null && text !== '' && !Number.isNaN(Number(text))) found.push([day, Number(text)])
  }
  return found
}

/** A group of values, summed up as asked. Nothing at all for no value. */
export function summarise(
  values: readonly number[],
  computations: readonly string[],
  about: Fields,
  name: string,
): readonly Fields[] {
  if (values.length === 0) return []
  const sorted = values.toSorted((a, b) => a - b)
  return COMPUTATIONS.filter(computation => computations.includes(computation)).map(computation => ({
    approval_status: 'approved',
    computation,
    computation_id: uuid(`${name}|${computation}`),
    sample_count: values.length,
    ...about,
    ...resultOf(computation, sorted),
  }))
}

function resultOf(computation: string, sorted: readonly number[]): Fields {
  switch (computation) {
    case 'arithmetic_mean':
      return { value: float(sorted.reduce((sum, value) => sum + value, 0) / sorted.length) }
    case 'maximum':
      return { value: float(sorted.at(-1) ?? NaN) }
    case 'minimum':
      return { value: float(sorted[0] ?? NaN) }
    case 'median':
      return { value: float(percentile(sorted, 50)) }
    default:
      return {
        percentiles: PERCENTILES.map(String),
        // The outer ones need more than a few values.
        values: PERCENTILES.map(share =>
          sorted.length < 10 && (share < 25 || share > 75) ? 'nan' : float(percentile(sorted, share)),
        ),
      }
  }
}

function percentile(sorted: readonly number[], share: number): number {
  const place = (share / 100) * (sorted.length - 1)
  const low = sorted[Math.floor(place)] ?? NaN
  const high = sorted[Math.ceil(place)] ?? NaN
  return low + (high - low) * (place - Math.floor(place))
}

/** A number as Python writes it: `2500.0`, `411.413`. */
function float(value: number): string {
  const rounded = Number(value.toFixed(3))
  return Number.isInteger(rounded) ? `${rounded}.0` : String(rounded)
}

/** Values by day or month of the year: `01-31` or `01`. */
export function byTimeOfYear(
  values: readonly DayValue[],
  length: 'day_of_year' | 'month_of_year',
): ReadonlyMap<string, number[]> {
  return group(values, day => dateText(day).slice(5, length === 'day_of_year' ? 10 : 7))
}

/** Values by month, year or water year; the key is its first day. */
export function byInterval(
  values: readonly DayValue[],
  length: 'month' | 'calendar_year' | 'water_year',
): ReadonlyMap<string, number[]> {
  return group(values, day => {
    const [year = '', month = ''] = dateText(day).split('-')
    if (length === 'month') return `${year}-${month}-01`
    if (length === 'calendar_year') return `${year}-01-01`
    return `${Number(month) >= 10 ? Number(year) : Number(year) - 1}-10-01`
  })
}

function group(values: readonly DayValue[], keyOf: (day: number) => string): ReadonlyMap<string, number[]> {
  const groups = new Map<string, number[]>()
  for (const [day, value] of values) {
    const key = keyOf(day)
    const known = groups.get(key)
    if (known) known.push(value)
    else groups.set(key, [value])
  }
  return new Map([...groups].sort(([a], [b]) => (a < b ? -1 : 1)))
}

import { zoneOffsets } from '../time.ts'
import { extentOf } from './chart-points.ts'
import type { Chart } from './chart-options.ts'
import type { Column } from './columns.ts'
import type { Axis } from './picture.ts'
import { visibleText } from '../plain-text.ts'
import { tickText } from './tick-text.ts'
import { zoneTicks } from './zone-ticks.ts'

export type Domain = readonly [low: number, high: number]

/** Told apart also by those who do not see all colours, and on paper. */
export const PALETTE: readonly string[] = [
  '#1f5f99',
  '#d1711c',
  '#2f8f5b',
  '#b03a5b',
  '#6a51a3',
  '#8c6d31',
  '#17879c',
  '#c95d9c',
  '#5b6770',
  '#93a500',
]

/** A time axis in the zone of the chart. */
export function timeAxis({ x, zone, width }: Chart, domain: Domain | undefined): Axis {
  const label = `${visibleText(x.name)} (${visibleText(zone)})`
  const offset = zoneOffsets(zone)
  const ticks = domain && zone !== 'UTC' ? zoneTicks(domain, offset, width / 90) : undefined
  const local = (tick: Date): Date => new Date(tick.getTime() + offset(tick.getTime()))
  return {
    type: 'utc',
    domain,
    label,
    ...(ticks ? { ticks } : {}),
    tickText: (tick: Date, at, all: readonly Date[]) => tickText(local(tick), at, all.map(local)),
  }
}

/** The upright axis of values; without numbers where there are none. */
export function valueAxis({ scale }: Pick<Chart, 'scale'>, extent: Domain | undefined): Axis {
  if (extent === undefined) return { type: 'linear', domain: undefined, nice: true }
  if (scale === 'log') {
    const domain = widenedByFactor(extent)
    return { type: 'log', domain, grid: true, ticks: logTicks(domain), tickText: (tick: number) => logText(tick) }
  }
  return { type: 'linear', domain: widened(extent, ([low]) => Math.abs(low) / 10 || 1), grid: true, nice: true }
}

/** An axis needs a length: a single value is put in its middle. */
export function widened([low, high]: Domain, half: (domain: Domain) => number): Domain {
  if (low < high) return [low, high]
  const more = half([low, high])
  return [low - more, high + more]
}

/** Out to whole numbers of one digit, so that some mark stands at either end. */
function widenedByFactor([low, high]: Domain): Domain {
  const down = 10 ** Math.floor(Math.log10(low))
  const up = 10 ** Math.floor(Math.log10(high))
  const [from, to] = [Math.floor(low / down) * down, Math.ceil(high / up) * up]
  return from < to ? [from, to] : [from / 2, to * 2]
}

/** Marks of a log axis: 1, 2, 5, 10 ... where there is room, else the powers of ten. */
export function logTicks([low, high]: Domain): number[] {
  const decades = Math.log10(high / low)
  const digits = decades > 6 ? [1] : decades > 3 ? [1, 3] : decades > 1 ? [1, 2, 5] : [1, 2, 3, 4, 5, 6, 7, 8, 9]
  const ticks: number[] = []
  for (let power = Math.floor(Math.log10(low)); power <= Math.ceil(Math.log10(high)); power++) {
    for (const digit of digits) {
      const tick = Number((digit * 10 ** power).toPrecision(1))
      if (tick >= low && tick <= high) ticks.push(tick)
    }
  }
  return ticks
}

function logText(tick: number): string {
  return tick >= 1 && tick < 1e7 ? tick.toLocaleString('en-US') : String(tick)
}

/** Pixels for the longest number that can stand at the axis: both ends, as finely as their distance asks for. */
export function roomForNumbers(extent: Domain, scale: 'linear' | 'log'): number {
  const [low, high] = extent
  const step = (high - low) / 5
  const decimals = scale === 'linear' && step > 0 && step < 1 ? Math.min(20, Math.ceil(-Math.log10(step))) : 0
  const lengths = [low, high].map(end => (Number.isNaN(end) ? 0 : end.toFixed(decimals).length * 1.25))
  const small = scale === 'log' && low > 0 ? String(Number(low.toPrecision(1))).length : 0
  return Math.round(28 + 7 * Math.max(3, small, ...lengths))
}

/** A column with its unit. */
export function unitText({ name, unit }: Column): string {
  return visibleText(unit === undefined ? name : `${name} (${unit})`)
}

/** Lowest and highest of several stretches. */
export function extentOver(stretches: readonly Domain[]): Domain {
  return extentOf(stretches.flat())
}

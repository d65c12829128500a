import { hashText, mix, unit } from '../hash.ts'

const DAY_MS = 86_400_000

/** Values of one region, signal and model, as a pure function of the instant. */
export interface Series {
  readonly periodMs: number
  /** Value at an instant on the grid. */
  valueAt(pointTime: number): number
  /** Value that the run of `generatedAt` foresees for `pointTime`: right at once, and less so later. */
  forecastAt(generatedAt: number, pointTime: number): number
  /** Whether the value was filled in by the service rather than measured. */
  isImputed(pointTime: number): boolean
}

/** Where values lie: a middle, how far a day swings, how far chance does, and how often power is in surplus and counts nothing. */
const SHAPES: Readonly<
  Record<
    string,
    { readonly middle: number; readonly swing: number; readonly noise: number; readonly zeroEvery?: number }
  >
> = {
  co2_moer: { middle: 850, swing: 260, noise: 90, zeroEvery: 97 },
  co2_aoer: { middle: 620, swing: 140, noise: 40 },
  health_damage: { middle: 28, swing: 9, noise: 4 },
}

const DEFAULT_SHAPE: (typeof SHAPES)[string] = { middle: 100, swing: 30, noise: 10 }

/** Describes a series. The daily cycle has a dip around midday and a peak in the evening, as solar power makes it. */
export function createSeries(region: string, signal: string, model: string, periodMs: number): Series {
  const hash = hashText(`${region}|${signal}|${model}`)
  const { middle, swing, noise, zeroEvery } = SHAPES[signal] ?? DEFAULT_SHAPE
  const level = middle * (0.75 + 0.5 * unit(mix(hash, 1)))
  const slots = DAY_MS / periodMs
  const phase = Math.floor(unit(mix(hash, 2)) * slots)
  const cycle = Float64Array.from({ length: slots }, (_, slot) => level + swing * dayShape((slot + phase) / slots))

  const valueAt = (pointTime: number): number => {
    const index = Math.round(pointTime / periodMs)
    if (zeroEvery !== undefined && mix(hash, index, 6) % zeroEvery === 0) return 0
    const day = Math.floor(index / slots)
    const season = (unit(mix(hash, day, 3)) - 0.5) * noise
    return oneDecimal((cycle[index - day * slots] ?? level) + season + (unit(mix(hash, index, 4)) - 0.5) * noise * 2)
  }

  return {
    periodMs,
    valueAt,
    forecastAt(generatedAt, pointTime) {
      const lead = Math.round((pointTime - generatedAt) / periodMs)
      const doubt = noise * Math.min(2, lead / 72)
      return oneDecimal(valueAt(pointTime) + (unit(mix(hash, Math.round(generatedAt / periodMs), lead)) - 0.5) * doubt)
    },
    isImputed: pointTime => mix(hash, Math.round(pointTime / periodMs), 5) % 50 === 0,
  }
}

/** Shares of the fuels at the margin, in thousandths that sum to 1000. A fuel without a share is absent. */
export function fuelShares(
  region: string,
  model: string,
  pointTime: number,
): readonly (readonly [fuel: string, thousandths: number])[] {
  const draw = mix(hashText(`${region}|marginal_fuel_mix|${model}`), Math.round(pointTime / 300_000))
  const hydro = draw % 200
  const wind = (draw >>> 8) % 3 === 0 ? (draw >>> 10) % 150 : 0
  const coal = (draw >>> 18) % 250
  const shares = [
    ['gas', 1000 - hydro - wind - coal],
    ['coal', coal],
    ['hydro', hydro],
    ['wind', wind],
  ] as const
  return shares.filter(([, share]) => share > 0)
}

function dayShape(turn: number): number {
  return 0.7 * Math.cos(2 * Math.PI * turn) + 0.3 * Math.cos(4 * Math.PI * turn + 1)
}

function oneDecimal(value: number): number {
  return Math.max(0, Math.round(value * 10)) / 10
}

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
/** Distances of marks: lengths of time within a day and of days, then months. */
const STEPS_MS = [
  ...[1, 5, 15, 30].map(minutes => minutes * MINUTE_MS),
  ...[1, 3, 6, 12].map(hours => hours * HOUR_MS),
  ...[1, 2, 7].map(days => days * DAY_MS),
]
const STEPS_MONTHS = [1, 3, 6, 12, 24, 60, 120, 240]
const MONTH_MS = 30.44 * DAY_MS

/**
 * Marks of a time axis at round local times: at midnight where days are shown, at the first where months are.
 *
 * @param offset - how far the clocks of the zone are ahead of UTC at an instant, milliseconds
 * @param most - no more marks than this
 * @returns epoch milliseconds, ascending
 */
export function zoneTicks(
  [low, high]: readonly [number, number],
  offset: (ms: number) => number,
  most: number,
): number[] {
  const length = high - low
  const step = STEPS_MS.find(ms => length / ms <= most)
  const locals = step === undefined ? monthStarts(low, high, most) : multiples(low, high, step, offset)
  const instants = locals.map(local => {
    // The offset that holds at the local time is not known before its instant is: the second guess is right.
    const guess = local - offset(local)
    return local - offset(guess)
  })
  return [...new Set(instants)].filter(at => at >= low && at <= high).sort((a, b) => a - b)
}

function multiples(low: number, high: number, step: number, offset: (ms: number) => number): number[] {
  const ticks: number[] = []
  for (let at = Math.ceil((low + offset(low)) / step) * step; at <= high + offset(high); at += step) ticks.push(at)
  return ticks
}

function monthStarts(low: number, high: number, most: number): number[] {
  const step = STEPS_MONTHS.find(months => (high - low) / (months * MONTH_MS) <= most) ?? 480
  const ticks: number[] = []
  const first = new Date(low).getUTCFullYear() * 12
  for (let month = first - (first % step); ; month += step) {
    const at = Date.UTC(Math.floor(month / 12), month % 12, 1)
    if (at > high + DAY_MS) return ticks
    if (at >= low - DAY_MS) ticks.push(at)
  }
}

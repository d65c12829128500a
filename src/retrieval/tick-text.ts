const DAY_MS = 86_400_000
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'] as const

/**
 * The label of a mark on a time axis, in UTC and by the 24-hour clock. What the first line leaves open, the day or
 * the year, stands on a second line where it begins.
 *
 * @param ticks - all marks of the axis, ascending; how far apart they are decides how fine the label is
 */
export function tickText(tick: Date, at: number, ticks: readonly Date[]): string {
  const [upper, lower] = partsOf(tick, stepOf(ticks))
  const before = ticks[at - 1]
  const known = before !== undefined && partsOf(before, stepOf(ticks))[1] === lower
  return lower === '' || known ? upper : `${upper}\n${lower}`
}

function stepOf(ticks: readonly Date[]): number {
  const [first, second] = ticks
  return first && second ? second.getTime() - first.getTime() : 0
}

function partsOf(tick: Date, step: number): readonly [upper: string, lower: string] {
  const [day = '', time = ''] = tick.toISOString().split('T')
  const year = String(tick.getUTCFullYear())
  const month = MONTHS[tick.getUTCMonth()] as string
  if (step < DAY_MS) return [time.slice(0, step < 60_000 ? 8 : 5), day]
  if (step < 28 * DAY_MS) return [`${month} ${tick.getUTCDate()}`, year]
  return step < 365 * DAY_MS ? [month, year] : [year, '']
}

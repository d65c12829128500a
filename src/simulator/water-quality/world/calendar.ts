/** Days as whole numbers, counted from 1970-01-01: dates here are local and have no zone. */
const DAY_MS = 86_400_000

const texts: string[] = []

/** `YYYY-MM-DD`. */
export function dateText(day: number): string {
  return (texts[day] ??= new Date(day * DAY_MS).toISOString().slice(0, 10))
}

/** The day of a date `YYYY-MM-DD`, or `undefined` when there is no such date. */
export function dayOf(date: string): number | undefined {
  if (!/^\d{4}-\d\d-\d\d$/.test(date)) return undefined
  const day = Date.parse(date) / DAY_MS
  return Number.isInteger(day) && dateText(day) === date ? day : undefined
}

/** The year a day is in. */
export function yearOf(day: number): number {
  return Number(dateText(day).slice(0, 4))
}

/** Whether daylight time is kept: from the second Sunday of March to the first of November. The rule of today holds for all years. */
export function isDaylight(day: number): boolean {
  const { first, last } = (seasons[yearOf(day)] ??= seasonOf(yearOf(day)))
  return day >= first && day < last
}

const seasons: Record<number, { readonly first: number; readonly last: number }> = {}

function seasonOf(year: number): { readonly first: number; readonly last: number } {
  return { first: sundayFrom(Date.UTC(year, 2, 8)), last: sundayFrom(Date.UTC(year, 10, 1)) }
}

/** First Sunday on or after an instant at midnight. */
function sundayFrom(instant: number): number {
  const day = instant / DAY_MS
  // Day 0 was a Thursday.
  return day + ((10 - (day % 7)) % 7)
}

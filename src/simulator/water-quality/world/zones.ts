/** Hours from UTC of the zone codes that occur here. A code says whether it is standard or daylight time: no calendar is asked. */
const OFFSETS: Readonly<Record<string, number>> = {
  UTC: 0,
  GMT: 0,
  EST: -5,
  EDT: -4,
  CST: -6,
  CDT: -5,
  MST: -7,
  MDT: -6,
  PST: -8,
  PDT: -7,
  AKST: -9,
  AKDT: -8,
  HST: -10,
  AST: -4,
}

/** Codes that occur and mean nothing, or more than one thing. */
export const DOUBTFUL_ZONES: readonly string[] = ['XYZ', 'SST']

/** Instant of a local date and time, epoch milliseconds, or `null` when it cannot be known: never midnight in place of it. */
export function instantOf(date: string, time: string, zone: string): number | null {
  const offset = OFFSETS[zone]
  const clock = time.replace(/^0001-01-01 /, '')
  if (date === '' || offset === undefined || !/^\d\d:\d\d(:\d\d)?$/.test(clock)) return null
  return Date.parse(`${date}T${clock.padEnd(8, ':00')}Z`) - offset * 3_600_000
}

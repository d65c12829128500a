import { clockMs, dayMs, zoneOffsetMs } from './zones.ts'

/** Places of the three fields that together are an instant, and the name of what is made of them. */
export interface Triple {
  readonly date: number
  readonly time: number
  readonly zone: number
  readonly name: string
}

/** Why rows have no instant, by reason. */
export interface WithoutInstant {
  date: number
  time: number
  zone: number
  unreadable: number
  /** Codes that mean nothing, or more than one thing, and how often each came. */
  readonly unknownZones: Map<string, number>
}

/** Reads instants of one triple, of millions of rows that mostly repeat the one before. */
export type InstantReader = (fields: readonly (string | null)[]) => Date | null

/** Finds triples by their names, in either spelling. */
export function triplesIn(names: readonly string[]): Triple[] {
  const places = new Map(names.map((name, place) => [name, place]))
  return names.flatMap((name, date) => {
    if (!name.endsWith('Date')) return []
    const stem = name.slice(0, -'Date'.length)
    const older = [places.get(`${stem}Time/Time`), places.get(`${stem}Time/TimeZoneCode`)]
    const newer = [places.get(`${stem}Time`), places.get(`${stem}TimeZone`)]
    const [time, zone] = older[0] === undefined ? newer : older
    return time === undefined || zone === undefined ? [] : [{ date, time, zone, name: `${stem}DateTime` }]
  })
}

/**
 * An instant, or `null` where it cannot be known: never midnight in its place.
 *
 * @param missing - counts rows without one; absent for triples that hardly any row has
 */
export function createInstantReader(
  { date, time, zone }: Triple,
  moreZones: Readonly<Record<string, number>>,
  missing: WithoutInstant | undefined,
): InstantReader {
  let lastDate: string | null = null
  let lastTime: string | null = null
  let lastZone: string | null = null
  let last: Date | null = null

  const read = (day: string, clock: string, code: string): Date | null => {
    const offset = zoneOffsetMs(code, moreZones)
    if (offset === undefined) {
      if (missing) missing.unknownZones.set(code, (missing.unknownZones.get(code) ?? 0) + 1)
      return null
    }
    const midnight = dayMs(day)
    const since = clockMs(clock)
    if (midnight !== undefined && since !== undefined) return new Date(midnight + since - offset)
    if (missing) missing.unreadable += 1
    return null
  }

  return fields => {
    const day = fields[date] ?? null
    const clock = fields[time] ?? null
    const code = fields[zone] ?? null
    if (day === null || clock === null || code === null) {
      if (missing) {
        if (day === null) missing.date += 1
        else if (clock === null) missing.time += 1
        else missing.zone += 1
      }
      return null
    }
    // A miss is not remembered: each of its rows is counted.
    if (last === null || day !== lastDate || clock !== lastTime || code !== lastZone) {
      last = read(day, clock, code)
      lastDate = day
      lastTime = clock
      lastZone = code
    }
    return last
  }
}

import { mix } from '../../hash.ts'
import { dateText, dayOf, isDaylight } from './calendar.ts'
import { PANELS, type Panel } from './characteristics.ts'
import type { Feed, Site } from './sites.ts'
import { SPECIMENS } from './organizations.ts'
import { SPECIMEN_SITES, type SpecimenActivity } from './specimens.ts'
import { DOUBTFUL_ZONES } from './zones.ts'

/** Days, both included. */
export interface Days {
  readonly first: number
  readonly last: number
}

/** A visit to a site: a sample, or a reading in the field. */
export interface Activity {
  readonly feed: Feed
  readonly site: Site
  /** What tells it from the others of its site. Less than 65536. */
  readonly key: number
  /** The local day, or `null` when none was noted. */
  readonly day: number | null
  readonly date: string
  readonly time: string
  readonly zone: string
  readonly kind: 'routine' | 'field' | 'replicate'
  readonly panel: Panel
  /** Number of the panel. */
  readonly panelNumber: number
  /** Whether its first result was reported twice. */
  readonly hasTwin: boolean
  readonly hash: number
  /** Written by hand: nothing else counts then. */
  readonly specimen?: SpecimenActivity
}

const FIRST_UNDATED = 60_000
const FIRST_SPECIMEN = 61_000
/** The Survey's data stand still in the older interface since this day. */
export const FREEZE_DAY: number = dayOf('2024-03-11') ?? 0

/**
 * Activities of a site, by day; those without a date last.
 *
 * @param days - `undefined` for all; a filter by date never meets what has none
 */
export function* activitiesOf(feed: Feed, days: Days | undefined, today: number): Generator<Activity> {
  const { site } = feed
  if (site.organization === SPECIMENS) return yield* specimensOf(feed, days)
  const first = Math.max(site.firstDay, days?.first ?? -Infinity)
  const last = Math.min(site.lastDay, today, days?.last ?? Infinity)
  for (const day of daysOf(site, first, last)) yield createActivity(feed, day, day)
  if (days !== undefined) return
  for (let k = 0; k < site.undated; k++) yield createActivity(feed, FIRST_UNDATED + k, null)
}

/** Days of a site's samples. During a dense survey that is every day. */
function* daysOf(site: Site, first: number, last: number): Generator<number> {
  const { dense, everyDays, firstDay } = site
  const [denseFirst, denseLast] = dense ?? [Infinity, Infinity]
  const next = (from: number): number => firstDay + Math.ceil((from - firstDay) / everyDays) * everyDays
  for (let day = next(first); day <= Math.min(last, denseFirst - 1); day += everyDays) yield day
  for (let day = Math.max(first, denseFirst); day <= Math.min(last, denseLast); day++) yield day
  for (let day = next(Math.max(first, denseLast + 1)); day <= last; day += everyDays) yield day
}

function createActivity(feed: Feed, key: number, day: number | null): Activity {
  const { site } = feed
  const hash = mix(site.hash, key)
  const draw = hash % 100
  const isDense = site.dense !== undefined && day !== null && day >= site.dense[0] && day <= site.dense[1]
  const panelNumber = isDense ? 0 : site.organization.zoneHabit === 'volunteer' ? 1 : (hash >>> 8) % PANELS.length
  const panel = PANELS[panelNumber]
  if (panel === undefined) throw new RangeError(`no panel ${panelNumber}`)
  return {
    feed,
    site,
    key,
    day,
    date: day === null ? '' : dateText(day),
    ...clockOf(site, day, hash),
    kind: panelNumber === 1 ? 'field' : draw === 7 ? 'replicate' : 'routine',
    panel,
    panelNumber,
    hasTwin: !isDense && draw % 20 === 11,
    hash,
  }
}

/** Time and zone, in the habit of the organization: missing, doubtful and placed by hand where theirs are. */
function clockOf(site: Site, day: number | null, hash: number): { time: string; zone: string } {
  const { zoneHabit } = site.organization
  const [standard, daylight = standard] = site.place.zones
  const minutes = 6 * 60 + ((hash >>> 4) % (14 * 12)) * 5
  const time = `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}:00`
  const draw = (hash >>> 12) % 100
  const local = day !== null && isDaylight(day) ? daylight : standard
  switch (zoneHabit) {
    case 'survey':
      if (draw < 2) return { time: '', zone: '' }
      if (draw < 3) return { time: '', zone: local }
      if (draw < 5) return { time, zone: 'GMT' }
      return { time, zone: draw < 7 ? 'UTC' : local }
    case 'state':
      if (draw < 10) return { time: '', zone: '' }
      if (draw < 14) return { time: '00:01:00', zone: 'UTC' }
      if (draw < 16) return { time, zone: DOUBTFUL_ZONES[draw % DOUBTFUL_ZONES.length] ?? '' }
      return { time, zone: local }
    case 'standard':
      return { time, zone: standard }
    case 'volunteer':
      if (draw < 30) return { time: '', zone: '' }
      return { time: draw < 40 ? time.slice(0, 5) : time, zone: standard }
  }
}

function* specimensOf(feed: Feed, days: Days | undefined): Generator<Activity> {
  const { site } = feed
  const [panel] = PANELS
  const found = SPECIMEN_SITES.find(({ name }) => site.id.endsWith(`-${name}`))
  if (found === undefined || panel === undefined) return
  for (const [index, specimen] of found.activities.entries()) {
    const day = dayOf(specimen.date) ?? null
    if (days !== undefined && (day === null || day < days.first || day > days.last)) continue
    const { date, time, zone } = specimen
    yield {
      feed,
      site,
      key: FIRST_SPECIMEN + index,
      day,
      date,
      time,
      zone,
      kind: 'routine',
      panel,
      panelNumber: 0,
      hasTwin: false,
      hash: mix(site.hash, index),
      specimen,
    }
  }
}

import { describe, expect, it } from 'vitest'
import { createWorld } from '../../../src/simulator/water-quality/world/world.ts'
import { activitiesOf, type Activity } from '../../../src/simulator/water-quality/world/activities.ts'
import { dateText, dayOf, isDaylight } from '../../../src/simulator/water-quality/world/calendar.ts'
import { CHARACTERISTICS } from '../../../src/simulator/water-quality/world/characteristics.ts'
import { newerResultId, olderResultId } from '../../../src/simulator/water-quality/world/identifiers.ts'
import { resultAt, slotsOf, type Result } from '../../../src/simulator/water-quality/world/results.ts'
import { instantOf } from '../../../src/simulator/water-quality/world/zones.ts'
import { createHandClock } from '../hand-clock.ts'

const world = createWorld(createHandClock('2026-06-01T12:00:00Z'))
const today = dayOf('2026-06-01') ?? 0

const feedOf = (id: string): (typeof world.feeds)[number] => {
  const feed = world.feeds.find(({ site }) => site.id === id)
  if (feed === undefined) throw new Error(`no site ${id}`)
  return feed
}
const resultsOf = (activity: Activity, telling: 'older' | 'newer' = 'older'): Result[] =>
  Array.from({ length: slotsOf(activity) }, (_, slot) => resultAt(activity, slot, telling))
const sample = (every: number): Activity[] =>
  world.feeds
    .filter((_, index) => index % every === 0)
    .flatMap(feed => [...activitiesOf(feed, { first: today - 1500, last: today - 800 }, today)])

describe('sites', () => {
  it('are thousands, of three providers, each with an identifier of its own', () => {
    expect(world.sites.length).toBeGreaterThan(4000)
    expect(new Set(world.sites.map(({ id }) => id)).size).toBe(world.sites.length)
    expect(new Set(world.feeds.map(({ provider }) => provider))).toEqual(new Set(['NWIS', 'STORET', 'STEWARDS']))
    expect(world.sites.every(({ n }) => n < 65_536)).toBe(true)
  })

  it('lie in their states, and have codes that begin with zeros among them', () => {
    for (const { place, latitude, longitude } of world.sites) {
      const [west, south, east, north] = place.box
      expect(longitude >= west && longitude <= east && latitude >= south && latitude <= north).toBe(true)
    }
    expect(world.sites.some(({ huc8 }) => huc8.startsWith('0'))).toBe(true)
    expect(world.sites.some(({ place }) => place.fips === '06')).toBe(true)
    expect(CHARACTERISTICS.filter(({ pcode }) => pcode.startsWith('0')).length).toBeGreaterThan(10)
  })

  it('some are delivered by two providers, row for row the same but for who sends them', () => {
    const twice = world.feeds.filter(({ site }) => world.feeds.filter(other => other.site === site).length === 2)
    expect(twice.length).toBeGreaterThan(50)
    const [first, second] = twice.filter(({ site }) => site === twice[0]?.site)
    if (first === undefined || second === undefined) throw new Error('no such site')
    expect([first.provider, second.provider].sort()).toEqual(['NWIS', 'STORET'])
    const days = { first: today - 1000, last: today - 900 }
    const told = (feed: typeof first): unknown[] =>
      [...activitiesOf(feed, days, today)].flatMap(activity =>
        resultsOf(activity).map(({ slot, text, limit, condition, characteristic }) => [
          activity.date,
          activity.time,
          slot,
          text,
          limit,
          condition,
          characteristic.name,
        ]),
      )
    expect(told(first).length).toBeGreaterThan(0)
    expect(told(second)).toEqual(told(first))
  })
})

describe('activities and results', () => {
  it('are a pure function of site, day and place: the same whatever the span they are met in', () => {
    const feed = feedOf('USGS-05510007')
    const wide = [...activitiesOf(feed, { first: today - 1000, last: today }, today)]
    const narrow = wide.flatMap(({ day }) => [...activitiesOf(feed, { first: day ?? 0, last: day ?? 0 }, today)])
    expect(narrow).toEqual(wide)
    expect(wide.length).toBeGreaterThan(5)
    expect(narrow.flatMap(activity => resultsOf(activity).map(({ text }) => text))).toEqual(
      wide.flatMap(activity => resultsOf(activity).map(({ text }) => text)),
    )
  })

  it('have identifiers that are never shared, in either interface', () => {
    const results = sample(23).flatMap(activity => resultsOf(activity))
    expect(results.length).toBeGreaterThan(10_000)
    for (const identify of [olderResultId, newerResultId]) {
      expect(new Set(results.map(identify)).size).toBe(results.length)
    }
  })

  it('have zones of every kind: standard and daylight, UTC, GMT, none, unknown, and a zone without a time', () => {
    const activities = sample(7)
    const zones = new Set(activities.map(({ zone }) => zone))
    const codes = [
      '',
      'UTC',
      'GMT',
      'EST',
      'EDT',
      'CST',
      'CDT',
      'MST',
      'MDT',
      'PST',
      'PDT',
      'AKST',
      'AKDT',
      'HST',
      'AST',
    ]
    expect([...zones]).toEqual(expect.arrayContaining([...codes, 'XYZ', 'SST']))
    expect(activities.some(({ time, zone }) => time === '' && zone !== '')).toBe(true)
    expect(activities.some(({ time, zone }) => time !== '' && zone === '')).toBe(false)
    expect(activities.some(({ time, zone }) => time === '00:01:00' && zone === 'UTC')).toBe(true)
    expect(activities.some(({ time }) => /^\d\d:\d\d$/.test(time))).toBe(true)
  })

  it('keep daylight time from the second Sunday of March to the first of November, volunteers never', () => {
    for (const { site, day, zone } of sample(11)) {
      if (
        site.id.startsWith('SPECIMEN') ||
        day === null ||
        !/^[A-Z]+[SD]T$/.test(zone) ||
        site.place.zones.length < 2 ||
        zone === 'SST'
      )
        continue
      const isVolunteer = ['volunteer', 'standard'].includes(site.organization.zoneHabit)
      expect(zone).toBe(isDaylight(day) && !isVolunteer ? site.place.zones[1] : site.place.zones[0])
    }
    expect([isDaylight(dayOf('2024-03-09') ?? 0), isDaylight(dayOf('2024-03-10') ?? 0)]).toEqual([false, true])
    expect([isDaylight(dayOf('2024-11-02') ?? 0), isDaylight(dayOf('2024-11-03') ?? 0)]).toEqual([true, false])
  })

  it('are missing, censored and plain in every way that agencies know', () => {
    const results = sample(7).flatMap(activity => resultsOf(activity))
    const some = (what: (result: Result) => boolean): boolean => results.some(what)
    expect(
      some(({ text, condition, censored }) => text === '' && condition === 'Not Detected' && censored === 'below'),
    ).toBe(true)
    expect(some(({ text, condition }) => text.startsWith('<') && condition === '')).toBe(true)
    expect(some(({ text, condition, value }) => text === '0' && condition !== '' && value === null)).toBe(true)
    expect(some(({ condition, limit }) => condition !== '' && limit === '')).toBe(true)
    expect(some(({ censored }) => censored === 'above')).toBe(true)
    expect(some(({ value, limit, censored }) => value !== null && limit !== '' && censored === null)).toBe(true)
    // A value that counts has no condition, and none that is censored counts.
    expect(some(({ value, condition }) => value !== null && condition !== '')).toBe(false)
    expect(some(({ value, censored }) => value !== null && censored !== null)).toBe(false)
  })

  it('have a twin here and there, which only the identifier tells from the first', () => {
    const activity = sample(7).find(({ hasTwin }) => hasTwin)
    if (activity === undefined) throw new Error('no twin')
    const results = resultsOf(activity)
    const [first, twin] = [results[0], results.at(-1)]
    if (first === undefined || twin === undefined) throw new Error('no results')
    expect({ ...twin, slot: 0 }).toEqual(first)
    expect(olderResultId(twin)).not.toBe(olderResultId(first))
  })

  it('are held back by the older interface here and there, and told by the newer one', () => {
    const activities = sample(3).filter(({ site }) => site.organization.provider === 'NWIS')
    const held = activities.flatMap(activity =>
      resultsOf(activity)
        .filter(({ condition }) => condition === 'Detected Not Quantified')
        .map(({ slot }) => resultAt(activity, slot, 'newer')),
    )
    expect(held.length).toBeGreaterThan(0)
    for (const { value, condition } of held) expect([typeof value, condition]).toEqual(['number', ''])
  })
})

describe('instants', () => {
  it.each([
    ['10:30:00', 'UTC', '2023-07-15T10:30:00Z'],
    ['10:30:00', 'EST', '2023-07-15T15:30:00Z'],
    ['10:30:00', 'EDT', '2023-07-15T14:30:00Z'],
    ['23:30', 'HST', '2023-07-16T09:30:00Z'],
    ['0001-01-01 10:30:00', 'AST', '2023-07-15T14:30:00Z'],
  ])('F08: %s %s is %s', (time, zone, instant) => {
    expect(instantOf('2023-07-15', time, zone)).toBe(Date.parse(instant))
  })

  it.each([
    ['10:30:00', ''],
    ['10:30:00', 'XYZ'],
    ['10:30:00', 'SST'],
    ['', 'EST'],
    ['noon', 'EST'],
  ])('F08: %j %j is none, and never midnight', (time, zone) => {
    expect(instantOf('2023-07-15', time, zone)).toBeNull()
  })
})

describe('days', () => {
  it.each(['2024-02-29', '1970-01-01', '1899-12-31', '2199-12-31'])('%s is read and written', date => {
    expect(dateText(dayOf(date) ?? NaN)).toBe(date)
  })
  it.each(['2023-02-29', '2024-04-31', '2024-13-01', '2024-1-1', '', 'x'])('%j is no date', date => {
    expect(dayOf(date)).toBeUndefined()
  })
})

import { PERIOD_OF_RECORD } from '../columns/legacy-tables.ts'
import { dateText, yearOf } from '../world/calendar.ts'
import type { Characteristic } from '../world/characteristics.ts'
import { stationOf } from '../world/details.ts'
import { characteristicAt } from '../world/results.ts'
import type { Feed } from '../world/sites.ts'
import type { Selection } from '../select/selection.ts'
import { createPlainWriter } from '../wire/layout.ts'
import { sealed, type Table } from './table.ts'

/** What a site has of one characteristic in one year. */
export interface YearOfSite {
  readonly feed: Feed
  readonly year: number
  readonly characteristic: Characteristic
  readonly activities: number
  readonly results: number
  readonly lastDay: number
}

/** Years of the sites of a selection. What has no date is in none. */
export function periodOfRecord(firstYear: number): Table {
  return sealed<YearOfSite>({
    columns: PERIOD_OF_RECORD,
    *rows(selection) {
      for (const feed of selection.feeds) yield* yearsOf(selection, feed, firstYear)
    },
    createWriter: dialect => createPlainWriter<YearOfSite>(PERIOD_OF_RECORD, CELLS, dialect),
    providerOf: ({ feed }) => feed.provider,
    dayOf: () => null,
  })
}

/** Years of one site, the first one first, characteristics in the order in which they are met. */
export function yearsOf(selection: Selection, feed: Feed, firstYear: number): readonly YearOfSite[] {
  const found = new Map<string, { -readonly [K in keyof YearOfSite]: YearOfSite[K] }>()
  for (const { activity, slots } of selection.picksOf(feed)) {
    if (activity.day === null || yearOf(activity.day) < firstYear) continue
    const year = yearOf(activity.day)
    const here = new Set<string>()
    for (const slot of slots) {
      const characteristic = characteristicAt(activity, slot)
      const key = `${year}|${characteristic.name}`
      const known = found.get(key) ?? { feed, year, characteristic, activities: 0, results: 0, lastDay: activity.day }
      known.results += 1
      if (!here.has(key)) known.activities += 1
      here.add(key)
      known.lastDay = activity.day
      found.set(key, known)
    }
  }
  return [...found.values()].sort((a, b) => a.year - b.year)
}

const CELLS: Readonly<Record<string, (row: YearOfSite) => string>> = {
  Provider: ({ feed }) => feed.provider,
  MonitoringLocationIdentifier: ({ feed }) => feed.site.id,
  YearSummarized: ({ year }) => String(year),
  CharacteristicType: ({ characteristic }) => characteristic.group,
  CharacteristicName: ({ characteristic }) => characteristic.name,
  ActivityCount: ({ activities }) => String(activities),
  ResultCount: ({ results }) => String(results),
  LastResultSubmittedDate: ({ lastDay }) => dateText(lastDay + 60),
  OrganizationIdentifier: ({ feed }) => feed.site.organization.id,
  OrganizationFormalName: ({ feed }) => feed.site.organization.formalName,
  MonitoringLocationName: ({ feed }) => feed.site.name,
  MonitoringLocationTypeName: ({ feed }) => stationOf(feed.site).typeName,
  ResolvedMonitoringLocationTypeName: ({ feed }) => feed.site.kind,
  HUCEightDigitCode: ({ feed }) => feed.site.huc8,
  MonitoringLocationUrl: siteAddress,
  CountyName: ({ feed }) => `${feed.site.county[1]} County`,
  StateName: ({ feed }) => feed.site.place.name,
  MonitoringLocationLatitude: ({ feed }) => String(feed.site.latitude),
  MonitoringLocationLongitude: ({ feed }) => String(feed.site.longitude),
}

/** Page of a site. */
export function siteAddress({ feed: { provider, site } }: { readonly feed: Feed }): string {
  return `https://www.waterqualitydata.us/data/provider/${provider}/${site.organization.id}/${site.id}`
}

import { dateText } from '../world/calendar.ts'
import { stationOf } from '../world/details.ts'
import type { Feed } from '../world/sites.ts'
import { SORTED, type Selection } from '../select/selection.ts'
import { siteAddress, yearsOf, type YearOfSite } from '../tables/period-of-record.ts'

/** Sites as features, with their counts as text. */
export function* stationFeatures(selection: Selection): Generator<object> {
  for (const feed of selection.feedsWithData(SORTED)) {
    const { activities, results } = countOf(selection, feed)
    yield feature(feed, {
      ...aboutSite(feed),
      siteUrl: `${siteAddress({ feed })}/`,
      activityCount: String(activities),
      resultCount: String(results),
      StateName: feed.site.place.name,
      CountyName: `${feed.site.county[1]} County`,
    })
  }
}

/** Sites as features, with how many results there are of each group. */
export function* summaryFeatures(selection: Selection, firstYear: number): Generator<object> {
  for (const feed of selection.feedsWithData(SORTED)) {
    const years = yearsOf(selection, feed, firstYear)
    const { activities } = countOf(selection, feed)
    yield feature(feed, {
      ...aboutSite(feed),
      siteUrl: `${siteAddress({ feed })}/`,
      StateName: feed.site.place.name,
      CountyName: `${feed.site.county[1]} County`,
      activityCount: String(activities),
      resultCount: String(sum(years)),
      characteristicGroupResultCount: groupCounts(years),
    })
  }
}

/** Sites as features, with what they have year by year, the last one first. */
export function* periodFeatures(selection: Selection, firstYear: number): Generator<object> {
  for (const feed of selection.feedsWithData(SORTED)) {
    const years = yearsOf(selection, feed, firstYear)
    const { activities } = countOf(selection, feed)
    const last = Math.max(0, ...years.map(({ lastDay }) => lastDay))
    yield feature(feed, {
      ...aboutSite(feed),
      siteUrl: `${siteAddress({ feed })}/`,
      StateName: feed.site.place.name,
      CountyName: `${feed.site.county[1]} County`,
      lastResultSubmittedDate: dateText(last),
      totalActivities: activities,
      yearlySummary: yearlySummary(years),
    })
  }
}

/** Organizations with what they have year by year. */
export function organizationSummary(selection: Selection, firstYear: number): object {
  const groups = new Map<string, Feed[]>()
  for (const feed of selection.feedsWithData(SORTED)) {
    const id = feed.site.organization.id
    groups.set(id, [...(groups.get(id) ?? []), feed])
  }
  const organization = [...groups].map(([id, feeds]) => {
    const years = feeds.flatMap(feed => yearsOf(selection, feed, firstYear))
    const [first] = feeds
    const provider = first?.provider ?? 'STORET'
    return {
      organizationID: id,
      organizationFormalName: first?.site.organization.formalName,
      organizationType: first?.site.organization.type,
      organizationWQPUrl: `https://www.waterqualitydata.us/data/provider/${provider}/${id}`,
      lastResultSubmittedDate: dateText(years.reduce((last, { lastDay }) => Math.max(last, lastDay), 0)),
      totalMonitoringLocationsSampled: String(feeds.length),
      totalActivities: String(feeds.reduce((total, feed) => total + countOf(selection, feed).activities, 0)),
      yearlySummary: yearlySummary(years),
    }
  })
  return { organization }
}

function aboutSite({ provider, site }: Feed): Record<string, string> {
  return {
    ProviderName: provider,
    OrganizationIdentifier: site.organization.id,
    OrganizationFormalName: site.organization.formalName,
    MonitoringLocationIdentifier: site.id,
    MonitoringLocationName: site.name,
    MonitoringLocationTypeName: stationOf(site).typeName,
    ResolvedMonitoringLocationTypeName: site.kind,
    HUCEightDigitCode: site.huc8,
  }
}

function feature({ site }: Feed, properties: object): object {
  const geometry = { type: 'Point', coordinates: [site.longitude, site.latitude] }
  return { type: 'Feature', geometry, properties }
}

function yearlySummary(rows: readonly YearOfSite[]): readonly object[] {
  const years = [...new Set(rows.map(({ year }) => year))].sort((a, b) => b - a)
  return years.map(year => {
    const inYear = rows.filter(row => row.year === year)
    return {
      year,
      start: `${year}-01-01`,
      end: `${year}-12-31`,
      activityCount: Math.max(...inYear.map(({ activities }) => activities)),
      resultCount: sum(inYear),
      monitoringLocationsSampled: new Set(inYear.map(({ feed }) => feed)).size,
      characteristicGroupResultCount: groupCounts(inYear),
      characteristicNameSummary: inYear.map(({ characteristic, activities, results }) => ({
        characteristicName: characteristic.name,
        characteristicType: characteristic.group,
        activityCount: activities,
        resultCount: results,
        monitoringLocationCount: 1,
      })),
    }
  })
}

function groupCounts(rows: readonly YearOfSite[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { characteristic, results } of rows)
    counts[characteristic.group] = (counts[characteristic.group] ?? 0) + results
  return counts
}

function sum(rows: readonly YearOfSite[]): number {
  return rows.reduce((total, { results }) => total + results, 0)
}

function countOf(selection: Selection, feed: Feed): { activities: number; results: number } {
  let activities = 0
  let results = 0
  for (const { slots } of selection.picksOf(feed)) {
    activities += 1
    results += slots.length
  }
  return { activities, results }
}

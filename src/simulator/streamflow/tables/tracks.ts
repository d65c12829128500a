import { inOrder, type Table, type Track } from '../ogc/table.ts'
import type { Census } from '../world/census.ts'
import type { Series } from '../world/series.ts'
import type { Site } from '../world/sites.ts'

/**
 * Tracks of a table, made when they are wanted: those of the sites that were named, or all.
 *
 * @param make - tracks of one series; none where the series is not part of the table
 * @param age - which present they show: they are made anew when it changes
 */
export function tracksFrom<T extends Track>(
  census: Census,
  make: (series: Series, now: number) => readonly T[],
  age: (now: number) => number = () => 0,
): Table<T>['tracks'] {
  let bySite = new Map<Site, readonly T[]>()
  let all: readonly T[] | undefined
  let ageOfAll: number | undefined
  return (now, ids) => {
    if (age(now) !== ageOfAll) {
      bySite = new Map()
      all = undefined
      ageOfAll = age(now)
    }
    const tracksOf = (site: Site): readonly T[] => {
      const known = bySite.get(site) ?? census.seriesOf(site).flatMap(series => make(series, now))
      bySite.set(site, known)
      return known
    }
    if (all !== undefined) return all
    if (ids === undefined) return (all = inOrder(census.sites.flatMap(tracksOf)))
    return inOrder([...new Set(ids)].flatMap(id => census.find(id) ?? []).flatMap(tracksOf))
  }
}

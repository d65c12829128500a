import { huc12Of } from '../world/details.ts'
import { activitiesOf } from '../world/activities.ts'
import { slotsOf } from '../world/results.ts'
import type { Feed, Site } from '../world/sites.ts'
import type { World } from '../world/world.ts'
import type { Filter, Scope } from './filter.ts'

/** Whether a site, as one provider delivers it, is asked for. */
export function isFeedWanted(world: World, filter: Filter, scope: Scope, feed: Feed): boolean {
  const { site, provider } = feed
  if (!scope.providers.includes(provider)) return false
  if (scope.surveyOnly && site.organization.provider !== 'NWIS') return false
  if (filter.sites && !filter.sites.has(site.id)) return false
  if (filter.providers && !filter.providers.has(provider)) return false
  if (filter.organizations && !filter.organizations.has(site.organization.id)) return false
  if (filter.kinds && !filter.kinds.has(site.kind)) return false
  return isPlaceWanted(filter, site) && isRichEnough(world, filter, feed)
}

function isPlaceWanted({ areas, hucs, box, boxHasEdges = false, circle }: Filter, site: Site): boolean {
  const { place, county, latitude, longitude } = site
  if (areas && !areas.has(place.fips) && !areas.has(`${place.fips}:${county[0]}`)) return false
  const huc12 = huc12Of(site)
  if (hucs && !hucs.some(huc => huc12.startsWith(huc))) return false
  if (box) {
    const [west, south, east, north] = box
    const isOnEdge = longitude === west || longitude === east || latitude === south || latitude === north
    // A point on the edge is outside where a database asks `st_contains`.
    if (isOnEdge && !boxHasEdges) return false
    if (longitude < west || longitude > east || latitude < south || latitude > north) return false
  }
  return circle === undefined || milesBetween(site, circle) <= circle.miles
}

function isRichEnough(world: World, { minActivities = 0, minResults = 0 }: Filter, feed: Feed): boolean {
  if (minActivities === 0 && minResults === 0) return true
  let activities = 0
  let results = 0
  for (const activity of activitiesOf(feed, undefined, world.today())) {
    activities += 1
    results += slotsOf(activity)
    if (activities >= minActivities && results >= minResults) return true
  }
  return false
}

const EARTH_MILES = 3958.8

function milesBetween(
  { latitude, longitude }: Pick<Site, 'latitude' | 'longitude'>,
  other: { readonly latitude: number; readonly longitude: number },
): number {
  const [a, b] = [latitude, other.latitude].map(radians) as [number, number]
  const dy = Math.sin((b - a) / 2) ** 2
  const dx = Math.cos(a) * Math.cos(b) * Math.sin(radians(other.longitude - longitude) / 2) ** 2
  return 2 * EARTH_MILES * Math.asin(Math.sqrt(dx + dy))
}

function radians(degrees: number): number {
  return (degrees * Math.PI) / 180
}

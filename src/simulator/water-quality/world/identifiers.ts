import { mix } from '../../hash.ts'
import type { Activity } from './activities.ts'
import type { Result } from './results.ts'

/** Results of a site have numbers below this. */
const ACTIVITIES_OF_SITE = 65_536
const RESULTS_OF_ACTIVITY = 64
/** Stands for the activity itself, where a result's place is asked for. */
const NO_SLOT = 0xfff

/** Identifier of an activity in the older interface, and in both for all but the Survey. */
export function olderActivityId({ site, key }: Activity): string {
  const { organization, place, n } = site
  if (organization.provider === 'NWIS') {
    return `nwis${place.postal.toLowerCase()}.01.${String(n).padStart(4, '0')}${String(key).padStart(5, '0')}`
  }
  return `${organization.id}-${n * ACTIVITIES_OF_SITE + key}`
}

/** Identifier of an activity in the newer interface. */
export function newerActivityId(activity: Activity): string {
  return activity.site.organization.provider === 'NWIS' ? uuid(activity, NO_SLOT) : olderActivityId(activity)
}

/** Identifier of a result in the older interface: the provider and a number. */
export function olderResultId({ activity, slot }: Result): string {
  const { feed, site, key } = activity
  return `${feed.provider}-${(site.n * ACTIVITIES_OF_SITE + key) * RESULTS_OF_ACTIVITY + slot}`
}

/** Identifier of a result in the newer interface. */
export function newerResultId(result: Result): string {
  const { activity, slot } = result
  return activity.feed.provider === 'NWIS' ? uuid(activity, slot) : olderResultId(result)
}

/** Looks drawn by chance, and is unique: site, activity and place are in it. */
function uuid({ site, key, hash }: Activity, slot: number): string {
  const draw = mix(hash, slot, 77)
  const low = hex(key & 0xfff, 3)
  return `${hex(draw, 8)}-${hex(site.n, 4)}-4${hex(slot, 3)}-a${low}-${hex(key >>> 12, 1)}${hex(draw >>> 20, 3)}${hex(mix(draw, 5), 8)}`
}

function hex(value: number, digits: number): string {
  return value.toString(16).padStart(digits, '0')
}

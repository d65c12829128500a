import { isWithdrawn, type Edit } from '../../edits.ts'
import { activitiesOf, FREEZE_DAY, type Activity, type Days } from '../world/activities.ts'
import type { Characteristic } from '../world/characteristics.ts'
import { longNameOf, projectOf } from '../world/details.ts'
import { characteristicAt, resultAt, slotsOf, type Result } from '../world/results.ts'
import { revised, timeOf } from '../world/revisions.ts'
import type { Feed } from '../world/sites.ts'
import type { World } from '../world/world.ts'
import { isFeedWanted } from './feed-filter.ts'
import type { Filter, Scope } from './filter.ts'

/** In which order rows come. Without `sorted` it is another one with every `turn`. */
export interface Order {
  readonly sorted: boolean
  readonly turn: number
}

export const SORTED: Order = { sorted: true, turn: 0 }

/** An activity, and the places of those of its results that are wanted. */
export interface Pick {
  readonly activity: Activity
  readonly slots: readonly number[]
}

/** How much there is of everything. */
export interface Tally {
  sites: number
  activities: number
  results: number
}

/** Parts of a filter that leave out activities or results, not only sites. */
const NARROWER: readonly (keyof Filter)[] = [
  'days',
  'media',
  'projects',
  'isActivity',
  'names',
  'longNames',
  'groups',
  'pcodes',
  'taxa',
]

/** What a filter leaves of the world. Everything is worked out anew each time it is asked for, and nothing is kept. */
export interface Selection {
  readonly feeds: readonly Feed[]
  /** Feeds that have a wanted result, or all wanted ones when the filter asks for no more. */
  feedsWithData(order: Order): Iterable<Feed>
  picks(order: Order): Iterable<Pick>
  picksOf(feed: Feed): Iterable<Pick>
  results(order: Order): Iterable<Result>
  /** By provider. A provider without rows is absent. */
  count(): ReadonlyMap<Feed['provider'], Readonly<Tally>>
}

/** @param edits - what has become of results since they were published */
export function createSelection(world: World, filter: Filter, scope: Scope, edits: readonly Edit[] = []): Selection {
  const today = world.today()
  const feeds = filter.isHopeless === true ? [] : world.feeds.filter(feed => isFeedWanted(world, filter, scope, feed))
  const slots = createSlots(filter)
  const asksForMore = NARROWER.some(part => filter[part] !== undefined)

  function* picksOf(feed: Feed): Generator<Pick> {
    const last = scope.isFrozen && feed.provider === 'NWIS' ? Math.min(today, FREEZE_DAY) : today
    for (const activity of activitiesOf(feed, filter.days, last)) {
      if (!isActivityWanted(filter, activity)) continue
      if (edits.length > 0 && isWithdrawn(timeOf(activity), edits)) continue
      const wanted = slots(activity)
      if (wanted.length > 0) yield { activity, slots: wanted }
    }
  }

  function* picks(order: Order): Generator<Pick> {
    for (const [place, feed] of inOrder(feeds, order).entries()) {
      if (order.sorted || (place + order.turn) % 2 === 0) yield* picksOf(feed)
      else yield* [...picksOf(feed)].toReversed()
    }
  }

  return {
    feeds,
    *feedsWithData(order) {
      for (const feed of inOrder(feeds, order)) {
        if (!asksForMore || picksOf(feed).next().done !== true) yield feed
      }
    },
    picks,
    picksOf,
    *results(order) {
      for (const { activity, slots: wanted } of picks(order)) {
        for (const slot of wanted) yield revised(resultAt(activity, slot, scope.telling), edits)
      }
    },
    count() {
      const tallies = new Map<Feed['provider'], Tally>()
      for (const feed of feeds) {
        const tally = tallies.get(feed.provider) ?? { sites: 0, activities: 0, results: 0 }
        const before = tally.activities
        for (const { slots: wanted } of picksOf(feed)) {
          tally.activities += 1
          tally.results += wanted.length
        }
        if (!asksForMore || tally.activities > before) tally.sites += 1
        if (tally.sites > 0) tallies.set(feed.provider, tally)
      }
      return tallies
    },
  }
}

/** All feeds, from another one on and in another stride with every turn. */
function inOrder(feeds: readonly Feed[], { sorted, turn }: Order): readonly Feed[] {
  if (sorted || feeds.length < 2) return feeds
  const start = (turn * 7919) % feeds.length
  const turned = [...feeds.slice(start), ...feeds.slice(0, start)]
  return turn % 2 === 0 ? turned : turned.toReversed()
}

function isActivityWanted({ media, projects, isActivity }: Filter, activity: Activity): boolean {
  if (media && !media.has(activity.panel.media)) return false
  if (isActivity?.(activity) === false) return false
  return projects === undefined || projects.has(projectOf(activity)?.id ?? '')
}

/** Tells which results of an activity are wanted. The same for all with one panel, and remembered. */
function createSlots({ names, longNames, groups, pcodes, taxa }: Filter): (activity: Activity) => readonly number[] {
  const known = new Map<string, readonly number[]>()
  const isWanted = (characteristic: Characteristic): boolean => {
    const { name, group, pcode, taxon = '' } = characteristic
    return (
      (names?.has(name) ?? true) &&
      (longNames?.has(longNameOf(characteristic)) ?? true) &&
      (groups?.has(group) ?? true) &&
      (pcodes?.has(pcode) ?? true) &&
      (taxa?.has(taxon) ?? true)
    )
  }

  return activity => {
    const { specimen, panelNumber, hasTwin, site } = activity
    const isSurvey = site.organization.provider === 'NWIS'
    // Only the Survey has parameter codes.
    if (pcodes && !isSurvey) return []
    const count = slotsOf(activity)
    const key = `${specimen ? 'specimen' : panelNumber}|${count}|${hasTwin}`
    const remembered = known.get(key)
    if (remembered) return remembered
    const wanted: number[] = []
    for (let slot = 0; slot < count; slot++) {
      if (isWanted(characteristicAt(activity, slot))) wanted.push(slot)
    }
    known.set(key, wanted)
    return wanted
  }
}

/** Whether two days meet what is asked. */
export function daysBetween(first: number | undefined, last: number | undefined): Days | undefined {
  if (first === undefined && last === undefined) return undefined
  return { first: first ?? -Infinity, last: last ?? Infinity }
}

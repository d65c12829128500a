import type { Edit } from '../edits.ts'
import { readParameters } from './legacy/parameters.ts'
import { filterOf } from './legacy/filter-of.ts'
import { readQuery } from './samples/query.ts'
import { LEGACY_SCOPE, SAMPLES_SCOPE, WQX3_SCOPE, type Filter, type Scope } from './select/filter.ts'
import { createSelection, SORTED, type Selection } from './select/selection.ts'
import { newerActivityId, newerResultId, olderActivityId, olderResultId } from './world/identifiers.ts'
import { newerFilterOf } from './wqx3/reading.ts'
import { NEWER_PROVIDER } from './world/organizations.ts'
import type { Result } from './world/results.ts'
import type { World } from './world/world.ts'
import { instantOf } from './world/zones.ts'

/** A question in a service's own parameters; lists as lists. */
export interface WaterQualityQuery {
  readonly service: 'legacy' | 'wqx3' | 'samples'
  readonly query: Readonly<Record<string, string | readonly string[]>>
}

/** One result, and what it means. */
export interface TruthResult {
  /** As the service names it, with its identifiers. */
  readonly provider: string
  readonly site: string
  readonly activity: string
  readonly id: string
  readonly characteristic: string
  /** As written; empty where nothing is. */
  readonly date: string
  readonly time: string
  readonly zone: string
  /** Epoch milliseconds, or `null` where it cannot be known. */
  readonly instant: number | null
  readonly text: string
  readonly condition: string
  readonly limit: string
  /** The number, or `null` where there is none, or it must not count. */
  readonly value: number | null
  readonly censored: 'below' | 'above' | null
}

/** How much there is. */
export interface TruthCounts {
  readonly sites: number
  readonly activities: number
  readonly results: number
}

/** What a correct client must end with. */
export interface WaterQualityTruth {
  readonly waterQuality: {
    /** By provider, organization, site, date, activity and result. One at a time: there may be millions. */
    results(query: WaterQualityQuery): Iterable<TruthResult>
    /** By provider; a provider without rows is absent. */
    counts(query: WaterQualityQuery): Readonly<Record<string, TruthCounts>>
    /** Identifiers of sites, each once, in order. */
    sites(query: WaterQualityQuery): readonly string[]
  }
}

const SCOPES: Readonly<Record<WaterQualityQuery['service'], Scope>> = {
  legacy: LEGACY_SCOPE,
  wqx3: WQX3_SCOPE,
  samples: SAMPLES_SCOPE,
}

/** @param edits - tells what has become of results by the time of asking */
export function createWaterQualityTruth(world: World, edits: () => readonly Edit[]): WaterQualityTruth {
  const select = ({ service, query }: WaterQualityQuery): Selection =>
    createSelection(world, readFilter(service, query), SCOPES[service], edits())
  return {
    waterQuality: {
      *results(query) {
        for (const result of select(query).results(SORTED)) yield tell(result, query.service)
      },
      counts(query) {
        const counts = [...select(query).count()].map(
          ([provider, tally]) => [query.service === 'legacy' ? provider : NEWER_PROVIDER[provider], tally] as const,
        )
        return Object.fromEntries(counts)
      },
      sites: query => [...new Set([...select(query).feedsWithData(SORTED)].map(({ site }) => site.id))].sort(),
    },
  }
}

function readFilter(service: WaterQualityQuery['service'], query: WaterQualityQuery['query']): Filter {
  const pairs = Object.entries(query).flatMap(([name, values]) =>
    [values].flat().map((value): [string, string] => [name, value]),
  )
  if (service === 'samples') return readQuery(new URLSearchParams(pairs))
  return (service === 'wqx3' ? newerFilterOf : filterOf)(readParameters(pairs))
}

function tell(result: Result, service: WaterQualityQuery['service']): TruthResult {
  const { activity, characteristic, text, condition, limit, value, censored } = result
  const { feed, site, date, time, zone } = activity
  const isOlder = service === 'legacy'
  return {
    provider: isOlder ? feed.provider : NEWER_PROVIDER[feed.provider],
    site: site.id,
    activity: isOlder ? olderActivityId(activity) : newerActivityId(activity),
    id: isOlder ? olderResultId(result) : newerResultId(result),
    characteristic: characteristic.name,
    date,
    time,
    zone,
    instant: instantOf(date, time, zone),
    text,
    condition,
    limit,
    value,
    censored,
  }
}

import { ConfigurationError } from '../../errors.ts'
import type { PerSecondLimit, WindowLimit } from '../limits.ts'

/** How many requests each group of paths takes. `null` switches a quota off. A refused request is not counted. */
export interface Quotas {
  /** Water Data and the groundwater network, with a key. @defaultValue 1000 an hour for each key */
  readonly withKey?: WindowLimit | null
  /** The same without a key. @defaultValue 50 an hour in all */
  readonly withoutKey?: WindowLimit | null
  /** Statistics. @defaultValue 4000 an hour */
  readonly statistics?: WindowLimit | null
  /** Walks along the river network. @defaultValue 400 an hour */
  readonly navigations?: WindowLimit | null
  /** Look-ups in the river network. @defaultValue 3600 an hour */
  readonly lookups?: WindowLimit | null
}

/** How the streamflow services behave. */
export interface StreamflowOptions {
  /** How many sites there are: `USGS-01000000` and on. @defaultValue 5000 */
  readonly sites?: number
  /** Identifiers of further sites, each with its agency before a hyphen. They have what the first sites have. @defaultValue none */
  readonly moreSites?: readonly string[]
  readonly quotas?: Quotas
  /** A limit per second besides, for each key. @defaultValue none */
  readonly perSecond?: PerSecondLimit | null
  /** How a spent quota tells when to come back. @defaultValue 'seconds' */
  readonly retryAfter?: 'seconds' | 'date' | null
  /** Keys that are accepted. @defaultValue any, and none at all, too */
  readonly keys?: readonly string[] | null
  /** Largest request, address and body together, bytes. @defaultValue 8200 */
  readonly maxRequestBytes?: number
  /** What a larger one is told. @defaultValue 414 */
  readonly overLong?: 413 | 414 | 403
  /** Most rows on a page, whatever is asked. @defaultValue 50_000 */
  readonly pageCap?: number
  /** Which version of the API the next page is asked of. @defaultValue 'same' */
  readonly nextVersion?: 'same' | 'v0' | 'v1'
  /** What becomes of a span of instants with an open end. @defaultValue 'refuse', when it is longer than 1,100 days so far */
  readonly openWindow?: 'refuse' | 'serve'
  /** Origin in the addresses of rating files. @defaultValue the one that was asked */
  readonly assetOrigin?: string
}

/** Options with nothing left open. */
export type ResolvedStreamflow = Required<Omit<StreamflowOptions, 'quotas' | 'assetOrigin'>> & {
  readonly quotas: Required<Quotas>
  readonly assetOrigin: string | undefined
}

const HOUR_MS = 3_600_000

/**
 * Fills the gaps.
 *
 * @throws ConfigurationError for a site without an agency
 */
export function resolveStreamflow(given: StreamflowOptions): ResolvedStreamflow {
  const stray = given.moreSites?.find(id => !/^[^-]+-./.test(id))
  if (stray !== undefined) {
    throw new ConfigurationError(`a site needs its agency before a hyphen, got '${stray}'`, {
      setting: 'streamflow.moreSites',
      source: 'option',
    })
  }
  return {
    sites: given.sites ?? 5000,
    moreSites: given.moreSites ?? [],
    quotas: {
      withKey: { count: 1000, perMs: HOUR_MS },
      withoutKey: { count: 50, perMs: HOUR_MS },
      statistics: { count: 4000, perMs: HOUR_MS },
      navigations: { count: 400, perMs: HOUR_MS },
      lookups: { count: 3600, perMs: HOUR_MS },
      ...given.quotas,
    },
    perSecond: given.perSecond ?? null,
    retryAfter: given.retryAfter === undefined ? 'seconds' : given.retryAfter,
    keys: given.keys ?? null,
    maxRequestBytes: given.maxRequestBytes ?? 8200,
    overLong: given.overLong ?? 414,
    pageCap: given.pageCap ?? 50_000,
    nextVersion: given.nextVersion ?? 'same',
    openWindow: given.openWindow ?? 'refuse',
    assetOrigin: given.assetOrigin,
  }
}

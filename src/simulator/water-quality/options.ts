import type { WindowLimit } from '../limits.ts'

/** How the water-quality services behave. */
export interface WaterQualityOptions {
  /**
   * Silence before the first byte for each thousand results that match, milliseconds. The older interface spends it on counting,
   * so a request with `counts=no` has none; the others spend it on searching.
   *
   * @defaultValue 0
   */
  readonly silenceMsPerThousand?: number
  /** Silence after which whoever stands in front of the service gives up, milliseconds. @defaultValue 120_000 */
  readonly longestSilenceMs?: number
  /** What the client sees then: a closed connection, or a 504. @defaultValue 'cut' */
  readonly silenceEndsAs?: 'cut' | 'gateway-timeout'
  /** Results above which a query fails with 500 before the first row. @defaultValue none */
  readonly mostResults?: number
  /** Rows above which nothing is sorted, and a warning says so. @defaultValue 20_000_000 */
  readonly rowLimit?: number
  /** Longest path and query, bytes: 414 above. @defaultValue 8192 */
  readonly longestAddress?: number
  /** Most sites in one request to the newer interface: 413 above. @defaultValue 150 */
  readonly mostSites?: number
  /** Whether the newer interface splits lists at semicolons. Nobody has seen it do so, or not. @defaultValue true */
  readonly newerSplitsLists?: boolean
  /** How long the newer interface remembers how a request went, milliseconds. @defaultValue 600_000 */
  readonly statusLifeMs?: number
  /** How much may be asked of the Portal before 429. @defaultValue no limit is known */
  readonly portalLimit?: WindowLimit | null
  /** The same for Samples, for each key and for all without one. @defaultValue no limit: headers of a quota were never seen */
  readonly samplesLimit?: WindowLimit | null
  /** Keys that Samples knows; a request with another is refused. @defaultValue any, and none at all, too */
  readonly samplesKeys?: readonly string[] | null
}

/** Options with nothing left open. */
export type WaterQualitySettings = Required<WaterQualityOptions>

/** Fills the gaps. */
export function resolveWaterQuality(given: WaterQualityOptions): WaterQualitySettings {
  return {
    silenceMsPerThousand: 0,
    longestSilenceMs: 120_000,
    silenceEndsAs: 'cut',
    mostResults: Infinity,
    rowLimit: 20_000_000,
    longestAddress: 8192,
    mostSites: 150,
    newerSplitsLists: true,
    statusLifeMs: 600_000,
    portalLimit: null,
    samplesLimit: null,
    samplesKeys: null,
    ...given,
  }
}

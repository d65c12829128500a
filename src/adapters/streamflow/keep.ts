import type { Answer } from '../../transport/index.ts'
import type { Collection } from './collection.ts'

/** How long answers stay true enough to be used again: what is known of the services, for the cache. */

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS

/** A reading comes every 5 to 15 minutes; what is provisional is revised without notice. */
const RECENT_MS = 5 * MINUTE_MS
/** Approved values do change, but seldom (contract, section 4). */
const SETTLED_MS = 30 * DAY_MS
/** Until then somebody may still add a value for the span. */
const SETTLED_AFTER_MS = 7 * DAY_MS

/** Sites, series, codes, statistics: brought up to date overnight. */
export const KEEP_TABLES_MS: number = DAY_MS
/** Rivers and the land that drains to them. */
export const KEEP_LAND_MS: number = 30 * DAY_MS
/** Rating tables are shifted when a hydrographer has been there. */
export const KEEP_RATINGS_MS: number = 60 * MINUTE_MS

/**
 * Records of a collection. Values are kept for long where every one of them is approved and their span lies behind
 * us; where one is provisional, or nobody can see whether it is, for minutes.
 */
export function keepItemsMs({ name, columns }: Collection): (answer: Answer<unknown>) => number {
  if (name.startsWith('latest-')) return () => RECENT_MS
  if (columns.length > 0 && !columns.includes('approval_status')) return () => KEEP_TABLES_MS
  return ({ piece, content, receivedAt }) => {
    const approved = content.rows.every(row => (row as Item)['approval_status'] === 'Approved')
    if (!approved) return RECENT_MS
    if (piece.span === undefined) return content.rows.length > 0 ? KEEP_TABLES_MS : RECENT_MS
    if (receivedAt - piece.span.end < SETTLED_AFTER_MS) return RECENT_MS
    // Nothing for a span that is over: a record that is late may still come.
    return content.rows.length > 0 ? SETTLED_MS : KEEP_TABLES_MS
  }
}

type Item = Readonly<Record<string, unknown>>

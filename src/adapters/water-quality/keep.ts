import type { Answer } from '../../transport/index.ts'

/** How long answers stay true enough to be used again: what is known of the services, for the cache. */

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** Samples of the last weeks are still being reported, and what is preliminary is revised without notice. */
const RECENT_MS = HOUR_MS
const RECENT_FOR_MS = 30 * DAY_MS
/** Laboratories report after months, and agencies send a season or a year at a time. */
const OPEN_MS = DAY_MS
const OPEN_FOR_MS = 730 * DAY_MS
/** Later than that an agency corrects a record, or sends an old archive: seldom, and a month is as long as we trust. */
const SETTLED_MS = 30 * DAY_MS

/** Sites, projects, summaries and other tables without a span. */
const KEEP_TABLES_MS = DAY_MS
/** Lists of codes grow by a name now and then. */
const KEEP_CODES_MS = 7 * DAY_MS

/**
 * Tables: by how long ago their span ended; those without one for a day. An answer is kept only when nothing says that
 * rows may be missing: it would be found again without the second look that it got when it came.
 */
export function keepTableMs({ piece, content, receivedAt }: Answer<unknown>): number {
  const { verified, announced } = content.source
  if (verified === false || (announced !== undefined && announced !== content.rows.length)) return 0
  if (piece.span === undefined) return content.rows.length > 0 ? KEEP_TABLES_MS : RECENT_MS
  const ago = receivedAt - piece.span.end
  if (ago < RECENT_FOR_MS) return RECENT_MS
  // Nothing for a span that is over: a record that is late may still come.
  return ago < OPEN_FOR_MS || content.rows.length === 0 ? OPEN_MS : SETTLED_MS
}

/** Lists of codes, unless fewer came than the service announced. */
export function keepCodesMs({ content }: Answer<unknown>): number {
  const { announced } = content.source
  return announced === undefined || announced === content.rows.length ? KEEP_CODES_MS : 0
}

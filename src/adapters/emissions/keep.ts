import type { Answer } from '../../transport/index.ts'
import { epochMs } from '../../time.ts'

/** How long answers stay true enough to be used again: what is known of the service, for the cache. */

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS

/** A new value comes every five minutes (contract, section 5.2). */
const RECENT_MS = 5 * MINUTE_MS
/** Values may be revised at any time (contract, section 2). In practice that is soon; a month is as long as we trust. */
const SETTLED_AFTER_MS = 7 * DAY_MS
const SETTLED_MS = 30 * DAY_MS
/** The service asks to look regions up again at least monthly (contract, section 4). */
export const KEEP_REGIONS_MS: number = 7 * DAY_MS
/** What an account may ask for changes with its plan. */
export const KEEP_ACCESS_MS: number = DAY_MS

/** Published values: long once their whole span lies a week back, else until the next one is due. */
export function keepValuesMs({ piece, receivedAt }: Answer<unknown>): number {
  return piece.span && receivedAt - piece.span.end >= SETTLED_AFTER_MS ? SETTLED_MS : RECENT_MS
}

/** Forecasts as they were made: those of days that are over do not change. */
export function keepRunsMs({ piece, receivedAt }: Answer<unknown>): number {
  return piece.span && receivedAt - piece.span.end >= DAY_MS ? SETTLED_MS : RECENT_MS
}

/** The newest forecast: until the next run is due. */
export function keepForecastMs({ content, receivedAt }: Answer<unknown>): number {
  const { generated_at: made, generated_at_period_seconds: period } = content.source
  const at = typeof made === 'string' ? epochMs(made) : Number.NaN
  if (Number.isNaN(at) || typeof period !== 'number') return RECENT_MS
  return Math.max(0, at + period * 1000 - receivedAt)
}

/** What holds now. */
export function keepPresentMs(): number {
  return RECENT_MS
}

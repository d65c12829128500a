import type { Random } from '../clock.ts'

/** How long to wait between repeats. */
export interface BackoffOptions {
  /** Ceiling of the first wait, milliseconds; doubles with each repeat. @defaultValue 500 */
  readonly baseDelayMs?: number | undefined
  /** Ceiling that no wait passes, milliseconds. @defaultValue 30_000 */
  readonly maxDelayMs?: number | undefined
}

export type Backoff = { readonly [Option in keyof BackoffOptions]-?: number }

/** Always added to a wait that a service names, so that many clients do not come back at one instant. */
export const SERVER_WAIT_JITTER_MS = 1_000

/**
 * A wait with full jitter: anything from nothing to the ceiling, so that clients that failed together do not
 * come back together.
 *
 * @param retry - which repeat it precedes, from 1
 */
export function backoffMs(retry: number, { baseDelayMs, maxDelayMs }: Backoff, random: Random): number {
  return random() * Math.min(maxDelayMs, baseDelayMs * 2 ** (retry - 1))
}

import type { Fault } from './fault.ts'
import type { Limits } from './limits.ts'

/** Faults and limits that belong together. */
export interface Preset {
  readonly faults: readonly Fault[]
  readonly limits: Limits
}

const DAY_MS = 86_400_000

/**
 * The month that would not load: spans above 15 days never get an answer, one request in twenty fails at first, the token
 * dies once on the way, and more than ten requests a second are too many.
 */
export function slowMonth(): Preset {
  return {
    faults: [
      { when: { spanOverMs: 15 * DAY_MS }, do: { type: 'hang' } },
      // The first from the 20th on that is no hang: a request that hangs would keep the news to itself.
      {
        when: { spanUpToMs: 15 * DAY_MS, nth: Array.from({ length: 100 }, (_, index) => 20 + index), upTo: 1 },
        do: { type: 'expireToken' },
      },
      { when: { attempts: 1, probability: 0.05 }, do: { type: 'status', status: 503 } },
    ],
    limits: { perSecond: { count: 10, retryAfter: 1 } },
  }
}

/** Presets by the name they have on the command line. */
export const PRESETS: Readonly<Record<string, () => Preset>> = Object.freeze({ 'slow-month': slowMonth })

import { systemClock } from '../../src/clock.ts'
import type { PullSettings } from '../../src/pull/index.ts'

/** Clients of a simulator, quick to repeat, with gates of their own. */
export function settingsFor({ url }: { readonly url: string }): PullSettings {
  const quick = {
    connectTimeoutMs: 10_000,
    readTimeoutMs: 10_000,
    stallMs: 60_000,
    backoff: { baseDelayMs: 5, maxDelayMs: 20 },
    retryAfterCapMs: 2_000,
    random: () => 0.5,
    rate: null,
    env: {},
    clock: { ...systemClock },
  }
  return {
    emissions: { ...quick, username: 'demo', password: 'demo-pass-1!', baseUrl: url },
    streamflow: { ...quick, baseUrl: url, waterUrl: url, streamStatsUrl: url },
    'water-quality': { ...quick, baseUrl: url, samplesUrl: url },
  }
}

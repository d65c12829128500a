import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { systemClock } from '../../src/clock.ts'
import { createStreamflow, type StreamflowClient, type StreamflowOptions } from '../../src/adapters/streamflow/index.ts'
import {
  startSimulator,
  type Simulator,
  type SimulatorOptions,
  type SimulatorRequest,
} from '../../src/simulator/index.ts'

/** Short waits between repeats, and time-outs that no slow machine reaches. */
export const STEADY: StreamflowOptions = {
  connectTimeoutMs: 30_000,
  readTimeoutMs: 30_000,
  stallMs: 60_000,
  backoff: { baseDelayMs: 5, maxDelayMs: 20 },
  retryAfterCapMs: 2_000,
  random: () => 0.5,
}

/** Most tests ask more often than somebody without a key may. */
export const NO_QUOTAS = {
  quotas: { withKey: null, withoutKey: null, statistics: null, navigations: null, lookups: null },
} as const

/** A simulator of the services, without quotas unless told otherwise, that ends with the test. */
export async function simulateWater(options: SimulatorOptions = {}): Promise<Simulator> {
  const simulator = await startSimulator({ ...options, streamflow: { ...NO_QUOTAS, ...options.streamflow } })
  onTestFinished(() => simulator.close())
  return simulator
}

/** A client of one server for all services, with a clock of its own, so that it shares no gate with another test. */
export function waterClient({ url }: { readonly url: string }, options: StreamflowOptions = {}): StreamflowClient {
  return createStreamflow({
    baseUrl: url,
    waterUrl: url,
    streamStatsUrl: url,
    env: {},
    clock: { ...systemClock },
    ...STEADY,
    ...options,
  })
}

/** Path and query of requests, as sent. */
export function targets({ requests }: { readonly requests: readonly SimulatorRequest[] }): string[] {
  return requests.map(({ path, search }) => path + search)
}

/** The first of `count` sites of the simulator, in order. */
export function siteIds(count: number): string[] {
  return Array.from({ length: count }, (_, n) => `USGS-${String(1_000_000 + n).padStart(8, '0')}`)
}

/** A body kept in `fixtures/streamflow`, as it came. */
export function streamflowBody(name: string): string {
  return readFileSync(join(import.meta.dirname, '../../fixtures/streamflow', name), 'utf8')
}

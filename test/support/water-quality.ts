import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { systemClock } from '../../src/clock.ts'
import {
  createWaterQuality,
  type WaterQualityClient,
  type WaterQualityOptions,
} from '../../src/adapters/water-quality/index.ts'
import {
  startSimulator,
  type Simulator,
  type SimulatorOptions,
  type SimulatorRequest,
  type TruthResult,
  type WaterQualityQuery,
} from '../../src/simulator/index.ts'

/** Short waits between repeats, time-outs that no slow machine reaches, and no pace but the machine's own. */
export const STEADY: WaterQualityOptions = {
  connectTimeoutMs: 30_000,
  readTimeoutMs: 30_000,
  stallMs: 60_000,
  backoff: { baseDelayMs: 5, maxDelayMs: 20 },
  retryAfterCapMs: 2_000,
  rate: null,
  random: () => 0.5,
}

/** A simulator of the services that ends with the test. */
export async function simulateQuality(options: SimulatorOptions = {}): Promise<Simulator> {
  const simulator = await startSimulator(options)
  onTestFinished(() => simulator.close())
  return simulator
}

/** A client of one server for both services, with a clock of its own, so that it shares no gate with another test. */
export function qualityClient(
  { url }: { readonly url: string },
  options: WaterQualityOptions = {},
): WaterQualityClient {
  return createWaterQuality({
    baseUrl: url,
    samplesUrl: url,
    env: {},
    clock: { ...systemClock },
    ...STEADY,
    ...options,
  })
}

/** Path and query of requests, as sent, decoded. */
export function targets({ requests }: { readonly requests: readonly SimulatorRequest[] }): string[] {
  return requests.map(({ path, search }) => path + decodeURIComponent(search))
}

/** Two sites and a year: some fifty results. */
export const SITES = ['USGS-05510007', 'WIDNR_WQX-10001'] as const
export const YEAR = { start: '2022-01-01', end: '2022-12-31' } as const

/** What the simulator holds for a question, by identifier. */
export function truthOf(simulator: Simulator, question: WaterQualityQuery): Map<string, TruthResult> {
  return new Map([...simulator.truth.waterQuality.results(question)].map(result => [result.id, result]))
}

/** A body kept in `fixtures/water-quality`, as it came. */
export function qualityBody(name: string): string {
  return readFileSync(join(import.meta.dirname, '../../fixtures/water-quality', name), 'utf8')
}

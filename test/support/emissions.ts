import { createEmissions, type EmissionsClient, type EmissionsOptions } from '../../src/adapters/emissions/index.ts'
import { startSimulator, type Simulator, type SimulatorOptions } from '../../src/simulator/index.ts'
import type { RetrievalEvent } from '../../src/index.ts'
import { onTestFinished } from 'vitest'

/** Short limits, so that a suite of slow services is quick: the conventions of the field cases. */
export const SHORT: EmissionsOptions = {
  readTimeoutMs: 300,
  connectTimeoutMs: 300,
  backoff: { baseDelayMs: 10, maxDelayMs: 100 },
  retryAfterCapMs: 2_000,
  stallMs: 300,
  rate: null,
  random: () => 0.5,
}

/** A simulator that ends with the test. */
export async function simulate(options: SimulatorOptions = {}): Promise<Simulator> {
  const simulator = await startSimulator(options)
  onTestFinished(() => simulator.close())
  return simulator
}

/** A client of a simulator with short limits. */
export function clientOf(simulator: Pick<Simulator, 'url'>, options: EmissionsOptions = {}): EmissionsClient {
  return createEmissions({
    username: 'demo',
    password: 'demo-pass-1!',
    baseUrl: simulator.url,
    env: {},
    ...SHORT,
    ...options,
  })
}

/** Events of a call, as they come. */
export function listen(): { readonly events: RetrievalEvent[]; readonly onEvent: (event: RetrievalEvent) => void } {
  const events: RetrievalEvent[] = []
  return { events, onEvent: event => events.push(event) }
}

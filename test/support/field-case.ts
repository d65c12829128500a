import { onTestFinished } from 'vitest'
import { systemClock } from '../../src/clock.ts'
import type { EmissionsClient, EmissionsOptions } from '../../src/adapters/emissions/index.ts'
import type { Simulator, SimulatorOptions, SimulatorRequest } from '../../src/simulator/index.ts'
import { seen } from '../tooling/leaks.ts'
import { TEST_PASSWORD, TEST_USERNAME } from '../tooling/secrets.ts'
import { clientOf, simulate } from './emissions.ts'

export const MINUTE_MS = 60_000
export const HOUR_MS = 60 * MINUTE_MS
export const DAY_MS = 24 * HOUR_MS
export const STEP_MS = 5 * MINUTE_MS

/** The one region of the field cases. */
export const REGION = 'CAISO_NORTH'

/** The two months that most field cases ask for: two chunks of 30 days, the second with one instant more. */
export const TWO_MONTHS = { region: REGION, start: '2024-01-01T00:00Z', end: '2024-03-01T00:00Z' } as const

/** Limits that no slow machine reaches, for tests whose subject is not time. */
export const PATIENT: EmissionsOptions = { connectTimeoutMs: 30_000, readTimeoutMs: 30_000, stallMs: 60_000 }

/** A simulator whose only account is the one that is searched for in everything shown. */
export async function simulateCase(options: SimulatorOptions = {}): Promise<Simulator> {
  const simulator = await simulate({
    accounts: [{ username: TEST_USERNAME, password: TEST_PASSWORD, plan: 'pro' }],
    ...options,
  })
  onTestFinished(() => void seen('simulator', simulator.requests))
  return simulator
}

/** A client with short limits and a clock of its own, so that it shares no gate with another test. */
export function clientFor(server: { readonly url: string }, options: EmissionsOptions = {}): EmissionsClient {
  return clientOf(server, { username: TEST_USERNAME, password: TEST_PASSWORD, clock: { ...systemClock }, ...options })
}

/** Requests for data, in order of arrival. */
export function dataRequests({ requests }: Pick<Simulator, 'requests'>): SimulatorRequest[] {
  return requests.filter(request => !request.isAccount)
}

/** Requests that the simulator will never answer and that are still open. */
export function hung({ requests }: Pick<Simulator, 'requests'>): number {
  return requests.filter(request => request.status === 'hung' && request.endedAt === undefined).length
}

/** Requests that are open, for whatever reason. */
export function open({ requests }: Pick<Simulator, 'requests'>): number {
  return requests.filter(request => request.endedAt === undefined).length
}

/** `start` and `end` as they were asked for, in time order, without those that got no answer. */
export function answeredSpans(
  simulator: Pick<Simulator, 'requests'>,
): { readonly start: number; readonly end: number }[] {
  const answered = dataRequests(simulator).filter(request => request.status === 200)
  return answered.map(spanOf).sort((a, b) => a.start - b.start)
}

/** The span that a request asked for, epoch milliseconds. */
export function spanOf({ query }: Pick<SimulatorRequest, 'query'>): { readonly start: number; readonly end: number } {
  return { start: Date.parse(query['start'] ?? ''), end: Date.parse(query['end'] ?? '') }
}

/** Rows in the form in which the simulator states the truth. */
export function asTruth(
  rows: Iterable<{ readonly point_time: Date; readonly value: number | null }>,
): { point_time: number; value: number | null }[] {
  return [...rows].map(({ point_time, value }) => ({ point_time: point_time.getTime(), value }))
}

/** Waits, on the machine's clock, until something holds that somebody else brings about. */
export async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise(resolve => setTimeout(resolve, 2))
}

/** The error that a promise ends in. */
export async function errorOf(promise: Promise<unknown>): Promise<unknown> {
  try {
    await promise
  } catch (thrown) {
    return thrown
  }
  throw new Error('it was expected to fail, and did not')
}

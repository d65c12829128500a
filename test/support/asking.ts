import { setImmediate, setTimeout } from 'node:timers/promises'
import type { Random } from '../../src/clock.ts'
import type { CallOptions } from '../../src/transport/call.ts'
import type { TransportOptions } from '../../src/transport/options.ts'
import { perform } from '../../src/transport/request.ts'
import type { Endpoint, RequestEnd, RequestSpec } from '../../src/transport/request-spec.ts'
import { createManualClock, type ManualClock } from './clocks.ts'
import { watchWire } from './drive.ts'
import { endpointOf, serve, type Answering, type ToyServer } from './toy-service.ts'
import { callOf, type TestCall } from './transport.ts'

/** One toy service on a manual clock, and requests to it one at a time. */
export interface ToyAsking {
  readonly clock: ManualClock
  readonly server: ToyServer
  readonly endpoint: Endpoint
  /** Makes a call, does not begin the request yet. */
  call(options?: TransportOptions, call?: CallOptions, random?: Random): TestCall
  /** Sends one request of a call and moves the clock on until it has ended. */
  perform(one: TestCall, spec?: Partial<RequestSpec<unknown>>): Promise<RequestEnd<unknown>>
  /** What `perform` drives, for requests that go on at the same time. */
  begin(one: TestCall, spec?: Partial<RequestSpec<unknown>>): Promise<RequestEnd<unknown>>
}

/** Waits as they are in life: no test waits for them. */
const WAITS: TransportOptions = { backoff: { baseDelayMs: 1000, maxDelayMs: 30_000 }, stallMs: 0 }

export async function askToy(answer: Answering, more: Partial<Endpoint> = {}): Promise<ToyAsking> {
  const clock = createManualClock()
  const server = await serve(answer)
  const endpoint = endpointOf(server.url, clock, more)
  const begin = (one: TestCall, spec: Partial<RequestSpec<unknown>> = {}): Promise<RequestEnd<unknown>> =>
    perform(endpoint, { method: 'GET', url: `${server.url}/a`, read: reply => reply.json(), ...spec }, one.call)
  return {
    clock,
    server,
    endpoint,
    begin,
    call: (options = {}, call = {}, random = () => 0.5) =>
      callOf({ clock, random, call, options: { ...WAITS, ...options } }),
    perform: (one, spec) => carry(clock, () => begin(one, spec)),
  }
}

/**
 * Moves a clock on until some work is done. It stands still while bytes are under way, and until everything that
 * happens without waiting has happened: the repeats of the library go through a timer of no length.
 *
 * @param held - requests that the server keeps without an answer until the clock moves
 */
export async function carry<T>(clock: ManualClock, work: () => Promise<T>, held: () => number = () => 0): Promise<T> {
  const wire = watchWire()
  let over = false
  const result = work().finally(() => (over = true))
  result.catch(() => {})
  while (!over) {
    await settle()
    if (!over && wire.inFlight <= held() && clock.timers > 0) await clock.advance(100)
  }
  return result
}

async function settle(): Promise<void> {
  for (let turn = 0; turn < 4; turn++) await setImmediate()
  await setTimeout(1)
  for (let turn = 0; turn < 4; turn++) await setImmediate()
}

/** The error of a request that failed. */
export function errorIn(end: RequestEnd<unknown>) {
  if (end.ok) throw new Error('it was expected to fail')
  return end.error
}

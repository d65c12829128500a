import type { RetrievalEvent } from '../../src/index.ts'
import type { TransportOptions } from '../../src/transport/index.ts'
import { createManualClock } from './clocks.ts'
import { drive } from './drive.ts'
import { listen } from './emissions.ts'
import { features, page } from './feature-pages.ts'
import { createPaged, type PagedOptions } from './page-adapter.ts'
import { answer, startScripted, type Script } from './scripted-server.ts'

/** The defaults of the transport, which this design's numbers are. */
export const DEFAULTS: TransportOptions = {
  retries: 4,
  stallMs: 60_000,
  connectTimeoutMs: 10_000,
  readTimeoutMs: 60_000,
  retryAfterCapMs: 60_000,
  backoff: { baseDelayMs: 500, maxDelayMs: 30_000 },
}

export const whole: Script = visit => answer(visit, { body: page(features(1, 3)) })
export const silent: Script = () => {}
export const says =
  (status: number, headers: Readonly<Record<string, string>> = {}): Script =>
  visit =>
    answer(visit, { status, headers })

/** A call on a clock that stands still while bytes are under way, with the design's own numbers. */
export async function ask(script: Script, options: PagedOptions = {}) {
  const clock = createManualClock()
  const server = await startScripted(script, clock)
  const { events, onEvent } = listen()
  const client = createPaged(server, { ...DEFAULTS, clock, ...options })
  const call = (): Promise<unknown> => client.getItems({}, { onEvent }).catch((error: unknown) => error)
  const end = await drive(clock, call, { held: () => server.open, stepMs: 100 })
  const only = <Type extends RetrievalEvent['type']>(type: Type): Extract<RetrievalEvent, { type: Type }>[] =>
    events.filter((event): event is Extract<RetrievalEvent, { type: typeof type }> => event.type === type)
  return { end, only, elapsedMs: clock.monotonic(), arrivals: server.arrivals, hits: server.arrivals.length }
}

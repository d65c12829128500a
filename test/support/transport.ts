import { getEventListeners } from 'node:events'
import { systemClock, type Clock, type Random } from '../../src/clock.ts'
import { beginCall, type Call, type CallOptions } from '../../src/transport/call.ts'
import type { RetrievalEvent } from '../../src/transport/events.ts'
import type { ResolvedOptions, TransportOptions } from '../../src/transport/options.ts'
import { resolveSettings } from '../../src/transport/settings.ts'

/** Transport options with every gap filled, as the resolver fills them. */
export function optionsOf(options: TransportOptions = {}): ResolvedOptions {
  return resolveSettings([{ source: 'test', values: { ...options } }]).options
}

/** Short waits for calls on the machine's own clock; time-outs are long, so that a busy machine meets none. */
export const QUICK: TransportOptions = { backoff: { baseDelayMs: 1, maxDelayMs: 2 }, rate: null, proxy: 'none' }

export interface TestCall {
  readonly call: Call
  readonly events: RetrievalEvent[]
  /** Events of one kind. */
  only<Type extends RetrievalEvent['type']>(type: Type): Extract<RetrievalEvent, { type: Type }>[]
}

/** A call under way, with what it said. */
export function callOf(
  given: { options?: TransportOptions; call?: CallOptions; clock?: Clock; random?: Random; operation?: string } = {},
): TestCall {
  const { options = {}, call = {}, clock = systemClock, random = () => 0.5, operation = 'getSeries' } = given
  const events: RetrievalEvent[] = []
  const onEvent = (event: RetrievalEvent): void => {
    events.push(event)
    call.onEvent?.(event)
  }
  return {
    call: beginCall({
      service: 'toy',
      operation,
      options: optionsOf({ ...QUICK, ...options }),
      call: { ...call, onEvent },
      priority: 'interactive',
      clock,
      random,
    }),
    events,
    only: type =>
      events.filter((event): event is Extract<RetrievalEvent, { type: typeof type }> => event.type === type),
  }
}

/** How many listeners a signal has. */
export function listenersOn(signal: AbortSignal): number {
  return getEventListeners(signal, 'abort').length
}

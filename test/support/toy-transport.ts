import { systemClock } from '../../src/clock.ts'
import type { CallOptions } from '../../src/transport/call.ts'
import type { RetrievalEvent } from '../../src/transport/events.ts'
import type { TransportOptions } from '../../src/transport/options.ts'
import { createTransport, type Question, type Transport, type TransportSetup } from '../../src/transport/transport.ts'
import { TOY_POLICY, plainly, serve, toyOperation, type Answering, type ToyRow, type ToyServer } from './toy-service.ts'
import { QUICK, optionsOf } from './transport.ts'

/** One toy service with a transport of its own. */
export interface Toy {
  readonly server: ToyServer
  readonly transport: Transport
  readonly events: RetrievalEvent[]
  readonly onEvent: (event: RetrievalEvent) => void
  question(more?: Partial<Question<ToyRow>>): Question<ToyRow>
  /** Runs a query to its end. */
  rows(call?: CallOptions, more?: Partial<Question<ToyRow>>): Promise<ToyRow[]>
}

export async function toyTransport(
  answer: Answering = plainly,
  options: TransportOptions = {},
  setup: Partial<TransportSetup> = {},
): Promise<Toy> {
  const server = await serve(answer)
  // A clock of its own, so that it shares no gate with another test.
  const clock = { ...systemClock }
  const transport = createTransport({
    service: 'toy',
    baseUrl: new URL(server.url),
    policy: TOY_POLICY,
    clock,
    random: () => 0.5,
    optionsFor: call => optionsOf({ ...QUICK, ...options, ...call }),
    ...setup,
  })
  const events: RetrievalEvent[] = []
  const onEvent = (event: RetrievalEvent): void => void events.push(event)
  const question = (more: Partial<Question<ToyRow>> = {}): Question<ToyRow> => ({
    operation: 'getSeries',
    series: 'a',
    facts: toyOperation(server.url),
    todo: [{ span: { start: 0, end: 390 }, depth: 0 }],
    priority: 'interactive',
    streaming: false,
    ...more,
  })
  return {
    server,
    transport,
    events,
    onEvent,
    question,
    async rows(call = {}, more = {}) {
      const rows: ToyRow[] = []
      for await (const batch of transport.retrieve(question(more), { onEvent, ...call }).batches())
        rows.push(...batch.rows)
      return rows
    },
  }
}

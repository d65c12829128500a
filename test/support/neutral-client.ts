import { systemClock, type Clock, type Random } from '../../src/clock.ts'
import { collect, type AnyRow, type Retrieval } from '../../src/retrieval/index.ts'
import {
  createTransport,
  resolveSettings,
  type CallOptions,
  type ServicePolicy,
  type TransportOptions,
} from '../../src/transport/index.ts'
import { toyOperation, type ToyRow } from './toy-service.ts'

export interface NeutralOptions extends TransportOptions {
  readonly policy: ServicePolicy
  readonly clock?: Clock | undefined
  readonly random?: Random | undefined
}

export interface NeutralClient {
  /** A series from `start` to `end`, both included; chunks of 100. */
  getSeries(start: number, end: number, call?: CallOptions): Promise<Retrieval<AnyRow & ToyRow>>
  /** One request without a span. */
  send(method: 'GET' | 'POST', idempotent: boolean, call?: CallOptions): Promise<unknown>
}

/** A client of the toy service, for which only the meanings of statuses are known. */
export function createNeutral({ url }: { readonly url: string }, given: NeutralOptions): NeutralClient {
  const { policy, clock = { ...systemClock }, random = () => 0.5, ...options } = given
  const transport = createTransport({
    service: 'neutral',
    baseUrl: new URL(url),
    policy,
    clock,
    random,
    optionsFor: call =>
      resolveSettings([
        { source: 'call option', values: { ...call } },
        { source: 'client option', values: { rate: null, proxy: 'none', ...options } },
      ]).options,
  })
  return {
    getSeries: (start, end, call = {}) =>
      collect({
        transport,
        question: {
          operation: 'getSeries',
          series: '',
          facts: toyOperation(url) as never,
          todo: [{ span: { start, end }, depth: 0 }],
          priority: 'interactive',
          streaming: false,
        },
        call,
        query: {},
        columns: () => [],
      }),
    send: async (method, idempotent, call = {}) => {
      const spec = { method, url: `${url}/thing`, idempotent, body: method === 'POST' ? '{}' : '' }
      const { body, ...rest } = spec
      const sent = { ...rest, ...(body === '' ? {} : { body }), read: (reply: { json(): unknown }) => reply.json() }
      return (await transport.ask('send', sent, call)).value
    },
  }
}

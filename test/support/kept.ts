import { systemClock } from '../../src/clock.ts'
import { keyCredential } from '../../src/transport/credential.ts'
import { createTransport, type Transport } from '../../src/transport/transport.ts'
import type { CallOptions } from '../../src/transport/call.ts'
import type { Operation } from '../../src/transport/operation.ts'
import type { ResponseMeta } from '../../src/transport/meta.ts'
import { plainly, serve, TOY_POLICY, toyOperation, type Answering, type ToyRow, type ToyServer } from './toy-service.ts'
import { optionsOf, QUICK } from './transport.ts'
import { tempFolder } from '../tooling/temp-folder.ts'

export const LONG_MS = 86_400_000

/** A server whose answers may be kept, and processes that ask it: each has a transport of its own. */
export async function kept(
  answer: Answering = plainly,
  facts: Partial<Operation<ToyRow>> | ((plain: Operation<ToyRow>) => Partial<Operation<ToyRow>>) = {},
) {
  const server = await serve(answer)
  const dir = tempFolder()
  const plain = toyOperation(server.url)
  const operation = { ...plain, keepMs: () => LONG_MS, ...(typeof facts === 'function' ? facts(plain) : facts) }
  let ahead = 0
  const clock = () => ({ ...systemClock, now: () => systemClock.now() + ahead })
  const process = (key?: string): Transport =>
    createTransport({
      service: 'toy',
      baseUrl: new URL(server.url),
      policy: TOY_POLICY,
      clock: clock(),
      random: () => 0.5,
      ...(key === undefined ? {} : { credential: () => keyCredential('x-key', key, `account of ${key}`) }),
      optionsFor: call => optionsOf({ ...QUICK, cache: dir, ...call }),
    })
  return {
    server,
    dir,
    operation,
    later: (ms: number) => void (ahead += ms),
    /** A new process asks. */
    ask: (span: [number, number], call: CallOptions = {}, key?: string) => ask(process(key), operation, span, call),
  }
}

async function ask(transport: Transport, facts: Operation<ToyRow>, [start, end]: [number, number], call: CallOptions) {
  const running = transport.retrieve(
    {
      operation: 'getSeries',
      series: 'a',
      facts,
      todo: [{ span: { start, end }, depth: 0 }],
      priority: 'interactive',
      streaming: false,
    },
    call,
  )
  const rows: ToyRow[] = []
  const meta: ResponseMeta[] = []
  for await (const batch of running.batches()) {
    rows.push(...batch.rows)
    meta.push(batch.meta)
  }
  return { rows, meta, failures: running.failures.map(({ kind, message }) => ({ kind, message })) }
}

/** Spans that were asked for since it was last called. */
export function since(server: ToyServer): () => [number, number][] {
  let seen = 0
  return () => {
    const all = server.spans()
    const fresh = all.slice(seen)
    seen = all.length
    return fresh
  }
}

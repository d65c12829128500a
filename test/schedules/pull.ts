import { sleep } from '../../src/clock.ts'
import type { AnyRow, Checkpoint, ResponseMeta, Retrieval } from '../../src/index.ts'
import { callOptions, type CallPlan } from './call-plan.ts'
import type { Puller } from './world.ts'

/** What a consumer of batches holds in its hands. */
export interface Held {
  readonly rows: AnyRow[]
  readonly meta: ResponseMeta[]
  /** Of the newest batch: where to go on. */
  checkpoint?: Checkpoint
}

/** How a pull ended. */
export type PullEnd =
  | { readonly how: 'returned'; readonly result: Retrieval }
  | { readonly how: 'streamed' }
  /** The consumer had enough. */
  | { readonly how: 'left' }
  | { readonly how: 'threw'; readonly thrown: unknown }

/** Asks as planned, and takes what comes as planned. */
export async function pull(
  puller: Puller,
  plan: CallPlan,
  signal: AbortSignal,
): Promise<{ readonly held: Held; readonly end: PullEnd }> {
  const held: Held = { rows: [], meta: [] }
  const call = callOptions(plan, signal)
  try {
    if (plan.how === 'get') return { held, end: { how: 'returned', result: await puller.get(call) } }
    return { held, end: { how: await consume(puller, plan, call, held) } }
  } catch (thrown) {
    return { held, end: { how: 'threw', thrown } }
  }
}

async function consume(
  puller: Puller,
  plan: CallPlan,
  call: ReturnType<typeof callOptions>,
  held: Held,
): Promise<'streamed' | 'left'> {
  let batches = 0
  for await (const { rows, meta, checkpoint } of puller.stream(call)) {
    // One by one: a batch may have more rows than a call may have arguments.
    for (const row of rows) held.rows.push(row)
    held.meta.push(...meta)
    held.checkpoint = checkpoint()
    batches += 1
    if (batches === plan.leaveAfter) return 'left'
    if (plan.consumerMs > 0) await sleep(puller.clock, plan.consumerMs)
  }
  return 'streamed'
}

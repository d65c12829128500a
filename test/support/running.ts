import type { Batch } from '../../src/transport/chunk.ts'
import type { CallOptions } from '../../src/transport/call.ts'
import type { Operation } from '../../src/transport/operation.ts'
import type { TransportOptions } from '../../src/transport/options.ts'
import type { Piece } from '../../src/transport/piece.ts'
import { runPieces, type Running } from '../../src/transport/run-pieces.ts'
import type { Run } from '../../src/transport/run-state.ts'
import { createSpanLessons } from '../../src/transport/span-lessons.ts'
import { endpointOf, serve, toyOperation, type Answering, type ToyRow, type ToyServer } from './toy-service.ts'
import { callOf, type TestCall } from './transport.ts'

/** How a run is made; what is left out is as plain as can be. */
export interface RunSetup {
  /** One span, or pieces. */
  readonly todo?: readonly [start: number, end: number] | readonly Piece[]
  readonly options?: TransportOptions
  readonly call?: CallOptions
  readonly operation?: Partial<Operation<ToyRow>>
  readonly run?: Partial<Run<ToyRow>>
}

export interface ToyRun extends TestCall {
  readonly server: ToyServer
  readonly running: Running<ToyRow>
}

/** A run that has not begun, of chunks of a hundred milliseconds, one value every ten. */
export async function runOf(
  answer: Answering,
  { todo = [0, 390], options = {}, call = {}, operation = {}, run = {} }: RunSetup = {},
): Promise<ToyRun> {
  const server = await serve(answer)
  const one = callOf({ options, call })
  const pieces = isSpan(todo) ? [{ span: { start: todo[0], end: todo[1] }, depth: 0 }] : todo
  const running = runPieces({
    endpoint: endpointOf(server.url),
    operation: toyOperation(server.url, operation),
    call: one.call,
    todo: pieces,
    chunkMs: 100,
    lessons: createSpanLessons(),
    pin: undefined,
    window: Number.POSITIVE_INFINITY,
    maxRows: Number.POSITIVE_INFINITY,
    onFailure: 'stop',
    ...run,
  })
  return { ...one, server, running }
}

function isSpan(todo: readonly unknown[]): todo is readonly [number, number] {
  return typeof todo[0] === 'number'
}

/** All batches of a run. */
export async function all({ running }: Pick<ToyRun, 'running'>): Promise<Batch<ToyRow>[]> {
  const batches: Batch<ToyRow>[] = []
  for await (const batch of running.batches()) batches.push(batch)
  return batches
}

export const rowsIn = (batches: readonly Batch<ToyRow>[]): ToyRow[] => batches.flatMap(({ rows }) => rows)
export const metaIn = (batches: readonly Batch<ToyRow>[]) => batches.map(({ meta }) => meta)
/** Spans of pieces, as pairs; a walk that has begun has its cursor's page behind it. */
export const spansIn = (pieces: readonly Piece[]): unknown[] =>
  pieces.map(({ span, page }) => [span?.start, span?.end, ...(page === undefined ? [] : [page])])

/** A gate for answers: whoever waits goes on when it is opened. */
export function barrier(): { readonly passed: Promise<void>; open(): void } {
  let open = (): void => {}
  const passed = new Promise<void>(resolve => (open = resolve))
  return { passed, open: () => open() }
}

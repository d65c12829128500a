import type { RequestError } from '../errors.ts'
import type { Batch, Chunk, Stretch } from './chunk.ts'
import { createChunkWorker } from './chunk-worker.ts'
import { createLimiter } from './limiter.ts'
import type { Piece } from './piece.ts'
import { createRunState, type Run } from './run-state.ts'

/** A run under way: batches in the order of the plan, and at any time what is missing. */
export interface Running<Row> {
  /** Looks up what is kept. Returns what is to be done, the kept pieces marked. */
  lookUp(): Promise<readonly Piece[]>
  /** Hands on batches in order. Ends when all is received, or when a failure stopped it: see `failures`. */
  batches(): AsyncGenerator<Batch<Row>, void, void>
  /** Final failures, by chunk. */
  readonly failures: readonly RequestError[]
  /** Rows received in front, without a hole. */
  readonly inFront: number
  /** Received but not handed on, in order. */
  undelivered(): Batch<Row>[]
  /** What has not been received. */
  left(): Piece[]
  /** What lies behind a batch, received or not: where somebody who kept it goes on. */
  leftAfter(batch: Batch<Row>): Piece[]
  /** What was received, and between it what was not, in the order of the plan. */
  account(received: readonly Batch<Row>[]): Stretch<Row>[]
  readonly pin: string | undefined
}

/** The chunk in the consumer's hands, and the one that comes next. */
const SMALLEST_WINDOW = 2

/**
 * Runs the pieces of a query: so many at a time, all handed on in the order of the plan whatever order they arrive in.
 * The first final failure stops the rest. If that is that no more requests may be sent, those that were are awaited.
 */
export function runPieces<Row>(run: Run<Row>): Running<Row> {
  const { call, maxRows } = run
  const state = createRunState(run)
  const { chunks, redo, pins, bell, hold } = state
  const work = createChunkWorker(state)
  const limiter = createLimiter(call.options.concurrency)
  /** The first chunk that has not been handed on whole. */
  let head = 0
  /** Chunks that may be started and not handed on whole. What waits for a slow consumer grows old in memory. */
  let window = run.window

  /** Starts as many chunks as may be under way. */
  const fill = (): void => {
    while (!state.ending && !state.enough() && limiter.pending < call.options.concurrency) {
      const chunk = redo.shift() ?? (chunks.length - head < window ? state.next() : undefined)
      if (chunk === undefined) return
      void limiter.run(() => work(chunk)).then(bell.ring)
    }
  }

  const idle = (): boolean => limiter.pending === 0
  const finished = (): boolean => idle() && (state.ending || state.enough() || (state.exhausted && redo.length === 0))

  /** Nothing may be handed on while a chunk that was asked without a pin may still have to be asked again. */
  const settled = (): boolean => pins.value === undefined || !chunks.some(chunk => chunk.unpinned)

  async function* batches(): AsyncGenerator<Batch<Row>, void, void> {
    let given = 0
    try {
      await state.lookUp()
      fill()
      while (true) {
        const over = finished()
        while (!hold || over) {
          const batch = over || settled() ? nextBatch() : undefined
          if (batch === undefined) break
          if (!over) fill()
          const kept = atMost(batch, maxRows - given)
          given += kept.rows.length
          yield kept
          bell.ring()
          if (given >= maxRows) return
          // Everything was there before it was wanted: fewer chunks ahead will do.
          if (idle() && window > SMALLEST_WINDOW) window -= 1
        }
        if (state.broken) throw state.broken.thrown
        if (over) return
        fill()
        if (finished()) continue
        await bell.next()
        window = Math.min(run.window, window * 2)
      }
    } finally {
      state.stop()
      while (!idle()) await bell.next()
      await run.keeper?.close()
    }
  }

  /** The next batch in the order of the plan, if it has been received. */
  const nextBatch = (): Batch<Row> | undefined => {
    for (let chunk = chunks[head]; chunk !== undefined; chunk = chunks[head]) {
      const batch = chunk.batches.shift()
      if (batch) {
        chunk.delivered = true
        return batch
      }
      if (!isOver(chunk)) return undefined
      head += 1
    }
    return undefined
  }

  const isOver = ({ state: at }: Chunk<Row>): boolean =>
    at === 'done' || (at === 'failed' && run.onFailure === 'collect')

  return {
    batches,
    async lookUp() {
      await state.lookUp()
      return state.todo
    },
    get failures() {
      return state.failures()
    },
    get inFront() {
      return state.inFront()
    },
    undelivered: () => chunks.flatMap(chunk => chunk.batches),
    left: () => state.left(),
    leftAfter: batch => state.leftAfter(batch),
    account: received => state.account(received),
    get pin() {
      return pins.value
    },
  }
}

function atMost<Row>(batch: Batch<Row>, rows: number): Batch<Row> {
  if (batch.rows.length <= rows) return batch
  return { ...batch, rows: batch.rows.slice(0, rows), meta: { ...batch.meta, rows } }
}

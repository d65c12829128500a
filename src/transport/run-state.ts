import type { RequestError } from '../errors.ts'
import { createBell, type Bell } from './bell.ts'
import type { Keeper } from './cache-keeper.ts'
import type { Call } from './call.ts'
import { createChunk, type Batch, type Chunk, type Stretch } from './chunk.ts'
import type { Operation } from './operation.ts'
import { takeNext, type Piece } from './piece.ts'
import { createPinBook, type PinBook } from './pin.ts'
import type { Endpoint } from './request-spec.ts'
import type { SpanLessons } from './span-lessons.ts'

/** What is to be run, and how much of it may be under way. */
export interface Run<Row> {
  readonly endpoint: Endpoint
  readonly operation: Operation<Row>
  readonly call: Call
  readonly todo: readonly Piece[]
  readonly chunkMs: number
  readonly lessons: SpanLessons
  readonly pin: string | undefined
  /** Chunks that may be started before the first of them is handed on; none are handed on before the end if infinite. */
  readonly window: number
  readonly maxRows: number
  readonly onFailure: 'stop' | 'collect'
  /** Keeps answers and finds them again, where that is wanted. */
  readonly keeper?: Keeper<Row> | undefined
}

/** Where a run stands: shared by those who start its chunks, ask for them, and hand them on. */
export interface RunState<Row> {
  readonly run: Run<Row>
  /** Started chunks, in the order of the plan. */
  readonly chunks: Chunk<Row>[]
  /** Finished chunks that must be asked again. */
  readonly redo: Chunk<Row>[]
  readonly pins: PinBook<Row>
  /** Rings whenever something is received, finished or stopped. */
  readonly bell: Bell
  /** Whether batches are kept until the end. */
  readonly hold: boolean
  readonly stopped: boolean
  /** Whether nothing more is started, while what is under way goes on. */
  readonly ending: boolean
  /** Something that no chunk can answer for: the caller's abort, or a defect. */
  readonly broken: { readonly thrown: unknown } | undefined
  /** Looks up what is kept: pieces that are will not be asked for. Done once, before the first is taken. */
  lookUp(): Promise<void>
  /** Pieces that are not begun, in order. */
  readonly todo: readonly Piece[]
  /** Takes the next chunk off the plan, at the size that is known to work. */
  next(): Chunk<Row> | undefined
  /** Whether anything of the plan has not been started. */
  readonly exhausted: boolean
  /** Rows received in front, without a hole. */
  inFront(): number
  /** Whether those are as many as are wanted. */
  enough(): boolean
  /** Ends everything that is under way. */
  stop(): void
  /** Starts nothing more. */
  windDown(): void
  /** A chunk's work ended in something that is no failure of a request. */
  breakOff(thrown: unknown): void
  failures(): RequestError[]
  left(): Piece[]
  leftAfter(batch: Batch<Row>): Piece[]
  account(batches: readonly Batch<Row>[]): Stretch<Row>[]
}

/** Why siblings of a failed piece are aborted; nobody sees it. */
const STOPPED = new Error('the query was stopped')

export function createRunState<Row>(run: Run<Row>): RunState<Row> {
  const { call, operation, chunkMs, lessons, maxRows } = run
  let todo = run.todo.map((piece, part): Piece => ({ ...piece, part }))
  const chunks: Chunk<Row>[] = []
  const bell = createBell()
  let stopped = false
  let ending = false
  let broken: { readonly thrown: unknown } | undefined

  let looked: Promise<void> | undefined
  const lookUp = async (): Promise<void> => {
    if (run.keeper) todo = await run.keeper.cover(todo)
  }

  const inFront = (): number => {
    let rows = 0
    for (const chunk of chunks) {
      rows += chunk.rows
      if (chunk.state !== 'done') break
    }
    return rows
  }
  const enough = (): boolean => maxRows !== Number.POSITIVE_INFINITY && inFront() >= maxRows

  /** How often a chunk of the next part would be halved to come to a size. A part may be shorter than a chunk. */
  const depthAt = (size: number): number => {
    const { span } = run.todo[todo[0]?.part ?? 0] ?? {}
    const whole = span ? Math.min(chunkMs, span.end - span.start + operation.rules.stepMs) : chunkMs
    return Math.min(call.options.maxSplitDepth, Math.max(0, Math.ceil(Math.log2(whole / size) - 1e-9)))
  }

  return {
    run,
    chunks,
    redo: [],
    pins: createPinBook<Row>(run.pin),
    bell,
    hold: run.window === Number.POSITIVE_INFINITY,
    get stopped() {
      return stopped
    },
    get ending() {
      return ending
    },
    get broken() {
      return broken
    },
    lookUp: () => (looked ??= lookUp()),
    get todo() {
      return todo
    },
    next() {
      const size = call.options.learnSpans ? lessons.size(chunkMs) : chunkMs
      const piece = takeNext(todo, operation.rules, size, depthAt(size))
      if (piece === undefined) return undefined
      const chunk = createChunk<Row>(chunks.length, piece)
      chunks.push(chunk)
      return chunk
    },
    get exhausted() {
      return todo.length === 0
    },
    inFront,
    enough,
    windDown() {
      ending = true
      bell.ring()
    },
    stop() {
      stopped = true
      ending = true
      call.stop(STOPPED)
      bell.ring()
    },
    breakOff(thrown) {
      if (thrown !== STOPPED) broken ??= { thrown }
    },
    // What failed behind the last row that is wanted does not matter.
    failures: () => (enough() ? [] : chunks.flatMap(chunk => chunk.error ?? [])),
    left: () => [...chunks.flatMap(chunk => chunk.left), ...todo],
    leftAfter(batch) {
      const at = batch.meta.chunk ?? 0
      // Of the chunks in front, only those that failed for good have not been handed on whole.
      return [
        ...chunks.slice(0, at).flatMap(chunk => chunk.left),
        ...batch.left,
        ...chunks.slice(at + 1).map(chunk => chunk.piece),
        ...todo,
      ]
    },
    account(batches) {
      const received = chunks.map((): Stretch<Row>[] => [])
      for (const batch of batches) received[batch.meta.chunk ?? 0]?.push({ batch })
      return [
        ...chunks.flatMap(chunk => [...(received[chunk.index] ?? []), ...chunk.left.map(piece => ({ piece }))]),
        ...todo.map(piece => ({ piece })),
      ]
    },
  }
}

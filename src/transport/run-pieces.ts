import type { RequestError } from '../errors.ts'
import { spanOf } from '../span.ts'
import { createBell } from './bell.ts'
import type { Call } from './call.ts'
import { createChunk, type Batch, type Chunk } from './chunk.ts'
import { createLimiter } from './limiter.ts'
import type { ResponseMeta } from './meta.ts'
import type { Operation } from './operation.ts'
import { splitIds } from './ids.ts'
import { walkPages, type Page } from './pages.ts'
import { takeNext, type Piece } from './piece.ts'
import { createPinBook } from './pin.ts'
import { splitSpan } from './plan.ts'
import type { Endpoint } from './request-spec.ts'
import type { SpanLessons } from './span-lessons.ts'
import { tidy } from './tidy.ts'
import { isTooLarge } from './verdict.ts'

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
}

/** A run under way: batches in the order of the plan, and at any time what is missing. */
export interface Running<Row> {
  /** Hands on batches in order. Ends when all is received, or when a failure stopped it: see `failures`. */
  batches(): AsyncGenerator<Batch<Row>, void, void>
  /** Final failures, by chunk. */
  readonly failures: readonly RequestError[]
  /** Received but not handed on, in order. */
  undelivered(): Batch<Row>[]
  /** What has not been received. */
  left(): Piece[]
  /** What lies behind a batch, received or not: where somebody who kept it goes on. */
  leftAfter(batch: Batch<Row>): Piece[]
  readonly pin: string | undefined
}

/**
 * Runs the pieces of a query: so many at a time, each split where it is too slow, each walked page by page, all
 * handed on in the order of the plan whatever order they arrive in. The first final failure stops the rest.
 */
export function runPieces<Row>(run: Run<Row>): Running<Row> {
  const { endpoint, operation, call, chunkMs, lessons, maxRows } = run
  const todo = [...run.todo]
  const chunks: Chunk<Row>[] = []
  const redo: Chunk<Row>[] = []
  const pins = createPinBook<Row>(run.pin)
  const bell = createBell()
  const limiter = createLimiter(call.options.concurrency)
  const hold = run.window === Number.POSITIVE_INFINITY
  let head = 0
  let broken: { readonly thrown: unknown } | undefined
  let stopped = false

  /** Starts as many chunks as may be under way. */
  const fill = (): void => {
    while (!stopped && !enough() && limiter.pending < call.options.concurrency) {
      const chunk = redo.shift() ?? (chunks.length - head < run.window ? nextChunk() : undefined)
      if (chunk === undefined) return
      void limiter.run(() => work(chunk)).then(bell.ring)
    }
  }

  const nextChunk = (): Chunk<Row> | undefined => {
    const size = call.options.learnSpans ? lessons.size(chunkMs) : chunkMs
    const depth = Math.min(call.options.maxSplitDepth, Math.max(0, Math.ceil(Math.log2(chunkMs / size) - 1e-9)))
    const piece = takeNext(todo, operation.rules, size, depth)
    if (piece === undefined) return undefined
    const chunk = createChunk<Row>(chunks.length, piece)
    chunks.push(chunk)
    return chunk
  }

  const work = async (chunk: Chunk<Row>): Promise<void> => {
    chunk.state = 'running'
    try {
      for (let piece = chunk.left[0]; piece !== undefined && chunk.state === 'running' && !stopped; piece = chunk.left[0]) await workOn(chunk, piece)
      if (chunk.left.length === 0) chunk.state = 'done'
    } catch (thrown) {
      if (thrown !== STOPPED) broken ??= { thrown }
    }
  }

  /** Asks for the first part of a chunk: it is received, or replaced by its halves, or the chunk fails. */
  const workOn = async (chunk: Chunk<Row>, piece: Piece): Promise<void> => {
    const halves = piece.span && piece.depth < call.options.maxSplitDepth ? splitSpan(piece.span, operation.rules) : undefined
    const groups = splitIds(piece.ids)
    const ask = { pin: pins.value, chunk: chunk.index, splittable: halves !== undefined || (groups !== undefined && piece.span === undefined), divisible: groups !== undefined }
    const { generation } = chunk
    chunk.unpinned = pins.value === undefined
    const end = await walkPages(endpoint, operation, piece, ask, call, page => onPage(chunk, generation, piece, page))
    chunk.unpinned = false
    if (end.ok || chunk.generation !== generation) return
    if (end.split && groups && (piece.span === undefined || isTooLarge(end.error.status, operation.request(piece, ask.pin).policy ?? endpoint.policy))) {
      call.emit({ type: 'split', span: null, depth: piece.depth, reason: `too much at a time (${end.error.status ?? 'no answer in time'})` })
      chunk.left.splice(0, 1, ...groups.map(ids => ({ ...piece, ids })))
      return
    }
    if (end.split && halves && piece.span) {
      call.emit({ type: 'split', span: spanOf(piece.span), depth: piece.depth, reason: `${end.error.kind === 'timeout' ? 'too slow' : end.error.kind} (${end.error.status ?? 'no answer in time'})` })
      teach(lessons.tooSlow(Math.min(...halves.map(half => half.end - half.start)) + operation.rules.stepMs))
      chunk.left.splice(0, 1, ...halves.map(span => ({ ...piece, span, depth: piece.depth + 1 })))
      return
    }
    chunk.state = 'failed'
    chunk.error = end.error
    if (run.onFailure === 'stop') stop()
  }

  const onPage = async (chunk: Chunk<Row>, generation: number, piece: Piece, page: Page<Row>): Promise<boolean> => {
    const { content, facts, next, number } = page
    chunk.unpinned = false
    if (chunk.generation !== generation) {
      chunk.batches.push(superseded(chunk, { ...facts, rows: 0, rowsOutside: 0, rowsMerged: 0, source: content.source }))
      return false
    }
    const { redo: again, warning } = pins.note(chunk, content.pin, chunks)
    const fresh = operation.identity ? unseen(content.rows, operation.identity, chunk.seen) : content.rows
    const tidied = tidy(fresh, piece.span, operation.order)
    const warnings = [...content.warnings, ...(warning ? [warning] : []), ...(tidied.differing > 0 ? [`${tidied.differing} samples came with different values; all are kept, last revised first`] : [])]
    for (const message of warnings) call.emit({ type: 'warning', message })
    const meta = {
      ...facts,
      rows: tidied.rows.length,
      rowsOutside: tidied.outside,
      rowsMerged: tidied.merged + content.rows.length - fresh.length,
      source: { ...content.source, ...(warnings.length > 0 ? { warnings } : {}) },
    }
    chunk.left = next === undefined ? chunk.left.slice(1) : [{ ...piece, cursor: next, page: number + 1 }, ...chunk.left.slice(1)]
    chunk.batches.push({ rows: tidied.rows, meta, left: chunk.left })
    chunk.rows += tidied.rows.length
    call.emit({ type: 'response', meta })
    if (piece.span && next === undefined && number === 1) {
      teach(lessons.answered(piece.span.end - piece.span.start + operation.rules.stepMs, facts.elapsedMs, call.options.readTimeoutMs))
    }
    for (const other of again) startOver(other)
    if (enough()) stop()
    bell.ring()
    if (chunk.generation !== generation || stopped) return false
    await room(chunk)
    return !call.signal.aborted
  }

  /** A chunk that answered with an older version is asked again from its start; what it answered stays on record. */
  const startOver = (chunk: Chunk<Row>): void => {
    call.emit({ type: 'learned', what: 'pin', value: pins.value ?? '' })
    chunk.redone = true
    chunk.generation += 1
    chunk.pin = undefined
    chunk.left = [chunk.piece]
    chunk.rows = 0
    chunk.seen.clear()
    chunk.batches = chunk.batches.map(({ meta }) => superseded(chunk, meta))
    if (chunk.state === 'done') redo.push(chunk)
  }

  /** Waits while a slow consumer has enough of this chunk to go on with. */
  const room = async (chunk: Chunk<Row>): Promise<void> => {
    while (!hold && chunk.batches.length > 1 && !call.signal.aborted) await bell.next()
  }

  const teach = (size: number | undefined): void => {
    if (size !== undefined && call.options.learnSpans) call.emit({ type: 'learned', what: 'span', value: size })
  }

  /** Whether the rows in front, without a hole, are as many as are wanted. */
  const enough = (): boolean => {
    if (maxRows === Number.POSITIVE_INFINITY) return false
    let rows = 0
    for (const chunk of chunks) {
      rows += chunk.rows
      if (rows >= maxRows) return true
      if (chunk.state !== 'done') return false
    }
    return false
  }

  const stop = (): void => {
    stopped = true
    call.stop(STOPPED)
    bell.ring()
  }

  /** Nothing may be handed on while a chunk that was asked without a pin may still have to be asked again. */
  const settled = (): boolean => pins.value === undefined || !chunks.some(chunk => chunk.unpinned)

  const idle = (): boolean => limiter.pending === 0
  const finished = (): boolean => idle() && (stopped || enough() || (todo.length === 0 && redo.length === 0))

  async function* batches(): AsyncGenerator<Batch<Row>, void, void> {
    let given = 0
    try {
      fill()
      while (true) {
        const over = finished()
        while (!hold || over) {
          const batch = over || settled() ? nextBatch() : undefined
          if (batch === undefined) break
          const rows = given + batch.rows.length > maxRows ? batch.rows.slice(0, maxRows - given) : batch.rows
          given += rows.length
          yield rows === batch.rows ? batch : { ...batch, rows, meta: { ...batch.meta, rows: rows.length } }
          bell.ring()
          if (given >= maxRows) return
          if (!over) fill()
        }
        if (broken) throw broken.thrown
        if (over) return
        fill()
        if (!finished()) await bell.next()
      }
    } finally {
      stop()
      while (!idle()) await bell.next()
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
      if (chunk.state !== 'done' && !(chunk.state === 'failed' && run.onFailure === 'collect')) return undefined
      head += 1
    }
    return undefined
  }

  return {
    batches,
    get failures() {
      return chunks.flatMap(chunk => chunk.error ?? [])
    },
    undelivered: () => chunks.flatMap(chunk => chunk.batches),
    left: () => [...chunks.flatMap(chunk => chunk.left), ...todo],
    leftAfter: batch => [...batch.left, ...chunks.slice((batch.meta.chunk ?? 0) + 1).map(chunk => chunk.piece), ...todo],
    get pin() {
      return pins.value
    },
  }
}

/** Why siblings of a failed piece are aborted; nobody sees it. */
const STOPPED = new Error('the query was stopped')

/** The record of a response whose rows were asked for again. */
function superseded<Row>(chunk: Chunk<Row>, meta: ResponseMeta): Batch<Row> {
  return { rows: [], left: chunk.left, meta: { ...meta, rows: 0, source: { ...meta.source, superseded: true } } }
}

function unseen<Row>(rows: Row[], identity: (row: Row) => string | undefined, seen: Set<string>): Row[] {
  return rows.filter(row => {
    const id = identity(row)
    if (id === undefined) return true
    if (seen.has(id)) return false
    seen.add(id)
    return true
  })
}

import { describeCause } from '../errors.ts'
import { spanOf } from '../span.ts'
import type { KeptPage } from './cache-record.ts'
import type { Batch, Chunk } from './chunk.ts'
import { Failure } from './failure.ts'
import { splitIds } from './ids.ts'
import type { ResponseMeta } from './meta.ts'
import type { Content } from './operation.ts'
import { walkPages, type Page } from './pages.ts'
import { meeting, type Piece } from './piece.ts'
import { splitSpan } from './plan.ts'
import type { RunState } from './run-state.ts'
import { tidy } from './tidy.ts'
import { isTooLarge } from './verdict.ts'

/**
 * Asks for a chunk until all of it is received, or it fails for good: part by part, each part halved where it is too
 * slow, page by page.
 *
 * @returns what works on one chunk; it never rejects
 */
export function createChunkWorker<Row>(state: RunState<Row>): (chunk: Chunk<Row>) => Promise<void> {
  const { run, pins, bell, chunks, redo, hold } = state
  const { endpoint, operation, call, lessons, keeper } = run

  const work = async (chunk: Chunk<Row>): Promise<void> => {
    chunk.state = 'running'
    try {
      for (
        let piece = chunk.left[0];
        piece !== undefined && chunk.state === 'running' && !state.stopped;
        piece = chunk.left[0]
      ) {
        await askFor(chunk, piece)
      }
      if (chunk.left.length === 0) {
        chunk.state = 'done'
        chunk.seen.clear()
      }
    } catch (thrown) {
      state.breakOff(thrown)
    }
  }

  /** Asks for the first part of a chunk: it is received, or replaced by its halves, or the chunk fails. */
  const askFor = async (chunk: Chunk<Row>, piece: Piece): Promise<void> => {
    const halves =
      piece.span && piece.depth < call.options.maxSplitDepth ? splitSpan(piece.span, operation.rules) : undefined
    const groups = splitIds(piece.ids)
    const divides = operation.dividesSlow ?? false
    const ask = {
      pin: pins.value,
      chunk: chunk.index,
      splittable: halves !== undefined || (groups !== undefined && (piece.span === undefined || divides)),
      divisible: groups !== undefined,
    }
    const { generation } = chunk
    if (piece.kept !== undefined && (await readKept(chunk, generation, piece))) return
    chunk.unpinned = pins.value === undefined
    const recording = keeper?.record(piece)
    const end = await walkPages(endpoint, recording?.operation ?? operation, piece, ask, call, page => {
      recording?.page(page)
      return receive(chunk, generation, piece, page)
    })
    chunk.unpinned = false
    if (end.ok && chunk.generation === generation) await recording?.finish()
    if (end.ok || chunk.generation !== generation) return
    const { status, kind, serverMessage } = end.error
    const tooLarge = isTooLarge(status, operation.request(piece, ask.pin).policy ?? endpoint.policy, serverMessage)
    if (end.split && groups && (piece.span === undefined || tooLarge || (divides && halves === undefined))) {
      replace(
        chunk,
        groups.map(ids => ({ ...piece, ids })),
      )
      call.emit({
        type: 'split',
        span: null,
        depth: piece.depth,
        reason: `too much at a time (${status ?? 'no answer in time'})`,
      })
    } else if (end.split && halves && piece.span) {
      replace(
        chunk,
        halves.map((span, half) => ({
          ...piece,
          span,
          ...(half > 0 ? meeting(operation.rules) : {}),
          depth: piece.depth + 1,
        })),
      )
      const reason = `${kind === 'timeout' ? 'too slow' : kind} (${status ?? 'no answer in time'})`
      call.emit({ type: 'split', span: spanOf(piece.span), depth: piece.depth, reason })
      // A body that fell silent on its way says nothing about how much is too much.
      if (!end.begun)
        teach(lessons.tooSlow(Math.min(...halves.map(half => half.end - half.start)) + operation.rules.stepMs))
    } else {
      chunk.state = 'failed'
      chunk.error = end.error
      // Refused once, the credentials are refused for all.
      if (run.onFailure === 'collect' && kind !== 'login') return
      // What is under way was paid for. Given up, a call with fewer requests than workers would never get further.
      if (call.spent) state.windDown()
      else state.stop()
    }
  }

  /**
   * Takes in what is kept of a piece. What cannot be read is asked for as if it had never been kept, from the page on
   * that is missing.
   *
   * @returns whether nothing of it is left to ask for
   */
  const readKept = async (chunk: Chunk<Row>, generation: number, piece: Piece): Promise<boolean> => {
    const pages = await keeper?.open(piece)
    const asked = { ...piece, kept: undefined }
    chunk.left = [asked, ...chunk.left.slice(1)]
    for (const page of pages ?? []) {
      const began = call.clock.monotonic()
      const content = await contentOf(page, asked)
      if (content === undefined || isOver()) return false
      const facts = { ...page.facts, ...cachedFacts(chunk, piece), elapsedMs: call.clock.monotonic() - began }
      const goOn = await receive(chunk, generation, asked, { number: page.facts.page, content, facts, next: page.next })
      if (!goOn) return true
    }
    return pages !== undefined
  }

  /** Whether time is up, which the request that is not sent any more explains. @throws the reason of a caller who aborted */
  const isOver = (): boolean => {
    if (!call.signal.aborted) return false
    if (call.signal.reason instanceof Failure) return true
    throw call.signal.reason
  }

  const contentOf = async (page: KeptPage, piece: Piece): Promise<Content<Row> | undefined> => {
    try {
      const content = operation.read(await page.reply(), piece)
      return { ...content, source: { ...content.source, ...page.confirmed } }
    } catch (thrown) {
      call.emit({ type: 'warning', message: `a kept answer cannot be read any more: ${describeCause(thrown).message}` })
      return undefined
    }
  }

  /** Takes a page in. Returns whether the walk goes on. */
  const receive = async (chunk: Chunk<Row>, generation: number, piece: Piece, page: Page<Row>): Promise<boolean> => {
    const { content, facts, next, number } = page
    chunk.unpinned = false
    if (chunk.generation !== generation) {
      const late = superseded(chunk, { ...facts, rows: 0, rowsOutside: 0, rowsMerged: 0, source: content.source })
      chunk.batches.push(late)
      call.emit({ type: 'response', meta: late.meta })
      return false
    }
    const { redo: again, warning } = pins.note(chunk, content.pin, chunks)
    const tidied = tidy(content.rows, piece.span, operation.order, piece.startsAfter)
    // Only what belongs here counts as seen: a stray row of the piece that follows must not stand in its way.
    const fresh = operation.identity ? unseen(tidied.rows, operation.identity, chunk.seen) : tidied.rows
    const warnings = [...content.warnings, ...(warning ? [warning] : []), ...differing(tidied.differing)]
    for (const message of warnings) call.emit({ type: 'warning', message })
    const meta: ResponseMeta = {
      ...facts,
      rows: fresh.length,
      rowsOutside: tidied.outside,
      rowsMerged: tidied.merged + tidied.rows.length - fresh.length,
      source: { ...content.source, ...(warnings.length > 0 ? { warnings } : {}) },
    }
    chunk.left = [...(next === undefined ? [] : [{ ...piece, cursor: next, page: number + 1 }]), ...chunk.left.slice(1)]
    chunk.batches.push({ rows: fresh, meta, piece, left: chunk.left })
    chunk.rows += fresh.length
    call.emit({ type: 'response', meta })
    if (piece.span && next === undefined && number === 1 && !facts.cached) {
      const asked = piece.span.end - piece.span.start + operation.rules.stepMs
      teach(lessons.answered(asked, facts.elapsedMs, call.options.readTimeoutMs))
    }
    for (const other of again) startOver(other)
    if (state.enough()) state.stop()
    bell.ring()
    if (chunk.generation !== generation || state.stopped) return false
    await room(chunk)
    return !call.signal.aborted
  }

  /** A chunk that answered with an older version is asked again from its start; what it answered stays on record. */
  const startOver = (chunk: Chunk<Row>): void => {
    call.emit({ type: 'learned', what: 'pin', value: pins.value ?? '' })
    chunk.redone = true
    chunk.generation += 1
    chunk.pin = undefined
    // Not from the disk: there it is as old as it was.
    chunk.left = [{ ...chunk.piece, kept: undefined }]
    chunk.rows = 0
    chunk.seen.clear()
    chunk.batches = chunk.batches.map(({ meta }) => superseded(chunk, meta))
    if (chunk.state !== 'done') return
    // Not done any more: nothing behind it may be handed on.
    chunk.state = 'running'
    redo.push(chunk)
  }

  /** Waits while a slow consumer has enough of this chunk to go on with; not in the way of one that must be asked again. */
  const room = async (chunk: Chunk<Row>): Promise<void> => {
    while (!hold && chunk.batches.length > 1 && redo.length === 0 && !state.ending && !call.signal.aborted)
      await bell.next()
  }

  const teach = (size: number | undefined): void => {
    if (size !== undefined && call.options.learnSpans) call.emit({ type: 'learned', what: 'span', value: size })
  }

  return work
}

/** What is said of a page that was not asked for now. */
function cachedFacts<Row>({ index }: Chunk<Row>, { span, depth }: Piece) {
  return {
    span: span ? spanOf(span) : null,
    chunk: index,
    depth,
    cached: true,
    attempts: 0,
    waitedMs: 0,
    quotaRemaining: null,
  }
}

/** Puts smaller parts in the place of the first. */
function replace<Row>(chunk: Chunk<Row>, parts: readonly Piece[]): void {
  chunk.left = [...parts, ...chunk.left.slice(1)]
}

function differing(samples: number): string[] {
  return samples > 0 ? [`${samples} samples came with different values; all are kept, last revised first`] : []
}

/** The record of a response whose rows were asked for again. */
function superseded<Row>(chunk: Chunk<Row>, meta: ResponseMeta): Batch<Row> {
  return {
    rows: [],
    piece: chunk.piece,
    left: chunk.left,
    meta: { ...meta, rows: 0, source: { ...meta.source, superseded: true } },
  }
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

import type { CheckpointPiece } from '../checkpoint.ts'
import { QueryError } from '../errors.ts'
import type { SpanMs } from '../span.ts'
import { isoText, parseInstant } from '../time.ts'
import { takePiece, type SpanRules } from './plan.ts'

/** A part of a query: what is asked for in one request, or in one page walk. */
export interface Piece {
  /** Both ends included; absent for an operation without a time axis. */
  readonly span?: SpanMs | undefined
  /** Whether what lies right at its start belongs to the piece in front, which meets it there. */
  readonly startsAfter?: true
  /** Which of the pieces that a run was given it was cut from, from 0. */
  readonly part?: number
  /** Identifiers it asks for, where the query is divided by them. */
  readonly ids?: readonly string[] | undefined
  /** Address of the page to go on with, where a walk has begun. */
  readonly cursor?: string | undefined
  /** Which page that is, from 1. */
  readonly page?: number
  /** Where its answer is kept on disk, if it is: then it is neither cut nor asked for. */
  readonly kept?: string | undefined
  /** How often it was halved. */
  readonly depth: number
}

/** Takes the next piece off the front of what is to be done. A walk that has begun is taken up as it is. */
export function takeNext(todo: Piece[], rules: SpanRules, sizeMs: number, depth: number): Piece | undefined {
  const first = todo.shift()
  if (first?.span === undefined || first.cursor !== undefined || first.kept !== undefined) return first
  const { piece, rest } = takePiece(first.span, rules, sizeMs)
  if (rest) todo.unshift({ ...first, span: rest, ...meeting(rules) })
  return { ...first, span: piece, depth: Math.max(first.depth, depth) }
}

/** What is to be said of a piece that was cut off behind another. */
export function meeting({ ends }: SpanRules): Pick<Piece, 'startsAfter'> {
  return ends === 'shared' ? { startsAfter: true } : {}
}

/** A piece as a checkpoint keeps it. */
export function toCheckpointPiece({ span, startsAfter, ids, cursor }: Piece): CheckpointPiece {
  return {
    ...(span ? { start: isoText(span.start), end: isoText(span.end) } : {}),
    ...(startsAfter ? { startsAfter } : {}),
    ...(ids ? { ids } : {}),
    ...(cursor === undefined ? {} : { cursor }),
  }
}

/**
 * A piece as a checkpoint kept it.
 *
 * @throws QueryError when it is none, or its span is none: it came from a file
 */
export function fromCheckpointPiece(kept: unknown): Piece {
  if (!isCheckpointPiece(kept))
    throw new QueryError('checkpoint holds something that is no part of a query', {
      argument: 'checkpoint',
      value: kept,
    })
  const { start, end, startsAfter, ids, cursor } = kept
  return {
    ...(startsAfter ? { startsAfter } : {}),
    ...(start !== undefined && end !== undefined ? { span: spanBetween(start, end) } : {}),
    ...(ids ? { ids } : {}),
    ...(cursor === undefined ? {} : { cursor }),
    depth: 0,
  }
}

function isCheckpointPiece(kept: unknown): kept is CheckpointPiece {
  const { ids = [], cursor = '' } = Object(kept) as { ids?: unknown; cursor?: unknown }
  const areIds = Array.isArray(ids) && ids.every(id => typeof id === 'string')
  return typeof kept === 'object' && kept !== null && areIds && typeof cursor === 'string'
}

function spanBetween(from: string, to: string): SpanMs {
  const span = { start: parseInstant(from, 'checkpoint'), end: parseInstant(to, 'checkpoint') }
  if (span.start <= span.end) return span
  throw new QueryError(`checkpoint holds a span that ends before it starts: ${from} to ${to}`, {
    argument: 'checkpoint',
    value: to,
  })
}

/** Spans of pieces that have one. */
export function spansOf(pieces: readonly Piece[]): SpanMs[] {
  return pieces.flatMap(piece => (piece.span ? [piece.span] : []))
}

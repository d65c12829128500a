import type { RequestError } from '../errors.ts'
import type { ResponseMeta } from './meta.ts'
import type { Piece } from './piece.ts'

/** Rows of one response with their metadata row. */
export interface Batch<Row> {
  readonly rows: Row[]
  readonly meta: ResponseMeta
  /** What was asked for. */
  readonly piece: Piece
  /** What is left of the batch's chunk behind it. */
  readonly left: readonly Piece[]
}

/** A stretch of the plan: received, or still to be asked for. */
export type Stretch<Row> = { readonly batch: Batch<Row> } | { readonly piece: Piece }

/** One planned chunk while it is asked for, possibly in parts and pages. */
export interface Chunk<Row> {
  readonly index: number
  readonly piece: Piece
  /** Parts not received yet, in order; a walk under way stands first, at its cursor. */
  left: Piece[]
  /** Received and not yet handed on, in order. */
  batches: Batch<Row>[]
  /** Rows received so far. */
  rows: number
  /** Whether any of it has been handed on. */
  delivered: boolean
  state: 'running' | 'done' | 'failed'
  /** What its responses agreed on; the oldest where they do not. */
  pin: string | undefined
  /** Whether it was asked again to agree with the others. */
  redone: boolean
  /** Counts its starts: an answer to an earlier start is not counted. */
  generation: number
  /** Whether it is being asked before the others have agreed on anything. */
  unpinned: boolean
  error: RequestError | undefined
  /** Identities seen on its pages. */
  readonly seen: Set<string>
}

export function createChunk<Row>(index: number, piece: Piece): Chunk<Row> {
  return {
    index,
    piece,
    left: [piece],
    batches: [],
    rows: 0,
    delivered: false,
    state: 'running',
    pin: undefined,
    redone: false,
    generation: 0,
    unpinned: false,
    error: undefined,
    seen: new Set(),
  }
}

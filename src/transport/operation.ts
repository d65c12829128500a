import type { Piece } from './piece.ts'
import type { SpanRules } from './plan.ts'
import type { Reply } from './reply.ts'
import type { Confirmation, RequestSpec } from './request-spec.ts'
import type { RowOrder } from './tidy.ts'

/** What an adapter reads out of one response. */
export interface Content<Row> {
  readonly rows: Row[]
  /** What the service said about itself, for the metadata row. */
  readonly source: Readonly<Record<string, unknown>>
  /** What the reader should know about these rows. */
  readonly warnings: readonly string[]
  /** Something all responses of a query must agree on, such as a model version; the greatest wins. */
  readonly pin?: string | undefined
  /** Address of the next page, as the service gave it. */
  readonly next?: string | undefined
}

/** A question that can be asked in parts: the facts about it that an adapter states. */
export interface Operation<Row> {
  readonly rules: SpanRules
  readonly order: RowOrder<Row>
  /** Identity of a row across pages, where pages may repeat rows. */
  readonly identity?: ((row: Row) => string | undefined) | undefined
  /** The request for a piece; `pin` is what earlier responses have settled. */
  readonly request: (
    piece: Piece,
    pin: string | undefined,
  ) => Pick<
    RequestSpec<unknown>,
    'method' | 'url' | 'headers' | 'body' | 'idempotent' | 'policy' | 'accept' | 'inspect' | 'reader'
  >
  readonly read: (reply: Reply, piece: Piece) => Content<Row>
  readonly confirm?: (content: Content<Row>, reply: Reply, piece: Piece) => Confirmation<Content<Row>> | undefined
  /** Whether a span that is too slow and cannot be halved any more is asked for some identifiers at a time. */
  readonly dividesSlow?: true
  /**
   * How long an answer stays true enough to be used again, milliseconds from when it was received. Asked of every
   * page; the shortest holds for all. Endless counts as a number, too. @defaultValue nothing is kept
   */
  readonly keepMs?: ((answer: Answer<Row>) => number) | undefined
}

/** One page of an answer, as far as it matters for how long it can be used again. */
export interface Answer<Row> {
  readonly piece: Piece
  readonly content: Content<Row>
  /** Epoch milliseconds. */
  readonly receivedAt: number
}

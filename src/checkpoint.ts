/**
 * What is needed to take up an interrupted retrieval in another process: plain JSON, no secrets.
 */

/** A part of a query that has not been received. Instants are ISO-8601 with `Z`, both ends included. */
export interface CheckpointPiece {
  readonly start?: string
  readonly end?: string
  /** Whether what lies right at `start` has been received. */
  readonly startsAfter?: true
  /** Identifiers this part asks for, where the query was divided by them. */
  readonly ids?: readonly string[]
  /** Address of the page to go on with, where a walk had begun. */
  readonly cursor?: string
}

/** A retrieval that stopped half-way. Safe to write to a file. */
export interface Checkpoint {
  readonly version: 1
  readonly service: string
  readonly operation: string
  /** The query as asked, normalised. */
  readonly query: Readonly<Record<string, unknown>>
  /** What is missing, in order. */
  readonly left: readonly CheckpointPiece[]
  /** What the service said first and every later answer must agree with (a model version, say). */
  readonly pin?: string
}

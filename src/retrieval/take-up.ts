import type { Checkpoint } from '../checkpoint.ts'
import { QueryError } from '../errors.ts'
import { fromCheckpointPiece } from '../transport/index.ts'
import type { AnyRow } from './columns.ts'
import type { Gathering } from './gather.ts'

/**
 * Reads what somebody hands in as a checkpoint: out of a file, most likely.
 *
 * @param operations - getters that can be taken up
 * @throws QueryError saying what it is in place of a checkpoint of this service
 */
export function readCheckpoint(given: unknown, service: string, operations: readonly string[]): Checkpoint {
  const { version, service: of, operation, query, left } = Object(given) as Partial<Record<keyof Checkpoint, unknown>>
  const refuse = (what: string): never => {
    throw new QueryError(what, { argument: 'checkpoint', value: `${String(of)} ${String(operation)}` })
  }
  if (typeof given === 'string') refuse('a checkpoint is an object, and this is text: JSON.parse it first')
  if (typeof Object(given).checkpoint === 'function') refuse('this is no checkpoint yet: call its checkpoint()')
  const isWhole = typeof query === 'object' && query !== null && Array.isArray(left)
  if (typeof of !== 'string' || typeof operation !== 'string' || !isWhole)
    refuse('this is no checkpoint: pass on what checkpoint() gave')
  if (version !== 1) refuse(`this checkpoint is of version ${String(version)}; this package reads version 1`)
  if (of !== service)
    refuse(`this checkpoint is of ${String(of)}, not of ${service}: a client of that service can take it up`)
  if (!operations.includes(operation as string))
    refuse(
      `this checkpoint is of ${String(operation)}, which cannot be taken up here; what can: ${operations.join(', ')}`,
    )
  return given as Checkpoint
}

/**
 * The question about what a checkpoint says is missing.
 *
 * @param operations - getters that can be taken up
 * @param make - makes a getter's question from its query
 * @throws QueryError as {@link readCheckpoint} does
 */
export function takeUp<Row extends AnyRow>(
  given: unknown,
  service: string,
  operations: readonly string[],
  make: (operation: string, query: Checkpoint['query']) => Gathering<Row>,
): Gathering<Row> {
  const { operation, query, left, pin } = readCheckpoint(given, service, operations)
  const whole = make(operation, query)
  const { question } = whole
  return { ...whole, question: { ...question, todo: left.map(fromCheckpointPiece), pin: pin ?? question.pin } }
}

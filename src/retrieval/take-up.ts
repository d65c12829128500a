import type { Checkpoint } from '../checkpoint.ts'
import { QueryError } from '../errors.ts'
import { fromCheckpointPiece, type CallOptions } from '../transport/index.ts'
import type { AnyRow } from './columns.ts'
import { collect, type Gathering } from './gather.ts'
import type { Retrieval } from './retrieval.ts'

/** Makes a getter's question from its query. */
export type QuestionMaker = (query: never, call: CallOptions) => Gathering<AnyRow>

/**
 * Asks for what a checkpoint says is missing. It came from a file: what it holds is looked at before anything is sent.
 *
 * @param makerOf - finds what makes the question of a getter
 * @throws QueryError when it is no checkpoint of this service
 */
export async function takeUp(
  checkpoint: unknown,
  service: string,
  makerOf: (operation: string) => QuestionMaker | undefined,
  call: CallOptions,
): Promise<Retrieval> {
  const { version, service: of, operation = '', query, left, pin } = Object(checkpoint) as Partial<Checkpoint>
  const make = makerOf(String(operation))
  const isWhole = typeof query === 'object' && query !== null && Array.isArray(left)
  if (version !== 1 || of !== service || make === undefined || !isWhole)
    throw new QueryError(`this is no checkpoint of ${service}`, {
      argument: 'checkpoint',
      value: `${String(of)} ${String(operation)}`,
    })
  const whole = make(query as never, call)
  const { question } = whole
  return collect({
    ...whole,
    question: { ...question, todo: left.map(fromCheckpointPiece), pin: pin ?? question.pin },
  })
}

import { Failure } from './failure.ts'
import { serverWords, type Reply } from './reply.ts'

/**
 * The failure in a success whose body is an error in place of data. A body that says "too many" is repeated like the
 * status would be.
 *
 * @param told - what the body says of the error; where it is about too many requests, one of these says so
 */
export function failureInBody(reply: Reply, told: readonly unknown[]): Failure {
  const words = serverWords(reply.body)
  return /rate.?limit|too many/i.test(JSON.stringify(told))
    ? new Failure('the service says it was asked too often, in a body with a status of success', {
        class: 'status',
        status: 429,
        serverMessage: words,
      })
    : new Failure(`the answer is an error in place of data: ${words ?? 'without words'}`, {
        class: 'bad_response',
        status: reply.status,
        headers: reply.headers,
        serverMessage: words,
      })
}

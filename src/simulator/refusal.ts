import type { Answer } from './service.ts'

/** Ends the handling of a request with this answer. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly answer: Answer

  constructor(answer: Answer) {
    super(`refused with ${answer.status}`)
    this.answer = answer
  }
}

/** What `handle` answers, or refuses with. */
export function answerOf(handle: () => Answer): Answer {
  try {
    return handle()
  } catch (error) {
    if (error instanceof Refusal) return error.answer
    throw error
  }
}

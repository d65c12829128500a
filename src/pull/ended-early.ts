import { isHeadraceError, RetrievalInterrupted } from '../errors.ts'
import { PullError, type TaskFailure } from './pull-error.ts'
import type { PullReport } from './pull-report.ts'
import type { Halt, RunControl } from './run-control.ts'

/** The error of work that did not come to its end. */
export function endedEarly(end: {
  readonly halt: Halt | undefined
  readonly failures: readonly TaskFailure[]
  readonly report?: PullReport
  readonly out: string
  readonly left: number
  readonly total: number
}): PullError {
  const { halt, failures, report, out, left, total } = end
  const rest = left === 0 ? 'all tasks are done, small files are not joined yet' : `${left} of ${total} tasks are left`
  const about = { path: out, failures, report, advice: left === 0 ? 'run it again' : 'run it again to do those' }
  if (halt !== undefined && halt.kind !== 'failed') {
    return new PullError(halt.kind, `it ended early: ${halt.reason}; ${rest}`, about)
  }
  const [first] = failures
  const reason = first ? reasonOf(first.error) : (halt?.reason ?? '')
  const many = failures.length === 1 ? 'a task failed' : `${failures.length} tasks failed, the first`
  return new PullError('failed', `${many}: ${reason}; ${rest}`, about)
}

/** What was thrown while a folder was worked on, as an error that says how to go on. Queries that cannot work stay as they are. */
export function asPullFailure(thrown: unknown, { halt }: RunControl, out: string): unknown {
  if (thrown instanceof PullError) return thrown
  const about = { path: out, advice: 'run it again to do the rest' }
  if (halt !== undefined) return new PullError(halt.kind, `it ended early: ${halt.reason}`, about)
  if (!isHeadraceError(thrown) || !('kind' in thrown)) return thrown
  return new PullError('failed', reasonOf(thrown), about, thrown)
}

/** Why a task failed. What a single call would be told, to take itself up again, is of no use in a pull. */
export function reasonOf(error: Error): string {
  return error instanceof RetrievalInterrupted ? error.failure.message : error.message
}

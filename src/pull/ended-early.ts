import { isHeadraceError } from '../errors.ts'
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
  const about = { path: out, failures, report }
  const rest = `${left} of ${total} tasks are left: run it again to do those`
  if (halt !== undefined && halt.kind !== 'failed') {
    return new PullError(halt.kind, `it ended early: ${halt.reason}; ${rest}`, about)
  }
  const first = failures[0]?.error.message ?? halt?.reason ?? ''
  return new PullError('failed', `${failures.length} tasks failed, the first: ${first}; ${rest}`, about)
}

/** What was thrown while a folder was worked on, as an error that says how to go on. Queries that cannot work stay as they are. */
export function asPullFailure(thrown: unknown, { halt }: RunControl, out: string): unknown {
  if (thrown instanceof PullError) return thrown
  const again = 'run it again to do the rest'
  if (halt !== undefined) return new PullError(halt.kind, `it ended early: ${halt.reason}; ${again}`, { path: out })
  if (!isHeadraceError(thrown) || !('kind' in thrown)) return thrown
  return new PullError('failed', `${thrown.message}; ${again}`, { path: out }, thrown)
}

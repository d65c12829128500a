import { HeadraceError, type ErrorCause } from '../errors.ts'
import { redactText } from '../redact.ts'
import type { PlannedTask } from './pull-plan.ts'
import type { PullReport } from './pull-report.ts'

/**
 * Why a pull ended, as a closed list.
 *
 * - `locked`: another process writes into the folder
 * - `disk`: the file system refuses: full, no permission, read-only; see `reason`
 * - `manifest`: the manifest cannot be read, or is of a newer version
 * - `format`: the folder holds another format
 * - `failed`: parts could not be had; see `failures`. What came is kept: run it again
 * - `stopped`: somebody ended it; run it again
 * - `deadline`: the time given was over; run it again
 * - `budget`: the requests given were spent; run it again
 */
export type PullFailureKind = 'locked' | 'disk' | 'manifest' | 'format' | 'failed' | 'stopped' | 'deadline' | 'budget'

/** What a file system refuses for. */
export type DiskReason = 'full' | 'denied' | 'other'

/** A task that could not be done, and why. */
export interface TaskFailure {
  readonly task: PlannedTask
  readonly error: Error
}

/** A pull that did not come to its end. Nothing half-written stands under a final name, and what is done stays done. */
export class PullError extends HeadraceError {
  override readonly name = 'PullError'
  readonly code = 'HEADRACE_PULL'
  readonly kind: PullFailureKind
  /** What happened: the message without what to do about it. */
  readonly said: string
  /** Where `kind` is `disk`. */
  readonly reason: DiskReason | undefined
  /** The file or folder it is about. */
  readonly path: string | undefined
  readonly failures: readonly TaskFailure[]
  /** What had been done by then, where work had begun. */
  readonly report: PullReport | undefined

  constructor(
    kind: PullFailureKind,
    said: string,
    about: {
      readonly reason?: DiskReason | undefined
      /** What to do, for whoever calls. */
      readonly advice?: string
      readonly path?: string | undefined
      readonly failures?: readonly TaskFailure[]
      readonly report?: PullReport | undefined
    } = {},
    cause?: ErrorCause,
  ) {
    super(about.advice === undefined ? said : `${said}; ${about.advice}`, cause)
    this.kind = kind
    this.said = redactText(said)
    this.reason = about.reason
    this.path = about.path
    this.failures = about.failures ?? []
    this.report = about.report
  }
}

/** Whether a thrown value is a pull that did not come to its end. */
export function isPullError(thrown: unknown): thrown is PullError {
  return thrown instanceof PullError
}

import type { Span } from '../span.ts'
import type { PullFormat, PullSpec } from './spec.ts'

/** A stretch without samples, both ends included. */
export interface PullHole extends Span {
  readonly service: string
  readonly operation: string
  readonly series: Readonly<Record<string, string | number | boolean>>
  /** Which series inside the query, where one query brings several. */
  readonly within?: string
  /** Samples that are missing. */
  readonly samples: number
  /** Whether somebody has said that it may stay. */
  readonly accepted: boolean
}

/** A file of the folder. Its path is relative to the folder, with slashes. */
export interface PulledFile {
  readonly path: string
  /** `'data'` rows, or `'meta'`: one row per response. */
  readonly holds: 'data' | 'meta'
  /** The table that it is a part of: service and operation. */
  readonly table: string
  readonly rows: number
  readonly bytes: number
  readonly sha256: string
}

/** How many tasks there are, and how far they are. */
export interface TaskCount {
  readonly total: number
  /** Done by an earlier run. */
  readonly covered: number
  /** Done by this one. */
  readonly done: number
  readonly failed: number
  readonly left: number
}

/** What a pull did. */
export interface PullReport {
  readonly plan: string
  /** `unchanged`: everything had been there. */
  readonly outcome: 'complete' | 'unchanged' | 'incomplete'
  readonly format: PullFormat
  readonly tasks: TaskCount
  /** Rows written by this run. */
  readonly rows: number
  readonly bytes: number
  /** Requests sent by this run, every attempt counted, logins not. */
  readonly requests: number
  readonly elapsedMs: number
  /** Of the whole folder as far as the specification goes. */
  readonly holes: readonly PullHole[]
  readonly warnings: readonly string[]
}

/** What is in a folder, from its manifest alone. */
export interface PullStatus {
  readonly out: string
  readonly format: PullFormat | undefined
  /** Newest first. */
  readonly plans: readonly { readonly id: string; readonly at: Date }[]
  /** What the newest plan asks for; `undefined` in an empty folder. */
  readonly spec: PullSpec | undefined
  /** Of the newest plan; `undefined` in an empty folder. */
  readonly tasks: TaskCount | undefined
  readonly rows: number
  readonly bytes: number
  readonly files: readonly PulledFile[]
  readonly holes: readonly PullHole[]
  /** Who writes here now. */
  readonly lockedBy: { readonly pid: number; readonly host: string; readonly since: Date } | undefined
}

/** A file that is not what the manifest says. */
export interface DamagedFile {
  readonly path: string
  readonly problem: 'missing' | 'size' | 'hash' | 'rows' | 'unreadable'
  /** What was found and what should be, in words. */
  readonly message: string
}

/** What a check of a folder found, after repairs where those were asked for. */
export interface VerifyReport {
  readonly out: string
  /** No damage, and no hole that nobody accepted. */
  readonly sound: boolean
  readonly files: number
  readonly rows: number
  readonly damaged: readonly DamagedFile[]
  /** Files of our making that no line of the manifest knows: left behind by a process that was killed. */
  readonly strays: readonly string[]
  readonly holes: readonly PullHole[]
  /** How far the newest plan is: what was never pulled is neither damaged nor a hole. `undefined` in an empty folder. */
  readonly tasks: TaskCount | undefined
  /** What a repair did. */
  readonly repaired: { readonly files: number; readonly holes: number; readonly rows: number }
}

/** What came new. */
export interface SyncReport {
  readonly outcome: 'updated' | 'unchanged'
  /** Rows that had not been there. */
  readonly added: number
  /** Rows whose values are different now. */
  readonly revised: number
  /** Rows that the service does not have any more, where all of a stretch was asked for again. */
  readonly removed: number
  readonly requests: number
  readonly elapsedMs: number
  /** Per series: where it ends now. */
  readonly series: readonly SyncedSeries[]
  readonly holes: readonly PullHole[]
  readonly warnings: readonly string[]
}

export interface SyncedSeries {
  readonly service: string
  readonly operation: string
  readonly series: Readonly<Record<string, string | number | boolean>>
  readonly until: Date
  readonly added: number
  readonly revised: number
  readonly removed: number
}

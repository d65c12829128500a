import type { Column } from '../retrieval/index.ts'
import type { PlainQuery } from './service-entry.ts'
import type { Labels } from './series.ts'
import type { PullFormat, PullSpec } from './spec.ts'

/** Lines of `manifest.jsonl`, the record of a folder. Instants are ISO-8601 with `Z`; paths have slashes. */
export type ManifestLine = PlanLine | TaskLine | RewriteLine | HolesLine | AcceptLine | SyncLine

/** Version of the lines below. A reader refuses what is newer. */
export const MANIFEST_VERSION = 1

/** A run began with this specification. */
export interface PlanLine {
  readonly type: 'plan'
  readonly version: number
  readonly plan: string
  readonly at: string
  readonly headrace: string
  readonly format: PullFormat
  readonly spec: PullSpec
  /** Where each series ends and begins by the times of the specification, as they were meant that day. */
  readonly settled: Readonly<Record<string, LineSpan>>
}

/** A task is done: its files stand under their final names. */
export interface TaskLine {
  readonly type: 'task'
  readonly task: string
  readonly plan: string
  readonly at: string
  readonly startedAt: string
  readonly seriesId: string
  readonly service: string
  readonly operation: string
  readonly labels: Labels
  readonly query: PlainQuery
  readonly span: LineSpan | null
  readonly rows: number
  /** Samples that were due, and that came; absent where the cadence is not known. */
  readonly expected?: number
  readonly received?: number
  readonly holes: readonly LineHole[]
  readonly files: readonly LineFile[]
  /** When the newest of the rows holds; absent where rows know no time. */
  readonly newest?: string
  readonly requests: number
  readonly warnings: readonly string[]
  /** This package's, and what the service said of itself: model, units, period. */
  readonly versions: Readonly<Record<string, unknown>>
}

/** Files that stand in the place of others: joined, brought up to date, repaired. */
export interface RewriteLine {
  readonly type: 'rewrite'
  readonly why: 'compact' | 'sync' | 'repair'
  readonly at: string
  readonly files: readonly LineFile[]
  readonly replaces: readonly string[]
}

/** All holes of a series, in place of what was said of them before. */
export interface HolesLine {
  readonly type: 'holes'
  readonly at: string
  readonly seriesId: string
  readonly holes: readonly LineHole[]
}

/** Holes that may stay. */
export interface AcceptLine {
  readonly type: 'accept'
  readonly at: string
  readonly seriesId: string
  readonly holes: readonly LineHole[]
}

/** A series is up to date as of an instant: what was revised before it is in the files. */
export interface SyncLine {
  readonly type: 'sync'
  readonly at: string
  readonly seriesId: string
  readonly asOf: string
}

/** Both ends included. */
export interface LineSpan {
  readonly start: string
  readonly end: string
}

export interface LineHole extends LineSpan {
  readonly samples: number
  readonly within?: string
}

export interface LineFile {
  readonly path: string
  readonly holds: 'data' | 'meta'
  readonly table: string
  /** Series whose rows it holds. */
  readonly series: readonly string[]
  readonly rows: number
  readonly bytes: number
  readonly sha256: string
  readonly columns: readonly Column[]
  /** Tasks whose rows it holds. */
  readonly tasks: readonly string[]
}

/** Bulk pulls: many series of several services into files that can be trusted. The only door of this folder. */
export {
  type AskingOptions,
  type PlanOptions,
  type PullClients,
  type PullOptions,
  type PullSettings,
  type RunOptions,
  type SyncOptions,
  type VerifyOptions,
} from './options.ts'
export { type Disk, type DiskFile } from './disk.ts'
export { loadDuckDb, type DuckDbOptions } from './load-duckdb.ts'
export { loadPostgres, type PostgresOptions } from './load-postgres.ts'
export { type LoadedTable, type LoadOptions, type LoadReport } from './load-tables.ts'
export { planPull } from './plan-pull.ts'
export { pull } from './pull.ts'
export { PullError, isPullError, type DiskReason, type PullFailureKind, type TaskFailure } from './pull-error.ts'
export { type PullEvent, type PullProgress } from './pull-events.ts'
export { type PlannedTask, type PullPlan, type QuotaShare, type RequestCount } from './pull-plan.ts'
export {
  type DamagedFile,
  type PulledFile,
  type PullHole,
  type PullReport,
  type PullStatus,
  type SyncedSeries,
  type SyncReport,
  type TaskCount,
  type VerifyReport,
} from './pull-report.ts'
export { readSpec } from './read-spec.ts'
export { type PullEntry, type PullFormat, type PullSpec, type PullTimes, type Segment } from './spec.ts'
export { status } from './status.ts'
export { sync } from './sync.ts'
export { type FileFacts, type TableWriter } from './table-shape.ts'
export { openTable } from './table-writer.ts'
export { verify } from './verify.ts'

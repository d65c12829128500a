import type { RetrievalEvent } from '../transport/index.ts'
import type { PlannedTask, PullPlan } from './pull-plan.ts'

/** How far a pull is. */
export interface PullProgress {
  readonly tasks: number
  /** Done, by this run or an earlier one. */
  readonly tasksDone: number
  readonly rows: number
  readonly expectedRows: number | undefined
  readonly bytes: number
  readonly requests: number
  readonly elapsedMs: number
  /** At the speed so far; absent before there is one. */
  readonly leftMs: number | undefined
}

/** What happens while a pull runs, as a closed list. */
export type PullEvent = { readonly at: Date; readonly progress: PullProgress } & (
  | { readonly type: 'planned'; readonly plan: PullPlan }
  | { readonly type: 'task-started'; readonly task: PlannedTask }
  | { readonly type: 'task-done'; readonly task: PlannedTask; readonly rows: number; readonly holes: number }
  | { readonly type: 'task-failed'; readonly task: PlannedTask; readonly error: Error }
  /** What the transport says of one of the calls. */
  | { readonly type: 'retrieval'; readonly event: RetrievalEvent }
  /** Files are joined, or rows put in the place of older ones. */
  | { readonly type: 'rewriting'; readonly path: string }
  | { readonly type: 'warning'; readonly message: string }
  /** Nothing new is started any more. */
  | { readonly type: 'stopping'; readonly reason: string }
  | { readonly type: 'done' }
)

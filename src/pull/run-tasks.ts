import { RequestError, RetrievalInterrupted } from '../errors.ts'
import type { PullError, TaskFailure } from './pull-error.ts'
import { isPullError } from './pull-error.ts'
import type { PlannedTask } from './pull-plan.ts'
import type { ProgressBoard } from './progress.ts'
import type { RunControl } from './run-control.ts'
import { runTask, type Workplace } from './run-task.ts'
import type { ServiceClient } from './service-entry.ts'
import type { TaskLine } from './manifest-lines.ts'
import type { Task } from './tasks.ts'

/** Work that lies ahead, and what is needed for it. */
export interface Work {
  readonly tasks: readonly (Task & { readonly planned: PlannedTask })[]
  readonly place: Workplace
  readonly clientOf: (service: string) => ServiceClient
  readonly parallel: number
  readonly control: RunControl
  readonly board: ProgressBoard
  /** Keeps a line: with it the task is done. */
  readonly keep: (line: TaskLine) => Promise<void>
}

/** Failures after which every other task would fail, too. */
const HOPELESS = new Set(['login', 'http_401'])

/**
 * Does tasks side by side. One that fails leaves the others alone, unless all would fail for the same reason.
 *
 * @returns the tasks that failed; those that were ended from outside are not among them
 * @throws PullError of kind `disk` when the file system refuses
 */
export async function runTasks(work: Work): Promise<TaskFailure[]> {
  const { tasks, control, board, parallel } = work
  const failures: TaskFailure[] = []
  let refused: PullError | undefined
  let next = 0
  const lane = async (): Promise<void> => {
    for (let task = tasks[next++]; task !== undefined && control.halt === undefined; task = tasks[next++]) {
      try {
        await doTask(task, work)
      } catch (thrown) {
        if (isPullError(thrown)) {
          refused ??= thrown
          control.stop({ kind: 'disk', reason: thrown.message, cause: thrown })
        } else if (!control.signal.aborted) {
          const error = thrown instanceof Error ? thrown : new Error(String(thrown))
          failures.push({ task: task.planned, error })
          board.tell({ type: 'task-failed', task: task.planned, error })
          if (isHopeless(error)) control.stop({ kind: 'failed', reason: error.message, cause: error })
        }
      }
    }
  }
  await Promise.all(Array.from({ length: Math.min(parallel, tasks.length) }, lane))
  if (refused) throw refused
  return failures
}

async function doTask(task: Work['tasks'][number], work: Work): Promise<void> {
  const { place, clientOf, control, board, keep } = work
  let requests = 0
  board.tell({ type: 'task-started', task: task.planned })
  const line = await runTask(task, clientOf(task.series.service), place, {
    signal: control.signal,
    countRows(rows) {
      board.rows += rows
    },
    requestsSent: () => requests,
    onEvent(event) {
      if (event.type === 'attempt') {
        requests += 1
        control.countRequest()
      }
      // The request that follows is a login.
      if (event.type === 'refresh') {
        requests -= 1
        board.requests -= 1
      }
      board.tell({ type: 'retrieval', event })
    },
  })
  await keep(line)
  board.tasksDone += 1
  board.bytes += line.files.reduce((sum, { bytes }) => sum + bytes, 0)
  for (const warning of line.warnings) board.tell({ type: 'warning', message: warning })
  board.tell({ type: 'task-done', task: task.planned, rows: line.rows, holes: line.holes.length })
}

function isHopeless(error: Error): boolean {
  return (error instanceof RequestError || error instanceof RetrievalInterrupted) && HOPELESS.has(error.kind)
}

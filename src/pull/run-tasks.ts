import { ConfigurationError, RequestError, RetrievalInterrupted } from '../errors.ts'
import { reasonOf } from './ended-early.ts'
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
 * Does tasks side by side. A further one is begun when those that run leave slots of its service free: more of them at a
 * time would be no quicker, and would hold more in memory. One that fails leaves the others alone, unless all would
 * fail for the same reason.
 *
 * @returns the tasks that failed; those that were ended from outside are not among them
 * @throws PullError of kind `disk` when the file system refuses
 */
export async function runTasks(work: Work): Promise<TaskFailure[]> {
  const { control, parallel, clientOf } = work
  const waiting = [...work.tasks]
  const failures: TaskFailure[] = []
  /** Requests whose rows running tasks have not written yet, by service. */
  const ahead = new Map<string, number>()
  let refused: PullError | undefined
  let running = 0
  let ring = (): void => undefined

  const begin = (task: Work['tasks'][number]): void => {
    const { service } = task.series
    let left = task.planned.requests.low
    const written = (count: number): void => {
      const fewer = Math.min(left, count)
      left -= fewer
      ahead.set(service, (ahead.get(service) ?? 0) - fewer)
      ring()
    }
    running += 1
    ahead.set(service, (ahead.get(service) ?? 0) + left)
    void doTask(task, work, () => written(1))
      .catch((thrown: unknown) => {
        if (isPullError(thrown)) {
          refused ??= thrown
          control.stop({ kind: 'disk', reason: thrown.message, cause: thrown })
        } else noteFailure(task, thrown, work, failures)
      })
      .finally(() => {
        running -= 1
        written(left)
      })
  }
  for (;;) {
    while (running < parallel && control.halt === undefined) {
      const at = waiting.findIndex(({ series: { service }, planned }) =>
        fits(ahead.get(service) ?? 0, planned.requests.low, slotsOf(clientOf(service))),
      )
      const [task] = at < 0 ? [] : waiting.splice(at, 1)
      if (task === undefined) break
      begin(task)
    }
    if (running === 0) break
    await new Promise<void>(resolve => {
      ring = resolve
    })
  }
  if (refused) throw refused
  return failures
}

function noteFailure(
  { planned }: Work['tasks'][number],
  thrown: unknown,
  { control, board }: Work,
  failures: TaskFailure[],
): void {
  if (control.signal.aborted) return
  const error = thrown instanceof Error ? thrown : new Error(String(thrown))
  failures.push({ task: planned, error })
  board.tell({ type: 'task-failed', task: planned, error })
  if (isHopeless(error)) control.stop({ kind: 'failed', reason: reasonOf(error), cause: error })
}

async function doTask(task: Work['tasks'][number], work: Work, written: () => void): Promise<void> {
  const { place, clientOf, control, board, keep } = work
  let requests = 0
  let came = 0
  board.tell({ type: 'task-started', task: task.planned })
  const line = await runTask(task, clientOf(task.series.service), place, {
    signal: control.signal,
    countRows(rows) {
      board.rows += rows
      came += rows
      written()
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
  }).catch((thrown: unknown) => {
    // What came of it was not written.
    board.rows -= came
    throw thrown
  })
  await keep(line)
  board.tasksDone += 1
  board.bytes += line.files.reduce((sum, { bytes }) => sum + bytes, 0)
  for (const warning of line.warnings) board.tell({ type: 'warning', message: warning })
  board.tell({ type: 'task-done', task: task.planned, rows: line.rows, holes: line.holes.length })
}

/** Whether a task may join those that run: where with it there is no more to be had than slots. */
function fits(ahead: number, requests: number, slots: number): boolean {
  return ahead <= 0 || ahead + requests <= slots
}

/** Requests that a client sends at a time. */
function slotsOf(client: ServiceClient): number {
  const value = Number(client.describeSettings().find(({ setting }) => setting === 'concurrency')?.value)
  return Number.isFinite(value) && value > 0 ? value : 1
}

function isHopeless(error: Error): boolean {
  if (error instanceof ConfigurationError) return true
  return (error instanceof RequestError || error instanceof RetrievalInterrupted) && HOPELESS.has(error.kind)
}

import { systemClock } from '../clock.ts'
import { isoText } from '../time.ts'
import { clientDesk } from './client-desk.ts'
import { compact } from './compact.ts'
import { systemDisk } from './disk.ts'
import { openFolder, type Folder } from './folder.ts'
import { holesOf } from './folder-holes.ts'
import { acceptHoles, notePlan } from './notes.ts'
import type { PullOptions } from './options.ts'
import { describePlan, resolveParallel } from './plan-pull.ts'
import { ProgressBoard } from './progress.ts'
import { PullError, type TaskFailure } from './pull-error.ts'
import { endedEarly } from './ended-early.ts'
import type { PullPlan } from './pull-plan.ts'
import type { PullReport } from './pull-report.ts'
import { readSpec } from './read-spec.ts'
import { openControl } from './run-control.ts'
import { runTasks } from './run-tasks.ts'
import { planIdOf, seriesOf, type Series } from './series.ts'
import type { PullFormat, PullSpec } from './spec.ts'
import { listTasks, settleAll } from './tasks.ts'

/**
 * Pulls what a specification asks for into a folder: a file for each task, a line of `manifest.jsonl` when it is safe
 * on the disk. Running it again does what is missing. It can be killed at any moment: at most the tasks in flight are
 * lost, and nothing half-written stands under a final name.
 *
 * @returns `incomplete` where holes are left that nobody accepted
 * @throws QueryError or ConfigurationError before anything is done; PullError when it did not come to its end, with a
 *   `report` of what was done until then
 */
export async function pull(spec: PullSpec, options: PullOptions): Promise<PullReport> {
  const { out, clock = systemClock, disk = systemDisk } = options
  const parallel = resolveParallel(options.parallel)
  const sound = readSpec(spec)
  const series = seriesOf(sound)
  const planId = planIdOf(series)
  const clientOf = clientDesk(options)
  const board = new ProgressBoard(clock, options)
  const control = openControl(options, clock, board)
  let folder: Folder | undefined
  try {
    folder = await openFolder(disk, out, clock)
    const { state } = folder
    const format = options.format ?? sound.format ?? state.format ?? 'csv'
    checkFormat(format, state.format, out)
    const partition = sound.partition
    const settled = settleAll(series, planId, state, clock.now())
    const tasks = listTasks(series, settled, state)
    const plan = await describePlan({ id: planId, format, tasks, partition, state, clientOf, parallel, asks: false })
    board.tasks = tasks.length
    board.tasksDone = plan.covered.tasks
    board.expectedRows = plan.expectedRows
    board.tell({ type: 'planned', plan })
    await notePlan(folder, sound, { id: planId, format, settled, at: isoText(clock.now()) })
    const left = tasks.flatMap((task, at) => {
      const planned = plan.tasks[at]
      return planned === undefined || task.covered ? [] : [{ ...task, planned }]
    })
    const failures = await runTasks({
      tasks: left,
      place: { disk, out, format, partition, clock, planId },
      clientOf,
      parallel,
      control,
      board,
      keep: line => (folder as Folder).add(line),
    })
    if (options.compact !== false && control.halt === undefined && failures.length === 0) {
      await compact(folder, format, clock, board, control)
    }
    if (options.acceptHoles === true) await acceptHoles(folder, series, isoText(clock.now()))
    const report = reportOf({ plan, board, failures, folder, series })
    if (control.halt === undefined && failures.length === 0) {
      board.tell({ type: 'done' })
      return report
    }
    throw endedEarly({ halt: control.halt, failures, report, out, left: report.tasks.left, total: report.tasks.total })
  } finally {
    control.close()
    await folder?.close()
  }
}

function checkFormat(format: PullFormat, present: PullFormat | undefined, out: string): void {
  if (present === undefined || present === format) return
  throw new PullError('format', `${out} holds ${present}, not ${format}; pull ${format} into another folder`, {
    path: out,
  })
}

function reportOf(done: {
  readonly plan: PullPlan
  readonly board: ProgressBoard
  readonly failures: readonly TaskFailure[]
  readonly folder: Folder
  readonly series: readonly Series[]
}): PullReport {
  const { plan, board, failures, folder, series } = done
  const holes = holesOf(folder.state, series)
  const doneNow = board.tasksDone - plan.covered.tasks
  const warnings = series.flatMap(({ id }) => folder.state.series.get(id)?.tasks.flatMap(task => task.warnings) ?? [])
  const whole = holes.every(({ accepted }) => accepted)
  return {
    plan: plan.id,
    outcome: !whole || board.tasksDone < board.tasks ? 'incomplete' : doneNow === 0 ? 'unchanged' : 'complete',
    format: plan.format,
    tasks: {
      total: board.tasks,
      covered: plan.covered.tasks,
      done: doneNow,
      failed: failures.length,
      left: board.tasks - board.tasksDone,
    },
    rows: board.rows,
    bytes: board.bytes,
    requests: board.requests,
    elapsedMs: board.elapsedMs,
    holes,
    warnings: [...new Set(warnings)],
  }
}

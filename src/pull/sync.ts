import { systemClock } from '../clock.ts'
import { QueryError } from '../errors.ts'
import { isoText, parseInstant } from '../time.ts'
import { askAgain, callOf } from './ask-again.ts'
import { clientDesk } from './client-desk.ts'
import { compact } from './compact.ts'
import { systemDisk } from './disk.ts'
import { asPullFailure, endedEarly } from './ended-early.ts'
import { estimateTask } from './estimate.ts'
import { openFolder, type Folder } from './folder.ts'
import { holesOf } from './folder-holes.ts'
import type { TaskLine } from './manifest-lines.ts'
import { warnOfNewer } from './newer-version.ts'
import { noteEmptied, noteFilled } from './note-holes.ts'
import { acceptHoles } from './notes.ts'
import type { SyncOptions } from './options.ts'
import { resolveParallel } from './plan-pull.ts'
import { ProgressBoard } from './progress.ts'
import type { SyncedSeries, SyncReport } from './pull-report.ts'
import { readSpec } from './read-spec.ts'
import { openControl, type RunControl } from './run-control.ts'
import { runTasks, type Work } from './run-tasks.ts'
import { seriesOf, type Series } from './series.ts'
import { partitionIn, seriesIn } from './series-spec.ts'
import type { PullFormat, PullSpec } from './spec.ts'
import { tasksOf } from './status.ts'
import { newTasks, revisedWhere, upToNewest, type Again } from './sync-plan.ts'

/**
 * Brings a folder up to date: what has been revised since the last time is put in its place, and what is new since its
 * end is added. It goes on to now, whatever end the specification has.
 *
 * @param spec - which of the folder's series; `undefined` for all of them
 * @throws QueryError when the folder holds none of them; PullError when it did not come to its end
 */
export async function sync(spec: PullSpec | undefined, options: SyncOptions): Promise<SyncReport> {
  const { out, clock = systemClock, disk = systemDisk } = options
  const parallel = resolveParallel(options.parallel)
  const wanted = spec && new Set(seriesOf(readSpec(spec)).map(({ id }) => id))
  const until = options.until === undefined ? undefined : parseInstant(options.until, 'until')
  const board = new ProgressBoard(clock, options)
  const control = openControl(options, clock, board)
  const clientOf = clientDesk(options)
  let folder: Folder | undefined
  try {
    folder = await openFolder(disk, out, clock)
    const { state } = folder
    const series = seriesIn(state).filter(({ id, entry }) => entry.time !== undefined && (!wanted || wanted.has(id)))
    if (series.length === 0) {
      throw new QueryError(`${out} holds none of these series yet; pull them first`, { argument: 'spec', value: out })
    }
    const format = state.format ?? 'csv'
    const partition = partitionIn(state)
    const asOf = isoText(clock.now())
    const again = series.flatMap(one => revisedWhere(one, state, options.lookBack))
    const tasks = series.flatMap(one => newTasks(one, state, until, clock.now()))
    board.tasks = tasks.length + again.length
    const counts = new Map<string, Count>(series.map(({ id }) => [id, { added: 0, revised: 0, removed: 0 }]))
    const warnings = new Set<string>()
    const warn = (message: string): void => {
      warnings.add(message)
      board.tell({ type: 'warning', message })
    }
    const { left = 0, total = 0 } = tasksOf(state) ?? {}
    if (left > 0) warn(`${left} of ${total} tasks of the newest pull are left, and sync does not do them: pull again`)
    await reviseAll(again, { folder, clock, format, partition, clientOf, control, board, counts, warn })
    const added = (line: TaskLine): void => {
      const count = counts.get(line.seriesId)
      if (count) count.added += line.rows
    }
    const planned = await Promise.all(
      tasks.map(async task => ({
        ...task,
        planned: (await estimateTask(task, clientOf(task.series.service))).planned,
      })),
    )
    const failures = await runTasks({
      tasks: planned,
      place: { disk, out, format, partition, clock, planId: state.plans.at(-1)?.plan ?? '' },
      clientOf,
      parallel,
      control,
      board,
      // What the service does not have yet is no hole: the next time it is asked for again.
      keep: async line => {
        const known = upToNewest(line, clock.now())
        if (known === undefined) return
        for (const warning of line.warnings) warnings.add(warning)
        await (folder as Folder).add(known)
        added(known)
      },
    })
    if (control.halt !== undefined || failures.length > 0) {
      throw endedEarly({ halt: control.halt, failures, out, left: board.tasks - board.tasksDone, total: board.tasks })
    }
    await warnOfNewer(series, state, clientOf, callOf(control, board), warn)
    for (const { id } of series) await folder.add({ type: 'sync', at: isoText(clock.now()), seriesId: id, asOf })
    if (options.compact !== false) await compact(folder, format, clock, board, control)
    if (options.acceptHoles === true) await acceptHoles(folder, series, isoText(clock.now()))
    board.tell({ type: 'done' })
    return reportOf(folder, series, counts, board, [...warnings])
  } catch (thrown) {
    throw asPullFailure(thrown, control, out)
  } finally {
    control.close()
    await folder?.close()
  }
}

interface Count {
  added: number
  revised: number
  removed: number
}

/** Asks for what was revised, one series after the other: each may change any of its files. */
async function reviseAll(
  again: readonly Again[],
  work: Pick<Work, 'clientOf'> & {
    readonly folder: Folder
    readonly clock: Work['place']['clock']
    readonly format: PullFormat
    readonly partition: readonly string[] | undefined
    readonly control: RunControl
    readonly board: ProgressBoard
    readonly counts: ReadonlyMap<string, Count>
    readonly warn: (message: string) => void
  },
): Promise<void> {
  const { folder, clock, format, partition, clientOf, control, board, counts, warn } = work
  for (const { series, spans, more, whole } of again) {
    if (control.halt !== undefined) return
    const client = clientOf(series.service)
    const target = { folder, clock, format, partition, series, why: 'sync', client, control, board, warn } as const
    const came = await askAgain(target, spans, more, whole)
    await noteFilled(folder, series, came.instants, isoText(clock.now()))
    await noteEmptied(folder, series, came.emptied, isoText(clock.now()))
    const count = counts.get(series.id)
    if (count) {
      count.added += came.added
      count.revised += came.revised
      count.removed += came.removed
    }
    board.tasksDone += 1
  }
}

function reportOf(
  { state }: Folder,
  series: readonly Series[],
  counts: ReadonlyMap<string, Count>,
  board: ProgressBoard,
  warnings: readonly string[],
): SyncReport {
  const synced = series.map((one): SyncedSeries => {
    const { added = 0, revised = 0, removed = 0 } = counts.get(one.id) ?? {}
    const ends = state.series.get(one.id)?.covered.map(({ end }) => end) ?? []
    return {
      service: one.service,
      operation: one.operation,
      series: one.labels,
      until: new Date(ends.reduce((latest, end) => Math.max(latest, end), 0)),
      added,
      revised,
      removed,
    }
  })
  const sum = (of: (one: SyncedSeries) => number): number => synced.reduce((total, one) => total + of(one), 0)
  const [added, revised, removed] = [sum(one => one.added), sum(one => one.revised), sum(one => one.removed)]
  return {
    outcome: added + revised + removed === 0 ? 'unchanged' : 'updated',
    added,
    revised,
    removed,
    requests: board.requests,
    elapsedMs: board.elapsedMs,
    series: synced,
    holes: holesOf(state, series),
    warnings,
  }
}

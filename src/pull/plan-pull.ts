import { systemClock } from '../clock.ts'
import { QueryError } from '../errors.ts'
import { clientDesk } from './client-desk.ts'
import { systemDisk } from './disk.ts'
import { onDisk } from './disk-error.ts'
import { bytesOf, estimateTask, quotasOf, secondsOf, sumOf, type EstimatedTask } from './estimate.ts'
import { foldManifest, type FolderState } from './folder-state.ts'
import { dataFolder } from './layout.ts'
import { readManifest } from './manifest.ts'
import type { PlanOptions } from './options.ts'
import type { PullPlan } from './pull-plan.ts'
import { readSpec } from './read-spec.ts'
import type { ServiceClient } from './service-entry.ts'
import { nameOf, planIdOf, seriesOf, type Series } from './series.ts'
import type { PullFormat, PullSpec } from './spec.ts'
import { listTasks, settleAll, type ListedTask } from './tasks.ts'

const PARALLEL = 4

/**
 * How many tasks run at a time.
 *
 * @throws QueryError
 */
export function resolveParallel(parallel = PARALLEL): number {
  if (Number.isInteger(parallel) && parallel > 0) return parallel
  throw new QueryError(`parallel must be a whole number, 1 or more; got ${String(parallel)}`, {
    argument: 'parallel',
    value: parallel,
  })
}

/**
 * What a pull would do and cost: its tasks, requests, rows, time, share of quotas and bytes, and what the folder has
 * already. No data request is sent: at most, a service is asked how many rows there are.
 *
 * @throws QueryError naming the place in the specification; ConfigurationError; PullError of kind `manifest`
 */
export async function planPull(spec: PullSpec, options: PlanOptions = {}): Promise<PullPlan> {
  const { out, clock = systemClock } = options
  const parallel = resolveParallel(options.parallel)
  const sound = readSpec(spec)
  const state =
    out === undefined
      ? undefined
      : foldManifest((await onDisk('reading', out, () => readManifest(systemDisk, out))).lines)
  const series = seriesOf(sound)
  const planId = planIdOf(series)
  const tasks = listTasks(series, settleAll(series, planId, state, clock.now()), state)
  return describePlan({
    id: planId,
    format: options.format ?? sound.format ?? state?.format ?? 'csv',
    tasks,
    partition: sound.partition,
    state,
    clientOf: clientDesk(options),
    parallel,
    asks: true,
    ...(options.signal ? { signal: options.signal } : {}),
  })
}

/** What a plan is made of. */
export interface PlanParts {
  readonly id: string
  readonly format: PullFormat
  readonly tasks: readonly ListedTask[]
  readonly partition: readonly string[] | undefined
  readonly state: FolderState | undefined
  readonly clientOf: (service: string) => ServiceClient
  readonly parallel: number
  /** Whether a service may be asked how many rows there are. */
  readonly asks: boolean
  readonly signal?: AbortSignal
}

/** The plan as people see it. */
export async function describePlan(parts: PlanParts): Promise<PullPlan> {
  const { id, format, tasks, partition, state, clientOf, parallel, asks, signal } = parts
  for (const { series, span } of tasks) dataFolder(series, span, partition)
  const estimated: EstimatedTask[] = []
  for (const task of tasks) {
    signal?.throwIfAborted()
    const estimating = estimateTask(task, clientOf(task.series.service), asks, signal)
    estimated.push(await estimating.catch((thrown: unknown) => Promise.reject(withSeries(thrown, task.series))))
  }
  const planned = estimated.map(one => one.planned)
  return {
    id,
    format,
    tasks: planned,
    ...sumOf(planned),
    seconds: secondsOf(estimated, clientOf, parallel),
    quotas: quotasOf(estimated),
    bytes: bytesOf(planned, format),
    covered: {
      tasks: planned.filter(({ covered }) => covered).length,
      rows: rowsOf(
        state,
        tasks.map(({ series }) => series),
      ),
    },
  }
}

/** Of many series, the one that cannot be asked like this. */
function withSeries(thrown: unknown, series: Series): unknown {
  if (!(thrown instanceof QueryError)) return thrown
  const { argument, value, message } = thrown
  return new QueryError(`${nameOf(series)}: ${message}`, { argument, value })
}

/** Rows of some series that a folder holds. */
export function rowsOf(state: FolderState | undefined, series: readonly Series[]): number {
  const ids = new Set(series.map(({ id }) => id))
  let rows = 0
  for (const file of state?.files.values() ?? []) {
    if (file.holds === 'data' && file.series.every(id => ids.has(id))) rows += file.rows
  }
  return rows
}

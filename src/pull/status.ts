import type { Disk } from './disk.ts'
import { systemDisk } from './disk.ts'
import { onDisk } from './disk-error.ts'
import { holesOf } from './folder-holes.ts'
import { foldManifest, type FolderState } from './folder-state.ts'
import { lockHolder } from './lock.ts'
import { readManifest } from './manifest.ts'
import type { PullStatus, TaskCount } from './pull-report.ts'
import { seriesOf } from './series.ts'
import { listTasks } from './tasks.ts'

/**
 * What is in a folder, by its manifest alone: no file is read, nothing is asked. A folder that is not there is empty.
 *
 * @throws PullError of kind `manifest` or `disk`
 */
export async function status(out: string, { disk = systemDisk }: { readonly disk?: Disk } = {}): Promise<PullStatus> {
  const { lines } = await onDisk('reading', out, () => readManifest(disk, out))
  const state = foldManifest(lines)
  const files = [...state.files.values()]
  const data = files.filter(({ holds }) => holds === 'data')
  const holder = await onDisk('reading', out, () => lockHolder(disk, out))
  return {
    out,
    format: state.format,
    plans: state.plans.map(({ plan, at }) => ({ id: plan, at: new Date(at) })).toReversed(),
    spec: state.plans.at(-1)?.spec,
    tasks: tasksOf(state),
    rows: data.reduce((sum, { rows }) => sum + rows, 0),
    bytes: files.reduce((sum, { bytes }) => sum + bytes, 0),
    files: files.map(({ path, holds, table, rows, bytes, sha256 }) => ({ path, holds, table, rows, bytes, sha256 })),
    holes: holesOf(
      state,
      [...state.series.values()].map(({ series }) => series),
    ),
    lockedBy: holder && { pid: holder.pid, host: holder.host, since: new Date(holder.since) },
  }
}

/** How far the newest plan is; `undefined` in an empty folder. */
export function tasksOf(state: FolderState): TaskCount | undefined {
  const plan = state.plans.at(-1)
  if (plan === undefined) return undefined
  const tasks = listTasks(seriesOf(plan.spec), plan.settled, state)
  const covered = tasks.filter(task => task.covered).length
  return { total: tasks.length, covered, done: 0, failed: 0, left: tasks.length - covered }
}

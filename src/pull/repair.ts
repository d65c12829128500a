import { join } from 'node:path'
import { fingerprint } from './fingerprint.ts'
import type { Folder } from './folder.ts'
import { sameVersion } from './same-version.ts'
import type { LineFile, TaskLine } from './manifest-lines.ts'
import { lineSpanMs } from './folder-state.ts'
import type { ProgressBoard } from './progress.ts'
import type { DamagedFile } from './pull-report.ts'
import { changeFiles } from './rewrite.ts'
import type { RunControl } from './run-control.ts'
import { runTask, type Workplace } from './run-task.ts'
import type { ServiceClient } from './service-entry.ts'
import type { Series } from './series.ts'
import { seriesIn } from './series-spec.ts'
import { taskOf } from './tasks.ts'

/** What is needed to ask for damaged files once more. */
export interface RepairWork extends Omit<Workplace, 'disk' | 'out' | 'planId'> {
  readonly folder: Folder
  readonly clientOf: (service: string) => ServiceClient
  readonly control: RunControl
  readonly board: ProgressBoard
}

/**
 * Does the tasks of damaged files once more. Data files that share a task with a damaged one are done with it; of damaged
 * metadata only the metadata are kept.
 *
 * @returns files that are sound again, and the rows of the new ones
 */
export async function repairFiles(
  work: RepairWork,
  damaged: readonly DamagedFile[],
): Promise<{ readonly files: number; readonly rows: number }> {
  const { folder } = work
  const series = new Map(seriesIn(folder.state).map(one => [one.id, one]))
  let rows = 0
  for (const group of groupsOf(folder, new Set(damaged.map(({ path }) => path)))) {
    const files: LineFile[] = []
    for (const task of group.tasks) {
      const own = series.get(task.seriesId)
      if (own === undefined) continue
      work.control.goOn()
      files.push(...(await fetchFiles(work, own, task, group)))
    }
    rows += files.reduce((sum, file) => sum + (file.holds === 'data' ? file.rows : 0), 0)
    const { clock, format } = work
    await changeFiles({ folder, clock, format, why: 'repair', replaces: group.files }, files)
  }
  return { files: damaged.length, rows }
}

interface Group {
  readonly holds: LineFile['holds']
  readonly files: readonly LineFile[]
  readonly tasks: readonly TaskLine[]
}

/** Damaged files with all that hangs together with them by their tasks. */
function groupsOf({ state }: Folder, damaged: ReadonlySet<string>): Group[] {
  const all = [...state.files.values()]
  const seen = new Set<string>()
  const groups: Group[] = []
  for (const file of all) {
    if (!damaged.has(file.path) || seen.has(file.path)) continue
    const tasks = new Set(file.tasks)
    const files = new Set([file])
    for (let grown = true; grown;) {
      grown = false
      for (const other of all) {
        if (files.has(other) || other.holds !== file.holds || !other.tasks.some(id => tasks.has(id))) continue
        files.add(other)
        for (const id of other.tasks) tasks.add(id)
        grown = true
      }
    }
    for (const { path } of files) seen.add(path)
    groups.push({ holds: file.holds, files: [...files], tasks: [...tasks].flatMap(id => state.tasks.get(id) ?? []) })
  }
  return groups
}

async function fetchFiles(
  work: RepairWork,
  series: Series,
  task: TaskLine,
  { holds, files: replaced }: Group,
): Promise<readonly LineFile[]> {
  const { folder, clientOf, control, board } = work
  const again = {
    ...taskOf(series, task.span ? lineSpanMs(task.span) : undefined),
    id: task.task,
    more: sameVersion(series, { tasks: [task] }),
    // Not the names of files that count.
    fileId: fingerprint([task.task, replaced.map(({ path }) => path)]),
  }
  const place = { ...work, disk: folder.disk, out: folder.out, planId: task.plan }
  const { files } = await runTask(again, clientOf(series.service), place, {
    signal: control.signal,
    countRows(count) {
      board.rows += count
    },
    requestsSent: () => 0,
    onEvent(event) {
      if (event.type === 'attempt') control.countRequest()
      board.tell({ type: 'retrieval', event })
    },
  })
  if (holds === 'data') return files
  for (const { path, holds: held } of files) if (held === 'data') await folder.disk.remove(join(folder.out, path))
  return files.filter(file => file.holds === 'meta')
}

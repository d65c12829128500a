import { systemClock } from '../clock.ts'
import { isoText } from '../time.ts'
import { askAgain } from './ask-again.ts'
import { checkFiles, type FilesCheck } from './check-files.ts'
import { clientDesk } from './client-desk.ts'
import { systemDisk } from './disk.ts'
import { onDisk } from './disk-error.ts'
import { asPullFailure } from './ended-early.ts'
import { openFolder, strays, type Folder } from './folder.ts'
import { holesOf } from './folder-holes.ts'
import { foldManifest, isAccepted, lineSpanMs, type FolderState } from './folder-state.ts'
import { readManifest } from './manifest.ts'
import { noteFilled } from './note-holes.ts'
import { acceptHoles } from './notes.ts'
import type { VerifyOptions } from './options.ts'
import { ProgressBoard } from './progress.ts'
import type { VerifyReport } from './pull-report.ts'
import { repairFiles } from './repair.ts'
import { openControl, type RunControl } from './run-control.ts'
import { tasksOf } from './status.ts'
import { sameVersion } from './same-version.ts'
import { seriesIn, partitionIn } from './series-spec.ts'

const NOTHING_REPAIRED: VerifyReport['repaired'] = { files: 0, holes: 0, rows: 0 }

/**
 * Checks a folder against its manifest: every file is read, its hash and rows counted, and the grid of its instants
 * compared with what is due. Asks nothing of a service, unless it is to repair.
 *
 * @returns what is wrong; after a repair, what still is
 * @throws PullError of kind `locked`, `disk` or `manifest`; of kind `failed` when a repair could not be had
 */
export async function verify(out: string, options: VerifyOptions = {}): Promise<VerifyReport> {
  const { disk = systemDisk, clock = systemClock, repair = false, accept = false } = options
  const board = new ProgressBoard(clock, options)
  const control = openControl(options, clock, board)
  let folder: Folder | undefined
  try {
    if (!repair && !accept) {
      const state = foldManifest((await onDisk('reading', out, () => readManifest(disk, out))).lines)
      const left = await onDisk('reading', out, () => strays(disk, out, state))
      return reportOf(out, state, await checkFiles(disk, out, state, control.goOn), left, NOTHING_REPAIRED)
    }
    folder = await openFolder(disk, out, clock)
    let check = await checkFiles(disk, out, folder.state, control.goOn)
    let repaired = NOTHING_REPAIRED
    if (repair) {
      repaired = await repairAll(folder, check, options, control, board)
      check = await checkFiles(disk, out, folder.state, control.goOn)
    }
    await noteHoles(folder, check, isoText(clock.now()))
    if (accept) await acceptHoles(folder, seriesIn(folder.state), isoText(clock.now()))
    return reportOf(out, folder.state, check, [], repaired)
  } catch (thrown) {
    throw asPullFailure(thrown, control, out)
  } finally {
    control.close()
    await folder?.close()
  }
}

async function repairAll(
  folder: Folder,
  check: FilesCheck,
  options: VerifyOptions,
  control: RunControl,
  board: ProgressBoard,
): Promise<VerifyReport['repaired']> {
  const { clock = systemClock } = options
  const clientOf = clientDesk(options)
  const format = folder.state.format ?? 'csv'
  const partition = partitionIn(folder.state)
  const files = await repairFiles({ folder, clock, format, partition, clientOf, control, board }, check.damaged)
  // What a damaged file held is no hole any more.
  const sound = files.files === 0 ? check : await checkFiles(folder.disk, folder.out, folder.state, control.goOn)
  await noteHoles(folder, sound, isoText(clock.now()))
  let holes = 0
  let rows = files.rows
  for (const series of seriesIn(folder.state)) {
    const known = folder.state.series.get(series.id)
    const open = (known?.holes ?? []).filter(hole => !isAccepted(hole, known?.accepted ?? []))
    if (open.length === 0) continue
    control.goOn()
    const client = clientOf(series.service)
    const warn = (message: string): void => board.tell({ type: 'warning', message })
    const target = { folder, clock, format, partition, series, why: 'repair', client, control, board, warn } as const
    const spans = distinct(open.map(lineSpanMs))
    const { added, instants } = await askAgain(target, spans, sameVersion(series, known ?? { tasks: [] }))
    rows += added
    await noteFilled(folder, series, instants, isoText(clock.now()))
    const left = folder.state.series.get(series.id)?.holes.length ?? 0
    holes += Math.max(0, open.length - left)
  }
  return { files: files.files, holes, rows }
}

/** What the rows themselves say goes before what was written down. */
async function noteHoles(folder: Folder, check: FilesCheck, at: string): Promise<void> {
  for (const [seriesId, holes] of check.holes) {
    const known = folder.state.series.get(seriesId)?.holes ?? []
    if (JSON.stringify(known) !== JSON.stringify(holes)) await folder.add({ type: 'holes', at, seriesId, holes })
  }
}

function distinct<S extends { readonly start: number; readonly end: number }>(spans: readonly S[]): S[] {
  return [...new Map(spans.map(span => [`${span.start} ${span.end}`, span])).values()]
}

function reportOf(
  out: string,
  state: FolderState,
  { damaged, rows, holes: found }: FilesCheck,
  left: readonly string[],
  repaired: VerifyReport['repaired'],
): VerifyReport {
  // By the rows themselves, where the cadence is known; by the manifest elsewhere.
  const series = new Map([...state.series].map(([id, one]) => [id, { ...one, holes: found.get(id) ?? one.holes }]))
  const all = [...state.series.values()].map(one => one.series)
  const holes = holesOf({ ...viewOf(state), series }, all)
  return {
    out,
    sound: damaged.length === 0 && holes.every(({ accepted }) => accepted),
    files: state.files.size,
    rows,
    damaged,
    strays: left,
    holes,
    tasks: tasksOf(state),
    repaired,
  }
}

function viewOf({ format, plans, tasks, series, files }: FolderState): FolderState {
  return { format, plans, tasks, series, files }
}

import type { SpanMs } from '../span.ts'
import type { AcceptLine, LineFile, LineHole, ManifestLine, PlanLine, TaskLine } from './manifest-lines.ts'
import { seriesFrom, type Series } from './series.ts'
import type { PullFormat } from './spec.ts'

/** A series as a folder knows it. */
export interface SeriesState {
  readonly series: Series
  readonly tasks: TaskLine[]
  /** Stretches that are there, in the order of the manifest. */
  readonly covered: SpanMs[]
  holes: readonly LineHole[]
  readonly accepted: LineHole[]
  /** When what was revised was last asked for, epoch milliseconds. */
  syncedAsOf: number | undefined
}

/** What a folder holds, folded from the lines of its manifest. */
export interface FolderState {
  readonly format: PullFormat | undefined
  /** Newest last. */
  readonly plans: readonly PlanLine[]
  readonly tasks: ReadonlyMap<string, TaskLine>
  readonly series: ReadonlyMap<string, SeriesState>
  /** Files that count, by path. */
  readonly files: ReadonlyMap<string, LineFile>
}

/** Folds lines as they come. */
export class ManifestFold implements FolderState {
  readonly plans: PlanLine[] = []
  readonly tasks: Map<string, TaskLine> = new Map()
  readonly series: Map<string, SeriesState> = new Map()
  readonly files: Map<string, LineFile> = new Map()

  get format(): PullFormat | undefined {
    return this.plans.at(-1)?.format
  }

  take(line: ManifestLine): void {
    switch (line.type) {
      case 'plan':
        this.plans.push(line)
        break
      case 'task':
        this.tasks.set(line.task, line)
        addTask(stateOf(this.series, line), line)
        this.#put(line.files)
        break
      case 'rewrite':
        for (const path of line.replaces) this.files.delete(path)
        this.#put(line.files)
        break
      case 'holes': {
        const state = this.series.get(line.seriesId)
        if (state) state.holes = line.holes
        break
      }
      case 'accept':
        this.series.get(line.seriesId)?.accepted.push(...line.holes)
        break
      case 'sync': {
        const state = this.series.get(line.seriesId)
        if (state) state.syncedAsOf = Date.parse(line.asOf)
      }
    }
  }

  #put(files: readonly LineFile[]): void {
    for (const file of files) this.files.set(file.path, file)
  }
}

export function foldManifest(lines: readonly ManifestLine[]): ManifestFold {
  const fold = new ManifestFold()
  for (const line of lines) fold.take(line)
  return fold
}

/** Whether somebody has said that a hole may stay: it lies within one that was accepted. */
export function isAccepted(hole: LineHole, accepted: AcceptLine['holes']): boolean {
  return accepted.some(
    ({ start, end, within }) =>
      within === hole.within && Date.parse(start) <= Date.parse(hole.start) && Date.parse(end) >= Date.parse(hole.end),
  )
}

export function lineSpanMs({ start, end }: { readonly start: string; readonly end: string }): SpanMs {
  return { start: Date.parse(start), end: Date.parse(end) }
}

function stateOf(all: Map<string, SeriesState>, line: TaskLine): SeriesState {
  const known = all.get(line.seriesId)
  if (known) return known
  const made: SeriesState = {
    series: seriesFrom(line),
    tasks: [],
    covered: [],
    holes: [],
    accepted: [],
    syncedAsOf: undefined,
  }
  all.set(line.seriesId, made)
  return made
}

function addTask(state: SeriesState, line: TaskLine): void {
  state.tasks.push(line)
  if (line.span) state.covered.push(lineSpanMs(line.span))
  state.holes = [...state.holes, ...line.holes]
}

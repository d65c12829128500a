import { measureCompleteness } from '../retrieval/index.ts'
import { isoText } from '../time.ts'
import type { Folder } from './folder.ts'
import { lineSpanMs } from './folder-state.ts'
import type { SeenInstant } from './merge-files.ts'
import type { LineHole } from './manifest-lines.ts'
import type { Series } from './series.ts'

/** Writes down which holes of a series are left when some instants have come. Says nothing where none was filled. */
export async function noteFilled(
  folder: Folder,
  series: Series,
  instants: readonly SeenInstant[],
  at: string,
): Promise<number> {
  const state = folder.state.series.get(series.id)
  if (state === undefined || state.holes.length === 0 || instants.length === 0) return 0
  const sorted = [...instants].sort((a, b) => a.at - b.at)
  const left = state.holes.flatMap(hole => withoutInstants(hole, sorted))
  const count = (holes: readonly LineHole[]): number => holes.reduce((sum, { samples }) => sum + samples, 0)
  const filled = count(state.holes) - count(left)
  if (filled > 0) await folder.add({ type: 'holes', at, seriesId: series.id, holes: left })
  return filled
}

/** Writes down the holes that rows have left which were taken away, where the cadence of a series is known. */
export async function noteEmptied(
  folder: Folder,
  series: Series,
  instants: readonly SeenInstant[],
  at: string,
): Promise<void> {
  const state = folder.state.series.get(series.id)
  const cadenceMs = series.entry.cadenceMs?.(series.query, state?.tasks.at(-1)?.versions ?? {})
  if (state === undefined || cadenceMs === undefined || instants.length === 0) return
  const holes = [...state.holes, ...runsOf(instants, cadenceMs)].sort((a, b) => (a.start < b.start ? -1 : 1))
  await folder.add({ type: 'holes', at, seriesId: series.id, holes })
}

function runsOf(instants: readonly SeenInstant[], cadenceMs: number): LineHole[] {
  const runs: { from: number; to: number; within: string | undefined }[] = []
  const order = [...instants].sort((a, b) => (a.within ?? '').localeCompare(b.within ?? '') || a.at - b.at)
  for (const { at, within } of order) {
    const last = runs.at(-1)
    if (last !== undefined && last.within === within && at - last.to <= cadenceMs) last.to = at
    else runs.push({ from: at, to: at, within })
  }
  return runs.map(({ from, to, within }) => ({
    start: isoText(from),
    end: isoText(to),
    samples: Math.round((to - from) / cadenceMs) + 1,
    ...(within === undefined ? {} : { within }),
  }))
}

function withoutInstants(hole: LineHole, instants: readonly SeenInstant[]): LineHole[] {
  const span = lineSpanMs(hole)
  const stepMs = hole.samples > 1 ? (span.end - span.start) / (hole.samples - 1) : 1
  const inside = instants
    .filter(({ at, within }) => within === hole.within && at >= span.start && at <= span.end)
    .map(({ at }) => at)
  if (inside.length === 0) return [hole]
  return measureCompleteness(inside, span, stepMs).missing.map(({ start, end }) => ({
    ...hole,
    start: isoText(start.getTime()),
    end: isoText(end.getTime()),
    samples: (end.getTime() - start.getTime()) / stepMs + 1,
  }))
}

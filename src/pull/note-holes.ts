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

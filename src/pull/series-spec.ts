import type { FolderState } from './folder-state.ts'
import { seriesOf, type Series } from './series.ts'

/** The series of a folder as its newest specification has them: with their segments and their times. */
export function seriesIn(state: FolderState): Series[] {
  const stated = new Map(state.plans.flatMap(({ spec }) => seriesOf(spec)).map(series => [series.id, series]))
  return [...state.series.values()].map(({ series }) => stated.get(series.id) ?? series)
}

/** How the folder's data are parted, by its newest specification. */
export function partitionIn(state: FolderState): readonly string[] | undefined {
  return state.plans.at(-1)?.spec.partition
}

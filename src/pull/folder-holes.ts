import { isAccepted, type FolderState } from './folder-state.ts'
import type { PullHole } from './pull-report.ts'
import type { Series } from './series.ts'

/** Holes of some series, as people see them. */
export function holesOf(state: FolderState, wanted: readonly Pick<Series, 'id'>[]): PullHole[] {
  return [...new Set(wanted.map(({ id }) => id))].flatMap(id => {
    const known = state.series.get(id)
    if (known === undefined) return []
    const { series, holes, accepted } = known
    return holes.map(({ start, end, samples, within, ...hole }) => ({
      service: series.service,
      operation: series.operation,
      series: series.labels,
      ...(within === undefined ? {} : { within }),
      start: new Date(start),
      end: new Date(end),
      samples,
      accepted: isAccepted({ start, end, samples, ...(within === undefined ? {} : { within }), ...hole }, accepted),
    }))
  })
}

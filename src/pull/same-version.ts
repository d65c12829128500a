import type { SeriesState } from './folder-state.ts'
import type { PlainQuery } from './service-entry.ts'
import type { Series } from './series.ts'

/** Rows of one series are of one version of the service's model: the one that the folder has. */
export function sameVersion({ entry, query }: Series, { tasks }: Pick<SeriesState, 'tasks'>): PlainQuery {
  if (entry.version === undefined || query[entry.version.option] !== undefined) return {}
  const version = tasks.findLast(({ versions }) => versions[entry.version?.source ?? ''])?.versions[
    entry.version.source
  ]
  return version === undefined || version === null ? {} : { [entry.version.option]: version }
}

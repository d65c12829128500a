import { version } from '../version.ts'
import type { Folder } from './folder.ts'
import { MANIFEST_VERSION, type LineSpan } from './manifest-lines.ts'
import type { Series } from './series.ts'
import type { PullFormat, PullSpec } from './spec.ts'

/** Says in the manifest what is pulled, unless its last plan says the same. */
export async function notePlan(
  folder: Folder,
  spec: PullSpec,
  plan: {
    readonly id: string
    readonly format: PullFormat
    readonly settled: Readonly<Record<string, LineSpan>>
    readonly at: string
  },
): Promise<void> {
  if (folder.state.plans.at(-1)?.plan === plan.id) return
  const { id, ...rest } = plan
  await folder.add({ type: 'plan', version: MANIFEST_VERSION, plan: id, headrace: version, spec, ...rest })
}

/** Says in the manifest that the holes of some series may stay. */
export async function acceptHoles(folder: Folder, series: readonly Pick<Series, 'id'>[], at: string): Promise<void> {
  for (const { id } of series) {
    const holes = folder.state.series.get(id)?.holes ?? []
    if (holes.length > 0) await folder.add({ type: 'accept', at, seriesId: id, holes })
  }
}

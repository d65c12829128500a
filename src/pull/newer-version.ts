import type { AnyRow } from '../retrieval/index.ts'
import type { CallOptions } from '../transport/index.ts'
import { reasonOf } from './ended-early.ts'
import type { FolderState } from './folder-state.ts'
import { sameVersion } from './same-version.ts'
import type { Series } from './series.ts'
import { batchesOf, type ServiceClient } from './service-entry.ts'

/** A series that keeps to a version of its own, and the newest that the service has. */
interface Behind {
  readonly series: Series
  readonly kept: string
  readonly newest: string
}

/**
 * Says which series keep to an older version of the service's data. One request for each service that has versions;
 * when it fails, that is a warning, too.
 */
export async function warnOfNewer(
  all: readonly Series[],
  state: FolderState,
  clientOf: (service: string) => ServiceClient,
  call: CallOptions,
  warn: (message: string) => void,
): Promise<void> {
  const offers = new Map<string, Promise<readonly AnyRow[]>>()
  const behind: Behind[] = []
  for (const series of all) {
    const { version } = series.entry
    const known = state.series.get(series.id)
    const kept = version && known ? sameVersion(series, known)[version.option] : undefined
    if (version?.offered === undefined || typeof kept !== 'string') continue
    const { getter, newestOf } = version.offered
    const key = `${series.service} ${getter}`
    const rows = offers.get(key) ?? rowsOf(clientOf(series.service), getter, call)
    offers.set(key, rows)
    try {
      const newest = newestOf(await rows, series.labels)
      if (newest !== undefined && newest > kept) behind.push({ series, kept, newest })
    } catch (thrown) {
      if (call.signal?.aborted) return
      const reason = thrown instanceof Error ? reasonOf(thrown) : String(thrown)
      return warn(`whether ${series.service} has a newer ${version.option} could not be found out: ${reason}`)
    }
  }
  for (const text of new Set(behind.map(one => textOf(one, behind)))) warn(text)
}

async function rowsOf(client: ServiceClient, getter: string, call: CallOptions): Promise<AnyRow[]> {
  const rows: AnyRow[] = []
  for await (const batch of batchesOf(client, { getter, identity: [], whole: true }, {}, call)) rows.push(...batch.rows)
  return rows
}

/** One line for all series of an operation that are behind alike. */
function textOf({ series, kept, newest }: Behind, all: readonly Behind[]): string {
  const { service, operation, entry } = series
  const alike = all.filter(
    one =>
      one.kept === kept &&
      one.newest === newest &&
      one.series.service === service &&
      one.series.operation === operation,
  ).length
  const what = `${alike} series of ${service} ${operation}`
  return `${what} keep${alike === 1 ? 's' : ''} to ${entry.version?.option} ${kept}, and the service has ${newest}: for that one pull into a new folder`
}

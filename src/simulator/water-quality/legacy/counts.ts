import type { AnnounceAction } from '../../mishap-action.ts'
import type { Provider } from '../world/organizations.ts'
import { SORTED, type Selection } from '../select/selection.ts'
import type { Table } from '../tables/table.ts'

/** How many of each kind there are, by provider. */
export type Counts = ReadonlyMap<string, ReadonlyMap<Provider, number>>

/** @param kinds - what is counted, the rows of the table last */
export function countRows(kinds: readonly string[], selection: Selection, table: Table): Counts {
  const tallies = selection.count()
  const byTally = {
    Site: 'sites',
    Activity: 'activities',
    Result: 'results',
  } as const
  return new Map(
    kinds.map(kind => {
      if (!(kind in byTally)) return [kind, countTable(selection, table)]
      const field = byTally[kind as keyof typeof byTally]
      return [kind, new Map([...tallies].map(([provider, tally]) => [provider, tally[field]]))]
    }),
  )
}

function countTable(selection: Selection, table: Table): Map<Provider, number> {
  const counts = new Map<Provider, number>()
  for (const row of table.rows(selection, SORTED)) {
    const provider = table.providerOf(row)
    counts.set(provider, (counts.get(provider) ?? 0) + 1)
  }
  return counts
}

/** All providers together. */
export function totalOf(counts: Counts, kind: string): number {
  let total = 0
  for (const count of counts.get(kind)?.values() ?? []) total += count
  return total
}

/** Counts as headers. A provider without any is absent; the total is there all the same. */
export function countHeaders(counts: Counts, lies: readonly AnnounceAction[] = []): Record<string, string> {
  const headers: Record<string, string> = {}
  for (const [kind, byProvider] of counts) {
    const ours = lies.filter(({ of: what }) => what === undefined || what === kind)
    const added = (provider?: string): number =>
      ours
        .filter(lie => provider === undefined || lie.provider === undefined || lie.provider === provider)
        .reduce((sum, { add }) => sum + add, 0)
    headers[`Total-${kind}-Count`] = String(totalOf(counts, kind) + added())
    for (const [provider, count] of byProvider) {
      if (count > 0) headers[`${provider}-${kind}-Count`] = String(count + added(provider))
    }
  }
  return headers
}

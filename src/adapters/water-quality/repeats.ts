import type { AnyRow, Finished } from '../../retrieval/index.ts'
import type { Layout, Meaning } from './layout.ts'

/** What differs between two copies of one measurement: who sent it, and under which numbers. */
const OF_THE_SENDER: readonly Meaning[] = ['provider', 'organization', 'activity', 'result']
const OF_THE_SENDER_TOO = /^(?:OrganizationFormalName|Org_(?:FormalName|Type)|LastChangeDate)$|Url$|Download$/

/** Rows that say the same as one before them of another provider. */
export function countRepeats(rows: readonly AnyRow[], layout: Layout): number {
  let count = 0
  for (const _ of repeatsIn(rows, layout)) count += 1
  return count
}

/** Leaves them out, and says which they were. */
export function mergeRepeats({ rows, from }: Finished<AnyRow>, layout: Layout): Finished<AnyRow> {
  const repeats = new Set(repeatsIn(rows, layout))
  const place = (at: number): number => from?.[at] ?? at
  const kept = [...rows.keys()].filter(at => !repeats.has(at))
  return {
    rows: kept.map(at => rows[at] as AnyRow),
    from: Uint32Array.from(kept, place),
    merged: [...repeats].map(place),
  }
}

/** Places of repeats. Rows stand by day, so only those of one day are compared. */
function* repeatsIn(rows: readonly AnyRow[], layout: Layout): Generator<number> {
  const name = (meaning: Meaning): string => layout.nameOf(meaning) ?? ''
  const [date, site, characteristic, value, provider] = (
    ['date', 'site', 'characteristic', 'value', 'provider'] as const
  ).map(name) as [string, string, string, string, string]
  const sender = new Set(OF_THE_SENDER.map(name))
  const compared = layout.names.filter(one => !sender.has(one) && !OF_THE_SENDER_TOO.test(one))
  const isRepeat = (a: AnyRow, b: AnyRow): boolean =>
    a[provider] !== b[provider] && compared.every(one => a[one] === b[one])
  let day: unknown
  let seen = new Map<string, AnyRow[]>()
  for (let at = 0; at < rows.length; at++) {
    const row = rows[at] as AnyRow
    if (row[date] !== day) {
      day = row[date]
      seen = new Map()
    }
    const key = `${String(row[site])}|${String(row[characteristic])}|${String(row[value])}`
    const alike = seen.get(key)
    if (alike === undefined) seen.set(key, [row])
    else if (alike.some(other => isRepeat(other, row))) yield at
    else alike.push(row)
  }
}

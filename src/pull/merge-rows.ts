import type { AnyRow, Column } from '../retrieval/index.ts'
import { instantIn } from './holes.ts'
import type { OperationEntry } from './service-entry.ts'

/** What a merge came to. */
export interface Merged {
  readonly rows: readonly AnyRow[]
  /** Rows that had not been there. */
  readonly added: number
  /** Samples whose rows are different now. */
  readonly revised: number
}

/**
 * Puts new rows in the place of those that are the same sample; what is new is put in by time. Rows that are as they
 * were count for nothing.
 *
 * @param columns - by these two rows are compared
 */
export function mergeRows(
  old: readonly AnyRow[],
  fresh: readonly AnyRow[],
  columns: readonly Column[],
  entry: OperationEntry,
): Merged {
  const identityOf = (row: AnyRow): string => identityIn(row, entry)
  const byIdentity = new Map<string, AnyRow[]>()
  for (const row of fresh) {
    const key = identityOf(row)
    const known = byIdentity.get(key)
    if (known) known.push(row)
    else byIdentity.set(key, [row])
  }
  const before = new Map<string, AnyRow[]>()
  for (const row of old) {
    const key = identityOf(row)
    if (byIdentity.has(key)) before.set(key, [...(before.get(key) ?? []), row])
  }
  let revised = 0
  const changed = new Set<string>()
  const extra: AnyRow[] = []
  for (const [key, rows] of byIdentity) {
    const there = before.get(key)
    if (there === undefined) extra.push(...rows)
    else if (!sameRows(there, rows, columns)) {
      revised += 1
      changed.add(key)
    }
  }
  if (extra.length === 0 && revised === 0) return { rows: old, added: 0, revised: 0 }
  const rows = old.flatMap((row): AnyRow[] => {
    const key = identityOf(row)
    if (!changed.has(key)) return [row]
    return before.get(key)?.[0] === row ? (byIdentity.get(key) ?? []) : []
  })
  return { rows: extra.length === 0 ? rows : insertByTime(rows, extra, entry), added: extra.length, revised }
}

/** Which sample a row is, as one text. */
export function identityIn(row: AnyRow, { identity }: Pick<OperationEntry, 'identity'>): string {
  return identity.map(name => plain(row[name])).join('\u0000')
}

/** Series after series as they stood, each in the order of time. */
function insertByTime(
  rows: readonly AnyRow[],
  extra: readonly AnyRow[],
  { time, within, keys = {} }: OperationEntry,
): AnyRow[] {
  const columns = [...Object.values(keys).map(({ column }) => column), ...(within === undefined ? [] : [within])]
  if (time === undefined) return [...rows, ...extra]
  const groups = new Map<string, AnyRow[]>()
  for (const row of [...rows, ...extra]) {
    const key = columns.map(name => plain(row[name])).join('\u0000')
    const group = groups.get(key)
    if (group) group.push(row)
    else groups.set(key, [row])
  }
  // Sorting keeps the order of those that hold at one instant.
  return [...groups.values()].flatMap(group =>
    group.sort((a, b) => instantIn(a, time.column) - instantIn(b, time.column)),
  )
}

function sameRows(a: readonly AnyRow[], b: readonly AnyRow[], columns: readonly Column[]): boolean {
  if (a.length !== b.length) return false
  const faces = (rows: readonly AnyRow[]): string[] =>
    rows.map(row => columns.map(({ name }) => plain(row[name])).join('\u0000')).sort()
  const other = faces(b)
  return faces(a).every((face, at) => face === other[at])
}

/** A value as text; what a file cannot tell apart is the same. */
function plain(value: unknown): string {
  if (value === null || value === undefined || value === '') return ''
  if (value instanceof Date) return String(value.getTime())
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : ''
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

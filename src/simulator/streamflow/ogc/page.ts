import { invalid } from '../refusals.ts'
import type { ItemsQuery } from './query.ts'
import { fieldOf, idText, walk, type Found, type Place, type Plan } from './plan.ts'

/** Rows of one page, and what is known of those around it. */
export interface Page {
  readonly rows: readonly Found[]
  /** The first rows behind this page, as many as were looked for. */
  readonly behind: readonly Found[]
  /** How many rows there are in all, where it was counted. */
  readonly matched: number | undefined
}

/**
 * Takes the rows of a page.
 *
 * @param lookahead - how many rows behind the page to look for; at least one, to know whether there are any
 */
export function takePage(plan: Plan, query: ItemsQuery, lookahead: number): Page {
  const wanted = query.limit + lookahead
  if (query.sortBy.length > 0 || plan.table.style.paging === 'offset') {
    const all = sorted(plan, query.sortBy)
    const rows = all.slice(query.offset, query.offset + wanted)
    return { rows: rows.slice(0, query.limit), behind: rows.slice(query.limit), matched: all.length }
  }
  const rows: Found[] = []
  let skipped = 0
  walk(plan, query.cursor === undefined ? undefined : placeOf(plan, query.cursor), found => {
    if (skipped < query.offset && query.cursor === undefined) skipped += 1
    else rows.push(found)
    return rows.length < wanted
  })
  return { rows: rows.slice(0, query.limit), behind: rows.slice(query.limit), matched: undefined }
}

/** The mark of a place: the identifier before it, as the service spells it. */
export function cursorOf(id: string): string {
  return Buffer.from(id, 'utf8').toString('base64url')
}

/** The mark behind a row. */
export function cursorBehind(plan: Plan, found: Found): string {
  return cursorOf(String(JSON.parse(idText(plan.table, found))))
}

function placeOf({ table }: Plan, cursor: string): Place {
  const id = Buffer.from(cursor, 'base64url').toString('utf8')
  if (table.timing?.salt === undefined) return { word: 0, tail: id }
  const [, word, tail = ''] = /^([0-9a-f]{8})(.*)$/s.exec(id) ?? []
  if (word === undefined) throw invalid('cursor is not valid')
  return { word: Number.parseInt(word, 16), tail }
}

function sorted(plan: Plan, sortBy: ItemsQuery['sortBy']): readonly Found[] {
  const all: Found[] = []
  walk(plan, undefined, found => {
    all.push(found)
    return true
  })
  for (const [field, isDescending] of sortBy.toReversed()) {
    const { table } = plan
    const byTime = field === table.timing?.field && table.timeOf
    const keyed = all.map(found => ({
      found,
      key: byTime ? byTime(found.track, found.index) : (fieldOf(table, found, field) as string | number | null),
    }))
    const sign = isDescending ? -1 : 1
    keyed.sort((a, b) => sign * compare(a.key, b.key))
    keyed.forEach(({ found }, place) => {
      all[place] = found
    })
  }
  return all
}

/** Nothing comes last. */
function compare(a: string | number | null, b: string | number | null): number {
  if (a === b) return 0
  if (a === null) return 1
  if (b === null) return -1
  return a < b ? -1 : 1
}

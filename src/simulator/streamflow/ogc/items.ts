import { createByteCache } from '../../byte-cache.ts'
import type { ContentAction, CursorAction } from '../../content-action.ts'
import type { Answer, Ask } from '../../service.ts'
import type { Json } from '../json.ts'
import { changedRows, withoutWithdrawn } from './changes.ts'
import { csvAnswer, htmlPage, linkedData } from './formats.ts'
import type { QueryRules } from './filters.ts'
import { linksOf } from './links.ts'
import { nextLinkOf, type NextVersion } from './next-link.ts'
import { takePage, type Page } from './page.ts'
import { planOf, type Plan } from './plan.ts'
import { readItemsQuery, type ItemsQuery } from './query.ts'
import { createWriter, type Writer } from './render.ts'
import type { Table } from './table.ts'

const CACHE_BYTES = 128 * 2 ** 20
const PLANS = 40
const WRITERS = 40

/** How items are served. */
export interface ItemsRules extends Omit<QueryRules, 'now'> {
  readonly nextVersion: NextVersion
}

/** Answers requests for items, and remembers what was worked out for them. */
export type ItemsService = (ask: Ask, table: Table, now: number, changes: readonly ContentAction[]) => Answer

export function createItems(rules: ItemsRules): ItemsService {
  const plans = createMemory<Plan>(PLANS)
  const writers = createMemory<Writer>(WRITERS)
  // Collections of two versions of the API may have the same name and other fields.
  const names = new Map<Table, number>()
  const nameOf = (table: Table): number => {
    const known = names.get(table) ?? names.size
    names.set(table, known)
    return known
  }
  const pages = createByteCache<{ readonly bytes: Buffer; readonly page: Page }>(CACHE_BYTES)

  return (ask, table, now, changes) => {
    const query = readItemsQuery(ask, table, { now, ...rules })
    const generation = changes.find(change => change.type === 'reissue')?.generation ?? 0
    const fault = changes.find(change => change.type === 'cursor')
    const name = nameOf(table)
    const planKey = `${name}|${keyOf(table, query, now, generation)}`
    const plan = plans(planKey, () => planOf(table, query.condition, { now, generation }))
    const choice = `${query.properties.join()}|${query.skipGeometry}`
    const write = writers(`${name}|${choice}`, () => createWriter(table, query))
    const take = (lookahead: number): { bytes: Buffer; page: Page } => {
      const page = takePage(plan, query, lookahead)
      return { page, bytes: bytesOf(page, write) }
    }
    const isPlain = changes.every(change => change.type === 'cursor' || change.type === 'meta')
    const place = `${query.cursor ?? ''}|${query.offset}|${query.limit}|${query.sortBy.join()}`
    const { page, bytes } =
      isPlain && lookaheadOf(fault) === 1
        ? pages.get(`${planKey}|${choice}|${place}`, () => take(1))
        : take(lookaheadOf(fault))
    if (query.format === 'csv') return csvAnswer(table, query, page.rows)
    const link = nextLinkOf(ask, { plan, query, page, version: rules.nextVersion }, fault)
    const rows = isPlain ? bytes : Buffer.from(changedRows(plan, page.rows, write, changes).join(','), 'utf8')
    const features = link.isEmptyPage ? Buffer.alloc(0) : rows
    const count = link.isEmptyPage ? 0 : withoutWithdrawn(plan, page.rows, changes).length
    const { counts } = table.style
    const after: Record<string, Json> = {
      ...(counts === 'both' ? { numberMatched: page.matched ?? count } : {}),
      ...(counts === 'none' ? {} : { numberReturned: count }),
      links: linksOf(ask, table, link.next, link.href),
      timeStamp: `${new Date(now).toISOString().slice(0, -1)}000Z`,
    }
    return pageAnswer(query, features, after, changes)
  }
}

/** Rows at a time that are put together as text. More of them keep the memory busy, fewer the writing. */
const ROWS_AT_ONCE = 32

/** The rows of a page as they are sent, written piece by piece: a page may be longer than a text should be. */
function bytesOf({ rows }: Page, write: Writer): Buffer {
  let bytes = Buffer.allocUnsafe(rows.length * 512 + 1024)
  let length = 0
  let text = ''
  const flush = (): void => {
    const room = text.length * 3
    if (length + room > bytes.length) bytes = Buffer.concat([bytes.subarray(0, length)], bytes.length * 2 + room)
    length += bytes.write(text, length, 'utf8')
    text = ''
  }
  rows.forEach((found, place) => {
    text += (place === 0 ? '' : ',') + write(found)
    if (place % ROWS_AT_ONCE === 0) flush()
  })
  flush()
  return bytes.subarray(0, length)
}

/** What a plan depends on. What shows the present only changes with it. */
function keyOf(table: Table, { condition }: ItemsQuery, now: number, generation: number): string {
  const age = table.age?.(now) ?? table.timing?.latest(now) ?? 0
  return `${generation}|${age}|${JSON.stringify(condition, infinite)}`
}

/** Open ends would otherwise all look the same. */
function infinite(_: string, value: unknown): unknown {
  return value === Infinity || value === -Infinity ? String(value) : value
}

function lookaheadOf(fault: CursorAction | undefined): number {
  return fault?.how === 'skip' ? fault.rows + 1 : 1
}

function pageAnswer(
  query: ItemsQuery,
  features: Buffer,
  after: Readonly<Record<string, Json>>,
  changes: readonly ContentAction[],
): Answer {
  const members: Record<string, Json> = { type: 'FeatureCollection', features: null, ...after }
  for (const change of changes) {
    if (change.type !== 'meta') continue
    Object.assign(members, change.patch)
    for (const name of change.without ?? []) delete members[name]
  }
  const parts = Object.entries(members).flatMap(([name, value], place) => {
    const lead = Buffer.from(`${place === 0 ? '' : ','}${JSON.stringify(name)}:`)
    if (name === 'features' && value === null) return [lead, Buffer.from('['), features, Buffer.from(']')]
    return [lead, Buffer.from(JSON.stringify(value))]
  })
  const body = Buffer.concat([Buffer.from('{'), ...parts, Buffer.from('}')])
  if (query.format === 'html') return htmlPage(body)
  if (query.format === 'jsonld') return linkedData(body)
  return { status: 200, headers: { 'content-type': 'application/geo+json' }, body }
}

/** Remembers the last few things made. */
function createMemory<Thing>(most: number): (key: string, make: () => Thing) => Thing {
  const things = new Map<string, Thing>()
  return (key, make) => {
    const known = things.get(key) ?? make()
    things.delete(key)
    things.set(key, known)
    const [oldest] = things.keys()
    if (things.size > most && oldest !== undefined) things.delete(oldest)
    return known
  }
}

import { Refusal } from '../../refusal.ts'
import type { Ask } from '../../service.ts'
import { boxRing, literalsOf, type Condition } from '../cql/condition.ts'
import { CqlError, readCqlJson } from '../cql/read-json.ts'
import { readCqlText } from '../cql/read-text.ts'
import { invalid, queryFailed } from '../refusals.ts'
import { filterCondition, timeCondition, type QueryRules } from './filters.ts'
import type { Choice } from './render.ts'
import type { Table } from './table.ts'

const LARGEST_LIMIT = 50_000

/** What a request for items asks. */
export interface ItemsQuery extends Choice {
  readonly condition: Condition
  readonly limit: number
  readonly offset: number
  readonly cursor: string | undefined
  /** Fields to sort by, each with whether the highest comes first. */
  readonly sortBy: readonly (readonly [field: string, isDescending: boolean])[]
  readonly format: string
}

/** Parameters that every collection understands. */
const SHARED = new Set([
  'f',
  'lang',
  'limit',
  'offset',
  'cursor',
  'bbox',
  'bbox-crs',
  'crs',
  'properties',
  'skipGeometry',
  'sortby',
  'filter',
  'filter-lang',
  'filter-crs',
  'api_key',
])

/** Reads and checks a request for items. */
export function readItemsQuery(ask: Ask, table: Table, rules: QueryRules): ItemsQuery {
  const { query } = ask
  const conditions: Condition[] = []
  for (const [name, value] of query) {
    if (SHARED.has(name) || name === timeParameter(table)) continue
    conditions.push(filterCondition(table, name, value, rules.now))
  }
  conditions.push(...boxCondition(query.get('bbox')), ...cqlConditions(ask))
  conditions.push(...timeCondition(table, query, conditions, rules))
  return {
    condition: { op: 'and', args: conditions },
    limit: Math.min(readLimit(query, table), LARGEST_LIMIT, rules.pageCap),
    offset: readCount(query, 'offset', 0),
    cursor: query.get('cursor') ?? undefined,
    properties: readProperties(query.get('properties'), table),
    skipGeometry: readFlag(query.get('skipGeometry')),
    sortBy: readSortBy(query.get('sortby'), table),
    format: query.get('f') ?? 'json',
  }
}

/** Collections without times do not know it. */
function timeParameter(table: Table): string | undefined {
  return table.timing || table.fields.includes('time') ? 'datetime' : undefined
}

function readLimit(query: URLSearchParams, table: Table): number {
  const limit = readCount(query, 'limit', table.style.defaultLimit)
  if (limit < 1) throw invalid('limit value should be strictly positive')
  return limit
}

function readCount(query: URLSearchParams, name: string, fallback: number): number {
  const text = query.get(name)
  if (text === null) return fallback
  if (!/^\d{1,9}$/.test(text)) throw invalid(`${name} value should be an integer`)
  return Number(text)
}

function readFlag(text: string | null): boolean {
  if (text !== null && !/^(true|false)$/i.test(text)) throw invalid('skipGeometry only accepts true or false')
  return text?.toLowerCase() === 'true'
}

function readProperties(text: string | null, table: Table): readonly string[] {
  if (text === null) return table.fields
  const names = text.split(',').map(name => name.trim())
  const stray = names.find(name => name !== 'id' && !table.fields.includes(name))
  if (stray !== undefined) throw invalid(`unknown properties specified: ${stray}`)
  return names.filter(name => table.fields.includes(name))
}

function readSortBy(text: string | null, table: Table): ItemsQuery['sortBy'] {
  if (text === null) return []
  return text.split(',').map(part => {
    // A plus in an address is a blank.
    const [, sign, field = ''] = /^([+\- ]?)(.*)$/.exec(part) ?? []
    if (field !== 'id' && !table.fields.includes(field)) throw invalid(`bad sort property: ${field}`)
    return [field, sign === '-']
  })
}

function boxCondition(text: string | null): readonly Condition[] {
  if (text === null) return []
  const sides = text.split(',').map(side => (side.trim() === '' ? NaN : Number(side)))
  if (![4, 6].includes(sides.length) || sides.some(Number.isNaN)) {
    throw invalid('bbox should be either 4 values (minx,miny,maxx,maxy) or 6 values (minx,miny,minz,maxx,maxy,maxz)')
  }
  const [west = 0, south = 0] = sides
  const [east = 0, north = 0] = sides.length === 4 ? sides.slice(2) : sides.slice(3)
  if (south > north) throw invalid('miny should be less than maxy')
  return [{ op: 'inside', shapes: [boxRing(west, south, east, north)] }]
}

function cqlConditions({ method, query, body }: Ask): readonly Condition[] {
  const conditions: Condition[] = []
  const text = query.get('filter')
  try {
    if (text !== null) {
      if (query.get('filter-lang') === 'cql-json') throw new CqlError('filter-lang cql-json is not accepted in a query')
      conditions.push(readCqlText(text))
    }
    if (method === 'POST') conditions.push(readCqlJson(JSON.parse(body)))
  } catch (error) {
    if (error instanceof Refusal) throw error
    throw invalid(`Bad CQL: ${error instanceof Error ? error.message : ''}`)
  }
  // Every queryable is a text, and comparing it with a number is more than the application can do.
  if (text !== null && conditions.some(found => literalsOf(found).some(value => typeof value === 'number'))) {
    throw queryFailed()
  }
  return conditions
}

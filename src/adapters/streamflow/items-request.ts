import { QueryError } from '../../errors.ts'
import type { Collection } from './collection.ts'
import { allOf, checkCqlJson, checkCqlText, conditionAsJson, conditionAsText, type Cql2 } from './cql.ts'
import type { Filter } from './filters.ts'
import { encodeValue } from './query-string.ts'

/** One query of a collection in the service's words, all but its time. */
export interface Asking {
  readonly collection: Collection
  /** Address of the collection's items, without a query. */
  readonly address: string
  readonly filters: readonly Filter[]
  /** The caller's own condition. */
  readonly expression: string | Cql2 | undefined
  /** Parameters that stand in the address of every request. */
  readonly fixed: readonly (readonly [name: string, value: string])[]
}

/** What differs from request to request. */
export interface Part {
  /** The field whose values are divided, with the values of this request. */
  readonly divided?: { readonly field: string; readonly values: readonly string[] } | undefined
  /** The time asked for, in the service's words. */
  readonly time?: string | undefined
}

/** A request ready to be sent. A `POST` only asks: it may be repeated. */
export interface ItemsRequest {
  readonly method: 'GET' | 'POST'
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  readonly idempotent: true
}

/** Longest request that is sent, address and body together, bytes. The service's edge refuses from about 8,200 on. */
export const MOST_REQUEST_BYTES = 8000

const ACCEPT = { accept: 'application/geo+json, application/json' }

/**
 * Writes a request: a `GET` where every list stands on a field that takes one, else a `POST` with the conditions in
 * its body. Conditions of the caller in text stay in the address, and lists join them there.
 */
export function itemsRequest(asking: Asking, { divided, time }: Part): ItemsRequest {
  const { collection, address, expression, fixed } = asking
  const { inAddress, inBody, inText, method } = placesOf(asking)
  const now = (filters: readonly Filter[]): Filter[] =>
    filters.map(filter => (filter.field === divided?.field ? { ...filter, values: divided.values } : filter))
  const url = `${address}?${[
    ...fixed.map(([name, value]) => pair(name, value)),
    ...now(inAddress).map(({ field, values }) => pair(field, values.join(','))),
    ...(time === undefined ? [] : [pair(collection.time?.parameter ?? 'time', time)]),
    ...(typeof expression === 'string'
      ? [pair('filter', textOf(collection, now(inText), expression)), pair('filter-lang', 'cql-text')]
      : []),
  ].join('&')}`
  if (method === 'GET') return { method, url, headers: ACCEPT, idempotent: true }
  const body = JSON.stringify(bodyOf(collection, now(inBody), expression as Cql2 | undefined))
  return { method, url, headers: { ...ACCEPT, 'content-type': 'application/query-cql-json' }, body, idempotent: true }
}

/** Where each condition stands. All requests of a query agree on it, however it is divided. */
function placesOf({ collection, filters, expression }: Asking): {
  readonly method: 'GET' | 'POST'
  readonly inAddress: readonly Filter[]
  readonly inBody: readonly Filter[]
  readonly inText: readonly Filter[]
} {
  const outside = filters.filter(filter => !fitsParameter(collection, filter))
  const inText = typeof expression === 'string' ? outside : []
  const method = typeof expression === 'object' || (outside.length > 0 && inText.length === 0) ? 'POST' : 'GET'
  const inBody =
    method === 'GET'
      ? []
      : filters.filter(filter => outside.includes(filter) || filter.values.length > 1 || isPrefix(collection, filter))
  return {
    method,
    inBody,
    inText,
    inAddress: filters.filter(filter => !inBody.includes(filter) && !inText.includes(filter)),
  }
}

/** Length of a request as it is counted against the limit. */
export function bytesOf({ url, body = '' }: Pick<ItemsRequest, 'url' | 'body'>): number {
  return url.length + Buffer.byteLength(body)
}

/** Refuses a condition of the caller that cannot work. @throws QueryError */
export function checkExpression(expression: unknown): string | Cql2 | undefined {
  if (expression === undefined) return undefined
  if (typeof expression === 'string') checkCqlText(expression)
  else checkCqlJson(expression)
  return expression as string | Cql2
}

/** Columns asked for, in the service's words. @throws QueryError naming the first that the collection has not */
export function checkProperties(
  { name, columns, idName }: Collection,
  given: readonly string[] | undefined,
  nearestTo: (name: string, known: readonly string[]) => string | undefined,
): readonly string[] | undefined {
  if (given === undefined) return undefined
  const unknown =
    columns.length === 0 ? undefined : given.find(column => column !== idName && !columns.includes(column))
  if (unknown === undefined) return [...new Set(given)].filter(column => column !== idName)
  const guess = nearestTo(unknown, [...columns, idName])
  throw new QueryError(`properties: '${unknown}' is no column of ${name}${guess ? `; did you mean '${guess}'?` : ''}`, {
    argument: 'properties',
    value: unknown,
  })
}

/** A comma inside a value would part it in two where the service takes lists. */
function fitsParameter(collection: Collection, { field, values }: Filter): boolean {
  if (!takesList(collection, field)) return values.length === 1
  return values.every(value => !value.includes(','))
}

function takesList({ lists, idFilter }: Collection, field: string): boolean {
  return lists.includes(field) || (field === 'id' && idFilter === 'many')
}

function isPrefix({ prefixes }: Collection, { field }: Filter): boolean {
  return prefixes.includes(field)
}

function bodyOf(collection: Collection, filters: readonly Filter[], expression: Cql2 | undefined): Cql2 {
  const conditions = filters.map(filter => conditionAsJson({ ...filter, prefix: isPrefix(collection, filter) }))
  if (expression === undefined) return allOf(conditions)
  return conditions.length === 0 ? expression : allOf([...conditions, expression])
}

function textOf(collection: Collection, filters: readonly Filter[], expression: string): string {
  const conditions = filters.map(filter => conditionAsText({ ...filter, prefix: isPrefix(collection, filter) }))
  return conditions.length === 0 ? expression : [...conditions, `(${expression})`].join(' AND ')
}

function pair(name: string, value: string): string {
  return `${encodeValue(name)}=${encodeValue(value)}`
}

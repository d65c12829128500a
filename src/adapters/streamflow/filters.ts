import { QueryError } from '../../errors.ts'
import { isoText, parseInstant, type InstantInput } from '../../time.ts'
import { kindOf, type Collection, type TimeFilter } from './collection.ts'
import { camelCase, snakeCase } from './names.ts'
import { stateOf } from './states.ts'

/** One condition of a query in the service's words. */
export interface Filter {
  readonly field: string
  /** Each once, in the order given; one of them is enough. */
  readonly values: readonly string[]
}

type Given = Readonly<Record<string, unknown>>

/** Options of a query that are no filters. */
const NO_FILTERS = new Set([
  'start',
  'end',
  'last',
  'zone',
  'state',
  'bbox',
  'filter',
  'properties',
  'geometry',
  'pageSize',
  'checkQueryables',
  'cadence',
  'targets',
  'window',
  'ties',
])

/**
 * What a query selects by, in the order of the table.
 *
 * @param query - checked against the collection's entry
 * @throws QueryError
 */
export function filtersOf(collection: Collection, query: Given): Filter[] {
  const zone = query['zone'] as string | undefined
  const filters: Filter[] = []
  if (collection.idFilter) add(filters, 'id', textsOf(query[camelCase(collection.idName)]))
  for (const field of fieldsAskedFor(collection, query)) {
    const argument = camelCase(field)
    add(filters, field, valuesOf(query[argument] ?? query[field], kindOf(collection, field), argument, zone))
  }
  if (query['state'] !== undefined && collection.state) {
    const { field, as } = collection.state
    const states = textsOf(query['state']) ?? []
    if (filters.some(filter => filter.field === field)) {
      throw new QueryError(`give state or ${camelCase(field)}, not both`, { argument: 'state', value: query['state'] })
    }
    if (as === 'postal' && states.length > 1) {
      throw new QueryError(`${collection.name} takes one state at a time: a list finds nothing`, {
        argument: 'state',
        value: query['state'],
      })
    }
    add(
      filters,
      field,
      states.map(text => stateOf(text)[as]),
    )
  }
  return filters
}

/** The fields of the table; of a collection that is not in it, whatever the query names. */
function fieldsAskedFor(collection: Collection, query: Given): readonly string[] {
  if (collection.columns.length > 0) return collection.filters
  const names = Object.keys(query).filter(name => !NO_FILTERS.has(name))
  const secret = names.find(name => SECRET.test(name))
  if (secret === undefined) return names.map(snakeCase)
  throw new QueryError(
    `'${secret}' looks like a credential, and would end up in an address; pass apiKey to the client instead`,
    { argument: secret, value: '' },
  )
}

const SECRET = /^(?:x?_?-?api_?-?key|key|.*token.*|.*passw.*|.*secret.*|auth.*|pat)$/i

function valuesOf(
  value: unknown,
  kind: ReturnType<typeof kindOf>,
  argument: string,
  zone: string | undefined,
): readonly string[] | undefined {
  if (value === undefined || value === null) return undefined
  switch (kind) {
    case 'instant':
    case 'utc':
    case 'zoned':
      return [timeText(value as TimeFilter, argument, zone)]
    case 'terms':
      // Alone among the fields, it is compared with a list in JSON; plain text is refused.
      return [JSON.stringify(textsOf(value))]
    default:
      return textsOf(value)
  }
}

/** An instant, an interval or a duration, as the service reads it. */
export function timeText(value: TimeFilter, argument: string, zone: string | undefined): string {
  if (typeof value === 'string' && /^P(?=[\dT])/.test(value)) return value
  if (typeof value !== 'object' || value instanceof Date) return isoText(parseInstant(value, argument, zone))
  return intervalText(value, argument, zone)
}

function intervalText(
  { start, end }: { start?: InstantInput | undefined; end?: InstantInput | undefined },
  argument: string,
  zone: string | undefined,
): string {
  const from = start === undefined ? undefined : parseInstant(start, `${argument}.start`, zone)
  const to = end === undefined ? undefined : parseInstant(end, `${argument}.end`, zone)
  if (from === undefined && to === undefined) {
    throw new QueryError(
      `${argument} must be an instant, a duration such as 'P7D', or an object with start, end or both`,
      { argument, value: '' },
    )
  }
  if (from !== undefined && to !== undefined && to < from) {
    throw new QueryError(`${argument}: end ${isoText(to)} is before start ${isoText(from)}`, {
      argument,
      value: isoText(to),
    })
  }
  return `${from === undefined ? '..' : isoText(from)}/${to === undefined ? '..' : isoText(to)}`
}

function textsOf(value: unknown): readonly string[] | undefined {
  if (value === undefined || value === null) return undefined
  return (Array.isArray(value) ? (value as unknown[]) : [value]).map(one => String(one).trim())
}

function add(filters: Filter[], field: string, values: readonly string[] | undefined): void {
  if (values !== undefined) filters.push({ field, values: [...new Set(values)] })
}

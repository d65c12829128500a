import { QueryError } from '../../errors.ts'
import { nearest } from '../../nearest.ts'
import { collect, type Column, type Gathering } from '../../retrieval/index.ts'
import type { CallOptions, Content, Reply } from '../../transport/index.ts'
import type { Collection } from './collection.ts'
import { filtersOf } from './filters.ts'
import { itemsAddress } from './items-question.ts'
import { camelCase } from './names.ts'
import { badResponse, inspectWithout } from './read-features.ts'
import type { QueryableRow } from './rows.ts'
import { readEnvelope } from './schemas.ts'
import type { StreamflowService } from './service.ts'
import { tableGathering } from './table-question.ts'
import { KEEP_TABLES_MS } from './keep.ts'

const COLUMNS: readonly Column[] = ['name', 'title', 'type', 'description'].map(name => ({ name, kind: 'text' }))

/** What the service itself says that a collection can be selected by. */
export function queryablesGathering(
  service: StreamflowService,
  collection: Collection,
  query: object,
  call: CallOptions,
): Gathering<QueryableRow> {
  const url = `${itemsAddress(service, collection, 'queryables')}?f=json`
  return tableGathering<QueryableRow>({
    keepMs: KEEP_TABLES_MS,
    transport: service.transports.waterdata,
    operation: 'getQueryables',
    query,
    call,
    columns: COLUMNS,
    request: () => ({
      method: 'GET',
      url,
      headers: { accept: 'application/schema+json, application/json' },
      inspect: inspectWithout('properties'),
    }),
    read: readQueryables,
  })
}

/** Asks the service whether it knows the fields of a query, once for each collection. */
export interface QueryablesCheck {
  /** @throws QueryError naming a field that the service does not know, with the nearest that it does */
  check(collection: Collection, query: Readonly<Record<string, unknown>>, call: CallOptions): Promise<void>
}

export function createQueryablesCheck(service: StreamflowService): QueryablesCheck {
  const known = new Map<string, readonly string[]>()
  return {
    async check(collection, query, call) {
      if (query['checkQueryables'] !== true) return
      const { maxRows: _maxRows, onFailure: _onFailure, ...rest } = call
      const names =
        known.get(collection.name) ??
        (await collect(queryablesGathering(service, collection, {}, rest))).rows.map(row => row.name)
      known.set(collection.name, names)
      const unknown = filtersOf(collection, query).find(({ field }) => !names.includes(field))
      if (unknown === undefined) return
      const argument = camelCase(unknown.field)
      const guess = nearest(unknown.field, names)
      throw new QueryError(
        `the service cannot select ${collection.name} by '${unknown.field}'${guess ? `; did you mean '${guess}'?` : ''}`,
        { argument, value: unknown.values.join(',') },
      )
    },
  }
}

function readQueryables(reply: Reply): Content<QueryableRow> {
  const envelope = readEnvelope('queryables', reply.json())
  if ('problem' in envelope) throw badResponse(reply, envelope.problem)
  const rows = Object.entries(envelope.value.properties).map(
    ([name, { title = null, type, description = null }]): QueryableRow => ({
      name,
      title,
      description,
      type: type === undefined ? null : String(type),
    }),
  )
  return { rows, source: {}, warnings: [] }
}

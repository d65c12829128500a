import { nearest } from '../../nearest.ts'
import type { AnyRow, Gathering } from '../../retrieval/index.ts'
import { isoText } from '../../time.ts'
import type { CallOptions, Operation, Piece, Question, ServicePolicy } from '../../transport/index.ts'
import type { Collection } from './collection.ts'
import { divide, type Division } from './divide.ts'
import { filtersOf, type Filter } from './filters.ts'
import {
  bytesOf,
  checkExpression,
  checkProperties,
  itemsRequest,
  MOST_REQUEST_BYTES,
  type Asking,
  type ItemsRequest,
} from './items-request.ts'
import { cadenceOf, finishItems, itemsCompleteness, withUnit, type Query } from './items-finish.ts'
import { itemsChart } from './items-chart.ts'
import { keepItemsMs } from './keep.ts'
import { itemsTime, spanRules, spanText, type ItemsTime } from './items-time.ts'
import { asSent, identityOf, itemsOrder } from './order.ts'
import { featuresReaderFor, inspectReply, readFeatures } from './read-features.ts'
import { encodeValue } from './query-string.ts'
import { createRowReader, type GeometryChoice } from './read-row.ts'
import { WATER_DATA_POLICY, type StreamflowService } from './service.ts'
import { dateText } from './values.ts'

/** How a collection is to be asked. */
export interface ItemsSetup {
  readonly service: StreamflowService
  readonly collection: Collection
  /** Name of the getter. */
  readonly operation: string
  /** Rows of a stream are in order response by response, those of a whole result all together. */
  readonly mode: 'whole' | 'stream'
}

/** A query of a collection, ready to be asked, with how it is divided. */
export interface ItemsQuestion<Row extends AnyRow> {
  readonly gathering: Gathering<Row>
  readonly division: Division
  /** The query in the service's words. */
  readonly asking: Asking
}

/** A shorter request was not refused for its length. */
const LONG_REQUEST_BYTES = 2000
const DAY_MS = 86_400_000

/**
 * Turns a query of a collection into a question.
 *
 * @param query - checked against the collection's entry
 * @throws QueryError before anything is sent
 */
export function itemsQuestion<Row extends AnyRow>(
  setup: ItemsSetup,
  query: Query,
  call: CallOptions,
): ItemsQuestion<Row> {
  const { service, collection, operation, mode } = setup
  const filters = filtersOf(collection, query)
  const properties = checkProperties(collection, query['properties'] as readonly string[] | undefined, nearest)
  const geometry = (query['geometry'] as GeometryChoice | undefined) ?? 'columns'
  const now = service.clock.now()
  const time = itemsTime(collection, query, now)
  const pageSize = Math.min(
    (query['pageSize'] as number | undefined) ?? collection.pageSize,
    call.maxRows ?? Number.POSITIVE_INFINITY,
  )
  const asking: Asking = {
    collection,
    address: itemsAddress(service, collection),
    filters,
    expression: checkExpression(query['filter']),
    fixed: fixedParameters({
      pageSize,
      properties,
      geometry,
      places: collection.places,
      bbox: query['bbox'] as readonly number[] | undefined,
    }),
  }
  const axis = longestList(filters)
  const request = (ids: readonly string[] | undefined, text: string | undefined): ItemsRequest =>
    itemsRequest(asking, { divided: axis && ids ? { field: axis.field, values: ids } : undefined, time: text })
  const division = divide({
    span: time.span,
    ids: axis?.values,
    rowsPerIdAndDay: rowsPerIdAndDay(collection, filters, axis, query),
    pageSize,
    rules: spanRules(collection.time),
    bytesOf: measureOf(axis?.values ?? [], ids => bytesOf(request(ids, timeOf(collection, time, time.span)))),
    mostBytes: MOST_REQUEST_BYTES,
    argument: axis?.field ?? '',
    undivided: call.maxRows !== undefined,
  })
  const reader = createRowReader({ collection, properties, geometry, apiVersion: service.apiVersion })
  const order = itemsOrder<Row>(collection)
  const facts: Operation<Row> = {
    rules: { ...spanRules(collection.time), chunkMs: division.chunkMs },
    // A cap takes the first rows that come, so they must not be moved before it has been applied.
    order: mode === 'stream' && call.maxRows === undefined ? order : asSent(order),
    ...(mode === 'stream' || call.maxRows !== undefined ? { identity: identityOf<Row>(collection) } : {}),
    request(piece) {
      const sent = request(piece.ids, timeOf(collection, time, piece.span))
      return {
        ...sent,
        policy: policyFor(bytesOf(sent)),
        reader: head => featuresReaderFor(head, reader),
        inspect: inspectReply,
      }
    },
    read: reply => readFeatures<Row>(reply, reader, collection),
    keepMs: keepItemsMs(collection),
  }
  const todo = piecesOf(division, time)
  const question: Question<Row> = {
    operation,
    series: JSON.stringify([collection.name, filters, query['filter'] ?? null]),
    facts,
    todo,
    // One part is waited for; many are work for a while, which leaves quota and rate to those who wait.
    priority: todo.length > 1 || division.requests > 1 ? 'bulk' : 'interactive',
    streaming: false,
  }
  return {
    division,
    asking,
    // The service sorts by nothing of use: with a cap, parts of another length would bring other rows.
    gathering: {
      transport: service.transports.waterdata,
      question,
      call: call.maxRows === undefined ? call : { ...call, chunk: division.chunkMs, learnSpans: false },
      query: plainQuery(collection, query, time),
      columns: rows => withUnit(reader.columns(), rows),
      filled: reader.documented,
      chart: rows => itemsChart(collection, rows),
      finish: rows => finishItems(rows, order, call.maxRows === undefined ? namesIn(collection, axis) : undefined),
      completeness: itemsCompleteness({ collection, filters, query, asked: time, now, properties }, order),
    },
  }
}

/** Address of a collection, in the version that the client speaks. */
export function itemsAddress(service: StreamflowService, { family, name }: Collection, what = 'items'): string {
  const base = family === 'groundwater' ? '/ngwmn/ogcapi' : `/ogcapi/${service.apiVersion}`
  return service.address('waterdata', `${base}/collections/${encodeURIComponent(name)}/${what}`)
}

function fixedParameters(given: {
  readonly pageSize: number
  readonly properties: readonly string[] | undefined
  readonly geometry: GeometryChoice
  readonly places: boolean
  readonly bbox: readonly number[] | undefined
}): [string, string][] {
  const { pageSize, properties, geometry, places, bbox } = given
  return [
    ['f', 'json'],
    ['limit', String(pageSize)],
    ...(properties && properties.length > 0 ? [['properties', properties.join(',')] as [string, string]] : []),
    ...(places && geometry === 'none' ? [['skipGeometry', 'true'] as [string, string]] : []),
    ...(bbox ? [['bbox', bbox.join(',')] as [string, string]] : []),
  ]
}

/** The list that makes the request long: the one that is divided. */
function longestList(filters: readonly Filter[]): Filter | undefined {
  const lengthOf = ({ values }: Filter): number => values.reduce((sum, value) => sum + encodeValue(value).length + 3, 0)
  const lists = filters.filter(({ values }) => values.length > 1)
  return lists.reduce<Filter | undefined>(
    (longest, one) => (longest && lengthOf(longest) >= lengthOf(one) ? longest : one),
    undefined,
  )
}

/** Rows that one value of the divided list brings in a day, where the query says which series it asks for. */
function rowsPerIdAndDay(
  collection: Collection,
  filters: readonly Filter[],
  axis: Filter | undefined,
  query: Query,
): number | undefined {
  const perDay = collection.time?.perDay
  const count = (field: string): number => filters.find(filter => filter.field === field)?.values.length ?? 0
  const series =
    count('time_series_id') ||
    count('monitoring_location_id') * count('parameter_code') * Math.max(1, count('statistic_id'))
  if (perDay === undefined || series === 0 || query['filter'] !== undefined) return undefined
  const cadence = cadenceOf(query)
  return ((cadence === undefined ? perDay : DAY_MS / cadence) * series) / (axis?.values.length ?? 1)
}

/** Length of a request by its values: each adds the same wherever it stands, so the request is written three times only. */
function measureOf(
  values: readonly string[],
  lengthOf: (values: readonly string[]) => number,
): (group: readonly string[]) => number {
  const [first] = values
  if (first === undefined) return lengthOf
  const alone = lengthOf([first])
  const added = new Map(values.map(value => [value, lengthOf([first, value]) - alone]))
  const base = alone - (added.get(first) ?? 0)
  return group => group.reduce((sum, value) => sum + (added.get(value) ?? 0), base)
}

/** The divided list as a column of rows, where each of its names must be found again. */
function namesIn({ idName, prefixes }: Collection, axis: Filter | undefined): Filter | undefined {
  if (axis === undefined || prefixes.includes(axis.field) || !/^id$|_id$|_code$/.test(axis.field)) return undefined
  return axis.field === 'id' ? { ...axis, field: idName } : axis
}

function piecesOf({ groups }: Division, { span }: ItemsTime): Piece[] {
  return (groups ?? [undefined]).map(ids => ({ ...(span ? { span } : {}), ...(ids ? { ids } : {}), depth: 0 }))
}

function timeOf({ time }: Collection, { text }: ItemsTime, span: Piece['span']): string | undefined {
  return span && time ? spanText(span, time) : text
}

/** A 403 is ambiguous: a bad key, or a request that is too long. What it says decides, and how long it was. */
function policyFor(bytes: number): ServicePolicy {
  return bytes < LONG_REQUEST_BYTES ? WATER_DATA_POLICY : LONG_REQUEST_POLICY
}

const LONG_REQUEST_POLICY: ServicePolicy = {
  ...WATER_DATA_POLICY,
  saysTooLarge: (status, words) => status === 403 && !/(?<![a-z])key(?![a-z])/i.test(words),
}

/** A query as a checkpoint keeps it: its span settled, whatever `last` and "now" meant. */
function plainQuery({ time }: Collection, query: Query, { span }: ItemsTime): Readonly<Record<string, unknown>> {
  const { last, ...rest } = query
  const settle = (ms: number): string => (time?.by === 'date' ? dateText(ms) : isoText(ms))
  const settled = span ? { start: settle(span.start), end: settle(span.end) } : last === undefined ? {} : { last }
  return JSON.parse(JSON.stringify({ ...rest, ...settled })) as Record<string, unknown>
}

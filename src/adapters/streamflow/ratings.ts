import { QueryError, RetrievalInterrupted } from '../../errors.ts'
import { collect, type AnyRow, type Column, type Gathering, type Retrieval } from '../../retrieval/index.ts'
import { isoText, parseInstant } from '../../time.ts'
import {
  excerpt,
  groupIds,
  looksLikeMarkup,
  shareBounds,
  type CallOptions,
  type Content,
  type Piece,
  type Reply,
} from '../../transport/index.ts'
import { quoted } from './cql.ts'
import { MOST_REQUEST_BYTES } from './items-request.ts'
import type { RatingsQuery } from './queries.ts'
import { queryString } from './query-string.ts'
import { factsIn, parseRdb, RdbError, type RdbTable } from './rdb.ts'
import { badResponse, inspectReply, nextLink } from './read-features.ts'
import { checkQuery, readEnvelope } from './schemas.ts'
import type { StreamflowService } from './service.ts'
import { tableGathering } from './table-question.ts'
import { readMeasure, textInPlaceOfNumber } from './values.ts'
import { KEEP_RATINGS_MS } from './keep.ts'

/** A file with one rating. */
export interface RatingFileRow extends AnyRow {
  readonly monitoring_location_id: string | null
  readonly file_type: string | null
  /** Such as `USGS-01104475.exsa.rdb`. */
  readonly rating_id: string
  readonly datetime: string | null
  readonly url: string | null
}

/** One line of a rating. Which columns there are depends on the kind of file. */
export interface RatingRow extends AnyRow {
  readonly monitoring_location_id: string | null
  readonly file_type: string | null
  readonly rating_id: string
  /** Stage, feet. */
  readonly INDEP: number | null
  /** Shift of the stage; `exsa` only. */
  readonly SHIFT?: number | null
  /** Discharge, cubic feet per second; not of `corr`. */
  readonly DEP?: number | null
  /** `*` marks the points that the rating was drawn through; not of `corr`. */
  readonly STOR?: string | null
  /** Correction of the stage; `corr` only. */
  readonly CORR?: number | null
  /** Stage with the correction; `corr` only. */
  readonly CORRINDEP?: number | null
}

type FileType = 'exsa' | 'base' | 'corr'

const TABLE_COLUMNS: Readonly<Record<FileType, readonly string[]>> = {
  base: ['INDEP', 'DEP', 'STOR'],
  exsa: ['INDEP', 'SHIFT', 'DEP', 'STOR'],
  corr: ['INDEP', 'CORR', 'CORRINDEP'],
}
const FILE_COLUMNS: readonly Column[] = ['monitoring_location_id', 'file_type', 'rating_id', 'datetime', 'url'].map(
  name => ({ name, kind: 'text' }),
)
const ORDER = ['INDEP', 'SHIFT', 'DEP', 'STOR', 'CORR', 'CORRINDEP']

/** Which files there are, by site and kind. */
export function ratingFilesGathering(
  service: StreamflowService,
  query: RatingsQuery,
  call: CallOptions,
): Gathering<RatingFileRow> {
  checkQuery('getRatings', query)
  const sites = query.monitoringLocationId === undefined ? undefined : [...new Set([query.monitoringLocationId].flat())]
  const types = fileTypes(query)
  const url = (ids: readonly string[] | undefined): string =>
    `${service.address('waterdata', '/stac/v0/search')}?${searchParameters(query, types, ids)}`
  const groups =
    sites === undefined
      ? [undefined]
      : groupIds(sites, ids => url(ids).length, MOST_REQUEST_BYTES, 'monitoringLocationId')
  return tableGathering<RatingFileRow>({
    keepMs: KEEP_RATINGS_MS,
    transport: service.transports.waterdata,
    operation: 'getRatings',
    query,
    call,
    columns: FILE_COLUMNS,
    todo: groups.map(ids => ({ depth: 0, ...(ids ? { ids } : {}) })),
    request: ({ ids }) => ({
      method: 'GET',
      url: url(ids),
      headers: { accept: 'application/geo+json, application/json' },
      inspect: inspectReply,
    }),
    read: reply => readFiles(reply, types),
  })
}

/**
 * The tables in the files. A file that is gone or is no table is passed over with a warning; a service in trouble is
 * not: that interrupts the call, and it can be taken up.
 *
 * @param files - left out where a checkpoint says which are left
 */
export function ratingsGathering(
  service: StreamflowService,
  query: RatingsQuery,
  call: CallOptions,
  files: readonly RatingFileRow[] = [],
): Gathering<RatingRow> {
  checkQuery('getRatings', query)
  return tableGathering<RatingRow>({
    keepMs: KEEP_RATINGS_MS,
    transport: service.transports.waterdata,
    operation: 'getRatings',
    query,
    call,
    columns: columnsOf(fileTypes(query)),
    todo: files.flatMap(file => (file.url === null ? [] : [{ ids: [pieceId(file)], depth: 0 }])),
    request: piece => ({
      method: 'GET',
      url: fileOf(piece).url ?? '',
      headers: { accept: 'text/plain' },
      accept: [404, 410],
    }),
    read: (reply, piece) => readRating(reply, fileOf(piece)),
  })
}

/** Searches, then reads the files that were found. */
export async function getRatings(
  service: StreamflowService,
  query: RatingsQuery,
  call: CallOptions,
): Promise<Retrieval<RatingRow | RatingFileRow>> {
  const bounds = shareBounds(call, service.clock)
  const files = await searched(service, query, bounds.next())
  if (query.files === 'listed') return files as Retrieval<RatingRow | RatingFileRow>
  const found = [...files.rows].sort((a, b) => (a.rating_id < b.rating_id ? -1 : a.rating_id > b.rating_id ? 1 : 0))
  return collect(ratingsGathering(service, query, bounds.next(), found)) as Promise<
    Retrieval<RatingRow | RatingFileRow>
  >
}

/** The search is not taken up: it is over in a request or two, and half of it is of no use. */
async function searched(
  service: StreamflowService,
  query: RatingsQuery,
  call: CallOptions,
): Promise<Retrieval<RatingFileRow>> {
  try {
    return await collect(ratingFilesGathering(service, query, query.files === 'listed' ? call : withoutCap(call)))
  } catch (thrown) {
    throw thrown instanceof RetrievalInterrupted ? thrown.failure : thrown
  }
}

/** A cap on rows is not one on files. */
function withoutCap({ maxRows: _maxRows, ...call }: CallOptions): CallOptions {
  return call
}

function fileTypes({ fileType = 'exsa' }: RatingsQuery): readonly FileType[] {
  return [...new Set([fileType].flat())]
}

function searchParameters(
  query: RatingsQuery,
  types: readonly FileType[],
  sites: readonly string[] | undefined,
): string {
  const { bbox, pageSize = 10_000 } = query
  const conditions = [
    ...(sites ? [`monitoring_location_id IN (${sites.map(quoted).join(',')})`] : []),
    ...(types.length === 1 ? [`file_type = ${quoted(types[0] ?? '')}`] : []),
  ]
  const time = timeOf(query)
  return queryString([
    ['limit', pageSize],
    ['filter', conditions.length > 0 ? conditions.join(' AND ') : undefined],
    ['datetime', time],
    ['bbox', bbox?.join(',')],
  ])
}

/** The search knows instants and intervals, no durations. */
function timeOf({ start, end, zone }: RatingsQuery): string | undefined {
  if (start === undefined && end === undefined) return undefined
  const from = start === undefined ? undefined : parseInstant(start, 'start', zone)
  const to = end === undefined ? undefined : parseInstant(end, 'end', zone)
  if (from !== undefined && to !== undefined && to < from)
    throw new QueryError(`end ${isoText(to)} is before start ${isoText(from)}`, { argument: 'end', value: isoText(to) })
  return `${from === undefined ? '..' : isoText(from)}/${to === undefined ? '..' : isoText(to)}`
}

function readFiles(reply: Reply, types: readonly string[]): Content<RatingFileRow> {
  const json = reply.json()
  if (json === undefined) return { rows: [], source: {}, warnings: [] }
  const envelope = readEnvelope('features', json)
  if ('problem' in envelope) throw badResponse(reply, envelope.problem)
  const files = envelope.value.features
    .map(fileIn)
    .filter(({ file_type }) => file_type !== null && types.includes(file_type))
  const without = files
    .filter(({ url }) => url === null)
    .map(({ rating_id }) => `${rating_id}: the catalogue states no address for it`)
  const next = nextLink(envelope.value.links)
  return { rows: files, source: {}, warnings: without, ...(next === undefined ? {} : { next }) }
}

function fileIn(feature: unknown): RatingFileRow {
  const { id, properties, assets } = Object(feature) as {
    id?: unknown
    properties?: Record<string, unknown>
    assets?: { data?: { href?: unknown } }
  }
  const href = assets?.data?.href
  const text = (name: string): string | null => (typeof properties?.[name] === 'string' ? properties[name] : null)
  return {
    monitoring_location_id: text('monitoring_location_id'),
    file_type: text('file_type'),
    rating_id: String(id),
    datetime: text('datetime'),
    url: typeof href === 'string' && href !== '' ? href : null,
  }
}

/** A file as a piece of the plan: its address, and behind the number sign, which is not sent, what it is. */
function pieceId({ url, monitoring_location_id, file_type, rating_id, datetime }: RatingFileRow): string {
  return `${url}#${encodeURIComponent(JSON.stringify([monitoring_location_id, file_type, rating_id, datetime]))}`
}

function fileOf({ ids: [id = ''] = [] }: Piece): RatingFileRow {
  const cut = id.lastIndexOf('#')
  const [site, type, rating, datetime] = JSON.parse(decodeURIComponent(id.slice(cut + 1))) as (string | null)[]
  return {
    monitoring_location_id: site ?? null,
    file_type: type ?? null,
    rating_id: rating ?? '',
    datetime: datetime ?? null,
    url: id.slice(0, cut),
  }
}

function columnsOf(types: readonly FileType[]): readonly Column[] {
  const names = new Set(types.flatMap(type => TABLE_COLUMNS[type]))
  return [
    ...['monitoring_location_id', 'file_type', 'rating_id'].map((name): Column => ({ name, kind: 'text' })),
    ...ORDER.filter(name => names.has(name)).map((name): Column => ({
      name,
      kind: name === 'STOR' ? 'text' : 'number',
    })),
  ]
}

function readRating(reply: Reply, file: RatingFileRow): Content<RatingRow> {
  const { monitoring_location_id, file_type, rating_id } = file
  const skipped = (reason: string): Content<RatingRow> => ({
    rows: [],
    source: { rating_id },
    warnings: [`${rating_id} was passed over: ${reason}`],
  })
  if (reply.status === 404 || reply.status === 410) return skipped(`the file is gone (status ${reply.status})`)
  const body = reply.body.toString('utf8')
  if (looksLikeMarkup(body)) throw badResponse(reply, `a web page in place of a rating: ${excerpt(body)}`)
  let table: RdbTable
  try {
    table = parseRdb(body)
  } catch (thrown) {
    if (thrown instanceof RdbError) return skipped(thrown.message)
    throw thrown
  }
  const rows = table.rows.map(fields => {
    const row: Record<string, unknown> = { monitoring_location_id, file_type, rating_id }
    for (const [name, text] of Object.entries(fields)) setCell(row, name, text)
    return row as unknown as RatingRow
  })
  return { rows, source: { rating_id, ...factsIn(table.comments) }, warnings: [] }
}

function setCell(row: Record<string, unknown>, name: string, text: string): void {
  if (name === 'STOR') row[name] = text
  else {
    const number = readMeasure(text.trim())
    const instead = textInPlaceOfNumber(text.trim(), number)
    row[name] = number
    if (instead !== undefined) row[`${name}_text`] = instead
  }
}

import { QueryError } from '../../errors.ts'
import type { AnyRow, Column, Gathering } from '../../retrieval/index.ts'
import {
  excerpt,
  looksLikeMarkup,
  type CallOptions,
  type Content,
  type Piece,
  type Reply,
} from '../../transport/index.ts'
import { CsvError, parseCsv } from './csv.ts'
import type { WaterUseQuery } from './queries.ts'
import { badResponse } from './read-features.ts'
import { checkQuery } from './schemas.ts'
import type { StreamflowService } from './service.ts'
import { stateOf } from './states.ts'
import { tableGathering } from './table-question.ts'
import { readMeasure } from './values.ts'
import { KEEP_TABLES_MS } from './keep.ts'

/** Modelled use of an area in a month or year: one column for each variable, its unit at the end of its name. */
export interface WaterUseRow extends AnyRow {
  /** What was asked for: `stateCd:RI`. Areas on a border come for both sides. */
  readonly location: string
  /** Twelve digits. */
  readonly huc12_id: string | null
  /** `YYYY-MM`; only monthly. */
  readonly year_month?: string | null
  /** Only by years. */
  readonly year?: number | null
}

/** Names under which the service speaks of itself in links: they are one host, and all but one are out of date. */
const OTHER_NAMES = ['api.water.usgs.gov', 'water.usgs.gov']
const TEXTS = ['huc12_id', 'year_month']

/** @throws QueryError before anything is sent */
export function waterUseGathering(
  service: StreamflowService,
  query: WaterUseQuery,
  call: CallOptions,
): Gathering<WaterUseRow> {
  checkQuery('getWaterUse', query)
  const { model, variable, resolution, start, end, intersection = 'overlap', pageSize = 600 } = query
  const home = new URL(service.address('waterUse', '/nwaa-data/data'))
  const request = ({ ids: [location = ''] = [] }: Piece) => {
    const url = new URL(home)
    const given = {
      format: 'csv',
      model,
      variable: [variable].flat().join(','),
      location,
      timeres: resolution,
      startdate: start,
      enddate: end,
      intersection,
      limit: pageSize,
    }
    for (const [name, value] of Object.entries(given))
      if (value !== undefined) url.searchParams.set(name, String(value))
    return { method: 'GET' as const, url: url.href, headers: { accept: 'text/csv' } }
  }
  return tableGathering<WaterUseRow>({
    keepMs: KEEP_TABLES_MS,
    transport: service.transports.waterUse,
    operation: 'getWaterUse',
    query,
    call,
    columns: columnsOf(resolution),
    // One location for each request is all that the service takes.
    todo: locationsOf(query).map(location => ({ ids: [location], depth: 0 })),
    request,
    read: (reply, piece) => readUse(reply, piece.ids?.[0] ?? '', home),
  })
}

function locationsOf({ state, county, huc }: WaterUseQuery): readonly string[] {
  const given = [
    ...(state === undefined ? [] : [[state].flat().map(one => `stateCd:${stateOf(one).postal}`)]),
    ...(county === undefined ? [] : [[county].flat().map(one => `countyCd:${one}`)]),
    ...(huc === undefined ? [] : [[huc].flat().map(one => `huc${one.length}:${one}`)]),
  ]
  const [locations] = given
  if (given.length !== 1 || locations === undefined)
    throw new QueryError('give state, county or huc: one of them', { argument: 'state', value: state })
  return [...new Set(locations)]
}

function columnsOf(resolution: WaterUseQuery['resolution']): readonly Column[] {
  const time: Column =
    resolution === undefined || resolution === 'monthly'
      ? { name: 'year_month', kind: 'text' }
      : { name: 'year', kind: 'number' }
  return [
    { name: 'location', kind: 'text' },
    { name: 'huc12_id', kind: 'text' },
    ...(resolution === undefined ? [] : [time]),
  ]
}

function readUse(reply: Reply, location: string, home: URL): Content<WaterUseRow> {
  const body = reply.body.toString('utf8')
  if (reply.status === 204) return { rows: [], source: {}, warnings: [] }
  if (body.trim() === '') throw badResponse(reply, 'empty, where at least a line of names was due')
  if (looksLikeMarkup(body) || /^\s*[[{]/.test(body)) throw badResponse(reply, `no table: ${excerpt(body)}`)
  const { columns, rows } = tableIn(reply, body)
  const next = nextLink(reply.headers['link'], home)
  return {
    rows: rows.map(
      fields =>
        Object.fromEntries([
          ['location', location],
          ...columns.map((name, at) => cell(name, fields[at] ?? '')),
        ]) as unknown as WaterUseRow,
    ),
    source: { location },
    warnings: [],
    ...(next === undefined ? {} : { next }),
  }
}

function tableIn(reply: Reply, body: string): ReturnType<typeof parseCsv> {
  try {
    return parseCsv(body)
  } catch (thrown) {
    throw thrown instanceof CsvError ? badResponse(reply, thrown.message) : thrown
  }
}

function cell(name: string, text: string): [string, unknown] {
  return [name, TEXTS.includes(name) ? text : readMeasure(text)]
}

/** The next page stands in a header, and may name the host as it was called before. */
function nextLink(header: string | undefined, home: URL): string | undefined {
  const href = /<([^>]*)>\s*;[^,]*\brel="?next"?/.exec(header ?? '')?.[1]
  if (href === undefined || !URL.canParse(href, home.href)) return href
  const url = new URL(href, home)
  if (!OTHER_NAMES.includes(url.hostname)) return href
  return `${home.origin}${url.pathname}${url.search}`
}

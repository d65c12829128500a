import { QueryError } from '../../errors.ts'
import type { AnyRow, Gathering } from '../../retrieval/index.ts'
import { isoText } from '../../time.ts'
import { groupIds, type CallOptions, type Operation, type Piece } from '../../transport/index.ts'
import { daysOf, type Days } from './days.ts'
import { choose, type Chosen, type PortalOperation } from './endpoints.ts'
import { inspectPortal, SPOKEN_IN_HEADERS } from './failures.ts'
import { checkSemicolons, encode, pairsOf, PORTAL_FILTERS, portalDate, queryText, type Pair } from './parameters.ts'
import { tableReaderFor } from './read-table.ts'
import { checkQuery } from './schemas.ts'
import type { WaterQualityService } from './service.ts'
import { confirmByStatus } from './status.ts'
import { tableGathering } from './table-question.ts'
import { dateText } from './zones.ts'

/** A query of a table of the Portal, ready to be asked or counted. */
export interface PortalQuestion {
  readonly gathering: Gathering<AnyRow>
  readonly chosen: Chosen
  readonly days: Days
  /** Filters in the service's words, sites included. */
  readonly filters: readonly Pair[]
  /** Sites, in groups that one request takes. */
  readonly groups: readonly (readonly string[])[] | undefined
}

type Query = Readonly<Record<string, unknown>>

/** Sites for which one request asks, by what others found that the interfaces take. */
const MOST_SITES = { wqx3: 100, legacy: 300 } as const
/** Longest address that is sent. A longer question goes to the older interface in a body. */
const MOST_ADDRESS_BYTES = { wqx3: 7500, legacy: 2048 } as const
const SITE = 'siteid'

const FROZEN =
  'data of the U.S. Geological Survey end on 2024-03-11 in the older interface; for later ones, ask the newer one (wqx3) or Samples'
export const UNDATED = 'rows without a date match no span; leave start and end out to get them as well'

/**
 * Turns a query into a question to the Portal.
 *
 * @throws QueryError before anything is sent
 */
export function portalQuestion(
  service: WaterQualityService,
  operation: PortalOperation,
  query: Query,
  call: CallOptions,
): PortalQuestion {
  checkQuery(operation, query)
  const chosen = chosenFor(operation, query)
  const filters = pairsOf(query, PORTAL_FILTERS, ['lat', 'long', 'within'], 'bBox')
  if (filters.length === 0)
    throw new QueryError(`${operation} needs at least one filter: without one it asks for everything there is`, {
      argument: 'query',
      value: query,
    })
  checkSemicolons(filters)
  const days = daysOf(query, service.clock.now())
  const derive = (query['derive'] as boolean | undefined) ?? true
  if (days.window && !derive)
    throw new QueryError('a span with times of day needs the derived instants: give plain dates, or leave derive out', {
      argument: 'derive',
      value: false,
    })
  const { endpoint } = chosen
  const isAxis = endpoint.days === 'axis'
  const table = { derive, zones: query['zones'] as Readonly<Record<string, number>> | undefined }
  const fixed = fixedPairs(chosen, query)
  const request = requestFor(service, chosen, { filters, fixed, days })
  const groups = sitesIn(filters, chosen, ids => request({ ids, span: days.span, depth: 0 }).url.length)
  const span = isAxis ? days.span : undefined
  const todo = (groups ?? [undefined]).map((ids): Piece => ({
    ...(span ? { span } : {}),
    ...(ids ? { ids } : {}),
    depth: 0,
  }))
  const gathering = tableGathering({
    transport: service.portal,
    operation,
    query: plainQuery(query, days),
    call,
    table,
    days,
    todo,
    series: JSON.stringify([chosen.interface, chosen.profile, filters]),
    request: piece => ({
      ...request(piece),
      accept: SPOKEN_IN_HEADERS,
      inspect: inspectPortal,
      reader: head => tableReaderFor(head, table),
    }),
    ...(chosen.interface === 'wqx3'
      ? {
          confirm: shortfalls => confirmByStatus(id => service.portalAddress(`/wqx3/status/${encode(id)}`), shortfalls),
        }
      : {}),
    kind: endpoint.kind,
    isResult: endpoint.isResult ?? false,
    repeats: (query['repeats'] as 'keep' | 'merge' | undefined) ?? 'keep',
    source: { interface: chosen.interface, ...(chosen.profile ? { profile: chosen.profile } : {}) },
    warnings: [
      ...(chosen.interface === 'legacy' && hasSurvey(chosen, query) ? [FROZEN] : []),
      ...(isAxis && days.span ? [UNDATED] : []),
    ],
  })
  return { gathering, chosen, days, filters, groups }
}

function chosenFor(operation: PortalOperation, query: Query): Chosen {
  const { profile, interface: wanted } = query as { profile?: string; interface?: 'wqx3' | 'legacy' }
  const chosen = choose(operation, { interface: wanted, profile })
  if (chosen) return chosen
  throw new QueryError(`profile '${profile}' is not one of the ${wanted} interface`, {
    argument: 'profile',
    value: profile,
  })
}

function fixedPairs({ interface: name, profile }: Chosen, query: Query): Pair[] {
  return [
    ['mimeType', ['csv']],
    ...(profile ? [['dataProfile', [profile]] as Pair] : []),
    // Sorting costs the service dearly, and is done here.
    ...(name === 'legacy' ? [['sorted', ['no']] as Pair] : []),
    ...(query['years'] === undefined ? [] : [['summaryYears', [String(query['years'])]] as Pair]),
  ]
}

/** Lists are repeated names for the newer interface, and stand in one value for the older one. */
function requestFor(
  service: WaterQualityService,
  { interface: name, place }: Chosen,
  asked: { readonly filters: readonly Pair[]; readonly fixed: readonly Pair[]; readonly days: Days },
): (piece: Piece) => ReturnType<Operation<AnyRow>['request']> {
  const address = service.portalAddress(place.path)
  const lists = name === 'legacy' ? 'semicolons' : 'repeated'
  return piece => {
    const span = piece.span ?? asked.days.span
    const filters = [
      ...asked.filters.map(([filter, values]): Pair => [filter, filter === SITE ? (piece.ids ?? values) : values]),
      ...(span
        ? [['startDateLo', [portalDate(span.start)]] as Pair, ['startDateHi', [portalDate(span.end)]] as Pair]
        : []),
    ]
    const url = `${address}?${queryText([...filters, ...asked.fixed], lists)}`
    const headers = { accept: 'text/csv' }
    if (name !== 'legacy' || url.length <= MOST_ADDRESS_BYTES.legacy) return { method: 'GET', url, headers }
    return {
      method: 'POST',
      url: `${address}?${queryText(asked.fixed, lists)}`,
      headers: { ...headers, 'content-type': 'application/x-www-form-urlencoded' },
      body: queryText(filters, lists),
      // It only asks.
      idempotent: true,
    }
  }
}

function sitesIn(
  filters: readonly Pair[],
  { interface: name }: Chosen,
  lengthOf: (ids: readonly string[]) => number,
): string[][] | undefined {
  const sites = filters.find(([filter]) => filter === SITE)?.[1]
  if (sites === undefined) return undefined
  const groups: string[][] = []
  for (let at = 0; at < sites.length; at += MOST_SITES[name]) {
    const some = sites.slice(at, at + MOST_SITES[name])
    groups.push(...(name === 'legacy' ? [[...some]] : groupIds(some, lengthOf, MOST_ADDRESS_BYTES.wqx3, 'siteId')))
  }
  return groups
}

/** Whether rows of the Survey may be among those asked for, and whether they have a date at all. */
function hasSurvey({ endpoint }: Chosen, query: Query): boolean {
  const providers = query['providers']
  if (endpoint.days === 'none' && endpoint.kind !== '') return false
  return providers === undefined || [providers].flat().some(name => name === 'NWIS' || name === 'USGS')
}

/** A query as a checkpoint keeps it: its span settled, whatever `last` and "now" meant. */
export function plainQuery(query: Query, { span, window }: Days): Readonly<Record<string, unknown>> {
  const { last: _last, start: _start, end: _end, zone: _zone, ...rest } = query
  const settled = window
    ? { start: isoText(window.start), end: isoText(window.end) }
    : span
      ? { start: dateText(span.start), end: dateText(span.end) }
      : {}
  return JSON.parse(JSON.stringify({ ...rest, ...settled })) as Record<string, unknown>
}

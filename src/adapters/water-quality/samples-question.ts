import { QueryError } from '../../errors.ts'
import { nearest } from '../../nearest.ts'
import type { AnyRow, Gathering } from '../../retrieval/index.ts'
import { groupIds, type CallOptions, type Piece } from '../../transport/index.ts'
import { daysOf, type Days } from './days.ts'
import { encode, pairsOf, queryText, SAMPLES_FILTERS, type Pair } from './parameters.ts'
import { plainQuery } from './portal-question.ts'
import { tableReaderFor } from './read-table.ts'
import { checkQuery } from './schemas.ts'
import type { WaterQualityService } from './service.ts'
import { tableGathering } from './table-question.ts'
import { dateText } from './zones.ts'

/** What Samples has, by resource; the first profile is the one without. */
const PROFILES = {
  results: [
    'fullphyschem',
    'basicphyschem',
    'fullbio',
    'basicbio',
    'narrow',
    'resultdetectionquantitationlimit',
    'labsampleprep',
    'count',
  ],
  locations: ['site', 'count'],
  activities: ['sampact', 'actmetric', 'actgroup', 'count'],
  projects: ['project', 'projectmonitoringlocationweight'],
  organizations: ['organization', 'count'],
} as const

type Resource = keyof typeof PROFILES
type Query = Readonly<Record<string, unknown>>

const SITE = 'monitoringLocationIdentifier'
const MOST_SITES = 100
const MOST_ADDRESS_BYTES = 7500
/** Profiles with one row for a result. */
const RESULTS = /^(?:full|basic|narrow)/
/** Resources whose rows have a date by which a span can be cut. */
const DATED: readonly Resource[] = ['results', 'activities']

/**
 * Turns a query into a question to Samples.
 *
 * @throws QueryError before anything is sent
 */
export function samplesQuestion(service: WaterQualityService, query: Query, call: CallOptions): Gathering<AnyRow> {
  checkQuery('getSamples', query)
  const resource = (query['resource'] as Resource | undefined) ?? 'results'
  const profile = profileOf(resource, query['profile'] as string | undefined)
  const filters = pairsOf(
    query,
    SAMPLES_FILTERS,
    ['pointLocationLatitude', 'pointLocationLongitude', 'pointLocationWithinMiles'],
    'boundingBox',
  )
  if (filters.length === 0)
    throw new QueryError('getSamples needs at least one filter: without one it asks for everything there is', {
      argument: 'query',
      value: query,
    })
  const days = daysOf(query, service.clock.now())
  const table = tableOptions(query, days)
  const isAxis = DATED.includes(resource) && profile !== 'count'
  const url = (piece: Piece): string => addressOf(service, `${resource}/${profile}`, filters, piece, days)
  const sites = filters.find(([name]) => name === SITE)?.[1]
  const groups =
    sites && groupIds(sites, ids => url({ ids, depth: 0 }).length, MOST_ADDRESS_BYTES, SITE).flatMap(inHundreds)
  const span = isAxis ? days.span : undefined
  return tableGathering({
    transport: service.samples,
    operation: 'getSamples',
    query: plainQuery(query, days),
    call,
    table,
    days,
    todo: (groups ?? [undefined]).map((ids): Piece => ({
      ...(span ? { span } : {}),
      ...(ids ? { ids } : {}),
      depth: 0,
    })),
    series: JSON.stringify([resource, profile, filters]),
    request: piece => ({
      method: 'GET',
      url: url(piece),
      headers: { accept: 'text/csv' },
      reader: head => tableReaderFor(head, table),
    }),
    kind: '',
    isResult: resource === 'results' && RESULTS.test(profile),
    repeats: 'keep',
    source: { interface: 'samples', resource, profile },
    warnings: span ? ['rows without a date match no span; leave start and end out to get them as well'] : [],
  })
}

/** What a site has of each characteristic: one request for each site. */
export function samplesSummaryQuestion(
  service: WaterQualityService,
  query: Query,
  call: CallOptions,
): Gathering<AnyRow> {
  checkQuery('getSamplesSummary', query)
  const sites = [...new Set([query[SITE] as string | readonly string[]].flat())]
  const table = { derive: false }
  const address = (site: string): string =>
    `${service.samplesAddress(`/samples-data/summary/${encode(site)}`)}?mimeType=${encode('text/csv')}`
  return tableGathering({
    transport: service.samples,
    operation: 'getSamplesSummary',
    query: plainQuery(query, { span: undefined, window: undefined }),
    call,
    table,
    days: { span: undefined, window: undefined },
    todo: sites.map(site => ({ ids: [site], depth: 0 })),
    series: '',
    request: ({ ids: [site = ''] = [] }) => ({
      method: 'GET',
      url: address(site),
      headers: { accept: 'text/csv' },
      reader: head => tableReaderFor(head, table),
    }),
    kind: '',
    isResult: false,
    repeats: 'keep',
    source: { interface: 'samples' },
    warnings: [],
  })
}

function profileOf(resource: Resource, wanted: string | undefined): string {
  const known: readonly string[] = PROFILES[resource]
  if (wanted === undefined) return known[0] ?? ''
  if (known.includes(wanted)) return wanted
  const guess = nearest(wanted, known)
  throw new QueryError(
    `profile '${wanted}' is none of ${resource}${guess ? `; did you mean '${guess}'?` : `: there are ${known.join(', ')}`}`,
    { argument: 'profile', value: wanted },
  )
}

function tableOptions(query: Query, { window }: Days) {
  const derive = (query['derive'] as boolean | undefined) ?? true
  if (window && !derive)
    throw new QueryError('a span with times of day needs the derived instants: give plain dates, or leave derive out', {
      argument: 'derive',
      value: false,
    })
  return { derive, zones: query['zones'] as Readonly<Record<string, number>> | undefined }
}

function addressOf(
  service: WaterQualityService,
  path: string,
  filters: readonly Pair[],
  piece: Piece,
  days: Days,
): string {
  const span = piece.span ?? days.span
  const pairs: Pair[] = [
    ...filters.map(([name, values]): Pair => [name, name === SITE ? (piece.ids ?? values) : values]),
    ...(span
      ? [
          ['activityStartDateLower', [dateText(span.start)]] as Pair,
          ['activityStartDateUpper', [dateText(span.end)]] as Pair,
        ]
      : []),
    ['mimeType', ['text/csv']],
  ]
  return `${service.samplesAddress(`/samples-data/${path}`)}?${queryText(pairs, 'repeated')}`
}

function inHundreds(group: readonly string[]): (readonly string[])[] {
  const parts: (readonly string[])[] = []
  for (let at = 0; at < group.length; at += MOST_SITES) parts.push(group.slice(at, at + MOST_SITES))
  return parts
}

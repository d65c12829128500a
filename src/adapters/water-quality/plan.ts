import type { Gathering, AnyRow } from '../../retrieval/index.ts'
import { spanOf, type Span, type SpanMs } from '../../span.ts'
import { shareBounds, type CallOptions, type Piece } from '../../transport/index.ts'
import { countDays, piecesByRows, type CountedDays } from './counts.ts'
import { DAY_MS, dayRules } from './days.ts'
import { ENDPOINTS, type PortalOperation } from './endpoints.ts'
import type { Pair } from './parameters.ts'
import { portalQuestion, type PortalQuestion } from './portal-question.ts'
import { samplesQuestion } from './samples-question.ts'
import type { WaterQualityService } from './service.ts'
import { CHUNK_DAYS } from './table-question.ts'

/** How a query would be asked if nothing had to be divided further. */
export interface WaterQualityPlan {
  readonly operation: string
  /** What is asked for, in order. */
  readonly parts: readonly PlannedPart[]
  /** Least number of requests for rows. */
  readonly requests: number
  /** Requests besides: counts, which are asked for again with the rows, and the newer interface's word on each answer. */
  readonly besides: number
  /** Rows by the service's own counts; absent where it was not asked, or could not say. */
  readonly expectedRows: number | undefined
}

/** One part of a plan. */
export interface PlannedPart {
  /** First and last day, both included; absent where no span was asked for. */
  readonly span: Span | undefined
  /** Sites that it asks for, where the query names sites. */
  readonly sites: readonly string[] | undefined
}

/** A query cut into pieces, with what is known of its size. */
export interface Cut {
  readonly gathering: Gathering<AnyRow>
  readonly expectedRows: number | undefined
  /** Requests that it took to find that out. */
  readonly counts: number
}

type Query = Readonly<Record<string, unknown>>

/** What is kept whole may come in large pieces; of a stream several are held at a time. */
const PIECE_ROWS = { whole: 50_000, stream: 20_000 } as const
/** So few sites in so short a span are asked for at once, without a count. */
const FEW_SITES = 100

/**
 * Turns a query into a question and cuts it by expected rows, where the service is asked for them.
 *
 * @throws QueryError before anything is sent
 */
export async function cutByRows(
  service: WaterQualityService,
  operation: PortalOperation,
  query: Query,
  call: CallOptions,
  mode: keyof typeof PIECE_ROWS = 'whole',
): Promise<Cut> {
  const question = portalQuestion(service, operation, query, call)
  const { gathering, groups } = question
  const span = gathering.question.todo[0]?.span
  if (span === undefined || !isCounted(question, query, service.portal.optionsFor(call).chunkMs))
    return { gathering, expectedRows: undefined, counts: 0 }
  const pieceRows = (query['pieceRows'] as number | undefined) ?? PIECE_ROWS[mode]
  const bounds = shareBounds(call, service.clock)
  const counted = await countDays({
    service,
    operation,
    path: ENDPOINTS[operation].legacy.path,
    kind: ENDPOINTS[operation].kind,
    filters: asLegacy(question.filters),
    span,
    pieceRows,
    bounds,
  })
  const spans = piecesByRows(counted, pieceRows, groups?.length ?? 1, CHUNK_DAYS)
  const piece = (days: SpanMs, ids: readonly string[] | undefined): Piece => ({
    ...(ids ? { ids } : {}),
    span: days,
    depth: 0,
  })
  const lists = groups ?? [undefined]
  // With a cap, the first rows must not depend on where the days are cut.
  const todo =
    call.maxRows === undefined
      ? spans.flatMap(days => lists.map(ids => piece(days, ids)))
      : lists.flatMap(ids => spans.map(days => piece(days, ids)))
  return {
    gathering: { ...recut(gathering, todo), call: bounds.next() },
    expectedRows: totalOf(counted),
    counts: bounds.sent,
  }
}

/** The question of a query that was cut by rows once, if it is one of those: its pieces are still as long as they were. */
export function asCut(
  service: WaterQualityService,
  operation: PortalOperation,
  query: Query,
  call: CallOptions,
): Gathering<AnyRow> {
  const question = portalQuestion(service, operation, query, call)
  const { gathering } = question
  return isCounted(question, query, service.portal.optionsFor(call).chunkMs)
    ? recut(gathering, gathering.question.todo)
    : gathering
}

/** The plan of a query. Counts may be asked for, rows are not. */
export async function planOf(
  service: WaterQualityService,
  operation: PortalOperation,
  query: Query,
  call: CallOptions,
): Promise<WaterQualityPlan> {
  const { gathering, expectedRows, counts } = await cutByRows(service, operation, query, call)
  const pieces = service.portal.plan(gathering.question, call)
  const checks = gathering.question.facts.confirm === undefined ? 0 : pieces.length
  return { operation, ...partsOf(pieces), besides: counts + checks, expectedRows }
}

/** The plan of a query of Samples, which counts nothing. Sends nothing. */
export function planOfSamples(service: WaterQualityService, query: Query, call: CallOptions): WaterQualityPlan {
  const { question } = samplesQuestion(service, query, call)
  return {
    operation: question.operation,
    ...partsOf(service.samples.plan(question, call)),
    besides: 0,
    expectedRows: undefined,
  }
}

function partsOf(pieces: readonly Piece[]): Pick<WaterQualityPlan, 'parts' | 'requests'> {
  return {
    parts: pieces.map(({ span, ids }) => ({ span: span && spanOf(span), sites: ids })),
    requests: pieces.length,
  }
}

/** A caller who says how long a piece is has decided. */
function isCounted({ filters, days, chosen }: PortalQuestion, query: Query, chunkMs: number | undefined): boolean {
  if (chosen.endpoint.days !== 'axis') return false
  const wished = query['count'] as boolean | undefined
  if (wished !== undefined) return wished
  if (chunkMs !== undefined || days.span === undefined) return false
  const sites = filters.find(([name]) => name === 'siteid')?.[1].length ?? Number.POSITIVE_INFINITY
  return sites > FEW_SITES || days.span.end - days.span.start >= CHUNK_DAYS * DAY_MS
}

/** Pieces are as long as they were found to be. */
function recut(gathering: Gathering<AnyRow>, todo: readonly Piece[]): Gathering<AnyRow> {
  const { question } = gathering
  return {
    ...gathering,
    question: {
      ...question,
      facts: { ...question.facts, rules: dayRules(Number.MAX_SAFE_INTEGER / DAY_MS) },
      todo,
      priority: todo.length > 1 ? 'bulk' : 'interactive',
    },
  }
}

/** The Survey goes by another name in the older interface, which counts for both. */
function asLegacy(filters: readonly Pair[]): Pair[] {
  return filters.map(([name, values]) => [
    name,
    name === 'providers' ? values.map(value => (value === 'USGS' ? 'NWIS' : value)) : values,
  ])
}

function totalOf(counted: readonly CountedDays[]): number | undefined {
  let total = 0
  for (const { rows } of counted) {
    if (rows === undefined) return undefined
    total += rows
  }
  return total
}

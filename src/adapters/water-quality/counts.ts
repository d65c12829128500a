import { isRequestError, type RequestError } from '../../errors.ts'
import type { SpanMs } from '../../span.ts'
import { Failure, planSpan, type ServicePolicy, type SharedBounds } from '../../transport/index.ts'
import { DAY_MS, dayRules } from './days.ts'
import { inspectPortal, SPOKEN_IN_HEADERS } from './failures.ts'
import { encode, portalDate, type Pair } from './parameters.ts'
import { POLICY, type WaterQualityService } from './service.ts'

/** A stretch of days, and how many rows the service counts in it; `undefined` where it could not say. */
export interface CountedDays {
  readonly span: SpanMs
  readonly rows: number | undefined
}

/** What is to be counted. */
export interface CountQuestion {
  readonly service: WaterQualityService
  readonly operation: string
  /** Path of the table in the older interface: the newer one does not count. */
  readonly path: string
  /** What the count of the rows is called. */
  readonly kind: string
  readonly filters: readonly Pair[]
  readonly span: SpanMs
  /** Rows that one request should bring. */
  readonly pieceRows: number
  /** Of the call whose rows are counted first. */
  readonly bounds: SharedBounds
}

/** Parts into which a stretch is cut when it is counted more closely, or could not be counted. */
const PARTS = 4
/** So many requests' worth of rows are taken to be spread evenly over their days. */
const EVEN_PIECES = 8
/** A stretch that is shorter than this many days is not counted more closely. */
const FEW_DAYS = 28
/** Requests for counts, at most. */
const MOST_COUNTS = 40

/** A count that takes too long is asked for in parts by us; the same again would take as long. */
const COUNT_POLICY: ServicePolicy = { ...POLICY, onTimeout: 'fail' }

/**
 * Asks how many rows there are, stretch by stretch where there are many or where counting all takes too long. Counts
 * come from summaries: good for planning, not for proof.
 *
 * @throws RequestError when the query is refused: asking for its rows would be refused, too
 */
export async function countDays(question: CountQuestion): Promise<CountedDays[]> {
  const { pieceRows, bounds } = question
  const { signal } = bounds.next()
  const budget = { requests: 0 }
  const count = async (span: SpanMs): Promise<CountedDays[]> => {
    const rows = budget.requests < MOST_COUNTS ? await askCount(question, span, budget) : undefined
    const days = (span.end - span.start) / DAY_MS + 1
    const isClose = rows !== undefined && rows <= pieceRows * EVEN_PIECES
    if (isClose || days <= FEW_DAYS || budget.requests >= MOST_COUNTS) return [{ span, rows }]
    const counted: CountedDays[] = []
    for (const part of planSpan(span, dayRules(1), Math.ceil(days / PARTS) * DAY_MS)) {
      signal?.throwIfAborted()
      counted.push(...(await count(part)))
    }
    return counted
  }
  return count(question.span)
}

/**
 * Stretches of days that bring about as many rows as wanted, in order: large ones are cut evenly, small neighbours are
 * joined.
 *
 * @param groups - how many requests share the rows of a stretch
 */
export function piecesByRows(
  counted: readonly CountedDays[],
  pieceRows: number,
  groups: number,
  unknownDays: number,
): SpanMs[] {
  const pieces: { span: SpanMs; rows: number }[] = []
  for (const { span, rows } of counted) {
    const days = (span.end - span.start) / DAY_MS + 1
    const perGroup = rows === undefined ? undefined : rows / groups
    const length = perGroup === undefined ? unknownDays : Math.max(1, Math.floor((days * pieceRows) / perGroup))
    // A piece of so many days ends on the last of them.
    const parts = Number.isFinite(length) ? planSpan(span, dayRules(1), length * DAY_MS) : [span]
    for (const part of parts) {
      const share = perGroup === undefined ? pieceRows : (perGroup * ((part.end - part.start) / DAY_MS + 1)) / days
      const last = pieces.at(-1)
      if (last && last.rows + share <= pieceRows) {
        last.span = { start: last.span.start, end: part.end }
        last.rows += share
      } else pieces.push({ span: part, rows: share })
    }
  }
  return pieces.map(({ span }) => span)
}

async function askCount(
  { service, operation, path, kind, filters, bounds }: CountQuestion,
  span: SpanMs,
  budget: { requests: number },
): Promise<number | undefined> {
  budget.requests += 1
  const lists = filters.map(([name, values]) => [name, name === 'bBox' || values.length === 1 ? values[0] : values])
  const body = JSON.stringify({
    ...Object.fromEntries(lists),
    startDateLo: portalDate(span.start),
    startDateHi: portalDate(span.end),
  })
  const { maxRows: _maxRows, ...options } = bounds.next()
  try {
    const { value } = await service.portal.ask(
      operation,
      {
        method: 'POST',
        url: service.portalAddress(`${path}/count?mimeType=${encode('json')}`),
        headers: { 'content-type': 'application/json', accept: 'application/json' },
        body,
        idempotent: true,
        policy: COUNT_POLICY,
        accept: SPOKEN_IN_HEADERS,
        inspect: inspectPortal,
        read: reply => countIn(reply.json(), kind),
      },
      { ...options, retries: Math.min(options.retries ?? 1, 1) },
    )
    return value
  } catch (thrown) {
    if (isRequestError(thrown) && passes(thrown)) return undefined
    throw thrown
  }
}

/** What says nothing about the rows themselves: they are asked for all the same. */
function passes({ kind, status }: RequestError): boolean {
  return status !== 400 && kind !== 'deadline' && kind !== 'rate_limited'
}

function countIn(value: unknown, kind: string): number {
  const entry = Object.entries(Object(value) as Record<string, unknown>).find(
    ([name]) => name.toLowerCase() === `total-${kind.toLowerCase()}-count`,
  )
  const count = Number(entry?.[1] ?? Number.NaN)
  if (Number.isInteger(count) && count >= 0) return count
  throw new Failure(`no count of ${kind} in the answer`, { class: 'bad_response' })
}

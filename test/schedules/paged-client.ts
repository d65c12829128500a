import type { AnyRow, CallOptions, Checkpoint, Retrieval } from '../../src/index.ts'
import { collect, stream, type Gathering } from '../../src/retrieval/index.ts'
import {
  createTransport,
  Failure,
  fromCheckpointPiece,
  resolveSettings,
  type Content,
  type Operation,
  type Piece,
  type Reply,
  type ServicePolicy,
  type Transport,
} from '../../src/transport/index.ts'
import { clientOptions } from './call-plan.ts'
import { seededRandom } from './chance.ts'
import { MOST_PAGES, PAGE_STEP_MS, type PagedSchedule } from './paged-schedule.ts'
import type { SentRow } from './paged-server.ts'
import type { CountedClock } from './turn-clock.ts'
import type { Puller } from './world.ts'

/** One row as it is received. */
interface PagedRow extends AnyRow {
  readonly id: string
  readonly series: string
  readonly time: Date
  readonly value: number
}

/** What was slow may be quick next time. */
const POLICY: ServicePolicy = { retryStatuses: [500, 502, 503], slowStatuses: [504], onTimeout: 'retry' }

/** The smallest adapter of a service with pages, series by series. */
export function createPagedPuller(schedule: PagedSchedule, url: string, clock: CountedClock): Puller {
  const { call: plan, chunkMs, seed } = schedule
  const limits = { ...clientOptions(plan), chunk: chunkMs, maxPages: MOST_PAGES }
  const transport = createTransport({
    service: 'paged',
    baseUrl: new URL(url),
    policy: POLICY,
    clock,
    random: seededRandom(seed),
    optionsFor: call =>
      resolveSettings([
        { source: 'call option', values: { ...call } },
        { source: 'client option', values: limits },
      ]).options,
  })
  return {
    clock,
    get: call => collect(gathering(transport, schedule, url, call)),
    stream: call => stream(gathering(transport, schedule, url, call)),
    resumeFrom: (checkpoint, call) => resume(gathering(transport, schedule, url, call), checkpoint),
  }
}

function resume(whole: Gathering<PagedRow>, { left, pin }: Checkpoint): Promise<Retrieval> {
  return collect({ ...whole, question: { ...whole.question, todo: left.map(fromCheckpointPiece), pin } })
}

function gathering(transport: Transport, schedule: PagedSchedule, url: string, call: CallOptions): Gathering<PagedRow> {
  const { start, end, series } = schedule
  return {
    transport,
    question: {
      operation: 'getItems',
      series: '',
      facts: itemsOperation(schedule, url),
      todo: Array.from({ length: series }, (_, place): Piece => ({
        ids: [nameOf(place)],
        span: { start, end },
        depth: 0,
      })),
      priority: 'interactive',
      streaming: false,
    },
    call,
    query: {},
    columns: () => [
      { name: 'id', kind: 'text' },
      { name: 'series', kind: 'text' },
      { name: 'time', kind: 'instant' },
      { name: 'value', kind: 'number' },
    ],
  }
}

/** Name of a series by its number. */
export function nameOf(series: number): string {
  return `s${series}`
}

function itemsOperation({ chunkMs, ends, pageSize, relative }: PagedSchedule, base: string): Operation<PagedRow> {
  return {
    rules: { stepMs: PAGE_STEP_MS, chunkMs, mostMs: Number.MAX_SAFE_INTEGER, ends },
    order: {
      compare: (a, b) => a.time.getTime() - b.time.getTime(),
      instant: row => row.time.getTime(),
      equal: (a, b) => a.value === b.value,
    },
    identity: row => row.id,
    request({ ids = [], span = { start: 0, end: 0 } }, pin) {
      const url = new URL('/items', base)
      url.searchParams.set('series', ids.join(','))
      url.searchParams.set('start', new Date(span.start).toISOString())
      url.searchParams.set('end', new Date(span.end).toISOString())
      url.searchParams.set('limit', String(pageSize))
      url.searchParams.set('links', relative ? 'relative' : 'absolute')
      if (pin !== undefined) url.searchParams.set('version', pin)
      return { method: 'GET', url: url.href }
    },
    read: readPage,
  }
}

function readPage(reply: Reply): Content<PagedRow> {
  const { rows, version, next } = Object(reply.json()) as { rows?: readonly SentRow[]; version?: string; next?: string }
  if (!Array.isArray(rows))
    throw new Failure('rows must be a list', { class: 'bad_response', status: reply.status, headers: reply.headers })
  return {
    rows: (rows as readonly SentRow[]).map(({ id, series, time, value }) => ({
      id,
      series,
      time: new Date(time),
      value,
    })),
    source: { version },
    warnings: [],
    pin: version,
    next,
  }
}

import {
  collect,
  showsPlan,
  stream,
  type AnyRow,
  type Gathering,
  type Retrieval,
  type StreamBatch,
} from '../../retrieval/index.ts'
import { spanOf, type Span } from '../../span.ts'
import { shareBounds, type CallOptions } from '../../transport/index.ts'
import type { Collection } from './collection.ts'
import { itemsQuestion, type ItemsQuestion } from './items-question.ts'
import type { QueryablesCheck } from './queryables.ts'
import { checkItemsQuery } from './schemas.ts'
import type { StreamflowService } from './service.ts'

/** How a query would be asked if nothing had to be divided further. No data request is sent to find out. */
export interface StreamflowPlan {
  readonly operation: string
  /** What is asked for one after the other or side by side, each in one page walk. */
  readonly parts: readonly PlannedPart[]
  /** Least number of requests, pages included as far as they can be known. */
  readonly requests: number
  /** Rows, if every series has a value whenever one is due; absent where nobody can know. */
  readonly expectedRows: number | undefined
  readonly quota: QuotaOutlook
}

/** One part of a plan. */
export interface PlannedPart {
  /** Both ends included. */
  readonly span: Span | undefined
  /** Values of the list by which the query is divided. */
  readonly ids: readonly string[] | undefined
}

/** How a plan stands to the service's quota. */
export interface QuotaOutlook {
  /** Requests an hour. */
  readonly perHour: number
  /** What is left by the service's own last word; absent before its first. */
  readonly remaining: number | undefined
  /**
   * Whether the plan fits into what is left, or into an hour where that is not known. `undefined` where nobody can
   * know how many pages there will be.
   */
  readonly enough: boolean | undefined
  /** Hours that it takes at least, waiting for the quota to be filled again. */
  readonly hours: number
}

/** Whether rows are wanted all together, or as they come. */
export type GatheringMode = 'whole' | 'stream'

/** The ways to ask a collection. */
export interface ItemsGetters<Query, Row extends AnyRow> {
  get(query?: Query, call?: CallOptions): Promise<Retrieval<Row>>
  stream(query?: Query, call?: CallOptions): AsyncGenerator<StreamBatch<Row>, void, void>
  plan(query?: Query, call?: CallOptions): StreamflowPlan
  /** The question itself, checked: for going on from a checkpoint. */
  gathering(query: Query, call: CallOptions, mode: GatheringMode): Gathering<Row>
}

/** What is needed beside a collection's entry. */
export interface ItemsKit {
  readonly service: StreamflowService
  readonly queryables: QueryablesCheck
}

/** Makes the getters of a collection from its entry in the table. */
export function itemsGetters<Query extends object, Row extends AnyRow>(
  kit: ItemsKit,
  operation: string,
  collection: Collection,
  also: object = {},
): ItemsGetters<Query, Row> {
  const { service, queryables } = kit
  const ask = (query: Query, call: CallOptions, mode: GatheringMode): ItemsQuestion<Row> => {
    checkItemsQuery(collection, query, collection.columns.length === 0 ? 'any' : 'none')
    const { gathering, ...rest } = itemsQuestion<Row>({ service, collection, operation, mode }, plain(query), call)
    return { ...rest, gathering: { ...gathering, query: { ...gathering.query, ...also } } }
  }
  /** The question, when the service knows what is selected by, where somebody wants it asked. */
  const checked = async (query: Query, call: CallOptions, mode: 'whole' | 'stream'): Promise<Gathering<Row>> => {
    const bounds = shareBounds(call, service.clock)
    const { gathering } = ask(query, call, mode)
    await queryables.check(collection, plain(query), bounds.next())
    return { ...gathering, call: bounds.next(gathering.call) }
  }
  return {
    async get(query = {} as Query, call = {}) {
      return collect(await checked(query, call, 'whole'))
    },
    async *stream(query = {} as Query, call = {}) {
      yield* stream(await checked(query, call, 'stream'))
    },
    plan(query = {} as Query, call = {}) {
      const { gathering, division } = ask(query, call, 'whole')
      const pieces = service.transports.waterdata.plan(gathering.question, call)
      const requests = Math.max(division.requests, pieces.length)
      const plan: StreamflowPlan = {
        operation,
        parts: pieces.map(({ span, ids }) => ({ span: span && spanOf(span), ids })),
        requests,
        expectedRows: division.expectedRows,
        quota: outlook(requests, division.expectedRows !== undefined, service),
      }
      return showsPlan(plan, planSummary)
    },
    gathering: (query, call, mode) => ask(query, call, mode).gathering,
  }
}

function planSummary({ operation, requests, parts, expectedRows, quota }: StreamflowPlan) {
  return {
    operation,
    requests,
    parts,
    facts: [
      ...(expectedRows === undefined ? [] : [`${Math.round(expectedRows)} rows expected`]),
      quota.enough ? 'within the quota' : `beyond the quota: ${quota.hours} hours at ${quota.perHour} an hour`,
    ],
  }
}

/** A query without the names of its filters. */
function plain(query: object): Readonly<Record<string, unknown>> {
  return { ...query }
}

function outlook(requests: number, isWhole: boolean, { transports, quotaPerHour }: StreamflowService): QuotaOutlook {
  const remaining = transports.waterdata.quotaRemaining()
  const left = remaining ?? quotaPerHour
  return {
    perHour: quotaPerHour,
    remaining,
    enough: requests > left ? false : isWhole ? true : undefined,
    hours: Math.max(0, Math.ceil((requests - left) / quotaPerHour)),
  }
}

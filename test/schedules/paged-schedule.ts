import fc from 'fast-check'
import type { DeliveryAction } from '../../src/simulator/index.ts'
import { callPlans, type CallPlan } from './call-plan.ts'
import { deliveries, waits } from './delivery-faults.ts'

/** A query over a service that answers in pages, and everything that goes wrong on the way. Plain JSON: it can be replayed. */
export interface PagedSchedule {
  readonly kind: 'pages'
  readonly seed: number
  /** How many series are asked for, each divided into spans of its own. */
  readonly series: number
  readonly start: number
  readonly end: number
  readonly chunkMs: number
  readonly pageSize: number
  /** Whether neighbouring spans meet at one instant. */
  readonly ends: 'trimmed' | 'shared'
  /** Whether links to the next page are given relative to the page. */
  readonly relative: boolean
  readonly call: CallPlan
  readonly faults: readonly PageFault[]
}

/** What goes wrong, and with which of the requests that match. */
export interface PageFault {
  /** Series by number from 0; any where absent. */
  readonly series?: number | undefined
  /** Page of its walk, from 1; any where absent. */
  readonly page?: number | undefined
  /** Only these of the matching requests, from 1. */
  readonly nth?: readonly number[] | undefined
  /** No more often than this. */
  readonly upTo?: number | undefined
  readonly do: PageAction
}

export type PageAction =
  | DeliveryAction
  | { readonly type: 'status'; readonly status: number; readonly wait?: string | undefined }
  | { readonly type: 'html' }
  | { readonly type: 'latency'; readonly ms: number }
  /** Newest first. */
  | { readonly type: 'reversed' }
  /** So many rows that belong outside the span. */
  | { readonly type: 'beyond'; readonly rows: number }
  /** The page begins with the last rows of the page before. */
  | { readonly type: 'overlap'; readonly rows: number }
  /** The link leads back to the first page, or to this one. */
  | { readonly type: 'loop'; readonly to: 'first' | 'self' }
  /** The link leads to another host. */
  | { readonly type: 'foreign' }
  /** No rows, and a link to where they are. */
  | { readonly type: 'empty' }
  /** There is always one more page. */
  | { readonly type: 'endless' }
  /** The answer speaks of an older version of the data. */
  | { readonly type: 'older' }

export const PAGE_STEP_MS = 60_000
/** More pages than this has no walk that ends. */
export const MOST_PAGES = 40
const BASE_MS = Date.UTC(2025, 2, 1)
const MOST_ROWS_PER_CHUNK = 60

const offset = fc.oneof(fc.constant(0), fc.integer({ min: 1, max: PAGE_STEP_MS - 1 }))

const spans = fc
  .record({
    chunkSteps: fc.integer({ min: 2, max: MOST_ROWS_PER_CHUNK }),
    chunks: fc.double({ min: 0, max: 4, noNaN: true }),
    startOffset: offset,
    endOffset: offset,
  })
  .map(({ chunkSteps, chunks, startOffset, endOffset }) => {
    const start = BASE_MS + startOffset
    return {
      start,
      end: Math.max(start, BASE_MS + Math.round(chunkSteps * chunks) * PAGE_STEP_MS + endOffset),
      chunkMs: chunkSteps * PAGE_STEP_MS,
    }
  })

export const pagedSchedules: fc.Arbitrary<PagedSchedule> = fc
  .tuple(
    fc.record({
      kind: fc.constant('pages' as const),
      seed: fc.integer({ min: 1, max: 2 ** 31 - 1 }),
      series: fc.integer({ min: 1, max: 3 }),
      pageSize: fc.integer({ min: 2, max: 40 }),
      ends: fc.constantFrom('trimmed' as const, 'shared' as const),
      relative: fc.boolean(),
      call: callPlans({ mostDepth: 2 }),
      faults: fc.array(faults(), { minLength: 0, maxLength: 4 }),
    }),
    spans,
  )
  .map(([schedule, span]) => ({ ...schedule, ...span }))

function faults(): fc.Arbitrary<PageFault> {
  const often = fc.oneof(
    { weight: 3, arbitrary: fc.integer({ min: 1, max: 3 }).map(upTo => ({ upTo })) },
    {
      weight: 2,
      arbitrary: fc.uniqueArray(fc.integer({ min: 1, max: 8 }), { minLength: 1, maxLength: 3 }).map(nth => ({ nth })),
    },
    { weight: 2, arbitrary: fc.constant({}) },
  )
  const where = fc.record({
    series: fc.option(fc.integer({ min: 0, max: 2 }), { nil: undefined }),
    page: fc.option(fc.integer({ min: 1, max: 5 }), { nil: undefined }),
  })
  return fc.tuple(where, often, actions()).map(([place, count, action]) => ({ ...place, ...count, do: action }))
}

function actions(): fc.Arbitrary<PageAction> {
  return fc.oneof<fc.MaybeWeightedArbitrary<PageAction>[]>(
    { weight: 4, arbitrary: deliveries() },
    {
      weight: 3,
      arbitrary: fc
        .tuple(fc.constantFrom(429, 500, 502, 503, 504, 404), waits())
        .map(([status, wait]) => ({ type: 'status', status, ...(status === 429 && wait !== null ? { wait } : {}) })),
    },
    { weight: 1, arbitrary: fc.constant({ type: 'html' }) },
    { weight: 2, arbitrary: fc.integer({ min: 10, max: 1_000 }).map(ms => ({ type: 'latency', ms })) },
    { weight: 1, arbitrary: fc.constant({ type: 'reversed' }) },
    { weight: 1, arbitrary: fc.integer({ min: 1, max: 3 }).map(rows => ({ type: 'beyond', rows })) },
    { weight: 2, arbitrary: fc.integer({ min: 1, max: 3 }).map(rows => ({ type: 'overlap', rows })) },
    {
      weight: 1,
      arbitrary: fc.constantFrom<PageAction[]>({ type: 'loop', to: 'first' }, { type: 'loop', to: 'self' }),
    },
    { weight: 1, arbitrary: fc.constant({ type: 'foreign' }) },
    { weight: 1, arbitrary: fc.constant({ type: 'empty' }) },
    { weight: 1, arbitrary: fc.constant({ type: 'endless' }) },
    { weight: 2, arbitrary: fc.constant({ type: 'older' }) },
  )
}

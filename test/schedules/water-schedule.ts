import fc from 'fast-check'
import type { Fault, FaultAction, FaultCondition } from '../../src/simulator/index.ts'
import { callPlans, type CallPlan } from './call-plan.ts'
import { deliveries, waits } from './delivery-faults.ts'

/** A query of a streamflow collection, how it is asked, and everything that goes wrong on the way. Plain JSON: it can be replayed. */
export interface WaterSchedule {
  readonly kind: 'water'
  readonly seed: number
  readonly operation: WaterOperation
  /** How many of the first sites are asked for. */
  readonly sites: number
  /** First instant, epoch milliseconds, and how many steps of the operation follow. */
  readonly start: number
  readonly steps: number
  readonly chunkSteps: number | null
  readonly pageSize: number
  readonly call: CallPlan
  /** Requests an hour. */
  readonly quota: number | null
  readonly gzip: boolean
  readonly faults: readonly Fault[]
}

/** `sites` is asked by POST, in one walk without a span. */
export type WaterOperation = 'daily' | 'continuous' | 'sites'

const DAY_MS = 86_400_000
/** Where a link leads that leads elsewhere. Nobody listens there. */
const ELSEWHERE = 'http://localhost:9'
export const WATER_STEP_MS: Readonly<Record<WaterOperation, number>> = {
  daily: DAY_MS,
  continuous: 3_600_000,
  sites: DAY_MS,
}
const BASE_MS = Date.UTC(2024, 1, 20)

export const waterSchedules: fc.Arbitrary<WaterSchedule> = fc
  .record({
    kind: fc.constant('water' as const),
    seed: fc.integer({ min: 1, max: 2 ** 31 - 1 }),
    operation: fc.constantFrom<WaterOperation>('daily', 'daily', 'continuous', 'continuous', 'sites'),
    sites: fc.integer({ min: 1, max: 4 }),
    start: fc.integer({ min: 0, max: 30 }).map(days => BASE_MS + days * DAY_MS),
    steps: fc.integer({ min: 1, max: 40 }),
    chunkSteps: fc.option(fc.integer({ min: 1, max: 20 })),
    pageSize: fc.integer({ min: 5, max: 60 }),
    call: callPlans({ mostDepth: 2 }),
    quota: fc.oneof(
      { weight: 4, arbitrary: fc.constant(null) },
      { weight: 1, arbitrary: fc.integer({ min: 3, max: 20 }) },
    ),
    gzip: fc.boolean(),
    faults: fc.array(fc.record({ when: conditions(), do: actions() }), { minLength: 0, maxLength: 4 }),
  })
  .map(schedule => ({
    ...schedule,
    call: { ...schedule.call, maxRows: null },
    faults: schedule.faults.filter(fault => mayBe(fault, schedule)),
  }))

/**
 * A stream has no place to say what is missing: no fault there that leaves something out without a word. And no empty
 * pages for ever: the cap on pages that ends such a walk ends its continuation as well.
 */
function mayBe(fault: Fault, { call, operation }: Pick<WaterSchedule, 'call' | 'operation'>): boolean {
  const { do: action, when = {} } = fault
  const passes = when.nth !== undefined || when.upTo !== undefined
  if (action.type === 'cursor' && action.how === 'empty-page' && !passes) return false
  return !isLossy(fault) || (call.how === 'get' && operation !== 'sites')
}

/** Whether rows may be left out without any sign of it in the answers. */
export function isLossy({ do: action }: Fault): boolean {
  return action.type === 'reissue' || (action.type === 'cursor' && (action.how === 'lost' || action.how === 'skip'))
}

function conditions(): fc.Arbitrary<FaultCondition> {
  const few = fc.integer({ min: 1, max: 3 })
  return fc.oneof<fc.MaybeWeightedArbitrary<FaultCondition>[]>(
    {
      weight: 3,
      arbitrary: fc.uniqueArray(fc.integer({ min: 1, max: 10 }), { minLength: 1, maxLength: 3 }).map(nth => ({ nth })),
    },
    { weight: 2, arbitrary: few.map(upTo => ({ upTo })) },
    { weight: 2, arbitrary: few.map(attempts => ({ attempts })) },
    {
      weight: 2,
      arbitrary: fc.record({ probability: fc.double({ min: 0.1, max: 0.9, noNaN: true }), attempts: few }),
    },
    { weight: 1, arbitrary: fc.constant({}) },
    { weight: 2, arbitrary: fc.integer({ min: 1, max: 20 }).map(days => ({ spanOverMs: days * DAY_MS })) },
  )
}

function actions(): fc.Arbitrary<FaultAction> {
  return fc.oneof<fc.MaybeWeightedArbitrary<FaultAction>[]>(
    { weight: 4, arbitrary: deliveries() },
    {
      weight: 3,
      arbitrary: fc.tuple(fc.constantFrom(429, 500, 502, 503, 504, 404), waits()).map(([status, wait]) => ({
        type: 'status',
        status,
        ...(status === 429 && wait !== null && !wait.startsWith('@') ? { headers: { 'retry-after': wait } } : {}),
      })),
    },
    { weight: 1, arbitrary: fc.constantFrom<FaultAction[]>({ type: 'html' }, { type: 'body', text: '{}' }) },
    { weight: 1, arbitrary: fc.integer({ min: 10, max: 1_000 }).map(ms => ({ type: 'latency', ms })) },
    // A day of data takes so long: short pieces answer in time, long ones do not.
    { weight: 2, arbitrary: fc.integer({ min: 50, max: 1_500 }).map(perDayMs => ({ type: 'latency', perDayMs })) },
    { weight: 5, arbitrary: cursors() },
    { weight: 2, arbitrary: fc.integer({ min: 1, max: 3 }).map(generation => ({ type: 'reissue', generation })) },
    {
      weight: 2,
      arbitrary: fc.constantFrom<FaultAction[]>(
        { type: 'rows', order: 'reversed' },
        { type: 'rows', duplicate: 2 },
        { type: 'meta', patch: { numberReturned: 1000 } },
      ),
    },
  )
}

function cursors(): fc.Arbitrary<FaultAction> {
  return fc.constantFrom<FaultAction[]>(
    { type: 'cursor', how: 'repeat' },
    { type: 'cursor', how: 'loop' },
    { type: 'cursor', how: 'overlap', rows: 3 },
    { type: 'cursor', how: 'skip', rows: 2 },
    { type: 'cursor', how: 'foreign', origin: ELSEWHERE },
    { type: 'cursor', how: 'version', version: 'v0' },
    { type: 'cursor', how: 'userinfo', userinfo: 'user:pass' },
    { type: 'cursor', how: 'relative' },
    { type: 'cursor', how: 'empty' },
    { type: 'cursor', how: 'lost' },
    { type: 'cursor', how: 'empty-page' },
  )
}

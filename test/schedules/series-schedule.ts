import fc from 'fast-check'
import type { Fault, FaultAction, FaultCondition } from '../../src/simulator/index.ts'
import { callPlans, type CallPlan } from './call-plan.ts'
import { deliveries, retryAfter, waits } from './delivery-faults.ts'

/** A query over a series, how it is asked, and everything that goes wrong on the way. Plain JSON: it can be replayed. */
export interface SeriesSchedule {
  readonly kind: 'series'
  /** Chance of the client, and of the simulator. */
  readonly seed: number
  readonly operation: SeriesOperation
  /** First and last instant, epoch milliseconds; they need not lie on the grid. */
  readonly start: number
  readonly end: number
  readonly chunkMs: number
  readonly call: CallPlan
  /** Whether bodies are compressed. */
  readonly gzip: boolean
  /** `Retry-After` texts such as `@+2` stand for a date, so many seconds from now. */
  readonly faults: readonly Fault[]
}

export type SeriesOperation = 'historical' | 'fuelMix' | 'historicalForecast'

export const STEP_MS = 300_000
const BASE_MS = Date.UTC(2024, 0, 1)
/** Model versions of the simulator: the one that may turn up, and the newest. */
const OLDER_MODEL = '2023-03-01'

/** Off the grid as often as on it. */
const offset = fc.oneof(fc.constant(0), fc.integer({ min: 1, max: STEP_MS - 1 }))

const spans = fc
  .record({
    first: fc.integer({ min: 0, max: 288 }),
    chunkSteps: fc.integer({ min: 1, max: 40 }),
    chunks: fc.double({ min: 0, max: 9, noNaN: true }),
    startOffset: offset,
    endOffset: offset,
  })
  .map(({ first, chunkSteps, chunks, startOffset, endOffset }) => {
    const start = BASE_MS + first * STEP_MS + startOffset
    return {
      start,
      end: Math.max(start, BASE_MS + (first + Math.round(chunkSteps * chunks)) * STEP_MS + endOffset),
      chunkMs: chunkSteps * STEP_MS,
    }
  })

export const seriesSchedules: fc.Arbitrary<SeriesSchedule> = fc
  .tuple(
    fc.constantFrom<SeriesOperation>('historical', 'historical', 'historical', 'fuelMix', 'historicalForecast'),
    fc.integer({ min: 1, max: 2 ** 31 - 1 }),
    spans,
    callPlans({ mostDepth: 3 }),
    fc.boolean(),
    fc.array(fc.oneof({ weight: 6, arbitrary: dataFaults() }, { weight: 1, arbitrary: loginFaults() }), {
      minLength: 0,
      maxLength: 4,
    }),
  )
  .map(([operation, seed, span, call, gzip, faults]) => ({
    kind: 'series',
    seed,
    operation,
    ...span,
    call: affordable(call, span),
    gzip,
    faults: consistent(faults, operation),
  }))

/** So that a service that never answers is found out in good time: a long plan is not halved as often. */
function affordable(
  call: CallPlan,
  { start, end, chunkMs }: { start: number; end: number; chunkMs: number },
): CallPlan {
  const chunks = 1 + (end - start) / chunkMs
  return { ...call, maxSplitDepth: Math.min(call.maxSplitDepth, chunks > 6 ? 1 : chunks > 3 ? 2 : 3) }
}

/**
 * One change of model at most: with two, rows that state no model could be of either. And none against the client's
 * wish where versions differ in which samples they have. No `NaN` beside rows that are sent twice: one of them would be
 * another row than its twin, and both are kept, as they should be (R56).
 */
function consistent(faults: readonly Fault[], operation: SeriesOperation): readonly Fault[] {
  const first = faults.find(fault => fault.do.type === 'model')
  const twice = faults.some(fault => fault.do.type === 'rows' && fault.do.duplicate !== undefined)
  return faults.flatMap(fault => {
    if (fault.do.type === 'rows' && fault.do.nan === true && twice) return []
    if (fault.do.type !== 'model') return [fault]
    return fault === first
      ? [{ ...fault, do: { ...fault.do, evenWhenAsked: fault.do.evenWhenAsked === true && operation !== 'fuelMix' } }]
      : []
  })
}

function dataFaults(): fc.Arbitrary<Fault> {
  return fc.record({ when: conditions(), do: actions() })
}

function loginFaults(): fc.Arbitrary<Fault> {
  const passing = fc.oneof(
    fc.integer({ min: 1, max: 3 }).map(upTo => ({ upTo })),
    fc.constant({}),
  )
  const trouble = fc.oneof(
    statuses([429, 500, 503, 401]),
    fc.constant<FaultAction>({ type: 'hang' }),
    fc.constant<FaultAction>({ type: 'reset', at: 'before-headers' }),
  )
  return fc.record({ path: fc.constant('/login'), when: passing, do: trouble })
}

function conditions(): fc.Arbitrary<FaultCondition> {
  const few = fc.integer({ min: 1, max: 3 })
  const steps = fc.integer({ min: 0, max: 60 }).map(count => count * STEP_MS)
  const passing = [
    fc.uniqueArray(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 3 }).map(nth => ({ nth })),
    few.map(upTo => ({ upTo })),
    few.map(attempts => ({ attempts })),
    fc.record({ probability: fc.double({ min: 0.1, max: 0.9, noNaN: true }), attempts: few }),
  ]
  const lasting = [
    fc.constant({}),
    fc.record({ probability: fc.double({ min: 0.1, max: 0.6, noNaN: true }) }),
    steps.map(spanOverMs => ({ spanOverMs })),
    fc.integer({ min: 0, max: 400 }).map(count => ({ startsFrom: BASE_MS + count * STEP_MS })),
    fc.integer({ min: 0, max: 400 }).map(count => ({ startsBefore: BASE_MS + count * STEP_MS })),
  ]
  return fc.oneof(
    { weight: 2, arbitrary: fc.oneof<fc.Arbitrary<FaultCondition>[]>(...passing) },
    { weight: 1, arbitrary: fc.oneof<fc.Arbitrary<FaultCondition>[]>(...lasting) },
  )
}

function actions(): fc.Arbitrary<FaultAction> {
  return fc.oneof(
    { weight: 4, arbitrary: deliveries() },
    { weight: 3, arbitrary: statuses([429, 500, 502, 503, 504, 403]) },
    { weight: 1, arbitrary: fc.constant<FaultAction>({ type: 'expireToken' }) },
    {
      weight: 1,
      arbitrary: fc.constantFrom<FaultAction[]>({ type: 'html' }, { type: 'html', label: 'application/json' }),
    },
    { weight: 2, arbitrary: latencies() },
    { weight: 3, arbitrary: contents() },
    { weight: 2, arbitrary: models() },
  )
}

function statuses(among: readonly number[]): fc.Arbitrary<FaultAction> {
  return fc.tuple(fc.constantFrom(...among), waits()).map(([status, wait]) => ({
    type: 'status',
    status,
    ...(status === 429 && wait !== null ? { headers: { 'retry-after': wait } } : {}),
  }))
}

function latencies(): fc.Arbitrary<FaultAction> {
  return fc.oneof(
    fc.record({ type: fc.constant('latency' as const), ms: fc.integer({ min: 10, max: 1_000 }) }),
    // An hour of data takes so long: short pieces answer in time, long ones do not.
    fc.integer({ min: 100, max: 2_000 }).map(perHour => ({ type: 'latency' as const, perDayMs: perHour * 24 })),
  )
}

function contents(): fc.Arbitrary<FaultAction> {
  return fc.oneof<fc.Arbitrary<FaultAction>[]>(
    fc.constant({ type: 'rows', order: 'reversed' }),
    fc.integer({ min: 1, max: 5 }).map(duplicate => ({ type: 'rows', duplicate })),
    fc.integer({ min: 1, max: 5 }).map(beyond => ({ type: 'rows', beyond })),
    fc.constant({ type: 'rows', order: 'reversed', duplicate: 3, beyond: 2 }),
    fc.constant({ type: 'rows', nan: true }),
    fc
      .record({ from: fc.integer({ min: 0, max: 400 }), steps: fc.integer({ min: 0, max: 20 }), warn: fc.boolean() })
      .map(({ from, steps, warn }) => {
        const gap = { from: BASE_MS + from * STEP_MS, to: BASE_MS + (from + steps) * STEP_MS }
        return { type: 'rows', drop: [gap], warn }
      }),
  )
}

function models(): fc.Arbitrary<FaultAction> {
  return fc.record({
    type: fc.constant('model'),
    date: fc.constantFrom(OLDER_MODEL, OLDER_MODEL, null),
    evenWhenAsked: fc.boolean(),
  })
}

/** The faults with their dates made out. */
export function atHand(faults: readonly Fault[], now: number): Fault[] {
  return faults.map(fault => {
    const { do: action } = fault
    const wait = action.type === 'status' ? action.headers?.['retry-after'] : undefined
    return action.type === 'status' && wait !== undefined
      ? { ...fault, do: { ...action, headers: { 'retry-after': retryAfter(wait, now) } } }
      : fault
  })
}

import fc from 'fast-check'
import type { Fault, FaultAction, FaultCondition } from '../../src/simulator/index.ts'
import { callPlans, type CallPlan } from './call-plan.ts'
import { deliveries, waits } from './delivery-faults.ts'

/** A query over days of a site that is sampled every day, and everything that goes wrong on the way. Plain JSON: it can be replayed. */
export interface QualitySchedule {
  readonly kind: 'quality'
  readonly seed: number
  readonly service: 'legacy' | 'wqx3'
  /** First and last day, epoch milliseconds. */
  readonly start: number
  readonly end: number
  readonly chunkMs: number
  readonly call: CallPlan
  readonly gzip: boolean
  readonly faults: readonly Fault[]
}

export const DAY_MS = 86_400_000
const BASE_MS = Date.UTC(2023, 2, 1)
const RESULTS = { legacy: '/data/Result/search', wqx3: '/wqx3/Result/search' } as const

const spans = fc
  .record({
    first: fc.integer({ min: 0, max: 40 }),
    days: fc.integer({ min: 1, max: 40 }),
    chunkDays: fc.integer({ min: 1, max: 20 }),
  })
  .map(({ first, days, chunkDays }) => {
    const start = BASE_MS + first * DAY_MS
    // No more than some eight pieces.
    return { start, end: start + (days - 1) * DAY_MS, chunkMs: Math.max(chunkDays, Math.ceil(days / 8)) * DAY_MS }
  })

export const qualitySchedules: fc.Arbitrary<QualitySchedule> = fc
  .tuple(
    fc.constantFrom<QualitySchedule['service'][]>('legacy', 'wqx3'),
    fc.integer({ min: 1, max: 2 ** 31 - 1 }),
    spans,
    callPlans({ mostDepth: 2 }),
    fc.boolean(),
    fc.array(fc.record({ when: conditions(), do: actions() }), { minLength: 0, maxLength: 4 }),
  )
  .map(([service, seed, span, call, gzip, faults]) => ({
    kind: 'quality',
    seed,
    service,
    ...span,
    call,
    gzip,
    faults: told(faults.some(isSlow) ? faults.map(withBody) : faults, service),
  }))

/**
 * Where a provider behind the newer interface fails, whoever could tell is left alone: nobody else can. The older one has no
 * such providers: what it leaves out for good, only its counts tell, and they may be wrong.
 */
function told(faults: readonly Fault[], service: QualitySchedule['service']): readonly Fault[] {
  if (service === 'legacy') return faults.filter(fault => fault.do.type !== 'upstream')
  if (!faults.some(fault => fault.do.type === 'upstream')) return faults
  return faults.map(fault => ({ ...fault, path: RESULTS[service] }))
}

function isSlow({ do: action }: Fault): boolean {
  return ['silent', 'drip', 'cut'].includes(action.type)
}

/** An answer without a body is over for the client while the server still holds it back: no such answers beside those. */
function withBody(fault: Fault): Fault {
  const { do: action } = fault
  return action.type === 'breakDown' && action.when === 'counting'
    ? { ...fault, do: { ...action, when: 'before-rows' } }
    : fault
}

function conditions(): fc.Arbitrary<FaultCondition> {
  const few = fc.integer({ min: 1, max: 3 })
  const passing = [
    fc.uniqueArray(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 3 }).map(nth => ({ nth })),
    few.map(upTo => ({ upTo })),
    few.map(attempts => ({ attempts })),
  ]
  const lasting = [
    fc.constant({}),
    fc.record({ probability: fc.double({ min: 0.1, max: 0.6, noNaN: true }) }),
    fc.integer({ min: 1, max: 15 }).map(days => ({ spanOverMs: days * DAY_MS })),
    fc.integer({ min: 0, max: 60 }).map(day => ({ startsFrom: BASE_MS + day * DAY_MS })),
  ]
  return fc.oneof(
    { weight: 2, arbitrary: fc.oneof<fc.Arbitrary<FaultCondition>[]>(...passing) },
    { weight: 1, arbitrary: fc.oneof<fc.Arbitrary<FaultCondition>[]>(...lasting) },
  )
}

function actions(): fc.Arbitrary<FaultAction> {
  const share = fc.constantFrom(0.1, 0.5, 0.9)
  return fc.oneof<fc.MaybeWeightedArbitrary<FaultAction>[]>(
    { weight: 3, arbitrary: deliveries() },
    {
      weight: 2,
      arbitrary: fc.tuple(fc.constantFrom(413, 429, 500, 502, 503, 504, 404), waits()).map(([status, wait]) => ({
        type: 'status',
        status,
        ...(status === 429 && wait !== null && !wait.startsWith('@') ? { headers: { 'retry-after': wait } } : {}),
      })),
    },
    {
      weight: 3,
      arbitrary: fc.record({
        type: fc.constant('breakDown' as const),
        when: fc.constantFrom('counting' as const, 'before-rows' as const, 'after-rows' as const),
        at: share,
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({
        type: fc.constant('incomplete' as const),
        at: share,
        padded: fc.boolean(),
        goesOn: fc.boolean(),
      }),
    },
    { weight: 2, arbitrary: fc.integer({ min: 1, max: 50 }).map(add => ({ type: 'announce', add, of: 'Result' })) },
    {
      weight: 2,
      arbitrary: fc.record({
        type: fc.constant('upstream' as const),
        name: fc.constantFrom('usgs' as const, 'epa' as const),
        afterRows: fc.integer({ min: 0, max: 20 }),
        marker: fc.boolean(),
      }),
    },
    { weight: 1, arbitrary: fc.constantFrom<FaultAction[]>({ type: 'html' }, { type: 'html', label: 'text/csv' }) },
    { weight: 1, arbitrary: fc.integer({ min: 10, max: 1_000 }).map(ms => ({ type: 'latency', ms })) },
    { weight: 1, arbitrary: fc.constant({ type: 'rows', order: 'reversed', duplicate: 3, beyond: 2 }) },
  )
}

import fc from 'fast-check'
import type { SpanMs } from '../../src/span.ts'
import type { SpanRules } from '../../src/transport/plan.ts'

/** Grid instants of a span, both ends included, in order. */
export function gridOf({ start, end }: SpanMs, stepMs: number): number[] {
  const instants: number[] = []
  for (let at = Math.ceil(start / stepMs) * stepMs; at <= end; at += stepMs) instants.push(at + 0)
  return instants
}

/** A span with the rules by which it is cut; ends lie on the grid or off it, before 1970 too. */
export interface Cutting {
  readonly span: SpanMs
  readonly rules: SpanRules
  /** Length of a chunk: a step or more, a multiple of it or not. */
  readonly size: number
}

export function cuttings(ends: SpanRules['ends']): fc.Arbitrary<Cutting> {
  return fc
    .record({
      stepMs: fc.constantFrom(1, 2, 5, 7, 60, 300_000),
      startSteps: fc.integer({ min: -50, max: 50 }),
      startOff: fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }),
      steps: fc.integer({ min: 0, max: 200 }),
      endOff: fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }),
      sizeSteps: fc.integer({ min: 1, max: 40 }),
      sizeOff: fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }),
    })
    .map(({ stepMs, startSteps, startOff, steps, endOff, sizeSteps, sizeOff }) => {
      const start = Math.floor((startSteps + startOff) * stepMs)
      return {
        span: { start, end: Math.floor(start + (steps + endOff) * stepMs) },
        rules: { stepMs, chunkMs: stepMs * 10, mostMs: stepMs * 1000, ends },
        size: Math.floor((sizeSteps + sizeOff) * stepMs),
      }
    })
}

import { inspect } from 'node:util'

/** Neither the exact truth nor an error that leads to it: what no schedule may end in. */
export class ThirdOutcome extends Error {
  override readonly name = 'ThirdOutcome'
}

/** @throws ThirdOutcome when the claim does not hold */
export function insist(holds: boolean, claim: string, ...facts: readonly unknown[]): void {
  if (holds) return
  throw new ThirdOutcome(
    [
      claim,
      ...facts.map(fact => (typeof fact === 'string' ? fact : inspect(fact, { depth: 4, breakLength: 160 }))),
    ].join('\n  '),
  )
}

/** The value, which must be there. */
export function must<T>(value: T | undefined, claim: string): T {
  if (value !== undefined) return value
  throw new ThirdOutcome(claim)
}

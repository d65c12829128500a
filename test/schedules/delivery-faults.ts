import fc from 'fast-check'
import type { CutLie, DeliveryAction } from '../../src/simulator/index.ts'

/** What may befall a connection. */
export function deliveries(): fc.Arbitrary<DeliveryAction> {
  const share = fc.constantFrom(0, 0.3, 0.9, 0.999)
  return fc.oneof<fc.Arbitrary<DeliveryAction>[]>(
    fc.constant({ type: 'hang' }),
    fc.record({ type: fc.constant('silent'), at: share, forMs: fc.constantFrom(600, 30_000) }),
    fc.record({
      type: fc.constant('drip'),
      pieces: fc.integer({ min: 2, max: 6 }),
      everyMs: fc.integer({ min: 20, max: 900 }),
    }),
    fc.record({ type: fc.constant('reset'), at: fc.oneof(share, fc.constant('before-headers' as const)) }),
    fc.record({
      type: fc.constant('cut'),
      at: share,
      lie: fc.constantFrom<CutLie[]>('length', 'chunked', 'clean', 'gzip', 'close'),
    }),
    // All of the body, but for the mark of its end.
    fc.constant({ type: 'cut', at: 1, lie: 'chunked' }),
  )
}

/** `Retry-After` in every form, none included. `@+2` stands for the date two seconds from now. */
export function waits(): fc.Arbitrary<string | null> {
  return fc.constantFrom(null, '0', '1', ' 2 ', '1.5', '5', '-5', '', 'soon', 'NaN', '10, 20', '@+2', '@+8', '@-60')
}

/** The header with its date made out. */
export function retryAfter(wait: string, now: number): string {
  return wait.startsWith('@') ? new Date(now + Number(wait.slice(1)) * 1000).toUTCString() : wait
}

import fc from 'fast-check'

/** Holds a property to many examples: always the same ones, so that a failure is there again tomorrow. */
export function holds<Examples>(property: fc.IProperty<Examples>, numRuns = 300): void {
  fc.assert(property, { seed: 20_240_101, numRuns })
}

/** The same for a property that takes its time. */
export function holdsInTime<Examples>(property: fc.IAsyncProperty<Examples>, numRuns = 60): Promise<void> {
  return fc.assert(property, { seed: 20_240_101, numRuns })
}

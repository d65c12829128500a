import type { EmissionsOptions } from '../../src/adapters/emissions/index.ts'
import type { RequestError, RetrievalInterrupted } from '../../src/index.ts'
import type { Fault } from '../../src/simulator/index.ts'
import { createManualClock } from './clocks.ts'
import { drive } from './drive.ts'
import { listen } from './emissions.ts'
import { asTruth, clientFor, DAY_MS, hung, REGION, simulateCase } from './field-case.ts'

export const MONTH = { region: REGION, start: '2024-01-01T00:00Z', end: '2024-01-31T00:00Z' }
export const QUARTER = { region: REGION, start: '2024-01-01T00:00Z', end: '2024-03-31T00:00Z' }
/** Spans longer than so many days get no answer. */
export const slowAbove = (days: number, where: object = {}): Fault => ({
  when: { spanOverMs: days * DAY_MS, ...where },
  do: { type: 'hang' },
})

/** A query on a clock that stands still while bytes are under way: no time-out fires for a slow machine. */
export async function replay(query: typeof MONTH, faults: readonly Fault[], options: EmissionsOptions = {}) {
  const clock = createManualClock()
  const simulator = await simulateCase({ clock, faults })
  const { events, onEvent } = listen()
  const client = clientFor(simulator, { clock, ...options })
  const call = (): Promise<unknown> =>
    client.getHistorical(query, { onEvent }).then(
      ({ rows, meta }) => ({ rows: asTruth(rows), meta }),
      (error: unknown) => error,
    )
  const end = await drive(clock, call, { held: () => hung(simulator) })
  const { rows, meta } = end as { rows?: unknown; meta?: readonly { span: object; depth: number }[] }
  return {
    clock,
    simulator,
    events,
    error: end as RetrievalInterrupted & { failure: RequestError },
    rows,
    meta: meta ?? [],
    truth: simulator.truth.historical(query),
  }
}

/** Length of what was asked for. */
export const days = ({ spanMs = 0 }: { readonly spanMs?: number }): number => Math.round((spanMs / DAY_MS) * 100) / 100

import type { Clock } from '../clock.ts'
import { createGate, type Gate } from './gate.ts'

/** Gates of the process. Kept per clock, so that a test with a clock of its own meets nobody else's history. */
const gates = new WeakMap<Clock, Map<string, Gate>>()

/** The one gate for a host and an account, for every client of the process. */
export function gateFor(clock: Clock, host: string, account: string): Gate {
  const known = gates.get(clock) ?? new Map<string, Gate>()
  gates.set(clock, known)
  const key = `${host} ${account}`
  const gate = known.get(key) ?? createGate(clock)
  known.set(key, gate)
  return gate
}

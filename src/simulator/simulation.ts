import { systemClock } from '../clock.ts'
import { createCore, type Core } from './core.ts'
import { createEmissionsService, createTruth, type EmissionsTruth } from './emissions/index.ts'
import type { Fault } from './fault.ts'
import { peakWithin } from './journal.ts'
import { resolveSimulation, type SimulationOptions } from './options.ts'
import type { SimulatorRequest, SimulatorStats } from './record.ts'

/** A simulated service: its record, its faults and the truth behind its answers. */
export interface Simulation {
  /** Everything asked, in order of arrival. A reset starts a new list and leaves this one as it is. */
  readonly requests: readonly SimulatorRequest[]
  /** Figures over all requests, worked out anew each time. */
  readonly stats: SimulatorStats
  /** Most arrivals within any stretch of this length, everything counted. */
  peakWithin(ms: number): number
  /** The faults from now on, all counters at zero. */
  setFaults(faults: readonly Fault[]): void
  /** Clears the record, the counters of faults and the windows of limits. Tokens stay good. */
  reset(): void
  /** Refuses every token issued so far. */
  expireTokens(): void
  /** What a correct client must end with. */
  readonly truth: EmissionsTruth
}

/** A simulation and the core that moves it. */
export function createSimulation(options: SimulationOptions): { readonly core: Core; readonly simulation: Simulation } {
  const { clock, seed, faults, limits, ...rest } = resolveSimulation(options, systemClock)
  const service = createEmissionsService({ clock, ...rest })
  const core = createCore({ service, clock, seed, faults, limits })
  const revisions = (): Extract<Fault['do'], { type: 'revise' }>[] =>
    core.faults.flatMap(fault => (fault.do.type === 'revise' ? [fault.do] : []))
  const simulation: Simulation = {
    get requests() {
      return core.journal.entries
    },
    get stats() {
      return core.journal.stats()
    },
    peakWithin: ms => peakWithin(core.journal.entries, ms),
    setFaults: core.setFaults,
    reset: core.reset,
    expireTokens: service.expireTokens,
    truth: createTruth(service.world, revisions),
  }
  return { core, simulation }
}

import { systemClock } from '../clock.ts'
import { createCore, type Core } from './core.ts'
import { isEdit, type Edit } from './edits.ts'
import { createEmissionsService, createTruth, type EmissionsTruth } from './emissions/index.ts'
import { createStreamflowService, createStreamflowTruth, type StreamflowTruth } from './streamflow/index.ts'
import type { Fault } from './fault.ts'
import { peakWithin } from './journal.ts'
import { resolveSimulation, type SimulationOptions } from './options.ts'
import type { SimulatorRequest, SimulatorStats } from './record.ts'
import { createSeveral } from './several.ts'
import { createWaterQualityService, createWaterQualityTruth, type WaterQualityTruth } from './water-quality/index.ts'

/** Simulated services: their record, their faults and the truth behind their answers. */
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
  readonly truth: EmissionsTruth & StreamflowTruth & WaterQualityTruth
}

/** A simulation and the core that moves it. */
export function createSimulation(options: SimulationOptions): { readonly core: Core; readonly simulation: Simulation } {
  const { clock, seed, faults, ...rest } = resolveSimulation(options, systemClock)
  const emissions = createEmissionsService({ clock, ...rest })
  const streamflow = createStreamflowService(rest.streamflow, clock)
  const waterQuality = createWaterQualityService(rest.waterQuality, clock)
  const core = createCore({ service: createSeveral(emissions, [streamflow, waterQuality]), clock, seed, faults })
  const edits = (): Edit[] => core.faults.flatMap(fault => (isEdit(fault.do) ? [fault.do] : []))
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
    expireTokens: core.service.expireTokens,
    truth: {
      ...createTruth(emissions.world, edits),
      ...createStreamflowTruth(streamflow.world, edits),
      ...createWaterQualityTruth(waterQuality.world, edits),
    },
  }
  return { core, simulation }
}

import type { Clock } from '../clock.ts'
import type { Fault } from './fault.ts'
import type { Limits } from './limits.ts'
import type { StreamflowOptions } from './streamflow/index.ts'
import type { WaterQualityOptions } from './water-quality/index.ts'

/** A user the simulator knows. */
export interface Account {
  readonly username: string
  readonly password: string
  /** `free` sees one region only; `pro` sees everything. */
  readonly plan: 'free' | 'pro'
}

/** A model version and the first day it has data for, both `YYYY-MM-DD`. */
export interface ModelVersion {
  readonly date: string
  readonly dataStart: string
}

/** How a simulation behaves. */
export interface SimulationOptions {
  /** What draws of chance depend on. Values do not: every simulation serves the same. @defaultValue 1 */
  readonly seed?: number
  /**
   * Tokens, limits and delays run on its monotonic time; its wall time says which data exist by now.
   * @defaultValue the machine's clock
   */
  readonly clock?: Clock
  /** @defaultValue none */
  readonly faults?: readonly Fault[]
  /** Those of the emissions service. @defaultValue the service's own: 3000 requests and 100 logins in 5 minutes */
  readonly limits?: Limits
  /** How the streamflow services behave. @defaultValue as their contract says */
  readonly streamflow?: StreamflowOptions
  /** How the water-quality services behave. @defaultValue as their contract says */
  readonly waterQuality?: WaterQualityOptions
  /** @defaultValue `demo` / `demo-pass-1!` (pro) and `free` / `free-pass-1!` (free) */
  readonly accounts?: readonly Account[]
  /** How long a token is good for. @defaultValue 30 minutes */
  readonly tokenLifeMs?: number
  /**
   * Model versions, any order; the newest is the default.
   *
   * @defaultValue 2023-03-01 with data since 2012, and 2026-03-01 with data since 2016
   */
  readonly models?: readonly ModelVersion[]
}

/** How a simulated server behaves. */
export interface SimulatorOptions extends SimulationOptions {
  /** Port on 127.0.0.1. @defaultValue 0, any free one */
  readonly port?: number
  /** Compress bodies for clients that accept it. @defaultValue false */
  readonly gzip?: boolean
}

const MINUTE_MS = 60_000

/** Fills the gaps. */
export function resolveSimulation(given: SimulationOptions, systemClock: Clock): Required<SimulationOptions> {
  return {
    seed: given.seed ?? 1,
    clock: given.clock ?? systemClock,
    faults: given.faults ?? [],
    limits: given.limits ?? {},
    streamflow: given.streamflow ?? {},
    waterQuality: given.waterQuality ?? {},
    accounts: given.accounts ?? [
      { username: 'demo', password: 'demo-pass-1!', plan: 'pro' },
      { username: 'free', password: 'free-pass-1!', plan: 'free' },
    ],
    tokenLifeMs: given.tokenLifeMs ?? 30 * MINUTE_MS,
    models: given.models ?? [
      { date: '2023-03-01', dataStart: '2012-01-01' },
      { date: '2026-03-01', dataStart: '2016-01-01' },
    ],
  }
}

import type { Clock } from '../../../clock.ts'
import type { ResolvedStreamflow } from '../options.ts'
import { createTables, type Tables } from '../tables/registry.ts'
import { createCensus, type Census } from './census.ts'

/** What every path needs to answer. */
export interface World {
  readonly clock: Clock
  readonly options: ResolvedStreamflow
  readonly census: Census
  readonly tables: Tables
}

export function createWorld(options: ResolvedStreamflow, clock: Clock): World {
  const census = createCensus(options.sites, options.moreSites)
  return { clock, options, census, tables: createTables(census) }
}

import type { Clock } from '../../clock.ts'
import type { Account, ModelVersion } from '../options.ts'
import type { Ask } from '../service.ts'
import type { Blocks } from './blocks.ts'
import { FREE_REGION, regionsOf, SIGNALS, type Signal } from './catalogue.ts'

/** What every path needs to answer. */
export interface World {
  readonly clock: Clock
  readonly models: readonly ModelVersion[]
  readonly blocks: Blocks
}

/** One request to a data path, its token already checked. */
export interface DataAsk extends Ask {
  readonly account: Account
}

const FREE_SIGNALS = ['co2_moer', 'health_damage']

/** True when the plan includes this region for this signal. */
export function mayRead({ plan }: Account, signal: Signal, region: string): boolean {
  if (plan === 'free' && !(FREE_SIGNALS.includes(signal.name) && region === FREE_REGION)) return false
  return regionsOf(signal.name).some(({ code }) => code === region)
}

/** Signals and regions of a plan, as `/v3/my-access` lists them. */
export function accessOf(
  account: Account,
): readonly { readonly signal: Signal; readonly regions: ReturnType<typeof regionsOf> }[] {
  return SIGNALS.map(signal => ({
    signal,
    regions: regionsOf(signal.name).filter(({ code }) => mayRead(account, signal, code)),
  })).filter(({ regions }) => regions.length > 0)
}

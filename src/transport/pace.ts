import { slower, type RateLimit } from './rate-window.ts'

/** The share of the set rate that is used: halved when a service says "too many", regained in small steps. */
export interface Pace {
  /** Limits as they apply now. */
  applied(limits: readonly RateLimit[]): readonly RateLimit[]
  /** The service refused for the rate. `lastSecond`: how many requests it had got in the second before. */
  slowDown(lastSecond: number): number
  /** A request succeeded. Returns the new share if it changed. */
  succeeded(): number | undefined
}

const SMALLEST_SHARE = 1 / 16
const REGAIN_SHARE = 1 / 16
const SUCCESSES_PER_STEP = 100
/** A second with fewer requests than this says nothing about a rate: others asked, too, or a longer window was full. */
const LEAST_OBSERVED = 10

export function createPace(): Pace {
  let share = 1
  let successes = 0
  /** Where no rate is set: what the service had borne before it refused. */
  let observed: RateLimit | undefined
  return {
    applied: limits => (share === 1 ? limits : slower(limits.length > 0 || !observed ? limits : [observed], share)),
    slowDown(lastSecond) {
      if (share === 1) observed = { requests: Math.max(LEAST_OBSERVED, lastSecond), perMs: 1000 }
      share = Math.max(SMALLEST_SHARE, share / 2)
      successes = 0
      return share
    },
    succeeded() {
      if (share === 1) return undefined
      successes += 1
      if (successes < SUCCESSES_PER_STEP) return undefined
      successes = 0
      share = Math.min(1, share + REGAIN_SHARE)
      return share
    },
  }
}

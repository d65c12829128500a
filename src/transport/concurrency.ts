/**
 * How many requests a service bears at a time, learned from how it answers: halved when it is slow or busy, one
 * more after every round of successes, never above the setting.
 */
export interface AdaptiveConcurrency {
  /** Slots allowed now, for a setting of `most`. */
  allowed(most: number): number
  /** A request that began at `startedAt` found the service slow or busy. Returns the new cap if it changed. */
  struggled(startedAt: number, now: number, most: number): number | undefined
  /** A request succeeded. Returns the new cap if it changed. */
  succeeded(most: number): number | undefined
}

export function createAdaptiveConcurrency(): AdaptiveConcurrency {
  let cap = Number.POSITIVE_INFINITY
  let successes = 0
  let cutAt = Number.NEGATIVE_INFINITY
  return {
    allowed: most => Math.min(most, cap),
    struggled(startedAt, now, most) {
      // Requests that were under way together struggle together: that is one lesson, not many.
      if (startedAt <= cutAt) return undefined
      const next = Math.max(1, Math.floor(Math.min(cap, most) / 2))
      cutAt = now
      successes = 0
      if (next === Math.min(cap, most)) return undefined
      cap = next
      return cap
    },
    succeeded(most) {
      if (cap >= most) return undefined
      successes += 1
      if (successes < cap) return undefined
      successes = 0
      cap += 1
      return cap
    },
  }
}

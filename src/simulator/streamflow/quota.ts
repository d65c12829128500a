import type { WindowLimit } from '../limits.ts'

/** What is left of a quota. */
export interface Balance {
  readonly limit: number
  readonly remaining: number
  /** Milliseconds until there is room again; 0 when there is. */
  readonly waitMs: number
}

/** Counts requests by who asks, in an hour that slides. */
export interface QuotaBook {
  /** Counts a request and tells what is left after it. What is refused is not counted. */
  spend(name: string, limit: WindowLimit, at: number): Balance
  reset(): void
}

export function createQuotaBook(): QuotaBook {
  const accounts = new Map<string, number[]>()
  return {
    spend(name, { count, perMs }, at) {
      const times = accounts.get(name) ?? []
      accounts.set(name, times)
      while (times[0] !== undefined && at - times[0] >= perMs) times.shift()
      if (times.length >= count) return { limit: count, remaining: 0, waitMs: (times[0] ?? at) + perMs - at }
      times.push(at)
      return { limit: count, remaining: count - times.length, waitMs: 0 }
    },
    reset: () => accounts.clear(),
  }
}

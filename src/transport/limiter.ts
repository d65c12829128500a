import pLimit from 'p-limit'

/** Runs tasks, so many at a time, in the order in which they were given. */
export interface Limiter {
  run<T>(task: () => Promise<T>): Promise<T>
  /** Tasks running or in line. */
  readonly pending: number
}

/** @param most - tasks at a time */
export function createLimiter(most: number): Limiter {
  const limit = pLimit(most)
  return {
    run: task => limit(task),
    get pending() {
      return limit.activeCount + limit.pendingCount
    },
  }
}

/** So many requests in any stretch of this length. */
export interface WindowLimit {
  readonly count: number
  readonly perMs: number
}

/** A limit per second, as strict as told. */
export interface PerSecondLimit {
  readonly count: number
  /** Seconds, or the header's text as it is; `null` for no header. @defaultValue 1 */
  readonly retryAfter?: number | string | null
  /** Refuses everything until the stated pause is over. @defaultValue false */
  readonly strict?: boolean
}

/** How much may be asked before 429 is the answer. `null` switches a limit off. Each user has limits of its own. */
export interface Limits {
  /** @defaultValue 3000 in 300_000 ms, logins included */
  readonly requests?: WindowLimit | null
  /** @defaultValue 100 in 300_000 ms */
  readonly logins?: WindowLimit | null
  /** @defaultValue none */
  readonly perSecond?: PerSecondLimit | null
}

export const LIMIT_DEFAULTS: Required<Limits> = Object.freeze({
  requests: { count: 3000, perMs: 300_000 },
  logins: { count: 100, perMs: 300_000 },
  perSecond: null,
})

/** Headers of the refusal, or `undefined` when the request may pass. */
export type Verdict = Readonly<Record<string, string>> | undefined

export interface Limiter {
  check(user: string, isLogin: boolean, at: number): Verdict
  reset(): void
}

/** Counts requests per user, against limits with a sliding window. What is refused is not counted. */
export function createLimiter(given: Limits = {}): Limiter {
  const limits = { ...LIMIT_DEFAULTS, ...given }
  const users = new Map<string, UserWindows>()
  const windowsOf = (user: string): UserWindows => {
    const windows = users.get(user) ?? createWindows(limits)
    users.set(user, windows)
    return windows
  }

  return {
    check(user, isLogin, at) {
      const windows = windowsOf(user)
      const { perSecond } = limits
      if (perSecond !== null) {
        const refused = !windows.second.hasRoom(at) || (perSecond.strict === true && at < windows.pausedUntil)
        if (refused) return pause(windows, perSecond, at)
      }
      const due = isLogin ? [windows.second, windows.requests, windows.logins] : [windows.second, windows.requests]
      if (!due.every(window => window.hasRoom(at))) return {}
      for (const window of due) window.add(at)
      return undefined
    },
    reset: () => users.clear(),
  }
}

interface UserWindows {
  readonly second: Window
  readonly requests: Window
  readonly logins: Window
  pausedUntil: number
}

function createWindows(limits: Required<Limits>): UserWindows {
  return {
    second: createWindow(limits.perSecond === null ? null : { count: limits.perSecond.count, perMs: 1000 }),
    requests: createWindow(limits.requests),
    logins: createWindow(limits.logins),
    pausedUntil: 0,
  }
}

function pause(windows: UserWindows, limit: PerSecondLimit, at: number): Record<string, string> {
  const retryAfter = limit.retryAfter === undefined ? 1 : limit.retryAfter
  const seconds = Number(retryAfter ?? 0)
  if (seconds > 0) windows.pausedUntil = Math.max(windows.pausedUntil, at + seconds * 1000)
  return retryAfter === null ? {} : { 'retry-after': String(retryAfter) }
}

interface Window {
  hasRoom(at: number): boolean
  add(at: number): void
}

function createWindow(limit: WindowLimit | null): Window {
  const times: number[] = []
  return {
    hasRoom(at) {
      if (limit === null) return true
      while (times[0] !== undefined && at - times[0] >= limit.perMs) times.shift()
      return times.length < limit.count
    },
    add(at) {
      if (limit !== null) times.push(at)
    },
  }
}

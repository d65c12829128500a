import type { Clock } from '../../src/clock.ts'

/** A clock that moves when told to. */
export interface HandClock extends Clock {
  advance(ms: number): void
}

export function createHandClock(now: string): HandClock {
  let wall = Date.parse(now)
  let monotonic = 1000
  let timers: { readonly at: number; readonly run: () => void }[] = []
  return {
    now: () => wall,
    monotonic: () => monotonic,
    after(ms, run) {
      const timer = { at: monotonic + ms, run }
      timers.push(timer)
      return () => {
        timers = timers.filter(other => other !== timer)
      }
    },
    advance(ms) {
      wall += ms
      monotonic += ms
      const due = timers.filter(({ at }) => at <= monotonic)
      timers = timers.filter(({ at }) => at > monotonic)
      for (const { run } of due) run()
    },
  }
}

import { systemClock, type Clock } from '../../src/clock.ts'

/** A clock that stands still until it is told to move. */
export interface ManualClock extends Clock {
  /** Moves on, running every timer that falls due on the way, and what they set off. */
  advance(ms: number): Promise<void>
  /** Moves from timer to timer until `settled` holds, for at most so many milliseconds of its own time. */
  runUntil(settled: () => boolean, mostMs?: number): Promise<void>
  readonly timers: number
}

export function createManualClock(startAt = Date.UTC(2026, 0, 1)): ManualClock {
  let elapsed = 0
  const timers = new Set<{ readonly at: number; readonly run: () => void }>()
  const flush = async (): Promise<void> => {
    for (let turn = 0; turn < 3; turn++) await new Promise(resolve => setImmediate(resolve))
  }
  const earliest = () => [...timers].sort((a, b) => a.at - b.at)[0]
  const clock: ManualClock = {
    now: () => startAt + elapsed,
    monotonic: () => elapsed,
    after(ms, run) {
      const timer = { at: elapsed + Math.max(0, ms), run }
      timers.add(timer)
      return () => timers.delete(timer)
    },
    async advance(ms) {
      const until = elapsed + ms
      await flush()
      for (let next = earliest(); next !== undefined && next.at <= until; next = earliest()) {
        timers.delete(next)
        elapsed = Math.max(elapsed, next.at)
        next.run()
        await flush()
      }
      elapsed = until
    },
    async runUntil(settled, mostMs = 3_600_000) {
      const until = elapsed + mostMs
      await flush()
      while (!settled() && elapsed < until) {
        const next = earliest()
        // Nothing to wait for on this clock: sockets are at work.
        if (next === undefined) await new Promise(resolve => setTimeout(resolve, 5))
        else await clock.advance(next.at - elapsed)
      }
    },
    get timers() {
      return timers.size
    },
  }
  return clock
}

/** The machine's clock, so many times faster: waits of minutes in seconds, on real sockets. */
export function createFastClock(factor: number): Clock {
  const origin = systemClock.now()
  const begun = systemClock.monotonic()
  return {
    now: () => origin + (systemClock.monotonic() - begun) * factor,
    monotonic: () => systemClock.monotonic() * factor,
    after: (ms, run) => systemClock.after(ms / factor, run),
  }
}

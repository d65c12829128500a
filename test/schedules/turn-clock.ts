import { systemClock, type Cancel, type Clock } from '../../src/clock.ts'

/** How often the clock moves on while somebody waits, real milliseconds. */
const TURN_MS = 2
/** The most that one turn of the event loop counts for, real milliseconds. */
const MOST_PER_TURN_MS = 3

/**
 * A clock that runs so many times faster than the machine's, and only while the event loop turns: a process that is
 * held up for a second loses no second of its time-outs, since the bytes that it waits for were held up as well. It
 * stands still while nobody waits for anything.
 */
export function createTurnClock(factor: number, startAt = Date.UTC(2026, 5, 1)): Clock {
  const timers = new Set<{ readonly at: number; readonly run: () => void }>()
  let elapsed = 0
  let seenAt = systemClock.monotonic()
  let stop: Cancel | undefined

  const arm = (): void => {
    if (stop === undefined && timers.size > 0) stop = systemClock.after(TURN_MS, turn)
  }
  const turn = (): void => {
    stop = undefined
    const now = systemClock.monotonic()
    elapsed += Math.min(now - seenAt, MOST_PER_TURN_MS) * factor
    seenAt = now
    const due = [...timers].filter(timer => timer.at <= elapsed).sort((a, b) => a.at - b.at)
    // One that an earlier one cancelled is not run.
    for (const timer of due) if (timers.delete(timer)) timer.run()
    arm()
  }
  return {
    now: () => startAt + elapsed,
    monotonic: () => elapsed,
    after(ms, run) {
      const timer = { at: elapsed + Math.max(0, ms), run }
      timers.add(timer)
      arm()
      return () => {
        timers.delete(timer)
        if (timers.size > 0 || stop === undefined) return
        stop()
        stop = undefined
      }
    },
  }
}

/** A clock that knows how many of its timers are pending. */
export interface CountedClock extends Clock {
  readonly pending: number
}

/** The same time with timers of its own, so that what a client leaves behind can be counted. */
export function countTimers(clock: Clock): CountedClock {
  const pending = new Set<object>()
  return {
    now: () => clock.now(),
    monotonic: () => clock.monotonic(),
    after(ms, run) {
      const one = {}
      pending.add(one)
      const cancel = clock.after(ms, () => {
        pending.delete(one)
        run()
      })
      return () => {
        pending.delete(one)
        cancel()
      }
    },
    get pending() {
      return pending.size
    },
  }
}

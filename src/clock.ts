/**
 * Time and chance as things that are handed in. Nothing else in the package reads a clock, starts a
 * timer or draws a random number, so every wait can be tested without waiting.
 */

/** Stops what `Clock.after` scheduled. Calling it late or twice does nothing. */
export type Cancel = () => void

/** A source of time and of timers. */
export interface Clock {
  /** Wall-clock instant, epoch milliseconds. May jump. */
  now(): number
  /** Milliseconds from an arbitrary origin that never runs backwards. */
  monotonic(): number
  /** Runs `run` once, `ms` milliseconds from now, unless cancelled first. */
  after(ms: number, run: () => void): Cancel
}

/** A source of chance: a number from 0 (included) to 1 (excluded). */
export type Random = () => number

/** The longest wait that a Node timer holds; a longer one would fire at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1

/** The machine's own clock. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  after(ms, run) {
    let timer: NodeJS.Timeout
    const arm = (left: number): void => {
      timer = setTimeout(
        () => (left > LONGEST_TIMER_MS ? arm(left - LONGEST_TIMER_MS) : run()),
        Math.min(Math.max(left, 0), LONGEST_TIMER_MS),
      )
    }
    arm(ms)
    return () => clearTimeout(timer)
  },
}

/** The machine's own chance. */
export const systemRandom: Random = () => Math.random()

/**
 * Waits on the given clock.
 *
 * @param ms - how long, milliseconds
 * @param signal - ends the wait early; the promise then rejects with the signal's own reason
 */
export function sleep(clock: Clock, ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason)
    const abort = (): void => {
      cancel()
      reject(signal?.reason)
    }
    const cancel = clock.after(ms, () => {
      signal?.removeEventListener('abort', abort)
      resolve()
    })
    signal?.addEventListener('abort', abort, { once: true })
  })
}

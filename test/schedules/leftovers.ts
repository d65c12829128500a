import { getEventListeners } from 'node:events'
import { sleep, type Clock } from '../../src/clock.ts'
import { insist } from './third-outcome.ts'
import type { CountedClock } from './turn-clock.ts'
import type { World } from './world.ts'

/** How long a call's last timers and connections may take to go, milliseconds of the schedule's clock. */
const GRACE_MS = 10_000

/** Waits for something that must come about by itself. */
export async function settles(clock: Clock, holds: () => boolean, claim: () => unknown): Promise<void> {
  const until = clock.monotonic() + GRACE_MS
  while (!holds() && clock.monotonic() < until) await sleep(clock, 20)
  insist(holds(), 'something was left behind', claim())
}

/** R59, R62: a call that is over leaves no timer, no listener and no request behind. */
export async function insistNothingLeft(world: World, own: CountedClock, signal: AbortSignal): Promise<void> {
  const isOver = (): boolean => own.pending === 0 && world.open().length === 0
  await settles(world.clock, isOver, () => ({ timers: own.pending, open: world.open() }))
  insist(getEventListeners(signal, 'abort').length === 0, 'R62: a listener was left on the signal')
}

/** @throws ThirdOutcome when the work has not ended in time: something hangs */
export async function within<T>(clock: Clock, ms: number, work: Promise<T>, state: () => unknown): Promise<T> {
  let cancel = (): void => {}
  const alarm = new Promise<never>((_, reject) => {
    cancel = clock.after(ms, () => {
      try {
        insist(false, `no end after ${ms} ms`, state())
      } catch (thrown) {
        reject(thrown as Error)
      }
    })
  })
  try {
    return await Promise.race([work, alarm])
  } finally {
    cancel()
  }
}

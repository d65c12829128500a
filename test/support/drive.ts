import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { ClientRequest } from 'node:http'
import { setImmediate, setTimeout } from 'node:timers/promises'
import { onTestFinished } from 'vitest'
import type { ManualClock } from './clocks.ts'

/** How a clock is driven. */
export interface DriveOptions {
  /** How far it moves at a time, milliseconds. @defaultValue 25 */
  readonly stepMs?: number
  /** Requests that a server holds back until the clock moves. @defaultValue none */
  readonly held?: () => number
}

/**
 * Moves a manual clock on until a promise settles, over real sockets: the clock stands still as long as bytes are
 * under way, so that no time-out fires for the slowness of the machine. Call it once for each piece of work.
 *
 * @returns what the promise settles to
 */
export async function drive<T>(
  clock: ManualClock,
  work: () => Promise<T>,
  { stepMs = 25, held = () => 0 }: DriveOptions = {},
): Promise<T> {
  const wire = watchWire()
  let over = false
  const result = work().finally(() => {
    over = true
  })
  result.catch(() => {})
  while (!over) {
    for (let turn = 0; turn < 4; turn++) await setImmediate()
    if (over) break
    if (wire.inFlight > held() || clock.timers === 0) await setTimeout(1)
    else await clock.advance(stepMs)
  }
  return result
}

/** Requests of this process that are under way, from their last byte written to their last byte read. */
export function watchWire(): { readonly inFlight: number } {
  let inFlight = 0
  const started = (message: unknown): void => {
    const { request } = message as { request: ClientRequest }
    inFlight += 1
    request.once('close', () => {
      inFlight -= 1
    })
  }
  subscribe('http.client.request.start', started)
  onTestFinished(() => void unsubscribe('http.client.request.start', started))
  return {
    get inFlight() {
      return inFlight
    },
  }
}

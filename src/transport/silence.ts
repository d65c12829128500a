import type { Cancel, Clock } from '../clock.ts'

/** Watches for silence on one connection: first for the connection itself, then for every gap between bytes. */
export interface SilenceWatch {
  /** The connection stands. */
  connected(): void
  /** A byte was written or received. */
  heard(): void
  /** Stops watching. */
  end(): void
}

/**
 * @param expired - called once, with the phase that was silent for too long; nothing has been destroyed yet
 */
export function watchSilence(
  clock: Clock,
  connectTimeoutMs: number,
  readTimeoutMs: number,
  expired: (phase: 'connect' | 'read') => void,
): SilenceWatch {
  let phase: 'connect' | 'read' = 'connect'
  let heardAt = clock.monotonic()
  let alarm: Cancel | undefined

  const limit = (): number => (phase === 'connect' ? connectTimeoutMs : readTimeoutMs)
  const look = (): void => {
    const left = heardAt + limit() - clock.monotonic()
    // The alarm is not moved for every byte: it looks again when the silence so far could first be too long.
    if (left > 0) alarm = clock.after(left, look)
    else expired(phase)
  }
  look()
  return {
    connected() {
      phase = 'read'
      heardAt = clock.monotonic()
      alarm?.()
      look()
    },
    heard() {
      heardAt = clock.monotonic()
    },
    end: () => alarm?.(),
  }
}

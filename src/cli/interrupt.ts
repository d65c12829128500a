/** The user, or a supervisor, wants the command to end. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted'
  /** Such as `SIGINT`. */
  readonly signal: string

  constructor(signal: string) {
    super(`interrupted (${signal}); run the command again`)
    this.signal = signal
  }
}

/** Where signals come from: the process, or a test. */
export interface SignalSource {
  on(signal: 'SIGINT' | 'SIGTERM', listener: () => void): unknown
  off(signal: 'SIGINT' | 'SIGTERM', listener: () => void): unknown
}

/** Signals as a reason to stop. */
export interface InterruptWatch {
  /** Aborted by the first signal, with {@link Interrupted} as its reason. */
  readonly signal: AbortSignal
  /** Stops listening. */
  close(): void
}

const SIGNALS = ['SIGINT', 'SIGTERM'] as const

/**
 * The first signal asks the work to end by itself; the second ends it at once.
 *
 * @param now - ends the process without further ado
 */
export function watchInterrupts(source: SignalSource, say: (text: string) => void, now: () => void): InterruptWatch {
  const controller = new AbortController()
  const listeners = SIGNALS.map(signal => {
    const listener = (): void => {
      if (controller.signal.aborted) return now()
      say('stopping: nothing new is started; interrupt again to end at once')
      controller.abort(new Interrupted(signal))
    }
    source.on(signal, listener)
    return { signal, listener }
  })
  return {
    signal: controller.signal,
    close: () => listeners.forEach(({ signal, listener }) => void source.off(signal, listener)),
  }
}

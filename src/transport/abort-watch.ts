import type { Cancel } from '../clock.ts'

/** The calls that share a signal, and the one listener that tells them all. */
interface Watch {
  readonly calls: Set<() => void>
  readonly listener: () => void
}

const watches = new WeakMap<AbortSignal, Watch>()

/**
 * Calls back when a signal is aborted. However many calls share a signal, it carries one listener of ours: above ten,
 * Node would warn the program of a leak that is none.
 *
 * @returns ends it; the last to end leaves nothing on the signal
 */
export function onAbort(signal: AbortSignal, run: () => void): Cancel {
  const watch = watches.get(signal) ?? beginWatch(signal)
  // A function of its own: the same one may be given twice.
  const call = (): void => run()
  watch.calls.add(call)
  return () => {
    watch.calls.delete(call)
    if (watch.calls.size > 0) return
    signal.removeEventListener('abort', watch.listener)
    if (watches.get(signal) === watch) watches.delete(signal)
  }
}

function beginWatch(signal: AbortSignal): Watch {
  const calls = new Set<() => void>()
  const watch: Watch = {
    calls,
    listener: () => {
      for (const call of calls) call()
    },
  }
  watches.set(signal, watch)
  signal.addEventListener('abort', watch.listener, { once: true })
  return watch
}

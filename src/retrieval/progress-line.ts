import { systemClock, type Cancel, type Clock } from '../clock.ts'
import type { RetrievalEvent } from '../transport/index.ts'
import { NO_PROGRESS, advance, progressText } from './progress-state.ts'

/** How progress is shown. */
export interface ProgressOptions {
  /** Where to. @defaultValue the process's standard error */
  readonly stream?: { write(text: string): unknown; readonly isTTY?: boolean; readonly columns?: number } | undefined
  /** Whether one line is kept up to date, or a line is written every minute. @defaultValue whether the stream is a terminal */
  readonly live?: boolean | undefined
  /** For tests. @defaultValue the machine's clock */
  readonly clock?: Clock | undefined
}

const LIVE_EVERY_MS = 250
const LOG_EVERY_MS = 60_000

/**
 * A listener for `onEvent` that shows how far a call has come: one line on a terminal, a line a minute elsewhere,
 * a last line at the end. Never on standard output. Makes one for each call.
 *
 * @example
 * await getHistorical(query, { onEvent: showProgress() })
 */
export function showProgress({
  stream = process.stderr,
  live = stream.isTTY === true,
  clock = systemClock,
}: ProgressOptions = {}): (event: RetrievalEvent) => void {
  // Some terminals say that they have no columns.
  const width = (): number => ((stream.columns ?? 0) > 0 ? (stream.columns as number) : 120)
  let state = NO_PROGRESS
  let cancel: Cancel | undefined

  const write = (): void => {
    const text = progressText(state, clock.now())
    const last = state.outcome !== 'running'
    stream.write(live ? `\r\u001B[2K${text.slice(0, width() - 1)}${last ? '\n' : ''}` : `${text}\n`)
  }
  const tick = (): void => {
    if (live || state.responses > 0) write()
    cancel = clock.after(live ? LIVE_EVERY_MS : LOG_EVERY_MS, tick)
  }
  return event => {
    state = advance(state, event)
    if (event.type === 'planned') tick()
    if (event.type !== 'done') return
    cancel?.()
    write()
  }
}

import type { Clock } from '../clock.ts'
import type { PullEvent, PullProgress } from '../pull/index.ts'
import { wordsOf } from './failures.ts'
import type { Terminal } from './terminal.ts'

const EVERY_MS = 100
const CLEAR_LINE = '\r\u001B[2K'

/**
 * Tells how a pull goes: one line that is kept up to date on a terminal, and a line for what goes wrong.
 *
 * @param told - warnings, each told once: many tasks may meet with the same
 */
export function tellProgress(
  { progress, note, mark }: Pick<Terminal, 'progress' | 'note' | 'mark'>,
  clock: Clock,
  verbose: number,
  told: Set<string>,
): (event: PullEvent) => void {
  let drawnAt = Number.NEGATIVE_INFINITY
  return event => {
    switch (event.type) {
      case 'warning':
        if (!told.has(event.message)) mark('warning', event.message)
        told.add(event.message)
        break
      case 'task-failed':
        mark('warning', `${event.task.operation} ${labels(event.task.series)}: ${wordsOf(event.error)}`)
        break
      case 'task-done':
        if (verbose > 0) note(`info: ${event.task.operation} ${labels(event.task.series)}: ${event.rows} rows`)
        break
      case 'stopping':
        note(`stopping: ${event.reason}`)
        break
      default:
    }
    const over = event.type === 'done'
    if (!progress || (!over && clock.monotonic() - drawnAt < EVERY_MS)) return
    drawnAt = clock.monotonic()
    progress.write(over ? CLEAR_LINE : `${CLEAR_LINE}${progressText(event.progress).slice(0, progress.columns - 1)}`)
  }
}

/** One line: how far, how much, how long still. */
export function progressText({ tasks, tasksDone, rows, bytes, requests, leftMs }: PullProgress): string {
  return [
    `${tasksDone} of ${tasks} tasks`,
    `${rows.toLocaleString('en-US')} rows`,
    bytesText(bytes),
    `${requests} requests`,
    ...(leftMs === undefined ? [] : [`about ${durationText(leftMs / 1000)} left`]),
  ].join(' · ')
}

/** `{ region: 'PJM_DC', signal_type: 'co2_moer' }` as `PJM_DC co2_moer`. */
export function labels(series: Readonly<Record<string, unknown>>): string {
  return Object.values(series).map(String).join(' ')
}

export function bytesText(bytes: number): string {
  if (bytes < 1e3) return `${Math.round(bytes)} B`
  if (bytes < 1e6) return `${(bytes / 1e3).toFixed(1)} kB`
  return bytes < 1e9 ? `${(bytes / 1e6).toFixed(1)} MB` : `${(bytes / 1e9).toFixed(1)} GB`
}

export function durationText(seconds: number): string {
  if (seconds < 90) return `${Math.ceil(seconds)} s`
  return seconds < 5400 ? `${Math.ceil(seconds / 60)} min` : `${(seconds / 3600).toFixed(1)} h`
}

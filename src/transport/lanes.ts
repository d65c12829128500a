import type { Clock } from '../clock.ts'
import type { RateLimit } from './rate-window.ts'

/** Who goes first: somebody waits for an interactive request, nobody in particular for a bulk one. */
export type Priority = 'interactive' | 'bulk'

/** What the lanes need to know of a request. */
export interface LaneEntry {
  readonly priority: Priority
  readonly signal: AbortSignal
}

/** One request in line. */
export interface Waiter<Entry, Pass> {
  readonly entry: Entry
  admit(pass: Pass): void
  refuse(reason: unknown): void
}

/** Two lines in front of one gate. */
export interface Lanes<Entry, Pass> {
  /** Stands in line until let in; `changed` is called whenever the line changes. */
  wait(entry: Entry, changed: () => void): Promise<Pass>
  /** Whose turn it is. */
  first(): Waiter<Entry, Pass> | undefined
  /** Out of the line and in. */
  letIn(waiter: Waiter<Entry, Pass>, pass: Pass): void
  /** Bulk requests leave the last tenth of the rate to interactive ones while those keep coming. */
  limitsFor(priority: Priority, limits: readonly RateLimit[]): readonly RateLimit[]
}

/** So many interactive requests in a row, and one bulk request goes between: bulk never starves. */
const INTERACTIVE_IN_A_ROW = 9

export function createLanes<Entry extends LaneEntry, Pass>(clock: Clock): Lanes<Entry, Pass> {
  const lines: Record<Priority, Waiter<Entry, Pass>[]> = { interactive: [], bulk: [] }
  let inARow = 0
  let interactiveAt = Number.NEGATIVE_INFINITY
  return {
    wait: (entry, changed) =>
      new Promise((resolve, reject) => {
        if (entry.signal.aborted) return reject(entry.signal.reason)
        if (entry.priority === 'interactive') interactiveAt = clock.monotonic()
        const leave = (): void => {
          drop(lines[entry.priority], waiter)
          reject(entry.signal.reason)
          changed()
        }
        const waiter: Waiter<Entry, Pass> = {
          entry,
          admit(pass) {
            drop(lines[entry.priority], waiter)
            entry.signal.removeEventListener('abort', leave)
            resolve(pass)
          },
          refuse(reason) {
            drop(lines[entry.priority], waiter)
            entry.signal.removeEventListener('abort', leave)
            reject(reason)
          },
        }
        entry.signal.addEventListener('abort', leave, { once: true })
        lines[entry.priority].push(waiter)
        changed()
      }),
    first() {
      const [interactive, bulk] = [lines.interactive[0], lines.bulk[0]]
      return interactive && bulk && inARow >= INTERACTIVE_IN_A_ROW ? bulk : (interactive ?? bulk)
    },
    letIn(waiter, pass) {
      inARow = waiter.entry.priority === 'interactive' ? inARow + 1 : 0
      waiter.admit(pass)
    },
    limitsFor(priority, limits) {
      if (priority === 'interactive' || clock.monotonic() - interactiveAt > 1000) return limits
      return limits.map(({ requests, perMs }) => ({
        requests: Math.max(1, requests - Math.ceil(requests / 10)),
        perMs,
      }))
    },
  }
}

function drop<T>(line: T[], one: T): void {
  const at = line.indexOf(one)
  if (at >= 0) line.splice(at, 1)
}

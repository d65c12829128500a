import { measureCompleteness, type AnyRow } from '../retrieval/index.ts'
import type { SpanMs } from '../span.ts'
import { isoText } from '../time.ts'
import type { LineHole } from './manifest-lines.ts'
import type { OperationEntry, PlainQuery } from './service-entry.ts'

/** What a stretch should hold and what of it came. */
export interface Grid {
  readonly expected: number
  readonly received: number
  readonly holes: readonly LineHole[]
}

/** Notes which instants came, series by series, while rows pass. */
export class GridWatch {
  readonly #entry: OperationEntry
  readonly #instants = new Map<string, number[]>()
  #newest: number | undefined

  constructor(entry: OperationEntry) {
    this.#entry = entry
  }

  /** When the newest row holds that passed, epoch milliseconds. */
  get newest(): number | undefined {
    return this.#newest
  }

  see(rows: readonly AnyRow[]): void {
    const { time, within, cadenceMs } = this.#entry
    if (time === undefined) return
    for (const row of rows) {
      const at = instantIn(row, time.column)
      if (this.#newest === undefined || at > this.#newest) this.#newest = at
      if (cadenceMs === undefined) continue
      const name = within === undefined ? '' : String(row[within])
      const known = this.#instants.get(name)
      if (known === undefined) this.#instants.set(name, [at])
      else if (known[known.length - 1] !== at) known.push(at)
    }
  }

  /**
   * Compares what came with what was due.
   *
   * @returns `undefined` where the cadence is not known
   */
  measure(spans: readonly SpanMs[], query: PlainQuery, source: PlainQuery): Grid | undefined {
    const cadenceMs = this.#entry.cadenceMs?.(query, source)
    if (cadenceMs === undefined || spans.length === 0) return undefined
    if (this.#entry.always === true && !this.#instants.has('')) this.#instants.set('', [])
    let expected = 0
    let received = 0
    const holes: LineHole[] = []
    for (const [name, instants] of this.#instants) {
      instants.sort((a, b) => a - b)
      for (const span of spans) {
        const grid = measureCompleteness(instants, span, cadenceMs)
        expected += grid.expected
        received += grid.received
        for (const { start, end } of grid.missing) {
          holes.push({
            start: isoText(start.getTime()),
            end: isoText(end.getTime()),
            samples: (end.getTime() - start.getTime()) / cadenceMs + 1,
            ...(this.#entry.within === undefined ? {} : { within: name }),
          })
        }
      }
    }
    return { expected, received, holes }
  }
}

/** When a row holds, epoch milliseconds. */
export function instantIn(row: AnyRow, column: string): number {
  const value = row[column]
  return value instanceof Date ? value.getTime() : Date.parse(String(value))
}

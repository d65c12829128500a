import type { Entry, Gate, Pass } from '../../src/transport/gate.ts'

/** What a request asks of a gate, unless a test says otherwise: no limit at all. */
export function entry(more: Partial<Entry> = {}): Entry {
  return {
    priority: 'interactive',
    concurrency: 100,
    rate: [],
    patienceMs: 60_000,
    deadlineAt: Number.POSITIVE_INFINITY,
    quotaReserve: 0,
    quotaWindowMs: 3_600_000,
    signal: new AbortController().signal,
    ...more,
  }
}

/** Requests in front of a gate, by name, in the order in which they were let in. */
export interface Crowd {
  enter(name: string, more?: Partial<Entry>): void
  readonly entered: string[]
  readonly refused: [name: string, reason: unknown][]
  pass(name: string): Pass
  /** The named requests are over: sent, answered, ended well. */
  finish(...names: string[]): void
}

export function crowd(gate: Gate, usual: Partial<Entry> = {}): Crowd {
  const passes = new Map<string, Pass>()
  const entered: string[] = []
  const refused: [string, unknown][] = []
  const pass = (name: string): Pass => {
    const known = passes.get(name)
    if (known === undefined) throw new Error(`${name} has not been let in`)
    return known
  }
  return {
    entered,
    refused,
    pass,
    enter(name, more = {}) {
      gate.enter(entry({ ...usual, ...more })).then(
        granted => {
          passes.set(name, granted)
          entered.push(name)
        },
        (reason: unknown) => refused.push([name, reason]),
      )
    },
    finish(...names) {
      for (const name of names) {
        pass(name).sent()
        pass(name).heard()
        pass(name).ended('success')
      }
    },
  }
}

import type { Chunk } from './chunk.ts'

/**
 * What all responses of a query must agree on (a model version, say). The first response settles it; when a newer
 * one turns up, the chunks that answered with an older one are asked again with the newer one named. No row is
 * dropped for it: a chunk that still disagrees keeps its rows, with a warning.
 */
export interface PinBook<Row> {
  readonly value: string | undefined
  /** Takes note of what a chunk answered with. Returns the chunks to be asked again, and what to say about it. */
  note(chunk: Chunk<Row>, pin: string | undefined, chunks: readonly Chunk<Row>[]): PinNote<Row>
}

export interface PinNote<Row> {
  readonly redo: readonly Chunk<Row>[]
  readonly warning: string | undefined
}

export function createPinBook<Row>(initial: string | undefined): PinBook<Row> {
  let value = initial
  const warned = new Set<string>()
  return {
    get value() {
      return value
    },
    note(chunk, pin, chunks) {
      if (pin === undefined) return { redo: [], warning: undefined }
      // Its pages may disagree among themselves: the oldest speaks for it.
      if (chunk.pin === undefined || pin < chunk.pin) chunk.pin = pin
      if (value === undefined || pin > value) value = pin
      const newest = value
      const older = chunks.filter(other => other.pin !== undefined && other.pin < newest)
      const redo = older.filter(other => !other.redone && !other.delivered && other.state !== 'failed')
      const stuck = older.find(other => !redo.includes(other))
      if (stuck?.pin === undefined || warned.has(stuck.pin)) return { redo, warning: undefined }
      warned.add(stuck.pin)
      return { redo, warning: `part of the answer is of version ${stuck.pin}, while the rest is of ${newest}` }
    },
  }
}

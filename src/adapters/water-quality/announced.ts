import { Failure } from '../../transport/index.ts'

/** Rows that the service said it would send, by its own headers. */
export function announced(headers: Readonly<Record<string, string>>, kind: string): number | undefined {
  const text = headers[`total-${kind.toLowerCase()}-count`]
  return text !== undefined && /^\d+$/.test(text.trim()) ? Number(text) : undefined
}

/** Compares what came with what was announced, answer by answer. */
export interface Shortfalls {
  /**
   * Counts are made from summaries, and may be wrong: so too few rows are asked for once more. When as many come again, they
   * are taken for all there are, and both numbers are told.
   *
   * @returns nothing where the numbers agree, a warning where the service counts otherwise, a failure where it deserves
   *   another try
   */
  check(promised: number | undefined, came: number, question: string): Failure | string | undefined
}

export function createShortfalls(): Shortfalls {
  const before = new Map<string, number>()
  return {
    check(promised, came, question) {
      if (promised === undefined || promised === came) return undefined
      const both = `the service announced ${promised} rows, and ${came} came`
      if (came > promised) return both
      if (before.get(question) === came) return `${both}; asked again, it sent as many`
      before.set(question, came)
      return new Failure(both, { class: 'incomplete', status: 200, begun: true })
    },
  }
}

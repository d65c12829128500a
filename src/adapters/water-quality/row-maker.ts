import { compileFunction } from 'node:vm'
import type { AnyRow } from '../../retrieval/index.ts'

/** Makes rows of one shape. */
export type RowMaker = (fields: readonly (string | null)[], derived: readonly unknown[]) => AnyRow

/** A shorter text is copied when it is cut out of another; a longer one holds on to all of that. */
const LONGEST_COPIED = 12
/** Texts of one column that are remembered. Above, it holds identifiers or notes, and remembering is in vain. */
const MOST_REMEMBERED = 500

/**
 * Makes rows out of fields. A table has up to 190 columns, and a row that is filled name by name is kept by the engine
 * as a dictionary: seven times slower, and larger. So the code that fills it is written for the columns at hand: their
 * names stand in it as quoted texts, and nothing else of the answer does.
 *
 * @param names - of the service's columns, then of the derived ones; each once
 */
export function createRowMaker(names: readonly string[], derived: readonly string[]): RowMaker {
  const all = [...names.map((name, at) => [name, `f[${at}]`]), ...derived.map((name, at) => [name, `d[${at}]`])]
  const lines = all.map(([name, source]) => `this[${JSON.stringify(name)}] = ${source};`)
  const make = compileFunction(
    `function Row(f, d) {\n${lines.join('\n')}\n}\nRow.prototype = Object.prototype;\nreturn (f, d) => new Row(f, d);`,
  ) as () => RowMaker
  return make()
}

/**
 * Makes equal texts of a column one text, and nothing of an empty one: most columns repeat a few texts, row after row. Texts
 * that are kept are cut loose from the part of the answer in which they stood.
 *
 * @returns what changes a row's fields in place
 */
export function createTidier(columns: number): (fields: (string | null)[]) => void {
  const last: string[] = Array.from({ length: columns }, () => '')
  const known: (Map<string, string> | undefined)[] = Array.from({ length: columns }, () => new Map())
  const remember = (text: string, column: number): string => {
    const texts = known[column]
    const before = texts?.get(text)
    if (before !== undefined) return before
    const own = text.length > LONGEST_COPIED ? Buffer.from(text).toString() : text
    if (texts && texts.size >= MOST_REMEMBERED) known[column] = undefined
    else texts?.set(own, own)
    return own
  }
  return fields => {
    for (let column = 0; column < columns; column++) {
      const text = fields[column] as string
      if (text === '') fields[column] = null
      else if (text === last[column]) fields[column] = last[column] as string
      else fields[column] = last[column] = remember(text, column)
    }
  }
}

import { jsonText } from './cell.ts'
import type { AnyRow, Column } from './columns.ts'
import { lineParts } from './line-parts.ts'

/**
 * One JSON object per line, each ended by `\n`, its members the columns in their order: every line has them all,
 * `null` where a value is not there. Instants are ISO-8601 with `Z`. No rows are no text.
 *
 * One string holds it all, at most half a gigabyte of it; for more, see {@link jsonLines}.
 */
export function toJsonl(rows: Iterable<AnyRow>, columns: readonly Column[]): string {
  return [...jsonLines(rows, columns)].join('')
}

/** The same text in parts of some 64 KiB, each of whole lines, for a file of any size. */
export function jsonLines(rows: Iterable<AnyRow>, columns: readonly Column[]): Generator<string, void, void> {
  const members = columns.map(({ name }) => ({ name, label: `${JSON.stringify(name)}:` }))
  return lineParts(rows, row => `{${members.map(({ name, label }) => label + jsonText(row[name])).join(',')}}`)
}

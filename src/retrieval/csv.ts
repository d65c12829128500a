import { cellText } from './cell.ts'
import type { AnyRow, Column } from './columns.ts'

/** How comma-separated text is written. */
export interface CsvOptions {
  /** Whether the first line names the columns; leave it out when adding to a file. @defaultValue true */
  readonly header?: boolean
}

/**
 * Comma-separated text as in RFC 4180, but with `\n` as line end, on every platform, after the last line too.
 *
 * The header stands also where there are no rows. Instants are ISO-8601 with `Z`; text is left as it is, leading
 * zeros and formulas included; numbers have a decimal point whatever the locale; objects are JSON; a value that
 * is not there is nothing.
 *
 * One string holds it all, at most half a gigabyte of it; for more, see {@link csvLines}.
 */
export function toCsv(rows: Iterable<AnyRow>, columns: readonly Column[], options?: CsvOptions): string {
  return [...csvLines(rows, columns, options)].join('')
}

/** The same text in parts of some 64 KiB, each of whole lines, for a file of any size. */
export function* csvLines(
  rows: Iterable<AnyRow>,
  columns: readonly Column[],
  { header = true }: CsvOptions = {},
): Generator<string, void, void> {
  const names = columns.map(({ name }) => name)
  let part = header ? `${names.map(csvCell).join(',')}\n` : ''
  for (const row of rows) {
    part += `${csvLine(row, names)}\n`
    if (part.length < PART_LENGTH) continue
    yield part
    part = ''
  }
  if (part !== '') yield part
}

const PART_LENGTH = 65_536

function csvLine(row: AnyRow, names: readonly string[]): string {
  let line = ''
  for (let at = 0; at < names.length; at++) {
    if (at > 0) line += ','
    line += csvCell(row[names[at] as string])
  }
  // Readers skip an empty line: a row of one column without a value would be lost.
  return line === '' ? '""' : line
}

function csvCell(value: unknown): string {
  const text = cellText(value)
  if (typeof value !== 'string' && typeof value !== 'object') return text
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

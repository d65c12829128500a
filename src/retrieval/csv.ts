import { cellText } from './cell.ts'
import type { AnyRow, Column } from './columns.ts'
import { lineParts } from './line-parts.ts'

/** How comma-separated text is written. */
export interface CsvOptions {
  /** Whether the first line names the columns; leave it out when adding to a file. @defaultValue true */
  readonly header?: boolean | undefined
}

/**
 * Comma-separated text as in RFC 4180, but with `\n` as line end, on every platform, after the last line too.
 *
 * The header stands also where there are no rows. Instants are ISO-8601 with `Z`; text is left as it is, leading
 * zeros included; numbers have a decimal point whatever the locale; objects are JSON; a value that is not there
 * is nothing.
 *
 * One string holds it all, at most half a gigabyte of it; for more, see {@link csvLines}.
 */
export function toCsv(rows: Iterable<AnyRow>, columns: readonly Column[], options?: CsvOptions): string {
  return [...csvLines(rows, columns, options)].join('')
}

/** The same text in parts of some 64 KiB, each of whole lines, for a file of any size. */
export function csvLines(
  rows: Iterable<AnyRow>,
  columns: readonly Column[],
  { header = true }: CsvOptions = {},
): Generator<string, void, void> {
  const names = columns.map(({ name }) => name)
  return lineParts(rows, row => csvLine(names.map(name => row[name])), header ? csvLine(names) : undefined)
}

/** Readers skip an empty line: a row of one column without a value would be lost. */
function csvLine(values: readonly unknown[]): string {
  return values.map(csvCell).join(',') || '""'
}

function csvCell(value: unknown): string {
  const text = cellText(value)
  const quotable = typeof value === 'string' || (typeof value === 'object' && !(value instanceof Date))
  return quotable && /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

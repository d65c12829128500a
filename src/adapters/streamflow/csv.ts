/** Comma-separated text as in RFC 4180: fields in quotes may hold commas and line ends, a doubled quote is one. */

/** A table: its names and its rows. */
export interface CsvTable {
  readonly columns: readonly string[]
  readonly rows: readonly (readonly string[])[]
}

/** A text that is no whole table. */
export class CsvError extends Error {
  override readonly name = 'CsvError'
}

/**
 * Reads a table with a line of names.
 *
 * @throws CsvError naming the row, when it has more or fewer fields than there are names, or a quote is not closed
 */
export function parseCsv(text: string): CsvTable {
  const [columns = [], ...rows] = recordsIn(text.replace(/^\uFEFF/, ''))
  rows.forEach((row, at) => {
    if (row.length !== columns.length)
      throw new CsvError(`row ${at + 1} has ${row.length} fields, and there are ${columns.length} columns`)
  })
  return { columns, rows }
}

const FIELD = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n|\n|\r|$)/y

function recordsIn(text: string): string[][] {
  const records: string[][] = []
  let record: string[] = []
  FIELD.lastIndex = 0
  while (FIELD.lastIndex < text.length) {
    const at = FIELD.lastIndex
    const match = FIELD.exec(text)
    if (match === null)
      throw new CsvError(
        `row ${records.length} has a quote in the wrong place, or one that is not closed: ${text.slice(at, at + 60)}`,
      )
    const [, quoted, plain = '', end] = match
    record.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'))
    if (end === ',' && FIELD.lastIndex < text.length) continue
    if (end === ',') record.push('')
    if (record.length > 1 || record[0] !== '') records.push(record)
    record = []
  }
  return records
}

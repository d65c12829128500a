import type { AnyRow, Column, ColumnKind } from '../retrieval/index.ts'
import { epochMs } from '../time.ts'

/** Reads comma-separated text that we wrote: fields in quotes may hold commas and line ends, a doubled quote is one. */

const FIELD = /(?:"((?:[^"]|"")*)"|([^",\n]*))(,|$)/y

/** Whole records of a text that comes in parts. */
export async function* csvRecords(parts: AsyncIterable<Uint8Array>): AsyncGenerator<string[][], void, void> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const part of parts) {
    const { records, left } = take(rest + decoder.decode(part, { stream: true }))
    rest = left
    if (records.length > 0) yield records
  }
  if (rest !== '') throw new SyntaxError(`the last record is not whole: ${rest.slice(0, 60)}`)
}

/** A record as a row of its columns; nothing is `null`. */
export function csvRow(record: readonly string[], columns: readonly Column[]): AnyRow {
  if (record.length !== columns.length)
    throw new SyntaxError(`a record has ${record.length} fields, not ${columns.length}: ${record.join().slice(0, 60)}`)
  const row: Record<string, unknown> = {}
  for (let at = 0; at < columns.length; at++) {
    const { name, kind } = columns[at] as Column
    const text = record[at] as string
    row[name] = text === '' ? null : READERS[kind](text)
  }
  return row
}

const READERS: Readonly<Record<ColumnKind, (text: string) => unknown>> = {
  instant: text => new Date(epochMs(text)),
  date: text => text,
  text: text => text,
  number: Number,
  boolean: text => text === 'true',
  json: text => JSON.parse(text) as unknown,
}

/** Records that are whole. A line end counts where as many quotes have been opened as closed. */
function take(text: string): { readonly records: string[][]; readonly left: string } {
  const records: string[][] = []
  let from = 0
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) {
    const line = text.slice(from, at)
    if (!line.includes('"')) records.push(line.split(','))
    else if (isWhole(line)) records.push(fieldsOf(line))
    else continue
    from = at + 1
  }
  return { records, left: text.slice(from) }
}

function isWhole(line: string): boolean {
  let quotes = 0
  for (let at = line.indexOf('"'); at >= 0; at = line.indexOf('"', at + 1)) quotes += 1
  return quotes % 2 === 0
}

function fieldsOf(line: string): string[] {
  const fields: string[] = []
  for (let at = 0; ; at = FIELD.lastIndex) {
    FIELD.lastIndex = at
    const match = FIELD.exec(line)
    if (match === null) throw new SyntaxError(`a quote stands in the wrong place: ${line.slice(at, at + 60)}`)
    const [, quoted, plain = '', end] = match
    fields.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'))
    if (end === '') return fields
  }
}

import { extname } from 'node:path'
import { csvLines, jsonLines, tableLines, type Retrieval } from '../retrieval/index.ts'
import { UsageError } from './failures.ts'

/** How rows are written. */
export type Format = 'table' | 'csv' | 'json' | 'jsonl' | 'parquet'

export const FORMATS: readonly Format[] = ['table', 'csv', 'json', 'jsonl', 'parquet']

/** Formats by the ending of a file's name. */
const FORMAT_OF_ENDING: Readonly<Record<string, Format>> = {
  '.csv': 'csv',
  '.json': 'json',
  '.jsonl': 'jsonl',
  '.ndjson': 'jsonl',
  '.parquet': 'parquet',
  '.txt': 'table',
}

/** Rows of a table that is longer than both together. */
const ENDS = { head: 40, tail: 10 }

/**
 * The format that is meant.
 *
 * @param output - the file, if there is one: its ending says the format where no flag does
 * @throws UsageError
 */
export function formatOf(given: string | undefined, output: string | undefined): Format {
  if (given !== undefined) {
    const known = FORMATS.find(format => format === given)
    if (known === 'parquet' && output === undefined)
      throw new UsageError('--format parquet is no text: write it to a file with --output')
    if (known) return known
    throw new UsageError(`--format must be one of ${FORMATS.join(', ')}; got '${given}'`)
  }
  if (output === undefined) return 'table'
  const ending = extname(output).toLowerCase()
  const meant = FORMAT_OF_ENDING[ending]
  if (meant) return meant
  throw new UsageError(
    `--output ${output} does not end in ${Object.keys(FORMAT_OF_ENDING).join(', ')}; say which format with --format`,
  )
}

/** Formats that are text. */
export type TextFormat = Exclude<Format, 'parquet'>

/** A result as text in parts, each small enough to write at once. */
export function* textOf(result: Retrieval, format: TextFormat, width: number): Generator<string, void, void> {
  const { rows, columns } = result
  switch (format) {
    case 'csv':
      return yield* csvLines(rows, columns)
    case 'jsonl':
      return yield* jsonLines(rows, columns)
    case 'json':
      yield '['
      yield* jsonRows(result)
      return yield ']\n'
    case 'table':
      return yield `${tableLines(rows, columns, width, ENDS).join('\n')}\n`
  }
}

/** Rows as members of a JSON list, without its brackets. */
export function* jsonRows({ rows, columns }: Pick<Retrieval, 'rows' | 'columns'>): Generator<string, void, void> {
  let first = true
  for (const lines of jsonLines(rows, columns)) {
    yield `${first ? '' : ','}\n${lines.trimEnd().replaceAll('\n', ',\n')}`
    first = false
  }
}

/** What a table leaves out, in words. */
export function leftOut(rows: number, format: Format): string | undefined {
  return format === 'table' && rows > ENDS.head + ENDS.tail
    ? `${ENDS.head + ENDS.tail} of ${rows} rows are shown; --format csv gives all`
    : undefined
}

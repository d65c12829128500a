import { csvLines, jsonLines, type AnyRow, type Column } from '../retrieval/index.ts'
import type { NewFile } from './new-file.ts'
import { openParquet } from './parquet-writer.ts'
import type { Labels } from './series.ts'
import type { PullFormat } from './spec.ts'
import type { TableWriter } from './table-shape.ts'

/**
 * @param columns - head of the file: every row is written with these
 * @param constants - what is the same in every row: it tells the series
 * @throws ConfigurationError when the format needs a package that is not there
 */
export async function openTable(
  format: PullFormat,
  file: Pick<NewFile, 'write'>,
  columns: readonly Column[],
  constants: Labels = {},
): Promise<TableWriter> {
  return format === 'parquet' ? openParquet(file, columns, constants) : textTable(format, file, columns, constants)
}

function textTable(
  format: 'csv' | 'jsonl',
  file: Pick<NewFile, 'write'>,
  columns: readonly Column[],
  constants: Labels,
): TableWriter {
  let header = true
  const write = async (parts: Iterable<string>): Promise<void> => {
    for (const part of parts) await file.write(Buffer.from(part))
  }
  const add = async (rows: readonly AnyRow[]): Promise<void> => {
    stamp(rows, constants)
    await write(format === 'csv' ? csvLines(rows, columns, { header }) : jsonLines(rows, columns))
    header = false
  }
  return {
    add,
    async end() {
      // A table without rows still has its head.
      if (header) await add([])
    },
    losses: () => [],
  }
}

/** Gives rows what tells their series. They are the stream's own, and nobody else sees them: no copy is needed. */
function stamp(rows: readonly AnyRow[], constants: Labels): void {
  for (const name of Object.keys(constants)) {
    const value = constants[name]
    for (const row of rows) if (row[name] === undefined) (row as Record<string, unknown>)[name] = value
  }
}

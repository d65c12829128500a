import { csvLines, jsonLines, type AnyRow, type Column } from '../retrieval/index.ts'
import type { NewFile } from './new-file.ts'
import { openParquet } from './parquet-writer.ts'
import type { PullFormat } from './spec.ts'
import type { TableWriter } from './table-shape.ts'

/**
 * @param columns - head of the file: every row is written with these
 * @throws ConfigurationError when the format needs a package that is not there
 */
export async function openTable(
  format: PullFormat,
  file: Pick<NewFile, 'write'>,
  columns: readonly Column[],
): Promise<TableWriter> {
  return format === 'parquet' ? openParquet(file, columns) : textTable(format, file, columns)
}

function textTable(format: 'csv' | 'jsonl', file: Pick<NewFile, 'write'>, columns: readonly Column[]): TableWriter {
  let header = true
  const write = async (parts: Iterable<string>): Promise<void> => {
    for (const part of parts) await file.write(Buffer.from(part))
  }
  const add = async (rows: readonly AnyRow[]): Promise<void> => {
    await write(format === 'csv' ? csvLines(rows, columns, { header }) : jsonLines(rows, columns))
    header = false
  }
  return {
    add,
    async end() {
      // A table without rows still has its head.
      if (header) await add([])
    },
  }
}

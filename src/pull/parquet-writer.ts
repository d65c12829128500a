import type * as Hyparquet from 'hyparquet-writer'
import { ConfigurationError, describeCause } from '../errors.ts'
import type { AnyRow, Column } from '../retrieval/index.ts'
import type { NewFile } from './new-file.ts'
import { ParquetColumn } from './parquet-column.ts'
import type { Labels } from './series.ts'
import type { TableWriter } from './table-shape.ts'

/** Rows of a group: so many are held in memory, and read at a time. */
const GROUP_ROWS = 8_192

/**
 * Writes a Parquet file group by group. Instants are UTC timestamps in milliseconds, so that readers know their zone;
 * calendar dates are dates; what is nested is JSON text. Units and provenance go into the file's own metadata.
 *
 * @throws ConfigurationError when `hyparquet-writer` is not installed
 */
export async function openParquet(
  file: Pick<NewFile, 'write'>,
  columns: readonly Column[],
  constants: Labels,
): Promise<TableWriter> {
  const { ByteWriter, ParquetWriter } = await loadWriter()
  const bytes = new ByteWriter()
  const parts = columns.map(column => new ParquetColumn(column, GROUP_ROWS, constants[column.name]))
  const parquet = new ParquetWriter({
    writer: bytes,
    schema: [{ name: 'root', num_children: columns.length }, ...parts.map(({ element }) => element)],
    createdBy: 'headrace',
  })
  let filled = 0

  const handOver = async (): Promise<void> => {
    // A copy: the buffer is filled anew while this is on its way to the disk.
    const part = bytes.getBytes().slice()
    bytes.index = 0
    await file.write(part)
  }
  const writeGroup = async (): Promise<void> => {
    if (filled === 0) return
    const columnData = parts.map(part => part.take(filled))
    await parquet.write({ columnData, rowGroupSize: filled })
    filled = 0
    await handOver()
  }
  return {
    async add(rows: readonly AnyRow[]) {
      for (let from = 0; from < rows.length;) {
        const count = Math.min(GROUP_ROWS - filled, rows.length - from)
        for (const part of parts) part.fill(rows, from, count, filled)
        filled += count
        from += count
        if (filled === GROUP_ROWS) await writeGroup()
      }
    },
    async end(facts) {
      await writeGroup()
      const units = columns.flatMap(({ name, unit }) => (unit === undefined ? [] : [[`unit.${name}`, unit]]))
      parquet.kvMetadata = [...Object.entries(facts), ...units].map(([key = '', value = '']) => ({ key, value }))
      await parquet.finish()
      await handOver()
    },
    losses: () => parts.flatMap(({ loss }) => loss ?? []),
  }
}

async function loadWriter(): Promise<typeof Hyparquet> {
  try {
    return await import('hyparquet-writer')
  } catch (thrown) {
    throw new ConfigurationError(
      `Parquet needs the package hyparquet-writer: npm install hyparquet-writer (${describeCause(thrown).message})`,
      { setting: 'format', source: 'option' },
    )
  }
}

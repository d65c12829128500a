import type * as Hyparquet from 'hyparquet'
import { ConfigurationError, describeCause } from '../errors.ts'
import type { AnyRow, Column } from '../retrieval/index.ts'

/** Where the bytes of a file are had from. */
export interface ByteSource {
  readonly bytes: number
  readonly range: (from: number, to: number) => Promise<Uint8Array>
}

/**
 * Rows of a Parquet file of ours, group by group.
 *
 * @throws ConfigurationError when `hyparquet` is not installed
 */
export async function* parquetRows(
  source: ByteSource,
  columns: readonly Column[],
): AsyncGenerator<AnyRow[], void, void> {
  const { parquetMetadataAsync, parquetReadObjects } = await loadReader()
  const file: Hyparquet.AsyncBuffer = {
    byteLength: source.bytes,
    async slice(from, to = source.bytes) {
      const begin = from < 0 ? source.bytes + from : from
      const part = await source.range(begin, to)
      return part.buffer.slice(part.byteOffset, part.byteOffset + part.byteLength) as ArrayBuffer
    },
  }
  const metadata = await parquetMetadataAsync(file)
  const days = columns.filter(({ kind }) => kind === 'date').map(({ name }) => name)
  const nested = columns.filter(({ kind }) => kind === 'json').map(({ name }) => name)
  let rowStart = 0
  for (const group of metadata.row_groups) {
    const rowEnd = rowStart + Number(group.num_rows)
    const rows = (await parquetReadObjects({ file, metadata, rowStart, rowEnd })) as Record<string, unknown>[]
    for (const row of rows) {
      for (const name of days) {
        const day = row[name]
        if (day instanceof Date) row[name] = day.toISOString().slice(0, 10)
      }
      for (const name of nested) {
        const text = row[name]
        if (typeof text === 'string') row[name] = JSON.parse(text) as unknown
      }
    }
    yield rows
    rowStart = rowEnd
  }
}

async function loadReader(): Promise<typeof Hyparquet> {
  try {
    return await import('hyparquet')
  } catch (thrown) {
    throw new ConfigurationError(
      `reading Parquet needs the package hyparquet: npm install hyparquet (${describeCause(thrown).message})`,
      { setting: 'format', source: 'option' },
    )
  }
}

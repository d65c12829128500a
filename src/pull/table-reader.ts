import { join } from 'node:path'
import type { AnyRow, Column } from '../retrieval/index.ts'
import { epochMs } from '../time.ts'
import { csvRecords, csvRow } from './csv-reader.ts'
import type { Disk } from './disk.ts'
import type { LineFile } from './manifest-lines.ts'
import { parquetRows } from './parquet-reader.ts'

/** A file as the manifest knows it. */
export type KnownFile = Pick<LineFile, 'path' | 'columns' | 'bytes'>

/**
 * Rows of a file of ours, as they were before they were written: instants are dates, nothing is `null`.
 *
 * @throws SyntaxError where the file does not hold what it should; what the file system refuses, as it is
 */
export async function* readTable(disk: Disk, out: string, file: KnownFile): AsyncGenerator<AnyRow[], void, void> {
  const path = join(out, file.path)
  if (file.path.endsWith('.parquet')) {
    const source = { bytes: file.bytes, range: (from: number, to: number) => disk.readRange(path, from, to) }
    yield* parquetRows(source, file.columns)
  } else if (file.path.endsWith('.csv')) yield* csvRows(disk.read(path), file.columns)
  else yield* jsonRows(disk.read(path), file.columns)
}

async function* csvRows(parts: AsyncIterable<Uint8Array>, columns: readonly Column[]): AsyncGenerator<AnyRow[]> {
  let head = true
  for await (const records of csvRecords(parts)) {
    const rows = head ? records.slice(1) : records
    head = false
    yield rows.map(record => csvRow(record, columns))
  }
}

async function* jsonRows(parts: AsyncIterable<Uint8Array>, columns: readonly Column[]): AsyncGenerator<AnyRow[]> {
  const instants = columns.filter(({ kind }) => kind === 'instant').map(({ name }) => name)
  const decoder = new TextDecoder()
  let rest = ''
  for await (const part of parts) {
    const lines = (rest + decoder.decode(part, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    yield lines.map(line => {
      const row = JSON.parse(line) as Record<string, unknown>
      for (const name of instants) if (typeof row[name] === 'string') row[name] = new Date(epochMs(row[name]))
      return row
    })
  }
  if (rest !== '') throw new SyntaxError(`the last line is not whole: ${rest.slice(0, 60)}`)
}

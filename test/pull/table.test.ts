import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { systemDisk } from '../../src/pull/disk.ts'
import { openTable, type PullFormat } from '../../src/pull/index.ts'
import { TableFiles } from '../../src/pull/table-files.ts'
import { readTable } from '../../src/pull/table-reader.ts'
import type { AnyRow, Column } from '../../src/retrieval/index.ts'
import { filesIn } from '../support/pulling.ts'
import { tempFolder } from '../tooling/temp-folder.ts'

const COLUMNS: readonly Column[] = [
  { name: 'at', kind: 'instant' },
  { name: 'day', kind: 'date' },
  { name: 'code', kind: 'text' },
  { name: 'value', kind: 'number', unit: 'ft^3/s' },
  { name: 'fine', kind: 'boolean' },
  { name: 'terms', kind: 'json' },
]
const FORMATS = ['csv', 'jsonl', 'parquet'] as const

async function write(
  out: string,
  format: (typeof FORMATS)[number],
  parts: readonly (readonly [rows: readonly AnyRow[], columns: readonly Column[]])[],
): Promise<Awaited<ReturnType<TableFiles['finish']>>> {
  const table = new TableFiles({
    disk: systemDisk,
    out,
    format,
    path: nth => `data/t/part-${'0'.repeat(15)}${nth}.${format}`,
    about: { holds: 'data', table: 't', series: ['s'], tasks: ['k'] },
  })
  for (const [rows, columns] of parts) await table.add(rows, columns, { 'headrace.task': 'k' })
  return table.finish({ 'headrace.task': 'k' })
}

async function readAll(out: string, files: Awaited<ReturnType<typeof write>>): Promise<AnyRow[]> {
  const rows: AnyRow[] = []
  for (const file of files) for await (const part of readTable(systemDisk, out, file)) rows.push(...part)
  return rows
}

const instant = fc.integer({ min: -2e12, max: 4e12 }).map(ms => new Date(ms))
const day = fc
  .integer({ min: -20_000, max: 40_000 })
  .map(days => new Date(days * 86_400_000).toISOString().slice(0, 10))
// An empty text cannot be told from nothing in every format.
const text = fc.oneof(
  fc.string({ minLength: 1 }),
  fc.constantFrom('00060', ' ', '"', '","', 'a\nb', 'a\r\nb', "it's", 'Ω', '2024-01-01', 'null', '=1+1'),
)
const rowOf = fc.record({
  at: fc.option(instant),
  day: fc.option(day),
  code: fc.option(text),
  value: fc.option(fc.double({ noNaN: true, noDefaultInfinity: true }).map(value => value + 0)),
  fine: fc.option(fc.boolean()),
  terms: fc.option(fc.array(fc.string())),
})

describe.each(FORMATS)('a table in %s', format => {
  it(
    'reads back as it was written: types, zones, empty places, and whatever stands in a text',
    { timeout: 60_000 },
    async () => {
      const out = tempFolder()
      await fc.assert(
        fc.asyncProperty(fc.array(rowOf, { minLength: 1, maxLength: 40 }), async rows => {
          const files = await write(out, format, [[rows, COLUMNS]])
          expect(files.reduce((sum, file) => sum + file.rows, 0)).toBe(rows.length)
          expect(await readAll(out, files)).toEqual(rows)
        }),
        { numRuns: 40 },
      )
    },
  )

  it('begins another file at a column that nobody knew of: no row loses it', async () => {
    const out = tempFolder()
    const [first, second] = [COLUMNS.slice(0, 1), COLUMNS.slice(0, 3)]
    const at = new Date('2024-01-01')
    const files = await write(out, format, [
      [[{ at }, { at }], first],
      [[{ at, day: '2024-01-02', code: 'x' }], second],
      [[{ at }], first],
    ])
    expect(files.map(({ rows, columns }) => [rows, columns.length])).toEqual([
      [2, 1],
      [2, 3],
    ])
    expect(await readAll(out, files)).toEqual([
      { at },
      { at },
      { at, day: '2024-01-02', code: 'x' },
      { at, day: null, code: null },
    ])
  })

  it('is no file without rows', async () => {
    const out = tempFolder()
    expect(await write(out, format, [[[], COLUMNS]])).toEqual([])
    expect(filesIn(out)).toEqual([])
  })
})

describe('a Parquet file of many rows', () => {
  it('has groups of a size that fits into memory, in the order of the rows', async () => {
    const out = tempFolder()
    const rows = Array.from({ length: 25_001 }, (_, n) => ({ at: new Date(n * 1000), value: n }))
    const columns = [COLUMNS[0] as Column, COLUMNS[3] as Column]
    const files = await write(out, 'parquet', [
      [rows.slice(0, 7_000), columns],
      [rows.slice(7_000), columns],
    ])
    const sizes: number[] = []
    let next = 0
    for (const file of files)
      for await (const part of readTable(systemDisk, out, file)) {
        sizes.push(part.length)
        for (const row of part) if (row['value'] !== next++) throw new Error(`row ${next}`)
      }
    expect(sizes).toEqual([8_192, 8_192, 8_192, 425])
    expect(join(out, files[0]?.path ?? '')).toMatch(/\.parquet$/)
  })
})

describe('what a format cannot hold', () => {
  const columns: readonly Column[] = [
    { name: 'day', kind: 'date' },
    { name: 'at', kind: 'instant' },
    { name: 'value', kind: 'number' },
    { name: 'fine', kind: 'boolean' },
  ]
  const rows: readonly AnyRow[] = [
    { day: '2021-02-28', at: new Date(0), value: 1, fine: true },
    { day: '2021-02-30', at: 'noon', value: 'ND', fine: 'yes' },
    { day: 'spring 2021', at: null, value: Number.NaN, fine: null },
    { day: '2021-1-5', at: undefined, value: '', fine: false },
  ]
  const losses = async (format: PullFormat): Promise<readonly string[]> => {
    const table = await openTable(format, { write: async () => {} }, columns)
    await table.add(rows)
    await table.end({})
    return table.losses()
  }

  it('is told with numbers and the first example: a day that there is not is never another one', async () => {
    const end = 'and could not be written to Parquet, the first:'
    expect(await losses('parquet')).toEqual([
      `day: 3 values are no date ${end} '2021-02-30'; csv and jsonl keep such values`,
      `at: 1 value is no instant ${end} 'noon'; csv and jsonl keep such values`,
      `value: 1 value is no number ${end} 'ND'; csv and jsonl keep such values`,
      `fine: 1 value is no boolean ${end} 'yes'; csv and jsonl keep such values`,
    ])
    const out = tempFolder()
    const read = await readAll(out, await write(out, 'parquet', [[rows, columns]]))
    expect(read.map(row => row['day'])).toEqual(['2021-02-28', null, null, null])
  })

  it.each(['csv', 'jsonl'] as const)('is nothing in %s', async format => {
    expect(await losses(format)).toEqual([])
  })
})

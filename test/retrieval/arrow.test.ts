import { tableFromIPC, Timestamp, TimeUnit } from 'apache-arrow'
import { describe, expect, it, vi } from 'vitest'
import type { AnyRow, Column } from '../../src/retrieval/columns.ts'
import { minute, resultOf } from './sample-result.ts'

const columns: readonly Column[] = [
  { name: 'at', kind: 'instant' },
  { name: 'day', kind: 'date' },
  { name: 'code', kind: 'text' },
  { name: 'value', kind: 'number', unit: 'ft^3/s' },
  { name: 'open', kind: 'boolean' },
  { name: 'more', kind: 'json' },
]
const full = (at: number): AnyRow => ({
  at: minute(at),
  day: '2024-02-29',
  code: '00060',
  value: at / 4,
  open: at % 2 === 0,
  more: { a: at },
})
const nothing: AnyRow = { at: null, day: null, code: null, value: null, open: null, more: null }

describe('toColumns', () => {
  it('gives instants and numbers as floating-point arrays, NaN for none, and the rest as arrays', () => {
    const table = resultOf([full(1), nothing, full(3)], { columns }).toColumns()
    expect(table).toEqual({
      at: Float64Array.of(minute(1).getTime(), Number.NaN, minute(3).getTime()),
      day: ['2024-02-29', null, '2024-02-29'],
      code: ['00060', null, '00060'],
      value: Float64Array.of(0.25, Number.NaN, 0.75),
      open: [false, null, false],
      more: ['{"a":1}', null, '{"a":3}'],
    })
  })

  it('has every column of a result without rows', () => {
    expect(Object.keys(resultOf([], { columns }).toColumns())).toEqual(columns.map(({ name }) => name))
  })
})

describe('toArrow', () => {
  // More rows than a byte of the null map has bits, with a hole in each byte.
  const rows = Array.from({ length: 100 }, (_, at) => (at % 7 === 3 ? nothing : full(at)))

  it.each(['stream', 'file'] as const)(
    'keeps every value, type, null and unit through the bytes of a %s',
    async format => {
      const table = tableFromIPC(await resultOf(rows, { columns }).toArrowIpc({ format }))
      expect([table.numRows, table.numCols]).toEqual([100, 6])
      const type = table.schema.fields[0]?.type as Timestamp
      expect([type instanceof Timestamp, type.unit, type.timezone]).toEqual([true, TimeUnit.MILLISECOND, 'UTC'])
      expect(String(table.schema.fields[1]?.type)).toBe('Date32<DAY>')
      expect(table.schema.fields[3]?.metadata.get('unit')).toBe('ft^3/s')
      const read = (name: string, at: number): unknown => table.getChild(name)?.get(at)
      for (const [at, row] of rows.entries()) {
        const isNull = row === nothing
        expect(read('at', at)).toBe(isNull ? null : minute(at).getTime())
        expect(read('day', at)).toEqual(isNull ? null : Date.UTC(2024, 1, 29))
        expect(read('code', at)).toBe(isNull ? null : '00060')
        expect(read('value', at)).toBe(isNull ? null : at / 4)
        expect(read('open', at)).toBe(isNull ? null : at % 2 === 0)
        expect(read('more', at)).toBe(isNull ? null : `{"a":${at}}`)
      }
    },
  )

  it('makes a table of no rows with all columns', async () => {
    const table = await resultOf([], { columns }).toArrow()
    expect([table.numRows, table.schema.fields.map(({ name }) => name)]).toEqual([0, columns.map(({ name }) => name)])
  })

  it('says what to install where the package is not there', async () => {
    vi.doMock('apache-arrow', () => {
      throw new Error('not there')
    })
    vi.resetModules()
    const { toArrow } = await import('../../src/retrieval/arrow.ts')
    await expect(toArrow([], columns)).rejects.toThrow('npm i apache-arrow')
    vi.doUnmock('apache-arrow')
  })
})

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CsvError, parseCsv } from '../../../src/adapters/streamflow/csv.ts'
import { holds } from '../../support/properties.ts'

describe('parseCsv', () => {
  it.each([
    ['a,b\n1,2\n', [['1', '2']]],
    ['a,b\r\n1,2\r\n\r\n', [['1', '2']]],
    ['\uFEFFa,b\n1,\n', [['1', '']]],
    ['a,b\n"x,\n""y""",2', [['x,\n"y"', '2']]],
    ['a\n1\n\n2', [['1'], ['2']]],
    ['a,b\n', []],
  ])('F53: reads %j', (text, rows) => {
    expect(parseCsv(text)).toEqual({ columns: text.includes('b') ? ['a', 'b'] : ['a'], rows })
  })

  it.each(['a,b\n1\n', 'a,b\n1,2,3\n', 'a,b\n"1,2\n', 'a,b\n1"2,3\n', 'a,b\n"1"2,3\n'])('F34: refuses %j', text => {
    expect(() => parseCsv(text)).toThrow(CsvError)
  })

  it('F53: reads back whatever was written', () => {
    const cell = fc.string({ unit: fc.constantFrom('a', '"', ',', '\n', '\r', ' ', 'ü') })
    holds(
      fc.property(fc.array(fc.tuple(cell, cell), { minLength: 1 }), rows => {
        const write = (text: string): string => `"${text.replaceAll('"', '""')}"`
        const text = ['x,y', ...rows.map(row => row.map(write).join(','))].join('\n')
        expect(parseCsv(text)).toEqual({ columns: ['x', 'y'], rows })
      }),
    )
  })
})

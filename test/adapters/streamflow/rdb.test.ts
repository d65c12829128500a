import { describe, expect, it } from 'vitest'
import { factsIn, parseRdb, RdbError } from '../../../src/adapters/streamflow/rdb.ts'
import { streamflowBody } from '../../support/streamflow.ts'

describe('parseRdb', () => {
  it('reads comments, names, widths and rows, all as text', () => {
    expect(parseRdb('# a\n#b\nagency_cd\tsite_no\n5s\t15s\nUSGS\t01491000\nUSGS\t\n')).toEqual({
      comments: ['a', 'b'],
      columns: ['agency_cd', 'site_no'],
      formats: ['5s', '15s'],
      rows: [
        { agency_cd: 'USGS', site_no: '01491000' },
        { agency_cd: 'USGS', site_no: '' },
      ],
    })
  })

  it('F54: knows a byte-order mark, both line ends, and fields left out at the end', () => {
    const table = parseRdb('\uFEFF# x\r\na\tb\tc\r\n1s\t1s\t1s\r\n1\t2\r\n\r\n')
    expect(table.columns).toEqual(['a', 'b', 'c'])
    expect(table.rows).toEqual([{ a: '1', b: '2', c: '' }])
  })

  it('F42: finds no rows in a table that has none', () => {
    expect(parseRdb('a\tb\n1s\t1s\n').rows).toEqual([])
  })

  it.each([
    ['', 'no line of names'],
    ['# only\n# comments\n', 'no line of names'],
    ['a\tb\n1\t2\n', 'line 2 must state a width'],
    ['a\tb\n1s\n', 'line 2 must state a width'],
    ['a\ta\n1s\t1s\n', 'names a column twice'],
    ['# x\na\tb\n1s\t1s\n1\t2\t3\n', 'line 4 has 3 fields'],
    ['<html>\n<p>gone</p>\n', 'must state a width'],
  ])('R11: refuses %j, naming the line', (text, help) => {
    expect(() => parseRdb(text)).toThrow(RdbError)
    expect(() => parseRdb(text)).toThrow(help)
  })

  it('finds the facts in the comments of a rating', () => {
    const { comments } = parseRdb(streamflowBody('rating.base.rdb'))
    const facts = factsIn(comments)
    expect(facts['PARAMETER CODE'] ?? facts['STATION NUMBER']).toMatch(/^\d+$/)
    expect(
      factsIn(['//RATING ID="20.0" TYPE="STGQ" NAME="stage-discharge"', '//LABEL="Discharge ft^3/s"', 'no fact']),
    ).toEqual({
      'RATING ID': '20.0',
      'RATING TYPE': 'STGQ',
      'RATING NAME': 'stage-discharge',
      LABEL: 'Discharge ft^3/s',
    })
  })
})

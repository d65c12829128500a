import { describe, expect, it } from 'vitest'
import { createTableReader } from '../../../src/adapters/water-quality/csv.ts'
import { Failure } from '../../../src/transport/index.ts'
import { qualityBody } from '../../support/water-quality.ts'

interface Read {
  readonly header: readonly string[]
  readonly rows: string[][]
}

/** Reads a text that arrives in parts of so many bytes. */
function read(text: string | Buffer, size = 1 << 20): Read {
  let header: readonly string[] = []
  const rows: string[][] = []
  const reader = createTableReader({ header: names => (header = names), row: fields => void rows.push(fields) })
  const body = Buffer.from(text)
  for (let at = 0; at < body.length; at += size) reader.take(body.subarray(at, at + size))
  expect(reader.end()).toEqual({ rows: rows.length })
  return { header, rows }
}

function failureOf(text: string | Buffer, size?: number): Failure {
  try {
    read(text, size)
  } catch (thrown) {
    if (thrown instanceof Failure) return thrown
    throw thrown
  }
  throw new Error('it was expected to fail')
}

describe('the dialect', () => {
  it.each([1, 2, 3, 7, 64, 1 << 20])(
    'F53: line breaks, commas, doubled and single quotes in fields, in parts of %d bytes',
    size => {
      const { header, rows } = read(qualityBody('parsing.csv'), size)
      expect(header).toEqual(['OrganizationIdentifier', 'ActivityCommentText', 'ResultMeasureValue'])
      expect(rows).toEqual([
        ['A', 'one, two', '<0.5'],
        ['B', 'first line\nsecond, "quoted" line', 'ND'],
        ['C', 'a 5" pipe', '1,200'],
        ['D', '', '1e-3'],
      ])
    },
  )

  it.each([1, 5, 1 << 20])(
    'F54: a mark of the byte order, other line ends and blank lines are no part of it, in parts of %d bytes',
    size => {
      const { header, rows } = read('\uFEFFa,b,c\r\n1,"x\r\ny",3\r\n\r\n4,,6\r\n\r\n', size)
      expect(header).toEqual(['a', 'b', 'c'])
      expect(rows).toEqual([
        ['1', 'x\r\ny', '3'],
        ['4', '', '6'],
      ])
    },
  )

  it('F54: the first line says how lines end, whatever stands inside fields', () => {
    expect(read('a,b\n1,"x\r\ny"\n2,z\n').rows).toEqual([
      ['1', 'x\r\ny'],
      ['2', 'z'],
    ])
  })

  it('takes letters of many bytes apart from the part in which they arrive', () => {
    expect(read('a,b\n½,Ωµ\n', 1).rows).toEqual([['½', 'Ωµ']])
  })

  it('takes the last line without its end', () => {
    expect(read('a,b\n1,2').rows).toEqual([['1', '2']])
    expect(read('a,b').rows).toEqual([])
    expect(read('a,b\n').rows).toEqual([])
  })
})

describe('what is no whole table', () => {
  it.each([
    ['a,b,c\n1,2,3\n4,"never closed,6\n7,8,9\n', 'incomplete', /after 1 rows: quoted field unterminated, near line 3/],
    ['a,b,c\n1,"closed"badly,3\n4,"x",6\n', 'incomplete', /after 0 rows: trailing quote .*near line 2/],
    ['a,b,c\n1,2,3\n4,5\n7,8,9\n', 'incomplete', /after 1 rows: row 2 has 2 fields, and there are 3 columns/],
    ['a,b,c\n1,2,3\n4,5,6,7\n', 'incomplete', /row 2 has 4 fields/],
    ['', 'bad_response', /an empty answer where a table was due/],
    ['<!doctype html><html><title>Down for maintenance</title></html>', 'bad_response', /a web page came.*maintenance/],
    ['{"message":"no","status":1}\n', 'bad_response', /no table: its first line is \{"message"/],
    ['Service unavailable, come back later\n', 'bad_response', /no table: its first line is Service unavailable/],
  ] as const)('F53 F34: %j', (text, failureClass, message) => {
    for (const size of [1, 1 << 20]) {
      expect(failureOf(text, size)).toMatchObject({
        class: failureClass,
        message: expect.stringMatching(message) as string,
      })
    }
  })

  it('F34: the last record has too few fields', () => {
    const whole = qualityBody('wqx3.narrow.csv')
    const cut = whole.slice(0, whole.lastIndexOf(',', whole.length - 20))
    expect(failureOf(cut).message).toMatch(
      /breaks off after \d+ rows: row \d+ has \d+ fields, and there are 63 columns/,
    )
  })

  it.each([1, 100, 1 << 20])(
    'the words of a query that broke down are found behind the last row, in parts of %d bytes',
    size => {
      const words = 'Something bad happened. Contact us with Reference Number: 1893345127'
      for (const name of ['failure.sentence-on-last-row.csv', 'failure.sentence-before-rows.csv']) {
        expect(failureOf(qualityBody(name), size)).toMatchObject({ class: 'incomplete', serverMessage: words })
      }
      const negative = `a,b\n1,2\n3,4${words.replace('1893345127', '-5')}\n`
      expect(failureOf(negative, size)).toMatchObject({
        class: 'incomplete',
        serverMessage: words.replace('1893345127', '-5'),
      })
    },
  )

  it('a line that says that data are incomplete, whatever its length and place', () => {
    expect(failureOf(qualityBody('failure.incomplete.csv'))).toMatchObject({
      class: 'incomplete',
      serverMessage: 'ERROR: INCOMPLETE DATA',
    })
    expect(failureOf('a,b\n1,2\n3,STORETERROR: INCOMPLETE DATA', 7)).toMatchObject({
      class: 'incomplete',
      serverMessage: 'ERROR: INCOMPLETE DATA',
    })
    expect(failureOf('a,b\n1,2\nERROR: INCOMPLETE DATA,\n3,4\n').message).toMatch(/INCOMPLETE DATA.*after 1 rows/)
  })

  it('a quote that is never closed is noticed before all of a large answer has been held', () => {
    const text = `a,b\n1,"${'x'.repeat(5 * 1024 * 1024)}`
    expect(failureOf(text, 64 * 1024).message).toMatch(/a quote on line 2 is not closed/)
  })

  it('the same words inside a field are only words', () => {
    expect(read('a,b\n1,"we wrote: ERROR: INCOMPLETE DATA"\n2,Something bad happened\n').rows).toHaveLength(2)
  })
})

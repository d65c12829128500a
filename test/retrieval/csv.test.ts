import { afterEach, describe, expect, it, vi } from 'vitest'
import { csvLines, toCsv } from '../../src/retrieval/csv.ts'
import { COLUMNS, fiveMinutely, minute, resultOf } from './sample-result.ts'

const one = [{ name: 'a', kind: 'text' }] as const
const two = [...one, { name: 'b', kind: 'text' }] as const

describe('toCsv', () => {
  it('writes a header, rows in column order, and a line end after the last', () => {
    const rows = [
      { value: 850.5, point_time: minute(0), not_a_column: 1 },
      { value: null, point_time: minute(5) },
      { point_time: minute(10) },
    ]
    expect(resultOf(rows).toCsv()).toBe(
      'point_time,value\n2024-03-01T00:00:00Z,850.5\n2024-03-01T00:05:00Z,\n2024-03-01T00:10:00Z,\n',
    )
  })

  it('F42: has the header also without rows', () => {
    expect(toCsv([], COLUMNS)).toBe('point_time,value\n')
  })

  it('leaves the header out when asked to', () => {
    expect(toCsv([{ a: 1, b: 2 }], two, { header: false })).toBe('1,2\n')
    expect(toCsv([], two, { header: false })).toBe('')
  })

  it.each([
    ['a comma', 'x,y', '"x,y"'],
    ['a quote', 'say "x"', '"say ""x"""'],
    ['a line feed', 'x\ny', '"x\ny"'],
    ['a carriage return', 'x\r', '"x\r"'],
    ['an object', { k: 'v,w' }, '"{""k"":""v,w""}"'],
    ['a list of one number', [1], '[1]'],
    ['spaces', ' x ', ' x '],
    ['a semicolon and a tab', 'x;\ty', 'x;\ty'],
    ['an apostrophe', "x'y", "x'y"],
    ['something like a formula', '=1+1', '=1+1'],
    ['letters beyond ASCII', 'Río São Francisco 川', 'Río São Francisco 川'],
  ])('writes %s so that it is read back', (_what, value, text) => {
    expect(toCsv([{ a: value, b: 'z' }], two)).toBe(`a,b\n${text},z\n`)
  })

  it('quotes the names of columns too', () => {
    expect(toCsv([], [{ name: 'a "b", c', kind: 'text' }])).toBe('"a ""b"", c"\n')
  })

  it.each(['00060', '07090002', '06', '0', '1e5'])('F48: leaves the code %s as it is', code => {
    expect(toCsv([{ a: code }], one)).toBe(`a\n${code}\n`)
  })

  it('keeps a row of one column without a value: no reader skips it', () => {
    expect(toCsv([{ a: null }, { a: 'x' }], one)).toBe('a\n""\nx\n')
  })

  it('F59: writes decimal points whatever the locale', () => {
    vi.stubEnv('LANG', 'de_DE.UTF-8')
    expect(toCsv([{ a: 1234567.25 }], one)).toBe('a\n1234567.25\n')
  })

  afterEach(() => vi.unstubAllEnvs())
})

describe('csvLines', () => {
  const rows = fiveMinutely(Array.from({ length: 20_000 }, (_, at) => at / 4))

  it('gives the same text in parts of whole lines', () => {
    const parts = [...csvLines(rows, COLUMNS)]
    expect(parts.length).toBeGreaterThan(5)
    expect(parts.every(part => part.endsWith('\n') && part.length < 70_000)).toBe(true)
    expect(parts.join('')).toBe(toCsv(rows, COLUMNS))
  })

  it('takes rows as they come, and no more of them than were asked for', () => {
    let taken = 0
    const endless = (function* () {
      for (;;) yield rows[taken++ % rows.length] ?? {}
    })()
    const first = csvLines(endless, COLUMNS).next()
    expect(first.done).toBe(false)
    expect(taken).toBeLessThan(5_000)
  })
})

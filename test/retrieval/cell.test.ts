import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cellText, instantText, jsonText } from '../../src/retrieval/cell.ts'

describe('instantText', () => {
  it.each([
    ['2024-03-01T00:00:00.000Z', '2024-03-01T00:00:00Z'],
    ['2024-02-29T23:59:59.000Z', '2024-02-29T23:59:59Z'],
    ['2024-03-01T12:34:56.007Z', '2024-03-01T12:34:56.007Z'],
    ['1969-12-31T23:59:59.000Z', '1969-12-31T23:59:59Z'],
    ['-000001-01-01T00:00:00.000Z', '-000001-01-01T00:00:00Z'],
    ['+010000-01-01T00:00:00.000Z', '+010000-01-01T00:00:00Z'],
  ])('writes %s as %s', (instant, text) => {
    expect(instantText(new Date(instant))).toBe(text)
  })

  it('agrees with the platform on every instant, in any order', () => {
    fc.assert(
      fc.property(fc.date({ noInvalidDate: true }), instant => {
        expect(instantText(instant)).toBe(instant.toISOString().replace('.000Z', 'Z'))
      }),
    )
  })

  it('agrees with the platform on more days than it remembers', () => {
    for (let day = 0; day < 25_000; day++) {
      const instant = new Date(day * 86_400_000 + 3_661_000)
      expect(instantText(instant)).toBe(instant.toISOString().replace('.000Z', 'Z'))
    }
  })

  it('writes nothing for a date that holds no instant', () => {
    expect(instantText(new Date(Number.NaN))).toBe('')
  })
})

describe.each([
  ['text with zeros', '00060', '00060', '"00060"'],
  ['text that is empty', '', '', '""'],
  ['text with quotes', 'a "b"', 'a "b"', String.raw`"a \"b\""`],
  ['a whole number', 12, '12', '12'],
  ['a fraction', 0.1, '0.1', '0.1'],
  ['a sum that is not exact', 0.1 + 0.2, '0.30000000000000004', '0.30000000000000004'],
  ['a small number', 1e-7, '1e-7', '1e-7'],
  ['a large number', 1e21, '1e+21', '1e+21'],
  ['a zero below zero', -0, '0', '0'],
  ['no number', Number.NaN, '', 'null'],
  ['a number without end', -Infinity, '', 'null'],
  ['a big integer', 12345678901234567890n, '12345678901234567890', '12345678901234567890'],
  ['true', true, 'true', 'true'],
  ['false', false, 'false', 'false'],
  ['null', null, '', 'null'],
  ['undefined', undefined, '', 'null'],
  ['an instant', new Date('2024-03-01T00:00:00Z'), '2024-03-01T00:00:00Z', '"2024-03-01T00:00:00Z"'],
  ['a date without an instant', new Date(Number.NaN), '', 'null'],
  ['a list', ['01', 2, null], '["01",2,null]', '["01",2,null]'],
  ['an instant within', { at: new Date(0) }, '{"at":"1970-01-01T00:00:00Z"}', '{"at":"1970-01-01T00:00:00Z"}'],
  ['a date without an instant within', [new Date(Number.NaN)], '[null]', '[null]'],
  ['a thing without a text', () => 1, '', 'null'],
] as const)('%s', (_what, value, plain, json) => {
  it(`is ${plain || 'nothing'} in a cell`, () => {
    expect(cellText(value)).toBe(plain)
  })

  it(`is ${json} in JSON`, () => {
    expect(jsonText(value)).toBe(json)
  })
})

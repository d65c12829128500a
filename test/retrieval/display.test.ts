import { inspect } from 'node:util'
import { describe, expect, it } from 'vitest'
import { textWidth } from '../../src/plain-text.ts'
import { COLUMNS, fiveMinutely, metaRow, minute, resultOf } from './sample-result.ts'

/** What `console.log` would print, and that it fits. */
function shown(...given: Parameters<typeof resultOf>): string {
  const text = inspect(resultOf(...given), { colors: true })
  expect(Math.max(...text.split('\n').map(textWidth))).toBeLessThanOrEqual(100)
  return text
}

describe('a result under console.log', () => {
  it('shows what it is, its first and last rows, what it took and what is missing', () => {
    const rows = fiveMinutely([850, 9.5, null, -0.25, 1000, 6, 7, 8, 9, 10.125])
    const text = shown(rows, {
      meta: [metaRow(), metaRow({ chunk: 1, attempts: 3, waitedMs: 2_345 })],
      completeness: {
        expected: 14,
        received: 10,
        missing: [
          { start: minute(50), end: minute(60) },
          { start: minute(65), end: minute(65) },
        ],
      },
      warnings: ['model changed'],
    })
    expect(text).toBe(
      [
        'acme historical: 10 rows, 2024-03-01T00:00:00Z to 2024-03-01T00:45:00Z, in lbs_co2_per_mwh',
        '  point_time             value',
        '  2024-03-01T00:00:00Z     850',
        '  2024-03-01T00:05:00Z     9.5',
        '  2024-03-01T00:10:00Z    null',
        '  2024-03-01T00:15:00Z   -0.25',
        '  2024-03-01T00:20:00Z    1000',
        '  …                          …',
        '  2024-03-01T00:40:00Z       9',
        '  2024-03-01T00:45:00Z  10.125',
        'responses: 2 (splits 0, repeats 2, waited 2.3 s)',
        'holes: 4 of 14 samples missing',
        '  2024-03-01T00:50:00Z to 2024-03-01T01:00:00Z',
        '  2024-03-01T01:05:00Z',
        'warnings:',
        '  model changed',
      ].join('\n'),
    )
  })

  it('F42: shows the columns of an empty result', () => {
    expect(shown([])).toBe(
      [
        'acme historical: 0 rows, in lbs_co2_per_mwh',
        '  point_time  value',
        'responses: 0 (splits 0, repeats 0, waited 0.0 s)',
      ].join('\n'),
    )
  })

  it('shows every row where there are seven, and one row as one', () => {
    expect(shown(fiveMinutely([1, 2, 3, 4, 5, 6, 7]))).not.toContain('…')
    expect(shown(fiveMinutely([1]))).toContain('acme historical: 1 row, 2024-03-01T00:00:00Z, in')
  })

  it('says when nothing is missing, and nothing where that is not known', () => {
    const completeness = { expected: 1, received: 1, missing: [] }
    expect(shown(fiveMinutely([1]), { completeness })).toContain('\nholes: none, 1 of 1 sample received')
    expect(shown(fiveMinutely([1]))).not.toContain('holes')
  })

  it('lists three holes and three warnings, and counts the others', () => {
    const missing = [0, 10, 20, 30, 40].map(at => ({ start: minute(at), end: minute(at) }))
    const warnings = ['one', 'two', 'three', 'four']
    const text = shown([], { warnings, completeness: { expected: 20, received: 15, missing } })
    expect(text).toContain('holes: 5 of 20 samples missing\n  2024-03-01T00:00:00Z\n')
    expect(text).toContain('\n  2024-03-01T00:20:00Z\n  and 2 more\nwarnings:\n  one\n  two\n  three\n  and 1 more')
    expect(text).not.toContain('four')
  })

  it('looks at every row for the span: series follow one another', () => {
    const rows = [...fiveMinutely([1, 2], 60), ...fiveMinutely([3, 4], 0)]
    expect(shown(rows)).toContain('2024-03-01T00:00:00Z to 2024-03-01T01:05:00Z')
  })

  it('gives calendar dates as such, and names the column of a unit where there are several', () => {
    const columns = [
      { name: 'day', kind: 'date' },
      { name: 'low', kind: 'number', unit: 'ft' },
      { name: 'high', kind: 'number', unit: 'm' },
    ] as const
    const rows = [
      { day: '2024-03-01', low: 1, high: 2 },
      { day: '2024-03-02', low: 1, high: 2 },
    ]
    expect(shown(rows, { columns })).toMatch(/2 rows, 2024-03-01 to 2024-03-02, low in ft, high in m\n/)
  })

  it('cuts what is long, names the columns that do not fit, and lets no control character out', () => {
    const columns = Array.from({ length: 30 }, (_, at) => ({ name: `column_number_${at}`, kind: 'text' as const }))
    const rows = [{ column_number_0: `\u001b[2J\n${'x'.repeat(500)}`, column_number_1: '川'.repeat(90) }]
    const text = shown(rows, { columns, warnings: [`\u0007${'w'.repeat(300)}`] })
    expect(text).toContain(`  ${String.raw`\u001b[2J\n`}${'x'.repeat(28)}…  `)
    expect(text).toContain('+ 27 more columns: column_number_3, column_number_4, ')
    expect(text).not.toMatch(/[^\P{Cc}\n]/u)
  })

  it('shows when a row holds and its number, however many columns stand in front of them', () => {
    const columns = [
      ...Array.from({ length: 9 }, (_, at) => ({ name: `identifier_number_${at}`, kind: 'text' as const })),
      { name: 'changed', kind: 'instant' as const },
      { name: 'time', kind: 'instant' as const, when: true as const },
      { name: 'value', kind: 'number' as const },
    ]
    const rows = [{ identifier_number_0: 'a', time: new Date('2024-03-01'), value: 1.5 }]
    expect(shown(rows, { columns })).toMatch(
      /identifier_number_0 +identifier_number_1 +identifier_number_2 +time +value\n +a .*2024-03-01T00:00:00Z +1.5\n +\+ 7 more columns: identifier_number_3, /,
    )
  })

  it('fits whatever the names and units are', () => {
    const columns = [
      { name: 'n'.repeat(200), kind: 'number', unit: 'u'.repeat(200) },
      { name: 'o'.repeat(200), kind: 'text' },
      { name: 'p'.repeat(200), kind: 'text' },
    ] as const
    expect(shown([], { columns, service: 's'.repeat(200) })).toContain('+ 1 more column: ppp')
  })

  it('takes its place inside other things', () => {
    expect(inspect({ result: resultOf([], { columns: COLUMNS }) })).toContain('result: acme historical: 0 rows')
  })
})

describe('the count of splits', () => {
  const at = (chunk: number, depth: number, start: number, more = {}): ReturnType<typeof metaRow> =>
    metaRow({ chunk, depth, span: { start: minute(start), end: minute(start + 9) }, ...more })

  it.each([
    ['nothing was cut', [at(0, 0, 0), at(1, 0, 10)], 0],
    ['a chunk came in halves', [at(0, 1, 0), at(0, 1, 10)], 1],
    ['one of the halves was cut again', [at(0, 1, 0), at(0, 2, 10), at(0, 2, 20)], 2],
    ['two chunks were cut', [at(0, 1, 0), at(0, 1, 10), at(1, 1, 20), at(1, 1, 30)], 2],
    ['a chunk was planned small', [at(0, 2, 0)], 0],
    ['a part came in pages', [at(0, 1, 0), at(0, 1, 0, { page: 2 }), at(0, 1, 10)], 1],
    ['a chunk was asked again', [at(0, 1, 0, { source: { superseded: true } }), at(0, 1, 0), at(0, 1, 10)], 1],
    ['there are no spans', [metaRow({ chunk: null, span: null }), metaRow({ chunk: null, span: null })], 0],
  ])('is right when %s', (_what, meta, splits) => {
    expect(shown([], { meta })).toContain(`(splits ${splits}, `)
  })
})

import { describe, expect, it } from 'vitest'
import { jsonLines, toJsonl } from '../../src/retrieval/jsonl.ts'
import { COLUMNS, fiveMinutely, minute, resultOf } from './sample-result.ts'

describe('toJsonl', () => {
  it('writes one object per row, its members the columns in order, each line ended', () => {
    const rows = [
      { value: 850.5, point_time: minute(0), not_a_column: 1 },
      { value: null, point_time: minute(5) },
      { point_time: minute(10) },
    ]
    expect(resultOf(rows).toJsonl()).toBe(
      '{"point_time":"2024-03-01T00:00:00Z","value":850.5}\n' +
        '{"point_time":"2024-03-01T00:05:00Z","value":null}\n' +
        '{"point_time":"2024-03-01T00:10:00Z","value":null}\n',
    )
  })

  it('is no text without rows', () => {
    expect(toJsonl([], COLUMNS)).toBe('')
  })

  it('keeps every row on one line and every name readable', () => {
    const columns = [
      { name: 'a "b"', kind: 'text' },
      { name: 'code', kind: 'text' },
      { name: 'shape', kind: 'json' },
    ] as const
    const row = { 'a "b"': 'x\ny', code: '00060', shape: { type: 'Point', coordinates: [1, 2.5] } }
    const text = toJsonl([row], columns)
    expect(text.split('\n')).toHaveLength(2)
    expect(JSON.parse(text)).toEqual(row)
  })
})

describe('jsonLines', () => {
  it('gives the same text in parts of whole lines', () => {
    const rows = fiveMinutely(Array.from({ length: 5_000 }, (_, at) => at / 4))
    const parts = [...jsonLines(rows, COLUMNS)]
    expect(parts.length).toBeGreaterThan(2)
    expect(parts.every(part => part.endsWith('}\n'))).toBe(true)
    expect(parts.join('')).toBe(toJsonl(rows, COLUMNS))
  })
})

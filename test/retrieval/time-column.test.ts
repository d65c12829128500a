import { describe, expect, it } from 'vitest'
import { timeColumn, timeOf } from '../../src/retrieval/time-column.ts'
import { minute } from './sample-result.ts'

const text = { name: 'site', kind: 'text' } as const
const made = { name: 'generated_at', kind: 'instant' } as const
const point = { name: 'point_time', kind: 'instant' } as const
const day = { name: 'day', kind: 'date' } as const

describe('timeColumn', () => {
  it.each([
    ['the only instant', [text, point], [], 'point_time'],
    ['an instant before a calendar date', [day, point], [], 'point_time'],
    ['a calendar date where there is no instant', [text, day], [], 'day'],
    [
      'not the instant at which a whole forecast was made',
      [made, point],
      [0, 5].map(at => ({ generated_at: minute(0), point_time: minute(at) })),
      'point_time',
    ],
    [
      'the first of two that move',
      [made, point],
      [0, 5].map(at => ({ generated_at: minute(at), point_time: minute(at) })),
      'generated_at',
    ],
    ['the first when nothing tells them apart', [made, point], [{ generated_at: minute(0) }], 'generated_at'],
    ['none where nothing says when', [text], [{ site: '1' }], undefined],
  ])('is %s', (_what, columns, rows, name) => {
    expect(timeColumn(rows, columns)?.name).toBe(name)
  })
})

describe('timeOf', () => {
  it.each([
    [minute(1), minute(1).getTime()],
    ['2024-03-01', minute(0).getTime()],
    ['2024-13-01', Number.NaN],
    ['March', Number.NaN],
    [null, Number.NaN],
    [5, Number.NaN],
  ])('reads %s', (value, ms) => {
    expect(timeOf(value)).toBe(ms)
  })
})

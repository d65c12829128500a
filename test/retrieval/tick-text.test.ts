import { describe, expect, it } from 'vitest'
import { tickText } from '../../src/retrieval/tick-text.ts'

describe('tickText', () => {
  it.each([
    [
      'hours',
      ['2024-03-01T18:00Z', '2024-03-02T00:00Z', '2024-03-02T06:00Z'],
      ['18:00\n2024-03-01', '00:00\n2024-03-02', '06:00'],
    ],
    ['seconds', ['2024-03-01T00:00:00Z', '2024-03-01T00:00:15Z'], ['00:00:00\n2024-03-01', '00:00:15']],
    ['days', ['2023-12-30T00:00Z', '2024-01-01T00:00Z', '2024-01-03T00:00Z'], ['Dec 30\n2023', 'Jan 1\n2024', 'Jan 3']],
    ['months', ['2023-12-01T00:00Z', '2024-01-01T00:00Z', '2024-02-01T00:00Z'], ['Dec\n2023', 'Jan\n2024', 'Feb']],
    ['years', ['2023-01-01T00:00Z', '2024-01-01T00:00Z'], ['2023', '2024']],
    ['a single mark', ['2024-03-01T00:00Z'], ['00:00:00\n2024-03-01']],
  ])('labels marks that are %s apart', (_what, times, labels) => {
    const ticks = times.map(time => new Date(time))
    expect(ticks.map((tick, at) => tickText(tick, at, ticks))).toEqual(labels)
  })
})

import { describe, expect, it } from 'vitest'
import { readInstant, writeInstant } from '../../../src/simulator/emissions/instants.ts'

describe('readInstant', () => {
  it.each([
    ['2022-07-15T00:00+00:00', '2022-07-15T00:00:00.000Z'],
    ['2023-07-15T00:00Z', '2023-07-15T00:00:00.000Z'],
    ['2022-01-01 00:00:00+00:00', '2022-01-01T00:00:00.000Z'],
    ['2022-01-01T00:00:00.0000000+00:00', '2022-01-01T00:00:00.000Z'],
    ['2022-01-01T00:00:00.123456Z', '2022-01-01T00:00:00.123Z'],
    ['2022-01-01T02:00:00+02:00', '2022-01-01T00:00:00.000Z'],
    ['2021-12-31T19:00:00-0500', '2022-01-01T00:00:00.000Z'],
    ['2024-02-29t12:00z', '2024-02-29T12:00:00.000Z'],
  ])('reads %j as %s', (text, instant) => {
    expect(new Date(readInstant(text) ?? NaN).toISOString()).toBe(instant)
  })

  it.each([
    ['a date alone', '2022-01-01'],
    ['no zone', '2022-01-01T00:00:00'],
    ['a plus that was not encoded', '2022-01-01T00:00:00 00:00'],
    ['a day that does not exist', '2023-02-29T00:00Z'],
    ['a month that does not exist', '2023-13-01T00:00Z'],
    ['hour 24', '2023-01-01T24:00Z'],
    ['epoch seconds', '1672531200'],
    ['nothing', ''],
  ])('refuses %s', (_, text) => {
    expect(readInstant(text)).toBeUndefined()
  })
})

describe('writeInstant', () => {
  it('writes an offset and no fraction', () => {
    expect(writeInstant(Date.UTC(2022, 6, 15, 0, 5) + 999)).toBe('2022-07-15T00:05:00+00:00')
  })
})

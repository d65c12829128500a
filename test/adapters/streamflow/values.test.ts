import { describe, expect, it } from 'vitest'
import {
  dateMs,
  instantReader,
  readMeasure,
  readZoned,
  textInPlaceOfNumber,
  Unreadable,
  utcMs,
} from '../../../src/adapters/streamflow/values.ts'

describe('readMeasure', () => {
  it.each<[unknown, number]>([
    ['12.3', 12.3],
    [12.3, 12.3],
    ['0', 0],
    ['-0.5', -0.5],
    ['+3', 3],
    ['.5', 0.5],
    ['5.', 5],
    ['1e-3', 0.001],
    ['00060', 60],
  ])('F47: reads %j as %d', (value, number) => {
    expect(readMeasure(value)).toBe(number)
  })

  it.each([
    null,
    undefined,
    '',
    ' ',
    ' 12',
    '12 ',
    'Ice',
    '<0.5',
    '1,200',
    '0x10',
    'Infinity',
    'NaN',
    '1e999',
    '1.2.3',
    '.',
    '-',
    true,
    [],
    {},
  ])('F47: finds no number in %j', value => {
    expect(readMeasure(value)).toBeNull()
  })

  it.each<[unknown, string | undefined]>([
    ['Ice', 'Ice'],
    ['<0.5', '<0.5'],
    [' ', ' '],
    ['', undefined],
    [null, undefined],
    [undefined, undefined],
    [true, 'true'],
  ])('F47: of %j keeps the text %j beside the number', (value, text) => {
    expect(textInPlaceOfNumber(value, readMeasure(value))).toBe(text)
  })

  it('F47: keeps no text beside a number that was read', () => {
    expect(textInPlaceOfNumber('12.3', 12.3)).toBeUndefined()
  })
})

describe('instants', () => {
  it('reads one without an offset as UTC where the service means it so', () => {
    expect(utcMs('2026-06-05T17:16:13.005607')).toBe(Date.UTC(2026, 5, 5, 17, 16, 13, 5))
    expect(utcMs('2026-06-05T17:16:13.005607+00:00')).toBe(Date.UTC(2026, 5, 5, 17, 16, 13, 5))
  })

  it('leaves a local time as it is, and reads one with an offset', () => {
    expect(readZoned('2013-10-01T06:00:00.000001')).toBe('2013-10-01T06:00:00.000001')
    expect(readZoned('2013-10-01T06:00:00-05:00')).toEqual(new Date('2013-10-01T11:00:00Z'))
  })

  it.each(['2024-02-30T00:00:00+00:00', '2024-01-01T25:00:00+00:00', '2024-01-01T00:00:00', 'soon', 5, {}])(
    'R11: refuses %j, naming the field',
    value => {
      const read = instantReader('time', text => Date.parse(/Z|\+/.test(text) && !/02-30/.test(text) ? text : 'no'))
      expect(() => read(value)).toThrow(Unreadable)
      expect(() => read(value)).toThrow('time: ')
    },
  )

  it('shares one Date among rows that repeat a text, and no other', () => {
    const read = instantReader('last_modified', Date.parse)
    const [first, second, third] = ['2024-01-01T00:00:00Z', '2024-01-01T00:00:00Z', '2024-01-02T00:00:00Z'].map(read)
    expect(second).toBe(first)
    expect(third).toEqual(new Date('2024-01-02T00:00:00Z'))
  })
})

describe('dateMs', () => {
  it.each<[unknown, number | undefined]>([
    ['2024-02-29', Date.UTC(2024, 1, 29)],
    ['1905-01-01', Date.UTC(1905, 0, 1)],
    ['2023-02-29', undefined],
    ['2024-02-30', undefined],
    ['1905', undefined],
    ['1905-00-00', undefined],
    [null, undefined],
    ['', undefined],
  ])('reads %j', (text, ms) => {
    expect(dateMs(text)).toBe(ms)
    expect(dateMs(text)).toBe(ms)
  })
})

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { epochMs, isoText, parseDurationMs, startOfDays } from '../src/time.ts'
import { iso, spelled, thrownBy } from './support/instants.ts'
import { holds } from './support/properties.ts'

const HOUR = 3_600_000
const NEW_YORK = 'America/New_York'

describe('parseDurationMs', () => {
  it.each([
    ['P30D', 30 * 24 * HOUR],
    ['PT5M', 300_000],
    ['P1W', 7 * 24 * HOUR],
    ['PT0.5S', 500],
    [1, 1],
    [0.5, 0.5],
  ])('reads %j as %d ms', (value, ms) => {
    expect(parseDurationMs(value)).toBe(ms)
  })

  it.each(['', '30', 'P', 'thirty days', 'P0D', 'P-1D', 0, -1, Number.NaN, Number.POSITIVE_INFINITY])(
    'finds no length in %j',
    value => {
      expect(parseDurationMs(value)).toBeUndefined()
    },
  )
})

describe('isoText', () => {
  it.each([
    [0, '1970-01-01T00:00:00Z'],
    [1, '1970-01-01T00:00:00.001Z'],
    [Date.UTC(2024, 1, 29, 23, 59, 59), '2024-02-29T23:59:59Z'],
  ])('writes %d as %s', (ms, text) => {
    expect(isoText(ms)).toBe(text)
  })
})

describe('epochMs', () => {
  it.each([
    ['2024-01-01T00:00:00+00:00', '2024-01-01T00:00:00.000Z'],
    ['2024-01-01T00:00:00Z', '2024-01-01T00:00:00.000Z'],
    ['2024-01-01T23:59:59+00:00', '2024-01-01T23:59:59.000Z'],
    ['2024-11-03T01:30:00-04:00', '2024-11-03T05:30:00.000Z'],
    ['2024-11-03T01:30:00-05:00', '2024-11-03T06:30:00.000Z'],
    ['2024-01-01T00:00Z', '2024-01-01T00:00:00.000Z'],
    ['2024-01-01T00:00:00.25Z', '2024-01-01T00:00:00.250Z'],
    ['2024-01-01T00:00:00+0000', '2024-01-01T00:00:00.000Z'],
    ['1969-12-31T23:59:59Z', '1969-12-31T23:59:59.000Z'],
  ])('F07: reads %s as %s', (text, instant) => {
    expect(iso(epochMs(text))).toBe(instant)
  })

  it.each([
    '',
    'now',
    '2024-01-01',
    // Without a zone it could be any hour of a day.
    '2024-01-01T00:00:00',
    '2024-01-01T00:00:00.000',
    '2024-01-01 00:00:00Z',
    '2024-01-01x00:00:00+00:00',
    '2024-01-01T00-00-00+00:00',
    '2024-01-01T24:00:00Z',
    '2024-01-01T00:60:00Z',
    '2024-01-01T00:00:60Z',
    '2024-01-01T0x:00:00Z',
    '2024-01-01Tx0:00:00Z',
    '2024-01-01T00:0:000Z',
    '2024-01-01T00:00:/0Z',
    // Days that do not exist, and spellings that the engine reads in the zone of the process.
    '2024-02-30T00:00:00Z',
    '2023-02-29T00:00:00+00:00',
    '2024-02-30T00:00:00.5Z',
    '2024-13-01T00:00:00Z',
    '01/02/2024T00:00:00Z',
    '+02024-1-1T00:00:00Z',
    'Jan 1 2024T00:00Z',
    '2024-1-001T00:00:00.0Z',
    '2024-01-01T00:00:00.0+00:00x',
  ])('R11: finds no instant in %j', text => {
    expect(epochMs(text)).toBeNaN()
  })

  it('reads a day that does not exist as no instant, also right after one that does', () => {
    expect(epochMs('2024-02-29T00:00:00Z')).toBe(Date.UTC(2024, 1, 29))
    expect(epochMs('2024-02-30T00:00:00Z')).toBeNaN()
    expect(epochMs('2024-02-30T00:00:00Z')).toBeNaN()
    expect(epochMs('2024-02-29T00:00:01Z')).toBe(Date.UTC(2024, 1, 29, 0, 0, 1))
  })

  it('agrees with the engine on every instant in every spelling that states its zone', () => {
    const instants = fc.integer({ min: Date.UTC(1000, 0), max: Date.UTC(9999, 0) })
    const spelling = fc.record({
      minutes: fc.oneof(fc.constant(0), fc.integer({ min: -1439, max: 1439 })),
      digits: fc.constantFrom(0, 1, 3),
    })
    holds(
      fc.property(instants, spelling, (ms, { minutes, digits }) => {
        const text = spelled(ms, minutes, '.', digits)
        expect(epochMs(text)).toBe(Date.parse(text))
        const seconds = Math.floor(ms / 1000) * 1000
        expect(epochMs(spelled(seconds, 0, '.', 0))).toBe(seconds)
        expect(epochMs(isoText(seconds))).toBe(seconds)
        expect(epochMs(isoText(ms))).toBe(ms)
      }),
      2000,
    )
  })
})

describe('startOfDays', () => {
  const lengths = (dates: unknown[], zone?: string): [string, number][] =>
    startOfDays(dates, 'dates', zone).map(({ start, end }) => [iso(start), (end - start) / HOUR])

  it('takes each day once, in order', () => {
    expect(lengths(['2024-01-02', '2024-01-01', '2024-01-02T23:59', new Date('2024-01-02T12:00Z')])).toEqual([
      ['2024-01-01T00:00:00.000Z', 24],
      ['2024-01-02T00:00:00.000Z', 24],
    ])
    expect(lengths([])).toEqual([])
  })

  it.each([
    [NEW_YORK, '2024-03-10', '2024-03-10T05:00:00.000Z', 23],
    [NEW_YORK, '2024-11-03', '2024-11-03T04:00:00.000Z', 25],
    [NEW_YORK, '2024-07-01', '2024-07-01T04:00:00.000Z', 24],
    // A midnight that clocks skip, one that they pass twice, and the day before it.
    ['America/Sao_Paulo', '2018-11-04', '2018-11-04T03:00:00.000Z', 23],
    ['America/Havana', '2024-11-03', '2024-11-03T04:00:00.000Z', 25],
    ['America/Havana', '2024-11-02', '2024-11-02T04:00:00.000Z', 24],
    ['+05:30', '2024-07-01', '2024-06-30T18:30:00.000Z', 24],
  ])('F07: in zone %s, %s begins at %s and has %d hours', (zone, date, start, hours) => {
    expect(lengths([date], zone)).toEqual([[start, hours]])
  })

  it('F04: refuses what is no date, naming the argument', () => {
    expect(thrownBy(() => startOfDays(['2024-01-01', '2024-02-30'], 'dates'))).toMatchObject({
      name: 'QueryError',
      argument: 'dates',
    })
    expect(thrownBy(() => startOfDays(['2024-01-01'], 'dates', 'Mars'))).toMatchObject({ argument: 'zone' })
  })
})

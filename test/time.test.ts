import fc from 'fast-check'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { isoText, parseInstant, parseSpan } from '../src/time.ts'
import { iso, spelled, thrownBy } from './support/instants.ts'
import { holds } from './support/properties.ts'

const NEW_YORK = 'America/New_York'

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllEnvs()
})

describe('parseInstant', () => {
  it.each([
    ['2024-03-10', '2024-03-10T00:00:00.000Z'],
    ['2024-03-10T02:30', '2024-03-10T02:30:00.000Z'],
    ['2024-03-10 02:30', '2024-03-10T02:30:00.000Z'],
    ['2024-03-10 02:30+00:00', '2024-03-10T02:30:00.000Z'],
    ['2024-03-09T21:30:00-05:00', '2024-03-10T02:30:00.000Z'],
    ['2024-03-10T02:30Z', '2024-03-10T02:30:00.000Z'],
    ['2024-03-10t02:30z', '2024-03-10T02:30:00.000Z'],
    ['2024-03-10T02:30:15', '2024-03-10T02:30:15.000Z'],
    ['2024-03-10T02:30:15.5', '2024-03-10T02:30:15.500Z'],
    ['2024-03-10T02:30:15,25Z', '2024-03-10T02:30:15.250Z'],
    ['2024-03-10T02:30:15.123456789Z', '2024-03-10T02:30:15.123Z'],
    ['2024-03-10T02:30-05', '2024-03-10T07:30:00.000Z'],
    ['2024-03-10T02:30-0530', '2024-03-10T08:00:00.000Z'],
    ['2024-03-10T02:30+14:00', '2024-03-09T12:30:00.000Z'],
    ['  2024-03-10 ', '2024-03-10T00:00:00.000Z'],
    ['2024-02-29', '2024-02-29T00:00:00.000Z'],
    ['2024-03-10T24:00', '2024-03-11T00:00:00.000Z'],
  ])('F06: reads %s as %s', (text, instant) => {
    expect(iso(parseInstant(text, 'start'))).toBe(instant)
  })

  it.each([NEW_YORK, 'Asia/Kolkata', 'UTC', ''])(
    'F06 F58: text without a zone means UTC in a process of zone %j',
    zone => {
      vi.stubEnv('TZ', zone)
      for (const text of ['2024-03-10T02:30', '2024-03-10 02:30', '2024-03-10T02:30Z']) {
        expect(iso(parseInstant(text, 'start'))).toBe('2024-03-10T02:30:00.000Z')
      }
    },
  )

  it.each([
    // zone, text, instant
    [NEW_YORK, '2024-01-15T12:00', '2024-01-15T17:00:00.000Z'],
    [NEW_YORK, '2024-07-15T12:00', '2024-07-15T16:00:00.000Z'],
    [NEW_YORK, '2024-07-15', '2024-07-15T04:00:00.000Z'],
    [NEW_YORK, '2024-07-15T12:00Z', '2024-07-15T12:00:00.000Z'],
    [NEW_YORK, '2024-07-15T12:00+02:00', '2024-07-15T10:00:00.000Z'],
    ['-05:00', '2024-07-15T12:00', '2024-07-15T17:00:00.000Z'],
    ['-0530', '2024-07-15T12:00', '2024-07-15T17:30:00.000Z'],
    ['+05:45', '2024-07-15T12:00', '2024-07-15T06:15:00.000Z'],
    ['utc', '2024-07-15T12:00', '2024-07-15T12:00:00.000Z'],
    // Skipped by the clocks: an hour later. Passed twice by the clocks: the first time.
    [NEW_YORK, '2024-03-10T02:30', '2024-03-10T07:30:00.000Z'],
    [NEW_YORK, '2024-11-03T01:30', '2024-11-03T05:30:00.000Z'],
    [NEW_YORK, '2024-11-03T02:00', '2024-11-03T07:00:00.000Z'],
    // Stated, the second time can be asked for.
    [NEW_YORK, '2024-11-03T01:30-05:00', '2024-11-03T06:30:00.000Z'],
    [NEW_YORK, '2024-11-03T01:30-05', '2024-11-03T06:30:00.000Z'],
    [NEW_YORK, '2024-11-03T06:30Z', '2024-11-03T06:30:00.000Z'],
    ['America/Havana', '2024-11-03', '2024-11-03T04:00:00.000Z'],
    ['Australia/Lord_Howe', '2024-04-07T01:45', '2024-04-06T14:45:00.000Z'],
  ])('F06 F07: in zone %s, %s is %s', (zone, text, instant) => {
    expect(iso(parseInstant(text, 'start', zone))).toBe(instant)
  })

  it.each(['2026-01-15', '2026-07-15'])(
    'F58: an hour that clocks repeat is the same instant in a process run on %s',
    today => {
      vi.useFakeTimers({ now: new Date(today), toFake: ['Date'] })
      expect(iso(parseInstant('2024-11-03T01:30', 'start', NEW_YORK))).toBe('2024-11-03T05:30:00.000Z')
      expect(iso(parseInstant('2024-03-10T02:30', 'start', NEW_YORK))).toBe('2024-03-10T07:30:00.000Z')
    },
  )

  it.each([
    [new Date('2024-03-10T02:30Z'), '2024-03-10T02:30:00.000Z'],
    [0, '1970-01-01T00:00:00.000Z'],
    [-1, '1969-12-31T23:59:59.999Z'],
    [8.64e15, '+275760-09-13T00:00:00.000Z'],
  ])('takes %s as it is', (value, instant) => {
    expect(iso(parseInstant(value, 'start'))).toBe(instant)
  })

  it.each([
    '2024-02-30',
    '2023-02-29',
    '2024-13-01',
    '2024-00-10',
    '2024-03-10T25:00',
    '2024-03-10T24:01',
    '2024-03-10T02:60',
    '2024-03-10T23:59:60Z',
  ])('F04: refuses %s as a date that does not exist, naming the argument', text => {
    expect(thrownBy(() => parseInstant(text, 'end'))).toMatchObject({
      name: 'QueryError',
      argument: 'end',
      value: text,
      message: expect.stringContaining(`end is not a date that exists: '${text}' (`) as string,
    })
  })

  it.each([
    '',
    'yesterday',
    '2024-3-1',
    '20240310',
    '2024-03',
    '2024-W10',
    '2024-03-10T02',
    '2024-03-10Z',
    '2024-03-10+05:00',
    '2024-03-10T02:30:15.',
    '2024-03-10T02:30:15.1234567890Z',
    '2024-03-10T02:30 UTC',
    '2024-03-10T02:30+5',
    '2024-03-10T02:30+25:00',
    '2024-03-10T02:30+05:60',
    'x2024-03-10',
    '2024-03-10x',
    '2024-03-10  02:30',
    '1710037800000',
    Number.NaN,
    Number.POSITIVE_INFINITY,
    8.64e15 + 1,
    new Date('nonsense'),
    null,
    undefined,
    true,
    {},
    ['2024-03-10'],
  ])('F04: refuses %j as no instant, and says which forms there are', value => {
    expect(thrownBy(() => parseInstant(value, 'start'))).toMatchObject({
      name: 'QueryError',
      argument: 'start',
      message: expect.stringMatching(
        /^start is not an instant: .*; use ISO-8601 text such as '2024-03-10' or '2024-03-10T02:30Z', a Date, or epoch milliseconds$/,
      ) as string,
    })
  })

  it.each(['Mars/Olympus', 'local', 'system', 'UTC+3', '+5', '+25:00', '+05:60', '5', ''])(
    'refuses the zone %j',
    zone => {
      expect(thrownBy(() => parseInstant('2024-03-10', 'start', zone))).toMatchObject({
        name: 'QueryError',
        argument: 'zone',
        value: zone,
      })
    },
  )

  it('reads back every instant that it can write, in every spelling', () => {
    const instants = fc.integer({ min: Date.UTC(1900, 0), max: Date.UTC(2199, 11) })
    holds(
      fc.property(instants, fc.integer({ min: -14 * 60, max: 14 * 60 }), (ms, minutes) => {
        expect(parseInstant(isoText(ms), 'start')).toBe(ms)
        expect(parseInstant(spelled(ms, minutes, '.', 3), 'start', NEW_YORK)).toBe(ms)
        expect(parseInstant(iso(ms).replace('T', ' ').slice(0, -1), 'start')).toBe(ms)
      }),
    )
  })
})

describe('parseSpan', () => {
  const now = Date.parse('2024-06-15T12:00Z')

  it.each([
    [{ start: '2024-01-01', end: '2024-01-31T00:03Z' }, '2024-01-01T00:00:00.000Z', '2024-01-31T00:03:00.000Z'],
    [{ start: '2024-01-01', end: '2024-01-01' }, '2024-01-01T00:00:00.000Z', '2024-01-01T00:00:00.000Z'],
    [{ start: '2024-01-01' }, '2024-01-01T00:00:00.000Z', '2024-06-15T12:00:00.000Z'],
    [
      { start: '2024-01-01', end: '2024-01-02', zone: NEW_YORK },
      '2024-01-01T05:00:00.000Z',
      '2024-01-02T05:00:00.000Z',
    ],
    [{ last: 'P7D' }, '2024-06-08T12:00:00.000Z', '2024-06-15T12:00:00.000Z'],
    [{ last: 'PT90M' }, '2024-06-15T10:30:00.000Z', '2024-06-15T12:00:00.000Z'],
    [{ last: 'P1M' }, '2024-05-15T12:00:00.000Z', '2024-06-15T12:00:00.000Z'],
    [{ last: 'P1D', end: '2024-03-11', zone: NEW_YORK }, '2024-03-10T04:00:00.000Z', '2024-03-11T04:00:00.000Z'],
  ])('F04: reads %j', (input, start, end) => {
    const span = parseSpan(input, now)
    expect([iso(span.start), iso(span.end)]).toEqual([start, end])
  })

  it.each([
    [
      { start: '2024-01-02', end: '2024-01-01T23:59Z' },
      'end',
      '2024-01-01T23:59Z',
      'end 2024-01-01T23:59:00Z is before start 2024-01-02T00:00:00Z',
    ],
    [
      { start: '2024-06-15T12:00:01Z' },
      'end',
      '2024-06-15T12:00:00Z',
      'end 2024-06-15T12:00:00Z is before start 2024-06-15T12:00:01Z',
    ],
    [{}, 'start', 'undefined', "start is missing; give a start, or last: 'P7D'"],
    [{ end: '2024-01-01' }, 'start', 'undefined', "start is missing; give a start, or last: 'P7D'"],
    [{ start: '2024-01-01', last: 'P7D' }, 'last', 'P7D', 'give start or last, not both'],
    [
      { last: '7 days' },
      'last',
      '7 days',
      "last is not a length of time: '7 days'; use an ISO-8601 duration such as 'P7D' or 'PT12H'",
    ],
    [
      { last: 'P0D' },
      'last',
      'P0D',
      "last is not a length of time: 'P0D'; use an ISO-8601 duration such as 'P7D' or 'PT12H'",
    ],
    [
      { last: 'P-7D' },
      'last',
      'P-7D',
      "last is not a length of time: 'P-7D'; use an ISO-8601 duration such as 'P7D' or 'PT12H'",
    ],
    [{ last: '' }, 'last', '', "last is not a length of time: ''; use an ISO-8601 duration such as 'P7D' or 'PT12H'"],
  ])('F04: refuses %j, naming %s and its value', (input, argument, value, message) => {
    expect(thrownBy(() => parseSpan(input, now))).toMatchObject({ name: 'QueryError', argument, value, message })
  })

  it('F04: refuses an unreadable part or zone under its own name', () => {
    expect(thrownBy(() => parseSpan({ start: '2024-02-30', end: '2024-03-01' }, now)).argument).toBe('start')
    expect(thrownBy(() => parseSpan({ start: '2024-02-01', end: 'soon' }, now)).argument).toBe('end')
    expect(thrownBy(() => parseSpan({ start: '2024-02-01', zone: 'Mars' }, now)).argument).toBe('zone')
  })
})

import fc from 'fast-check'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { epochMs, isoText, parseDurationMs, parseInstant, parseSpan, startOfDays } from '../src/time.ts'
import { holds } from './support/properties.ts'

const HOUR = 3_600_000
const iso = (ms: number): string => new Date(ms).toISOString()
const NEW_YORK = 'America/New_York'

/** What is thrown, or a failure when nothing is. */
function thrownBy(run: () => unknown): { name: string; argument: string; value: string; message: string } {
  try {
    run()
  } catch (thrown) {
    return thrown as ReturnType<typeof thrownBy>
  }
  throw new Error('nothing was thrown')
}

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

/** An instant in the spelling of a zone so many minutes from UTC. */
function spelled(ms: number, minutes: number, point: string, digits: number): string {
  const local = iso(ms + minutes * 60_000)
  const sign = minutes < 0 ? '-' : '+'
  const two = (number: number): string => String(number).padStart(2, '0')
  const offset = `${sign}${two(Math.floor(Math.abs(minutes) / 60))}:${two(Math.abs(minutes) % 60)}`
  return `${local.slice(0, 19)}${digits > 0 ? `${point}${local.slice(20, 20 + digits)}` : ''}${offset}`
}

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

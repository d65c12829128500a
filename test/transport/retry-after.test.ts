import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { retryAfterMs } from '../../src/transport/retry-after.ts'
import { holds } from '../support/properties.ts'

const NOON = Date.UTC(2026, 2, 1, 12, 0, 0)
const DATE = 'Sun, 01 Mar 2026 12:00:00 GMT'

describe('retryAfterMs', () => {
  it.each([
    ['2', 2000],
    [' 2 ', 2000],
    ['1.5', 1500],
    ['0', 0],
    ['0.0001', 1],
    ['007', 7000],
    ['3600', 3_600_000],
    ['9999999999', 9_999_999_999_000],
  ])('R18 F16: reads %j as %d ms', (header, wait) => {
    expect(retryAfterMs(header, undefined, NOON)).toBe(wait)
  })

  it.each([
    ['the usual form', 'Sun, 01 Mar 2026 12:00:05 GMT'],
    ['the old form with a two-digit year', 'Sunday, 01-Mar-26 12:00:05 GMT'],
    ['the C form', 'Sun Mar  1 12:00:05 2026'],
    ['spaces around it', '  Sun, 01 Mar 2026 12:00:05 GMT '],
  ])('R18 F16: reads a date 5 s ahead in %s', (_form, header) => {
    expect(retryAfterMs(header, undefined, NOON)).toBe(5000)
  })

  it('R18: reads the C form with a two-digit day', () => {
    expect(retryAfterMs('Wed Mar 11 12:00:00 2026', undefined, NOON)).toBe(10 * 86_400_000)
  })

  it.each([
    undefined,
    '',
    ' ',
    '-5',
    '+5',
    'abc',
    'NaN',
    'Infinity',
    '10, 20',
    '1e3',
    '0x10',
    '1.',
    '.5',
    '12345678901',
    '1.0000000001',
    '5 s',
    'x5',
    // In the past, and at this very instant.
    'Sun, 01 Mar 2026 11:59:59 GMT',
    DATE,
    // Without GMT, or in another zone.
    'Sun, 01 Mar 2026 12:00:05',
    'Sun, 01 Mar 2026 12:00:05 UTC',
    'Sun, 01 Mar 2026 12:00:05 +0000',
    'Sunday, 01-Mar-26 12:00:05',
    'Sun Mar  1 12:00:05 2026 GMT',
    '2026-03-01T12:00:05Z',
    'x Sun, 01 Mar 2026 12:00:05 GMT',
    'Sun, 01 Mar 2026 12:00:05 GMT x',
    'x Sun Mar  1 12:00:05 2026',
    'Sun, 01 Foo 2026 12:00:05 GMT',
    'Sun, 32 Mar 2026 12:00:05 GMT',
  ])('R18 F16: finds no hint in %j', header => {
    expect(retryAfterMs(header, undefined, NOON)).toBeUndefined()
  })

  it.each([
    ['a clock that runs ahead', NOON + 3_600_000],
    ['a clock that runs behind', NOON - 3_600_000],
  ])('R18: a date is compared with the Date of the response, under %s', (_name, now) => {
    expect(retryAfterMs('Sun, 01 Mar 2026 12:00:30 GMT', DATE, now)).toBe(30_000)
    expect(retryAfterMs('Sun, 01 Mar 2026 11:59:30 GMT', DATE, now)).toBeUndefined()
    expect(retryAfterMs('30', DATE, now)).toBe(30_000)
  })

  it.each([undefined, '', 'yesterday'])('R18: falls back on our clock when the response states no date: %j', date => {
    expect(retryAfterMs('Sun, 01 Mar 2026 12:00:30 GMT', date, NOON)).toBe(30_000)
  })

  it('R18: the Date of the response may be in any form, too', () => {
    expect(retryAfterMs('Sun, 01 Mar 2026 12:00:30 GMT', ' Sun Mar  1 12:00:10 2026 ', 0)).toBe(20_000)
  })

  it('R18: is never negative and never NaN, whatever the header says', () => {
    holds(
      fc.property(
        fc.oneof(fc.string(), fc.double().map(String), fc.date().map(String)),
        fc.string(),
        (header, date) => {
          const wait = retryAfterMs(header, date, NOON)
          if (wait !== undefined) expect(wait).toBeGreaterThanOrEqual(0)
        },
      ),
    )
  })

  it('R18: every date ahead is read as the seconds to it', () => {
    holds(
      fc.property(fc.integer({ min: 1, max: 1_000_000_000 }), seconds => {
        expect(retryAfterMs(new Date(NOON + seconds * 1000).toUTCString(), DATE, 0)).toBe(seconds * 1000)
      }),
    )
  })
})

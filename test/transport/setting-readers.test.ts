import { describe, expect, it } from 'vitest'
import {
  readBackoff,
  readBoolean,
  readDuration,
  readFunction,
  readLogger,
  readNumber,
  readProxy,
  readRate,
  readText,
  type Reader,
} from '../../src/transport/setting-readers.ts'

const whence = { setting: 'it', source: 'HEADRACE_IT' }
const DAY = 86_400_000

/** Every value is refused, with the setting and the source named. */
function refuses(read: Reader, value: unknown, message: string): void {
  expect(() => read(value, whence)).toThrow(
    expect.objectContaining({ name: 'ConfigurationError', setting: 'it', source: 'HEADRACE_IT', message }),
  )
}

describe('readNumber', () => {
  const whole = readNumber({ least: 0, whole: true })
  const atLeastOne = readNumber({ least: 1, whole: false })
  const toTwenty = readNumber({ least: 0, most: 20, whole: true })

  it.each<[Reader, unknown, number]>([
    [whole, 0, 0],
    [whole, '0', 0],
    [whole, ' 12 ', 12],
    [whole, '+5', 5],
    [whole, '3.0', 3],
    [atLeastOne, 1, 1],
    [atLeastOne, 2.5, 2.5],
    [atLeastOne, '2.5', 2.5],
    [toTwenty, 20, 20],
  ])('F55: %# reads %j as %d', (read, value, number) => {
    expect(read(value, whence)).toBe(number)
  })

  it.each([
    '',
    ' ',
    'abc',
    '4x',
    'x4',
    '1e3',
    '0x10',
    '-1',
    '2.5',
    '1.',
    '.5',
    'NaN',
    'Infinity',
    '5 5',
    -1,
    2.5,
    true,
    null,
    undefined,
    [],
    [5],
    {},
  ])('F55: refuses %j for a whole number', value => {
    const shown =
      typeof value === 'string' ? `'${value}'` : typeof value === 'object' ? JSON.stringify(value) : String(value)
    refuses(whole, value, `it (HEADRACE_IT) must be a whole number, 0 or more; got ${shown}`)
  })

  it.each([Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 0.99, '0.5', Number.MAX_SAFE_INTEGER * 2])(
    'F55: refuses %d, which is no number of 1 or more',
    value => {
      expect(() => atLeastOne(value, whence)).toThrow('it (HEADRACE_IT) must be a number, 1 or more; got')
    },
  )

  it('F55: says the range where there is one', () => {
    refuses(toTwenty, 21, 'it (HEADRACE_IT) must be a whole number, from 0 to 20; got 21')
    refuses(toTwenty, -1, 'it (HEADRACE_IT) must be a whole number, from 0 to 20; got -1')
  })
})

describe('readBoolean', () => {
  it.each<[unknown, boolean]>([
    [true, true],
    [false, false],
    ...['true', 'TRUE', ' yes ', '1', 'on'].map(text => [text, true] as [unknown, boolean]),
    ...['false', 'False', 'no', '0', ' off'].map(text => [text, false] as [unknown, boolean]),
  ])('F55: reads %j as %s', (value, expected) => {
    expect(readBoolean(value, whence)).toBe(expected)
  })

  it.each(['maybe', 'truely', 'untrue', '', 1, 0, null])('F55: refuses %j', value => {
    expect(() => readBoolean(value, whence)).toThrow('it (HEADRACE_IT) must be true or false; got')
  })
})

describe('readText', () => {
  it.each(['a', 'headrace/1.0 (+node 20)', '~ !'])('takes %j as it is', text => {
    expect(readText(text, whence)).toBe(text)
  })

  it.each(['', 'two\nlines', 'tab\there', 'ümlaut', 'nul\0', '\x7f', 5, null])(
    'F55: refuses %j, which no header may hold',
    value => {
      expect(() => readText(value, whence)).toThrow('it (HEADRACE_IT) must be one line of plain text; got')
    },
  )
})

describe('readFunction', () => {
  it('takes a function and nothing else', () => {
    const rule = (): string => 'fail'
    expect(readFunction(rule, whence)).toBe(rule)
    refuses(readFunction, 'fail', "it (HEADRACE_IT) must be a function; got 'fail'")
  })
})

describe('readDuration', () => {
  it.each([
    ['P30D', 30 * DAY],
    ['PT5M', 300_000],
    [86_400_000, DAY],
    [' 86400000 ', DAY],
    ['0.5', 0.5],
    [' P1D ', DAY],
  ])('F55: reads %j as %d ms', (value, ms) => {
    expect(readDuration(value, whence)).toBe(ms)
  })

  it.each(['', '30 days', '-5', '0', 0, -1, Number.NaN, Number.POSITIVE_INFINITY, null, {}, true])(
    'F55: refuses %j',
    value => {
      expect(() => readDuration(value, whence)).toThrow(
        "it (HEADRACE_IT) must be a length of time, such as 'P30D' or milliseconds; got",
      )
    },
  )
})

describe('readLogger', () => {
  it('takes any object with the four methods', () => {
    const nothing = (): void => {}
    const logger = { debug: nothing, info: nothing, warn: nothing, error: nothing }
    expect(readLogger(logger, whence)).toBe(logger)
    expect(readLogger(console, whence)).toBe(console)
    for (const name of ['debug', 'info', 'warn', 'error']) {
      expect(() => readLogger({ ...logger, [name]: 'no function' }, whence)).toThrow(
        'an object with the methods debug, info, warn and error',
      )
    }
  })

  it.each([null, undefined, 'console', 5, () => {}])('F55: refuses %s', value => {
    expect(() => readLogger(value, whence)).toThrow('it (HEADRACE_IT) must be an object with the methods')
  })
})

describe('readProxy', () => {
  it.each(['environment', 'none', 'http://proxy.test:3128', 'https://user:pass@proxy.test'])('F56: takes %s', value => {
    expect(readProxy(value, whence)).toBe(value)
  })

  it.each(['proxy.test:3128', 'socks5://proxy.test', '', 'Environment', 'xhttp://proxy.test', 5, null])(
    'F56: refuses %j',
    value => {
      expect(() => readProxy(value, whence)).toThrow(
        "it (HEADRACE_IT) must be 'environment', 'none', or an http(s) address; got",
      )
    },
  )

  it.each([
    ['socks5://user:pass@proxy.test/', 'socks5://proxy.test/'],
    ['user:pass@proxy.test:3128', 'proxy.test:3128'],
  ])('R44: does not repeat the password of a proxy that it refuses: %s', (given, shown) => {
    refuses(readProxy, given, `it (HEADRACE_IT) must be 'environment', 'none', or an http(s) address; got '${shown}'`)
  })
})

describe('readBackoff', () => {
  it.each([
    [{}, { baseDelayMs: 500, maxDelayMs: 30_000 }],
    [{ baseDelayMs: 10 }, { baseDelayMs: 10, maxDelayMs: 30_000 }],
    [{ maxDelayMs: 700 }, { baseDelayMs: 500, maxDelayMs: 700 }],
    [{ baseDelayMs: 40_000 }, { baseDelayMs: 40_000, maxDelayMs: 40_000 }],
    [
      { baseDelayMs: 5, maxDelayMs: 5 },
      { baseDelayMs: 5, maxDelayMs: 5 },
    ],
    [
      { baseDelayMs: undefined, maxDelayMs: undefined },
      { baseDelayMs: 500, maxDelayMs: 30_000 },
    ],
  ])('R17: fills the gaps of %j', (given, backoff) => {
    expect(readBackoff(given, whence)).toEqual(backoff)
    expect(Object.isFrozen(readBackoff(given, whence))).toBe(true)
  })

  it.each([
    { baseDelayMs: 0 },
    { baseDelayMs: -1 },
    { baseDelayMs: 10, maxDelayMs: 9 },
    { baseDelayMs: Number.NaN },
    { maxDelayMs: Number.POSITIVE_INFINITY },
    { baseDelayMs: '10' },
    { maxDelayMs: '10' },
    // A slip in a name would otherwise go unnoticed.
    { baseDelay: 10 },
    null,
    500,
    '500',
  ])('F55: refuses %j', value => {
    expect(() => readBackoff(value, whence)).toThrow(
      'it (HEADRACE_IT) must be an object with 0 < baseDelayMs <= maxDelayMs; got',
    )
  })
})

describe('readRate', () => {
  it.each([
    [null, []],
    [[], []],
    [10, [{ requests: 10, perMs: 1000 }]],
    ['10', [{ requests: 10, perMs: 1000 }]],
    [' 2.9 ', [{ requests: 2, perMs: 1000 }]],
    [1, [{ requests: 1, perMs: 1000 }]],
    [0.5, [{ requests: 1, perMs: 2000 }]],
    [{ requests: 3000, perMs: 300_000 }, [{ requests: 3000, perMs: 300_000 }]],
    [
      [
        { requests: 10, perMs: 1000 },
        { requests: 3000, perMs: 300_000, note: 'left out' },
      ],
      [
        { requests: 10, perMs: 1000 },
        { requests: 3000, perMs: 300_000 },
      ],
    ],
  ])('R33: reads %j as %j', (value, limits) => {
    expect(readRate(value, whence)).toEqual(limits)
  })

  it.each([0, -1, '0', Number.NaN, Number.POSITIVE_INFINITY])('F55: refuses %d, no rate', value => {
    expect(() => readRate(value, whence)).toThrow('it (HEADRACE_IT) must be a rate above 0, or null for none; got')
  })

  it.each([
    'fast',
    '-5',
    '10 per second',
    undefined,
    true,
    {},
    { requests: 0, perMs: 1000 },
    { requests: 1.5, perMs: 1000 },
    { requests: '1', perMs: 1000 },
    { requests: 1, perMs: 0 },
    { requests: 1, perMs: '1000' },
    { requests: 1, perMs: Number.POSITIVE_INFINITY },
    { requests: 1 },
    [10],
    [{ requests: 1, perMs: 1000 }, null],
  ])('F55: refuses %j', value => {
    expect(() => readRate(value, whence)).toThrow(
      'it (HEADRACE_IT) must be requests per second, { requests, perMs }, a list of those, or null; got',
    )
  })
})

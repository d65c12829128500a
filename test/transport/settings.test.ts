import { describe, expect, it } from 'vitest'
import { silentLogger } from '../../src/logger.ts'
import {
  checkOptionNames,
  environmentLayer,
  isTransportOption,
  resolveSettings,
  type SettingsLayer,
} from '../../src/transport/settings.ts'
import { userAgent } from '../../src/version.ts'

const layer = (source: string, values: Record<string, unknown>): SettingsLayer => ({ source, values })

function originOf(layers: readonly SettingsLayer[], setting: string): [value: string, source: string] {
  const origin = resolveSettings(layers).origins.find(one => one.setting === setting)
  return [origin?.value ?? '', origin?.source ?? '']
}

describe('resolveSettings', () => {
  it('F55: what holds when nobody says anything', () => {
    const { options, origins } = resolveSettings([])
    expect(options).toEqual({
      retries: 4,
      retryWhen: undefined,
      backoff: { baseDelayMs: 500, maxDelayMs: 30_000 },
      retryAfterCapMs: 60_000,
      stallMs: 60_000,
      connectTimeoutMs: 10_000,
      readTimeoutMs: 60_000,
      concurrency: 8,
      rate: [],
      maxSplitDepth: 2,
      learnSpans: true,
      chunkMs: undefined,
      quotaReserve: 0,
      maxPages: 10_000,
      maxBytes: 2 ** 30,
      userAgent,
      proxy: 'environment',
      cache: undefined,
      refresh: false,
      offline: false,
      logger: silentLogger,
    })
    expect(Object.isFrozen(options)).toBe(true)
    expect(new Set(origins.map(({ source }) => source))).toEqual(new Set(['default']))
    expect(origins).toHaveLength(21)
  })

  it('F55: the first layer that states a setting has it, and is named as its origin', () => {
    const layers = [
      layer('call option', { retries: 1 }),
      layer('client option', { retries: 2, concurrency: 3 }),
      ...environmentLayer({ HEADRACE_RETRIES: '5', HEADRACE_CONCURRENCY: '6', HEADRACE_STALL_MS: '7' }),
      layer('service preference', { retries: 8, concurrency: 9, stallMs: 10, maxPages: 11 }),
    ]
    expect(resolveSettings(layers).options).toMatchObject({
      retries: 1,
      concurrency: 3,
      stallMs: 7,
      maxPages: 11,
      maxBytes: 2 ** 30,
    })
    expect(originOf(layers, 'retries')).toEqual(['1', 'call option'])
    expect(originOf(layers, 'concurrency')).toEqual(['3', 'client option'])
    expect(originOf(layers, 'stallMs')).toEqual(['7', 'HEADRACE_STALL_MS'])
    expect(originOf(layers, 'maxPages')).toEqual(['11', 'service preference'])
    expect(originOf(layers, 'maxBytes')).toEqual(['1073741824', 'default'])
  })

  it.each(['', '  ', undefined])('F55: %j is not set, so the next layer is asked', value => {
    expect(
      originOf([layer('client option', { retries: value }), layer('preference', { retries: 2 })], 'retries'),
    ).toEqual(['2', 'preference'])
  })

  it('F55: 0, false and null are values', () => {
    const layers = [
      layer('client option', { retries: 0, stallMs: 0, maxSplitDepth: 0, learnSpans: false, rate: null }),
      layer('x', { rate: 10 }),
    ]
    expect(resolveSettings(layers).options).toMatchObject({
      retries: 0,
      stallMs: 0,
      maxSplitDepth: 0,
      learnSpans: false,
      rate: [],
    })
  })

  it.each([
    ['retries', -1],
    ['retries', 1.5],
    ['retryWhen', 'always'],
    ['backoff', { baseDelayMs: 0 }],
    ['retryAfterCapMs', -1],
    ['stallMs', -1],
    ['connectTimeoutMs', 0],
    ['readTimeoutMs', 0],
    ['concurrency', 0],
    ['concurrency', 2.5],
    ['rate', 0],
    ['maxSplitDepth', -1],
    ['maxSplitDepth', 21],
    ['learnSpans', 'perhaps'],
    ['chunk', 'a month'],
    ['quotaReserve', -1],
    ['maxPages', 0],
    ['maxBytes', 0],
    ['userAgent', 'two\nlines'],
    ['proxy', 'ftp://proxy.test'],
    ['logger', {}],
  ])('F55: refuses %s: %j, naming the setting and where it came from', (setting, value) => {
    expect(() => resolveSettings([layer('call option', {}), layer('client option', { [setting]: value })])).toThrow(
      expect.objectContaining({
        name: 'ConfigurationError',
        setting,
        source: 'client option',
        message: expect.stringContaining(`${setting} (client option) must be `) as string,
      }),
    )
  })

  it.each([
    ['retries', 0],
    ['retryAfterCapMs', 0],
    ['stallMs', 0.5],
    ['connectTimeoutMs', 1],
    ['readTimeoutMs', 1],
    ['concurrency', 1],
    ['maxSplitDepth', 20],
    ['quotaReserve', 0],
    ['maxPages', 1],
    ['maxBytes', 1],
  ])('F55: takes %s: %d, the least (or most) that makes sense', (setting, value) => {
    expect(resolveSettings([layer('client option', { [setting]: value })]).options).toMatchObject({ [setting]: value })
  })

  it('reads chunk as a length of time', () => {
    const { options } = resolveSettings([layer('client option', { chunk: 'P30D' })])
    expect(options.chunkMs).toBe(30 * 86_400_000)
    expect(options).not.toHaveProperty('chunk')
  })

  it('shows every value as text', () => {
    const nothing = (): void => {}
    const layers = [
      layer('client option', {
        retryWhen: nothing,
        logger: { debug: nothing, info: nothing, warn: nothing, error: nothing },
        rate: 10,
        proxy: 'http://user:pass@proxy.test/',
        learnSpans: false,
      }),
    ]
    const shown = (setting: string): string => originOf(layers, setting)[0]
    expect(shown('retryWhen')).toBe('a function')
    expect(shown('logger')).toBe('a logger')
    expect(shown('rate')).toBe('[{"requests":10,"perMs":1000}]')
    expect(shown('backoff')).toBe('{"baseDelayMs":500,"maxDelayMs":30000}')
    expect(shown('learnSpans')).toBe('false')
    expect(shown('chunk')).toBe('none')
    expect(shown('proxy')).toBe('http://proxy.test/')
    expect([originOf([], 'logger')[0], originOf([], 'retryWhen')[0]]).toEqual(['silent', 'none'])
  })
})

describe('environmentLayer', () => {
  it.each([
    ['HEADRACE_RETRIES', '2', 'retries', 2],
    ['HEADRACE_RETRY_AFTER_CAP_MS', '2', 'retryAfterCapMs', 2],
    ['HEADRACE_STALL_MS', '2.5', 'stallMs', 2.5],
    ['HEADRACE_CONNECT_TIMEOUT_MS', '2', 'connectTimeoutMs', 2],
    ['HEADRACE_READ_TIMEOUT_MS', '2', 'readTimeoutMs', 2],
    ['HEADRACE_CONCURRENCY', '2', 'concurrency', 2],
    ['HEADRACE_RATE', '2', 'rate', [{ requests: 2, perMs: 1000 }]],
    ['HEADRACE_MAX_SPLIT_DEPTH', '3', 'maxSplitDepth', 3],
    ['HEADRACE_LEARN_SPANS', 'no', 'learnSpans', false],
    ['HEADRACE_CHUNK', 'P1D', 'chunkMs', 86_400_000],
    ['HEADRACE_CHUNK', '86400000', 'chunkMs', 86_400_000],
    ['HEADRACE_QUOTA_RESERVE', '2', 'quotaReserve', 2],
    ['HEADRACE_MAX_PAGES', '2', 'maxPages', 2],
    ['HEADRACE_MAX_BYTES', '2', 'maxBytes', 2],
    ['HEADRACE_USER_AGENT', 'me', 'userAgent', 'me'],
    ['HEADRACE_PROXY', 'none', 'proxy', 'none'],
  ])('F55: %s=%s sets %s', (variable, text, option, value) => {
    expect(resolveSettings(environmentLayer({ [variable]: text })).options).toMatchObject({ [option]: value })
  })

  it.each(['HEADRACE_RETRY_WHEN', 'HEADRACE_BACKOFF', 'HEADRACE_LOGGER'])(
    'F55: %s is not read: a text cannot be a function or an object',
    variable => {
      expect(resolveSettings(environmentLayer({ [variable]: 'x' })).options).toEqual(resolveSettings([]).options)
    },
  )

  it.each(['abc', '4x', '-1', 'NaN', 'Infinity', '2.5'])(
    'F55: HEADRACE_RETRIES=%s is refused under the name of the variable',
    text => {
      expect(() => resolveSettings(environmentLayer({ HEADRACE_RETRIES: text }))).toThrow(
        expect.objectContaining({ name: 'ConfigurationError', setting: 'retries', source: 'HEADRACE_RETRIES' }),
      )
    },
  )

  it('F55: names that people have already come after ours, in their own unit', () => {
    const also = { stallMs: [{ name: 'API_STALL_TIMEOUT', scale: 1000 }], retries: [{ name: 'API_RETRIES' }] }
    const read = (env: Record<string, string>) => resolveSettings(environmentLayer(env, also)).options
    expect(read({ API_STALL_TIMEOUT: ' 2.5 ', API_RETRIES: '7' })).toMatchObject({ stallMs: 2500, retries: 7 })
    expect(read({ API_STALL_TIMEOUT: '2', HEADRACE_STALL_MS: '9' })).toMatchObject({ stallMs: 9 })
    expect(read({ API_STALL_TIMEOUT: '', API_RETRIES: ' ' })).toMatchObject({ stallMs: 60_000, retries: 4 })
    expect(originOf(environmentLayer({ API_STALL_TIMEOUT: '2' }, also), 'stallMs')).toEqual([
      '2000',
      'API_STALL_TIMEOUT',
    ])
    for (const text of ['abc', '-2', '2s', 'x2']) {
      expect(() => read({ API_STALL_TIMEOUT: text })).toThrow(
        expect.objectContaining({
          setting: 'stallMs',
          source: 'API_STALL_TIMEOUT',
          message: expect.stringContaining(`got '${text}'`) as string,
        }),
      )
    }
  })
})

describe('checkOptionNames', () => {
  it('lets pass what is known', () => {
    expect(() =>
      checkOptionNames({ username: 'a', retries: undefined, chunk: 1 }, ['username'], 'client option'),
    ).not.toThrow()
    expect([isTransportOption('retries'), isTransportOption('username'), isTransportOption('toString')]).toEqual([
      true,
      false,
      false,
    ])
  })

  it.each([
    ['retrys', "client option 'retrys' is not known; did you mean 'retries'?"],
    ['userName', "client option 'userName' is not known; did you mean 'username'?"],
    ['read_timeout_ms', "client option 'read_timeout_ms' is not known; did you mean 'readTimeoutMs'?"],
    ['timeout', "client option 'timeout' is not known"],
    ['toString', "client option 'toString' is not known"],
  ])('F55: refuses %s, with the nearest name if one is near', (name, message) => {
    expect(() => checkOptionNames({ [name]: 1 }, ['username'], 'client option')).toThrow(
      expect.objectContaining({ name: 'ConfigurationError', setting: name, source: 'client option', message }),
    )
  })
})

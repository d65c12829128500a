import { inspect } from 'node:util'
import { describe, expect, it, vi } from 'vitest'
import {
  ConfigurationError,
  HeadraceError,
  QueryError,
  RequestError,
  RetrievalInterrupted,
  describeCause,
  isHeadraceError,
  isRequestError,
  isRetrievalInterrupted,
  type ErrorCause,
  type Interruption,
  type RequestErrorFacts,
} from '../src/errors.ts'
import { TEST_API_KEY, TEST_PASSWORD, TEST_USERNAME, TOKEN_PREFIX } from './tooling/secrets.ts'

const TOKEN = `${TOKEN_PREFIX}42`
const span = { start: new Date('2024-01-01T00:00Z'), end: new Date('2024-01-02T00:00Z') }

/** A text with every kind of secret in it, each in a place where one is known to turn up. */
const TELLTALE = [
  `https://${TEST_USERNAME}:${TEST_PASSWORD}@toy.test/a?token=${TOKEN}&x=1&api_key=${TEST_API_KEY}&username=${TEST_USERNAME}`,
  `authorization: Bearer ${TOKEN}`,
  `Basic ${Buffer.from(`${TEST_USERNAME}:${TEST_PASSWORD}`).toString('base64')}`,
  `{"token": "${TOKEN}", "password": "${TEST_PASSWORD}"}`,
].join(' ')

const facts: RequestErrorFacts = {
  service: 'toy',
  operation: 'getSeries',
  method: 'GET',
  url: 'https://toy.test/a?x=1',
  attempts: 2,
}

/** An error of the HTTP library, with the headers that it carries around. */
function libraryError(): ErrorCause {
  return Object.assign(new Error(TELLTALE), {
    code: 'ERR_BAD_REQUEST',
    config: { headers: { authorization: `Bearer ${TOKEN}` } },
  })
}

function interruption(more: Partial<Interruption<string>> = {}): Interruption<string> {
  return {
    done: [span],
    left: [span, span],
    partial: () => 'what came',
    resume: async () => 'the whole',
    checkpoint: () => ({ version: 1, service: 'toy', operation: 'getSeries', query: {}, left: [] }),
    ...more,
  }
}

const withSecrets: RequestErrorFacts = {
  ...facts,
  url: `https://${TEST_USERNAME}:${TEST_PASSWORD}@toy.test/a?token=${TOKEN}&x=1&apiKey=${TEST_API_KEY}`,
  serverMessage: TELLTALE,
  span,
}

const failed = (): RequestError => new RequestError('http_4xx', TELLTALE, withSecrets, libraryError())

describe('every error', () => {
  it.each<[string, () => HeadraceError]>([
    ['HEADRACE_CONFIGURATION', () => new ConfigurationError(TELLTALE, { setting: 'proxy', source: 'HEADRACE_PROXY' })],
    ['HEADRACE_QUERY', () => new QueryError(TELLTALE, { argument: 'cursor', value: TELLTALE })],
    ['HEADRACE_QUERY', () => new QueryError(TELLTALE, { argument: 'cursor', value: { nested: [TELLTALE] } })],
    ['HEADRACE_REQUEST', failed],
    ['HEADRACE_INTERRUPTED', () => new RetrievalInterrupted(failed(), interruption())],
  ])('R44: %s shows no secret in any form in which it can be printed', (code, make) => {
    const error = make()
    const everything = { depth: 20, showHidden: true, maxStringLength: null, maxArrayLength: null } as const
    const shown = [
      String(error),
      error.message,
      error.stack ?? '',
      JSON.stringify(error),
      JSON.stringify({ error }),
      JSON.stringify(error.cause ?? null),
      inspect(error, everything),
      inspect(error, { ...everything, customInspect: false }),
      inspect({ ...error }, everything),
    ].join('\n')
    for (const secret of [TOKEN, TEST_PASSWORD, TEST_API_KEY, 'bGVhay11c2VyLTdmM2E6'])
      expect(shown).not.toContain(secret)
    expect(shown).not.toContain(`${TEST_USERNAME}:`)
    expect(shown).not.toContain('config')
    expect(error.code).toBe(code)
  })

  it.each<[string, HeadraceError, object]>([
    [
      'ConfigurationError',
      new ConfigurationError('no', { setting: 'retries', source: 'client option' }),
      {
        name: 'ConfigurationError',
        code: 'HEADRACE_CONFIGURATION',
        message: 'no',
        setting: 'retries',
        source: 'client option',
      },
    ],
    [
      'QueryError',
      new QueryError('no', { argument: 'end', value: '2024' }),
      { name: 'QueryError', code: 'HEADRACE_QUERY', message: 'no', argument: 'end', value: '2024' },
    ],
    [
      'RequestError',
      new RequestError('http_4xx', 'no', {
        ...facts,
        status: 404,
        requestId: 'r-1',
        retryAfterMs: 7,
        quotaRemaining: 3,
        span,
        serverMessage: 'gone',
        pagesRead: 2,
      }),
      {
        name: 'RequestError',
        code: 'HEADRACE_REQUEST',
        message: 'no',
        kind: 'http_4xx',
        ...facts,
        status: 404,
        requestId: 'r-1',
        retryAfterMs: 7,
        quotaRemaining: 3,
        serverMessage: 'gone',
        pagesRead: 2,
        span: { start: '2024-01-01T00:00:00.000Z', end: '2024-01-02T00:00:00.000Z' },
      },
    ],
  ])('R44: %s serialises everything that it knows, as plain data without its stack', (_name, error, plain) => {
    expect(JSON.parse(JSON.stringify(error))).toEqual(plain)
    expect(error).toBeInstanceOf(HeadraceError)
    expect(error).toBeInstanceOf(Error)
  })
})

describe('causes', () => {
  it('R44: of a foreign error nothing is kept but name, code and words', () => {
    const { cause } = new RequestError(
      'connection',
      'lost',
      facts,
      Object.assign(new TypeError('words'), { code: 'E_X', request: 1 }),
    )
    expect(cause).toEqual({ name: 'TypeError', code: 'E_X', message: 'words' })
    expect(cause).not.toBeInstanceOf(Error)
    expect(Object.keys(new RequestError('other', 'x', facts, new Error('y')).cause as object)).toEqual([
      'name',
      'message',
    ])
    expect(new RequestError('other', 'x', facts).cause).toBeUndefined()
    expect('cause' in new RequestError('other', 'x', facts)).toBe(false)
  })

  it.each<[unknown, ErrorCause]>([
    [new RangeError('too far'), { name: 'RangeError', message: 'too far' }],
    [Object.assign(new Error('no'), { code: 'ECONNRESET' }), { name: 'Error', code: 'ECONNRESET', message: 'no' }],
    [Object.assign(new Error('no'), { code: 7 }), { name: 'Error', message: 'no' }],
    ['a text', { name: 'Error', message: 'a text' }],
    [undefined, { name: 'Error', message: 'undefined' }],
    [{ a: 1 }, { name: 'Error', message: '[object Object]' }],
    [new Error(`Bearer ${TOKEN}`), { name: 'Error', message: 'Bearer [redacted]' }],
    [`Bearer ${TOKEN}`, { name: 'Error', message: 'Bearer [redacted]' }],
  ])('R44: describeCause reduces %s', (thrown, cause) => {
    expect(describeCause(thrown)).toEqual(cause)
  })

  it('R44: describeCause hides what its redactor knows, and keeps 500 characters', () => {
    const hide = (text: string): string => text.replaceAll('hidden', '***')
    expect(describeCause(new Error('a hidden word'), hide).message).toBe('a *** word')
    expect(describeCause('a hidden word', hide).message).toBe('a *** word')
    expect(describeCause(new Error('x'.repeat(900))).message).toHaveLength(500)
    expect(describeCause('x'.repeat(900)).message).toHaveLength(500)
  })
})

describe('QueryError', () => {
  it.each([
    ['text', 'text'],
    [5, '5'],
    [Number.NaN, 'NaN'],
    [Number.POSITIVE_INFINITY, 'Infinity'],
    [new Date('2024-01-01T00:00Z'), '2024-01-01T00:00:00.000Z'],
    [new Date('nonsense'), 'Invalid Date'],
    [undefined, 'undefined'],
    [null, 'null'],
    [true, 'true'],
    [{ a: [1] }, '{"a":[1]}'],
    [() => 1, '() => 1'],
  ])('F04: names the value %j as %s', (value, text) => {
    expect(new QueryError('no', { argument: 'a', value }).value).toBe(text)
  })
})

describe('RequestError', () => {
  it.each([
    ['https://toy.test/a', {}],
    ['https://toy.test/a?', {}],
    ['https://toy.test/a?start=1&end=a%20b&x=', { start: '1', end: 'a b', x: '' }],
    ['https://toy.test/a?token=t-12345', { token: '[redacted]' }],
  ])('gives the parameters of %s by name', (url, params) => {
    expect(new RequestError('other', 'x', { ...facts, url }).params).toEqual(params)
  })
})

describe('RetrievalInterrupted', () => {
  it('R60: says what was received, what is missing and what to do', () => {
    const failure = new RequestError('timeout', 'too slow', { ...facts, status: 504, retryAfterMs: 9 })
    const error = new RetrievalInterrupted(failure, interruption())
    expect(error.message).toBe(
      'too slow (received 1 span, missing 2 spans: call resume() to ask for the missing part only)',
    )
    expect(error).toMatchObject({
      name: 'RetrievalInterrupted',
      code: 'HEADRACE_INTERRUPTED',
      kind: 'timeout',
      status: 504,
      retryAfterMs: 9,
    })
    expect([error.failure, error.cause]).toEqual([failure, failure])
    expect([error.done, error.left]).toEqual([[span], [span, span]])
    expect(new RetrievalInterrupted(failure, interruption({ done: [], left: [span] })).message).toContain(
      'received 0 spans, missing 1 span:',
    )
  })

  it('R60: hands partial, resume and checkpoint on to the retrieval behind it', async () => {
    const resume = vi.fn<Interruption<string>['resume']>(async () => 'the whole')
    const error = new RetrievalInterrupted(failed(), interruption({ resume }))
    expect(error.partial()).toBe('what came')
    expect(error.checkpoint().operation).toBe('getSeries')
    await expect(error.resume({ deadlineMs: 5 })).resolves.toBe('the whole')
    await error.resume()
    expect(resume.mock.calls).toEqual([[{ deadlineMs: 5 }], [undefined]])
  })

  it('R60: serialises its failure along with what is done and left, and nothing it must not', () => {
    const error = new RetrievalInterrupted(new RequestError('timeout', 'slow', facts), interruption())
    const plain = JSON.parse(JSON.stringify(error)) as Record<string, unknown>
    expect(Object.keys(plain).sort()).toEqual(['code', 'done', 'failure', 'kind', 'left', 'message', 'name'])
    expect(plain['failure']).toMatchObject({ name: 'RequestError', kind: 'timeout', message: 'slow' })
  })
})

describe('an error that nobody caught, as Node prints it', () => {
  it('has its failure once', () => {
    const error = new RetrievalInterrupted(new RequestError('timeout', 'too slow', facts), interruption())
    const printed = inspect(error, { customInspect: false })
    // In the message of its own, and in the cause.
    expect(printed.match(/too slow/g)).toHaveLength(2)
    expect(printed.match(/RequestError: too slow/g)).toHaveLength(1)
  })
})

describe('guards', () => {
  const configuration = new ConfigurationError('x', { setting: 'a', source: 'b' })
  const query = new QueryError('x', { argument: 'a', value: 1 })
  const request = new RequestError('other', 'x', facts)
  const interrupted = new RetrievalInterrupted(request, interruption())

  it.each([
    [configuration, [true, false, false]],
    [query, [true, false, false]],
    [request, [true, true, false]],
    [interrupted, [true, false, true]],
    [new Error('x'), [false, false, false]],
    [{ name: 'RequestError' }, [false, false, false]],
    [null, [false, false, false]],
    [undefined, [false, false, false]],
  ])('tell %s apart: ours, a request, an interruption', (thrown, answers) => {
    expect([isHeadraceError(thrown), isRequestError(thrown), isRetrievalInterrupted(thrown)]).toEqual(answers)
  })
})

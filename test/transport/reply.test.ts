import { describe, expect, it } from 'vitest'
import { createReply, excerpt, looksLikeMarkup, serverWords, type Reply } from '../../src/transport/reply.ts'

function reply(body: string | Buffer, status = 200): Reply {
  return createReply({ status, headers: { a: 'b' }, url: 'https://toy.test/', body: Buffer.from(body) })
}

const PAGE = '<!DOCTYPE html>\n<html><head><title>Down for\n maintenance</title></head><body>Back soon</body></html>'

describe('json', () => {
  it('reads JSON as it stands, without a warning', () => {
    const answer = reply('{"rows": [1, "NaN", -1e3], "ok": true}')
    expect(answer.json()).toEqual({ rows: [1, 'NaN', -1000], ok: true })
    expect(answer.warnings).toEqual([])
  })

  it('reads it once, however often asked', () => {
    const answer = reply('{"a": [NaN]}')
    expect(answer.json()).toBe(answer.json())
    expect(answer.warnings).toHaveLength(1)
  })

  it('F43: no content (204) is no value, whatever the body', () => {
    expect(reply('', 204).json()).toBeUndefined()
    expect(reply('not JSON', 204).json()).toBeUndefined()
  })

  it.each(['', ' ', '\r\n\t '])('F43: an answer without content where JSON was due is a bad response: %j', body => {
    expect(() => reply(body).json()).toThrow(
      expect.objectContaining({
        class: 'bad_response',
        status: 200,
        headers: { a: 'b' },
        message: 'empty answer: status 200 with no bytes where JSON was due',
      }),
    )
  })

  it.each([
    ['{"a": NaN}', { a: null }, '1 value NaN or Infinity, which JSON does not have, read as null'],
    [
      '[NaN, Infinity, -Infinity]',
      [null, null, null],
      '3 values NaN or Infinity, which JSON does not have, read as null',
    ],
    [
      '{"NaN": NaN, "b": "NaN, \\" NaN"}',
      { NaN: null, b: 'NaN, " NaN' },
      '1 value NaN or Infinity, which JSON does not have, read as null',
    ],
  ])('R52 F46: bare numbers that JSON does not have become null, with a warning: %s', (body, value, warning) => {
    const answer = reply(body)
    expect(answer.json()).toEqual(value)
    expect(answer.warnings).toEqual([warning])
  })

  it.each(['{"a": [1, 2', '{"a": "un', '[', '{"a": {"b": 1}', '[{"a": "\\"]}', '{"a": NaN', '["a\\\\'])(
    'R51 F34: JSON that ends early is an answer cut short: %s',
    body => {
      expect(() => reply(body).json()).toThrow(
        expect.objectContaining({
          class: 'lost',
          status: 200,
          message: `incomplete answer: the JSON ends in the middle of a value`,
        }),
      )
    },
  )

  it.each(['rows: 1', '{"a": 1}}', '{a: 1}', '[1,]', '{"a": NaN, b}', "{'a': 1}", 'null null', '{"a": "]"]', 'NaNny'])(
    'R52: what is not JSON is a bad response that shows its beginning: %s',
    body => {
      expect(() => reply(body).json()).toThrow(
        expect.objectContaining({
          class: 'bad_response',
          message: expect.stringMatching(/^not JSON \(.+\): /) as string,
        }),
      )
      expect(() => reply(body).json()).toThrow(body)
    },
  )

  it('R52 F44: a web page is a bad response, whatever its label, and shows no more than 200 characters', () => {
    const page = `<html><body>${'x'.repeat(5000)}</body></html>`
    expect(() => reply(page).json()).toThrow(
      expect.objectContaining({
        class: 'bad_response',
        message: `a web page came where JSON was due: ${page.slice(0, 200)}…`,
      }),
    )
  })

  it('R52 F44: an error shows no more than 200 characters of a text, nor of the reason', () => {
    const thrown = (() => {
      try {
        return reply(`nonsense ${'y'.repeat(5000)}`).json()
      } catch (error) {
        return (error as Error).message
      }
    })()
    expect(String(thrown).length).toBeLessThan(450)
  })

  it('R52: numbers, texts and null alone are JSON, too', () => {
    expect([reply('5').json(), reply('"a"').json(), reply('null').json()]).toEqual([5, 'a', null])
  })
})

describe('excerpt', () => {
  it.each([
    ['  a\n\tb  c\r\n', 'a b c'],
    ['x'.repeat(200), 'x'.repeat(200)],
    ['x'.repeat(201), `${'x'.repeat(200)}…`],
  ])('is one line of no more than 200 characters: %#', (text, expected) => {
    expect(excerpt(text)).toBe(expected)
  })
})

describe('looksLikeMarkup', () => {
  it.each([
    '<!doctype html>',
    '  \n<!DOCTYPE HTML PUBLIC>',
    '\uFEFF<html>',
    '<head>',
    '<body class="x">',
    '<?xml version="1.0"?>',
    '<div>no</div>',
    '<h attr>',
    '<p>',
  ])('F44: sees a page in %j', text => {
    expect(looksLikeMarkup(text)).toBe(true)
  })

  it.each(['', '{"a": "<html>"}', '<0.5,ND', '< html>', 'a <html>', 'site,value', '<', '<3', '<a'])(
    'F44: sees none in %j',
    text => {
      expect(looksLikeMarkup(text)).toBe(false)
    },
  )
})

describe('bodies that are longer than a text can be', () => {
  const huge = (): Buffer => Object.defineProperty(Buffer.from('{}'), 'length', { value: 2 ** 30 })

  it('R53: are too large, not a crash', () => {
    const answer = createReply({ status: 200, headers: {}, url: 'https://toy.test/', body: huge() })
    expect(() => answer.json()).toThrow(
      expect.objectContaining({ class: 'too_large', message: expect.stringContaining('1073741824 bytes') as string }),
    )
  })

  it('R53: of a failure, only the beginning is looked at for words', () => {
    const asked: unknown[][] = []
    const body = Object.assign(Buffer.from('out of order'), {
      toString: (...given: unknown[]) => (asked.push(given), 'out of order'),
    })
    expect(serverWords(body)).toBe('out of order')
    expect(asked).toEqual([['utf8', 0, 2 ** 20]])
  })
})

describe('serverWords', () => {
  it.each([
    ['', undefined],
    [' \n ', undefined],
    ['{"message": "Invalid scope"}', 'Invalid scope'],
    ['{"msg": "m"}', 'm'],
    ['{"error": "e"}', 'e'],
    ['{"error": {"code": "X", "message": "deep"}}', 'deep'],
    ['{"error": "invalid_grant", "error_description": "expired"}', 'expired'],
    ['{"description": "d", "title": "t"}', 'd'],
    ['{"detail": [{"loc": ["query"], "msg": "field required"}, {"msg": "and this"}]}', 'field required; and this'],
    ['{"title": "Bad Request", "code": "InvalidParameterValue"}', 'Bad Request'],
    ['{"code": "OVER_RATE_LIMIT"}', 'OVER_RATE_LIMIT'],
    ['{"message": "", "error": "the one that says something"}', 'the one that says something'],
    ['{"message": null, "detail": "d"}', 'd'],
    ['["one", "two"]', 'one; two'],
    ['"just text"', 'just text'],
    // Nothing that we know: the text itself.
    ['{"status": 7}', '{"status": 7}'],
    ['[]', '[]'],
    ['null', 'null'],
    ['5', '5'],
    ['first line\nsecond line', 'first line'],
    [PAGE, 'Down for maintenance'],
    ['<html><body>no title</body></html>', '<html><body>no title</body></html>'],
    ['{"message": "a\\n  b"}', 'a b'],
  ])('R8 F11: finds in %s: %s', (body, words) => {
    expect(serverWords(Buffer.from(body))).toBe(words)
  })

  it('F44: is never longer than 200 characters and a sign that more was there', () => {
    for (const body of [JSON.stringify({ message: 'm'.repeat(999) }), 'n'.repeat(999), `<html>${'o'.repeat(999)}`]) {
      expect(serverWords(Buffer.from(body))).toHaveLength(201)
    }
  })
})

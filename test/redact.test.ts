import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createRedactor, redactText, redactUrl, redactValue } from '../src/redact.ts'
import { holds } from './support/properties.ts'

describe('redactText', () => {
  it.each([
    ['authorization: Bearer abc.DEF-_~+/=', 'authorization: Bearer [redacted]'],
    ['bearer abc, basic dXNlcg==', 'bearer [redacted], basic [redacted]'],
    ['https://user:pass@toy.test/a', 'https://toy.test/a'],
    ['see http://user@toy.test or ftp://u:p@x/', 'see http://toy.test or ftp://x/'],
    ['/a?token=abc&x=1', '/a?token=[redacted]&x=1'],
    ['/a?x=1&access_token=abc', '/a?x=1&access_token=[redacted]'],
    ['?password=a b', '?password=[redacted] b'],
    [
      '?apiKey=1&api_key=2&api-key=3&x-api-key=4&key=5',
      '?apiKey=[redacted]&api_key=[redacted]&api-key=[redacted]&x-api-key=[redacted]&key=[redacted]',
    ],
    [
      '?username=u&email=e&client.secret=s&passwd=p',
      '?username=[redacted]&email=[redacted]&client.secret=[redacted]&passwd=[redacted]',
    ],
    ['{"token": "abc", "x": "y"}', '{"token": "[redacted]", "x": "y"}'],
    ['{"Authorization":"Bearer x","my_password":"p"}', '{"Authorization":"[redacted]","my_password":"[redacted]"}'],
  ])('R44: masks %s', (text, clean) => {
    expect(redactText(text)).toBe(clean)
  })

  it.each([
    '',
    'a plain sentence, with keys and tokens in it',
    'the basics of a bearer',
    'https://toy.test/a?start=2024-01-01T00:00:00Z&monkey=1&region=X',
    'mail me@toy.test',
    '{"tokens_left": 5}',
  ])('R44: leaves alone %j', text => {
    expect(redactText(text)).toBe(text)
  })

  it('R44: masking twice is masking once', () => {
    const texts = fc.array(
      fc.constantFrom('Bearer ', '?token=', '&key=', 'https://a:b@', '"secret": "', '"', ' ', 'abc', '&x=1'),
      { maxLength: 12 },
    )
    holds(
      fc.property(texts, parts => {
        const clean = redactText(parts.join(''))
        expect(redactText(clean)).toBe(clean)
      }),
    )
  })
})

describe('redactUrl', () => {
  it.each([
    ['https://toy.test/a?start=1&end=a%2Bb+c', 'https://toy.test/a?start=1&end=a%2Bb+c'],
    ['https://toy.test/a', 'https://toy.test/a'],
    ['https://user:pass@toy.test/a?x=1', 'https://toy.test/a?x=1'],
    ['https://user:p@ss@toy.test/a', 'https://toy.test/a'],
    ['/a?token=1&TOKEN=2&refresh_token=3', '/a?token=[redacted]&TOKEN=[redacted]&refresh_token=[redacted]'],
    [
      '/a?password=1&my_password2=2&passwd=3&secret=4&client_secret=5',
      '/a?password=[redacted]&my_password2=[redacted]&passwd=[redacted]&secret=[redacted]&client_secret=[redacted]',
    ],
    [
      '/a?apikey=1&api_key=2&api-key=3&key=4',
      '/a?apikey=[redacted]&api_key=[redacted]&api-key=[redacted]&key=[redacted]',
    ],
    [
      '/a?username=1&user=2&email=3&auth=4&authorization=5&sig=6&signature=7',
      '/a?username=[redacted]&user=[redacted]&email=[redacted]&auth=[redacted]&authorization=[redacted]&sig=[redacted]&signature=[redacted]',
    ],
    ['/a?%74oken=1&x=2', '/a?%74oken=[redacted]&x=2'],
    ['/a?token', '/a?token=[redacted]'],
    ['/a?token=a=b?c', '/a?token=[redacted]'],
    ['/a?monkey=1&users=2&keys=3&%E0%A4%A=4', '/a?monkey=1&users=2&keys=3&%E0%A4%A=4'],
    ['name:s3cret@proxy.test:8080', 'proxy.test:8080'],
    ['host.test:8080/a@b', 'host.test:8080/a@b'],
    ['/a?next=https://x@y', '/a?next=https://x@y'],
  ])('R44: shows %s as %s', (url, shown) => {
    expect(redactUrl(url)).toBe(shown)
  })

  it('R44: leaves the rest of an address exactly as it was sent', () => {
    const name = fc.stringMatching(/^[a-z]{1,6}x$/)
    const value = fc.stringMatching(/^[A-Za-z0-9%+:;,._~-]{0,12}$/)
    holds(
      fc.property(fc.array(fc.tuple(name, value), { maxLength: 6 }), pairs => {
        const query = pairs.map(([key, text]) => `${key}=${text}`).join('&')
        expect(redactUrl(`https://toy.test/a?${query}&token=s3cret`)).toBe(
          `https://toy.test/a?${query}&token=[redacted]`,
        )
      }),
    )
  })
})

describe('redactValue', () => {
  it('R44: hides what a plain value holds, in texts and in names, and leaves the rest as it is', () => {
    const at = new Date(0)
    const redact = (text: string): string => text.replaceAll('secret', '***')
    const value = { a: 'my secret', secret: [1, 'secret', null, { b: true, c: undefined }], at }
    expect(redactValue(value, redact)).toEqual({ a: 'my ***', '***': [1, '***', null, { b: true, c: undefined }], at })
    expect(['secret', 5, null, undefined, false].map(one => redactValue(one, redact))).toEqual([
      '***',
      5,
      null,
      undefined,
      false,
    ])
    expect(redactValue(at, redact)).toBe(at)
    expect(value.a).toBe('my secret')
  })
})

describe('createRedactor', () => {
  it.each([
    ['my secret is s3cret!', 'my secret is [redacted]'],
    ['twice: s3cret! s3cret!', 'twice: [redacted] [redacted]'],
    ['in a form: s3cret%21&x=1', 'in a form: [redacted]&x=1'],
    ['by pattern: Bearer other', 'by pattern: Bearer [redacted]'],
  ])('R44: masks %s', (text, clean) => {
    expect(createRedactor(() => ['s3cret!'])(text)).toBe(clean)
  })

  it('R44: knows every spelling in which a value can come back', () => {
    const secret = 'p a"ß/+!\\'
    const redact = createRedactor(() => [secret])
    const spellings = [
      secret,
      encodeURIComponent(secret),
      new URLSearchParams({ a: secret }).toString().slice(2),
      new URL(`https://toy.test/?a=${encodeURIComponent(secret).replaceAll('!', '%21')}`).search.slice(3),
      JSON.stringify(secret).slice(1, -1),
    ]
    for (const spelling of spellings) expect(redact(`<${spelling}>`)).toBe('<[redacted]>')
  })

  it('R44: a secret that is a part of another leaves nothing of it behind', () => {
    expect(createRedactor(() => ['user', 'user-and-more'])('user-and-more, user')).toBe('[redacted], [redacted]')
  })

  it('R44: asks for the secrets anew each time: tokens come and go', () => {
    const secrets = new Set<string>()
    const redact = createRedactor(() => secrets)
    expect(redact('tok-1')).toBe('tok-1')
    secrets.add('tok-1')
    expect(redact('tok-1')).toBe('[redacted]')
  })

  it('R44: a text that was cut short keeps nothing of a secret it was cut in', () => {
    const redact = createRedactor(() => ['correct-horse', 'battery'])
    expect(redact('the password is correct-ho…')).toBe('the password is [redacted]…')
    expect(redact('first corr… then batt… and corre…')).toBe('first [redacted]… then [redacted]… and [redacted]…')
    // Three characters or fewer give nothing away; neither does a word that only begins alike.
    expect(redact('it is cor… or corx…')).toBe('it is cor… or corx…')
    expect(redact('… correct-hors')).toBe('… correct-hors')
    expect(redact('corr…')).toBe('[redacted]…')
  })

  it('R44: a secret in base64 is one, too', () => {
    expect(createRedactor(() => ['me:s3cret'])(`Authorization ${Buffer.from('me:s3cret').toString('base64')}`)).toBe(
      'Authorization [redacted]',
    )
  })

  it('R44: values shorter than four characters are left to the patterns', () => {
    expect(createRedactor(() => ['abc', '', 'a'])('abc a')).toBe('abc a')
    expect(createRedactor(() => ['abcd'])('abcd')).toBe('[redacted]')
  })

  it('R44: whatever the secret and whatever stands around it, it is gone in every spelling', () => {
    const secret = fc
      .string({ minLength: 4, maxLength: 20, unit: 'grapheme' })
      .filter(text => !'[redacted]'.includes(text))
    holds(
      fc.property(secret, fc.string(), fc.string(), (hidden, before, after) => {
        const redact = createRedactor(() => [hidden])
        for (const spelling of [
          hidden,
          encodeURIComponent(hidden),
          new URLSearchParams({ a: hidden }).toString().slice(2),
          JSON.stringify(hidden).slice(1, -1),
        ]) {
          expect(redact(`${before} ${spelling} ${after}`)).not.toContain(spelling)
        }
      }),
      500,
    )
  })
})

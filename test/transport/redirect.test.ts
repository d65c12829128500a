import { describe, expect, it } from 'vitest'
import { MOST_HOPS, linkTarget, nextHop, type Hop } from '../../src/transport/redirect.ts'

const home = new URL('https://toy.test/v3/series?page=1')

function hop(more: Partial<Hop> = {}): Hop {
  return { method: 'GET', url: home, body: undefined, ...more }
}

describe('linkTarget', () => {
  it.each([
    // link, address it leads to
    ['/v4/series?page=2', 'https://toy.test/v4/series?page=2'],
    ['?page=2', 'https://toy.test/v3/series?page=2'],
    ['other', 'https://toy.test/v3/other'],
    ['//cdn.test/x', 'https://cdn.test/x'],
    ['https://toy.test/a?b=c%2Fd&e=%20f+g', 'https://toy.test/a?b=c%2Fd&e=%20f+g'],
    [
      'https://toy.test/a?ids=a,b;c&t=2024-01-01T00:00:00+01:00',
      'https://toy.test/a?ids=a,b;c&t=2024-01-01T00:00:00+01:00',
    ],
    ['https://user:pass@toy.test/a', 'https://toy.test/a'],
    ['https://user@toy.test/a', 'https://toy.test/a'],
    ['https://other.test/a', 'https://other.test/a'],
  ])('R46: %s leads to %s', (link, address) => {
    expect(linkTarget(link, home).href).toBe(address)
  })

  it('R46: a plain address of this machine may lead on to a plain one, and up', () => {
    const local = new URL('http://127.0.0.1:8080/a')
    expect(linkTarget('/b', local).href).toBe('http://127.0.0.1:8080/b')
    expect(linkTarget('https://toy.test/', local).href).toBe('https://toy.test/')
  })

  it.each([
    ['http://toy.test/a', 'from https:// down to http://'],
    ['ftp://toy.test/a', 'down to ftp://'],
    ['javascript:alert(1)', 'down to javascript://'],
    ['file:///etc/hosts', 'down to file://'],
    ['xhttps://toy.test/', 'down to xhttps://'],
    ['https://', 'leads to no address'],
    ['https://[', 'leads to no address'],
  ])('R40 R46: %s is not followed', (link, words) => {
    expect(() => linkTarget(link, home)).toThrow(
      expect.objectContaining({ class: 'redirect', message: expect.stringContaining(words) as string }),
    )
  })
})

describe('nextHop', () => {
  it.each([301, 302, 303, 307, 308])('R40: %d leads a GET on, as a GET without a body', status => {
    expect(nextHop(hop({ body: 'x' }), status, { location: '/b' })).toEqual({
      method: 'GET',
      url: new URL('https://toy.test/b'),
      body: undefined,
    })
  })

  it.each([200, 201, 300, 304, 305, 306, 309, 400, 500])('%d is no redirect', status => {
    expect(nextHop(hop(), status, { location: '/b' })).toBeUndefined()
  })

  it('a redirect without a location is an answer like any other', () => {
    expect(nextHop(hop(), 302, {})).toBeUndefined()
  })

  it.each([307, 308])('R13: %d repeats a POST with its body, on the same host', status => {
    const post = hop({ method: 'POST', body: '{"a":1}' })
    expect(nextHop(post, status, { location: '/b' })).toEqual({
      method: 'POST',
      url: new URL('https://toy.test/b'),
      body: '{"a":1}',
    })
  })

  it('R13: 303 turns a POST into a GET, as it is meant to', () => {
    const post = hop({ method: 'POST', body: 'x' })
    expect(nextHop(post, 303, { location: 'https://other.test/b' })).toEqual({
      method: 'GET',
      url: new URL('https://other.test/b'),
      body: undefined,
    })
  })

  it.each([301, 302])('R13: %d would turn a POST into a GET and is not followed', status => {
    expect(() => nextHop(hop({ method: 'POST' }), status, { location: '/b' })).toThrow(
      expect.objectContaining({
        class: 'redirect',
        status,
        headers: { location: '/b' },
        message: `a redirect (${status}) would turn POST into GET; it is not followed`,
      }),
    )
  })

  it.each([301, 302, 307, 308])('R40: %d takes no body to another host', status => {
    expect(() => nextHop(hop({ method: 'POST', body: 'secret' }), status, { location: 'https://other.test/' })).toThrow(
      expect.objectContaining({
        class: 'redirect',
        status,
        message: `a redirect (${status}) leads POST to another host (other.test); it is not followed`,
      }),
    )
  })

  it('R40: nor to another port of the same one, behind which somebody else may listen', () => {
    expect(() => nextHop(hop({ method: 'POST', body: 'secret' }), 307, { location: 'https://toy.test:8443/' })).toThrow(
      'another host (toy.test:8443)',
    )
  })

  it('R40: a redirect down to http is not followed', () => {
    expect(() => nextHop(hop(), 302, { location: 'http://toy.test/' })).toThrow(/down to http/)
  })

  it('R40: five redirects in a row are the most', () => {
    expect(MOST_HOPS).toBe(5)
  })
})

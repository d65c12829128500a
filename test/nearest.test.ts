import { describe, expect, it } from 'vitest'
import { nearest } from '../src/nearest.ts'

const KNOWN = ['retries', 'readTimeoutMs', 'connectTimeoutMs', 'stallMs', 'rate', 'start', 'end']

describe('nearest', () => {
  it.each([
    ['retrys', 'retries'],
    ['read_timeout_ms', 'readTimeoutMs'],
    ['READ-TIMEOUT MS', 'readTimeoutMs'],
    ['readTimeout', 'readTimeoutMs'],
    ['eadTimeotMs', 'readTimeoutMs'],
    ['conectTimeoutMs', 'connectTimeoutMs'],
    ['connect', 'connectTimeoutMs'],
    ['stal', 'stallMs'],
    ['raet', 'rate'],
    ['strat', 'start'],
    ['ends', 'end'],
    ['retries', 'retries'],
  ])('F55: %s was meant as %s', (name, meant) => {
    expect(nearest(name, KNOWN)).toBe(meant)
  })

  it.each(['concurrency', 'x', 'somethingElseEntirely', 'connections per second'])('F55: %s is near nothing', name => {
    expect(nearest(name, ['retries', 'readTimeoutMs', 'start'])).toBeUndefined()
  })

  it('F55: takes the nearest of several, and the first of those that are as near', () => {
    expect(nearest('stard', ['starts', 'start', 'stark'])).toBe('start')
    expect(nearest('abcdz', ['abcdx', 'abcdy'])).toBe('abcdx')
    expect(nearest('start', ['starts', 'start'])).toBe('start')
  })

  it('F55: the beginning of a name is nearer than any slip, from four letters on', () => {
    expect(nearest('quota', ['quote', 'quotaReserveOfTheService'])).toBe('quote')
    expect(nearest('quotaReserve', ['quotaReserveOfTheService'])).toBe('quotaReserveOfTheService')
    expect(nearest('quo', ['quotaReserveOfTheService'])).toBeUndefined()
  })

  it('F55: a short name may be off by two, a long one by a third', () => {
    expect(nearest('rxxe', ['rate'])).toBe('rate')
    expect(nearest('xxxe', ['rate'])).toBeUndefined()
    expect(nearest('abcdefghi', ['abcdefxyz'])).toBe('abcdefxyz')
    expect(nearest('abcdefghi', ['abcdewxyz'])).toBeUndefined()
  })

  it('F55: among no names, none is near', () => {
    expect(nearest('start', [])).toBeUndefined()
  })
})

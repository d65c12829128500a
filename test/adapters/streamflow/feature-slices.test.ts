import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createFeatureSlices } from '../../../src/adapters/streamflow/feature-slices.ts'
import { holds } from '../../support/properties.ts'

/** So many features, each with text that could be taken for a border. */
function features(count: number, more: object = {}): object[] {
  return Array.from({ length: count }, (_, n) => ({
    type: 'Feature',
    id: `id-${n}`,
    geometry: { type: 'Point', coordinates: [n / 100, 45 - n / 100] },
    properties: { name: 'a}, {b " \\ ü €', list: [{ a: 1 }, { b: [2, 3] }], value: String(n), ...more },
  }))
}

interface Page {
  readonly features: readonly unknown[]
}

/** What is handed on while the bytes come, and what is left at the end. */
function taken(text: string, partBytes = 50_000): { readonly seen: unknown[]; readonly rest: string } {
  const seen: unknown[] = []
  const slices = createFeatureSlices(feature => seen.push(feature))
  const body = Buffer.from(text)
  for (let at = 0; at < body.length; at += partBytes) slices.take(Buffer.from(body.subarray(at, at + partBytes)))
  return { seen, rest: slices.rest().toString() }
}

/** All features of a page, wherever they were read. */
function read(text: string, partBytes?: number): { readonly page: Page; readonly early: number } {
  const { seen, rest } = taken(text, partBytes)
  const { features: left, ...around } = JSON.parse(rest) as Page
  return { page: { ...around, features: [...seen, ...left] }, early: seen.length }
}

describe('createFeatureSlices', () => {
  it.each([0, 1, 2])('hands on the features of a large page once and in order, whatever the indent (%d)', indent => {
    const whole = {
      type: 'FeatureCollection',
      numberReturned: 3000,
      features: features(3000),
      links: [{ rel: 'next', href: '/x' }],
      timeStamp: 't',
    }
    const { page, early } = read(JSON.stringify(whole, null, indent))
    expect(page).toEqual(whole)
    expect(early).toBeGreaterThan(2000)
  })

  it.each([1, 7, 1000, 79_999, 10_000_000])('does so in whatever parts the page comes: %d bytes', partBytes => {
    const whole = { features: features(1000), links: [] }
    const { page, early } = read(JSON.stringify(whole), partBytes)
    expect(page).toEqual(whole)
    expect(early).toBeGreaterThan(300)
  })

  it('reads a page of which the features stand last', () => {
    const whole = { links: [], features: features(2000) }
    expect(read(JSON.stringify(whole)).page).toEqual(whole)
  })

  it.each([
    ['a small page', JSON.stringify({ features: features(3) })],
    ['a page without features', JSON.stringify({ rows: features(3000) })],
    ['features that are no list', JSON.stringify({ features: { a: features(3000) } })],
    ['features of something inside', JSON.stringify({ inside: { features: features(3000) } })],
    ['features that come late', JSON.stringify({ note: 'x'.repeat(5000), features: features(3000) })],
    ['very large features', JSON.stringify({ features: features(20, { long: 'x'.repeat(500_000) }) })],
    ['no JSON at all', `<html>${'"features":[{'.repeat(60_000)}`],
  ])('leaves whole %s', (_what, text) => {
    expect(taken(text)).toEqual({ seen: [], rest: text })
  })

  it.each([
    ['F46: a page that breaks off', JSON.stringify({ features: features(3000) }).slice(0, -100_000)],
    ['F46: a page that ends inside a feature', JSON.stringify({ features: features(3000) }).slice(0, -10)],
    ['a bare NaN', JSON.stringify({ features: features(3000) }).replace('"2500"', 'NaN')],
  ])('leaves what is wrong, behind what could be read: %s', (_what, text) => {
    const { seen, rest } = taken(text)
    expect(seen).toEqual(features(seen.length))
    expect(seen.length).toBeGreaterThan(1500)
    const next = JSON.stringify(features(seen.length + 1).at(-1))
    expect(rest.startsWith(`{"features":[${next.slice(0, 60)}`)).toBe(true)
    expect(text.endsWith(rest.slice(-1000))).toBe(true)
    expect(() => JSON.parse(rest) as unknown).toThrow(SyntaxError)
  })

  it('passes on what the visitor throws', () => {
    const slices = createFeatureSlices(() => {
      throw new TypeError('mine')
    })
    expect(() => slices.take(Buffer.from(JSON.stringify({ features: features(3000) })))).toThrow('mine')
  })

  it('says the same as a parser, whatever the features hold', () => {
    const value = fc.letrec(tie => ({
      any: fc.oneof(
        { depthSize: 'small' },
        fc.string({ unit: fc.constantFrom('a', '"', '\\', '}', ',', '{', '[', ']', 'é', '\n') }),
        fc.double({ noNaN: true }),
        fc.boolean(),
        fc.constant(null),
        fc.array(tie('any'), { maxLength: 3 }),
        fc.dictionary(fc.string({ maxLength: 3 }), tie('any'), { maxKeys: 3 }),
      ),
    })).any
    holds(
      fc.property(
        fc.array(fc.dictionary(fc.string({ maxLength: 4 }), value, { maxKeys: 4 }), { minLength: 1, maxLength: 8 }),
        fc.integer({ min: 1000, max: 200_000 }),
        (some, partBytes) => {
          const all = Array.from({ length: Math.ceil(300_000 / JSON.stringify(some).length) }, () => some).flat()
          const text = JSON.stringify({ type: 'x', links: [], features: all })
          expect(JSON.stringify(read(text, partBytes).page)).toBe(text)
        },
      ),
      40,
    )
  })
})

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { eachFeature } from '../../../src/adapters/streamflow/feature-slices.ts'
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

function read(text: string): { readonly seen: unknown[]; readonly around: ReturnType<typeof eachFeature> } {
  const seen: unknown[] = []
  const body = Buffer.from(text)
  const before = Buffer.from(body)
  const around = eachFeature(body, feature => seen.push(feature))
  // The bytes are as they came: an error shows them, and the page may have to be read whole.
  expect(body.equals(before)).toBe(true)
  return { seen, around }
}

describe('eachFeature', () => {
  it.each([0, 1, 2])('hands on every feature of a large page once and in order, whatever the indent (%d)', indent => {
    const all = features(3000)
    const page = {
      type: 'FeatureCollection',
      numberReturned: 3000,
      features: all,
      links: [{ rel: 'next', href: '/x' }],
      timeStamp: 't',
    }
    const { seen, around } = read(JSON.stringify(page, null, indent))
    expect(seen).toEqual(all)
    expect(around).toEqual({ ...page, features: [] })
  })

  it('reads a page of which the features stand last, or are very large', () => {
    const all = features(20, { long: 'x'.repeat(50_000) })
    expect(read(JSON.stringify({ links: [], features: all })).seen).toEqual(all)
  })

  it.each([
    ['a small page', JSON.stringify({ features: features(3) })],
    ['a page without features', JSON.stringify({ rows: features(3000) })],
    ['features that are no list', JSON.stringify({ features: { a: features(3000) } })],
    ['features of something inside', JSON.stringify({ inside: { features: features(3000) } })],
    ['a page that breaks off', JSON.stringify({ features: features(3000) }).slice(0, -100_000)],
    ['a page that ends in the middle of a feature', JSON.stringify({ features: features(3000) }).slice(0, -10)],
    ['a bare NaN', JSON.stringify({ features: features(3000) }).replace('"2500"', 'NaN')],
    ['no JSON at all', `<html>${'"features":[{'.repeat(60_000)}`],
  ])('F46: leaves to others %s', (_what, text) => {
    expect(read(text).around).toBeUndefined()
  })

  it('passes on what the visitor throws', () => {
    const text = JSON.stringify({ features: features(3000) })
    expect(() =>
      eachFeature(Buffer.from(text), () => {
        throw new TypeError('mine')
      }),
    ).toThrow('mine')
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
        some => {
          const all = Array.from({ length: Math.ceil(300_000 / JSON.stringify(some).length) }, () => some).flat()
          const text = JSON.stringify({ type: 'x', features: all, links: [] })
          const { seen, around } = read(text)
          // Where it does not give up, it is right.
          if (around !== undefined) expect(JSON.stringify(seen)).toBe(JSON.stringify(all))
        },
      ),
      40,
    )
  })
})

import { describe, expect, it } from 'vitest'
import { createByteCache } from '../../src/simulator/byte-cache.ts'

describe('createByteCache', () => {
  it('renders once, and again what had to make room', () => {
    const cache = createByteCache<{ readonly bytes: Uint8Array }>(10)
    const rendered: string[] = []
    const get = (key: string): void => {
      cache.get(key, () => {
        rendered.push(key)
        return { bytes: new Uint8Array(4) }
      })
    }
    for (const key of ['a', 'b', 'a', 'c', 'b', 'a']) get(key)
    expect(rendered).toEqual(['a', 'b', 'c', 'a'])
  })
})

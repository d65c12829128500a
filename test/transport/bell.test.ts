import { describe, expect, it } from 'vitest'
import { createBell } from '../../src/transport/bell.ts'

describe('createBell', () => {
  it('wakes everybody who waits, once, and nobody who comes later', async () => {
    const bell = createBell()
    const woken: string[] = []
    void bell.next().then(() => woken.push('a'))
    void bell.next().then(() => woken.push('b'))
    bell.ring()
    void bell.next().then(() => woken.push('late'))
    await Promise.resolve()
    expect(woken).toEqual(['a', 'b'])
    bell.ring()
    await Promise.resolve()
    expect(woken).toEqual(['a', 'b', 'late'])
  })
})

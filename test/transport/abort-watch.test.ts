import { describe, expect, it } from 'vitest'
import { onAbort } from '../../src/transport/abort-watch.ts'
import { listenersOn } from '../support/transport.ts'

describe('onAbort', () => {
  it('F52: however many calls share a signal, it carries one listener, and none when they are over', () => {
    const { signal } = new AbortController()
    const ends = Array.from({ length: 50 }, () => onAbort(signal, () => {}))
    expect(listenersOn(signal)).toBe(1)
    for (const end of ends.slice(1)) end()
    expect(listenersOn(signal)).toBe(1)
    ends[0]?.()
    expect(listenersOn(signal)).toBe(0)
    ends[0]?.()
    expect(listenersOn(signal)).toBe(0)
  })

  it('R62: tells every call that is not over, and no other, once', () => {
    const controller = new AbortController()
    const told: string[] = []
    onAbort(controller.signal, () => told.push('a'))
    onAbort(controller.signal, () => told.push('over'))()
    onAbort(controller.signal, () => told.push('b'))
    controller.abort()
    controller.abort()
    expect(told).toEqual(['a', 'b'])
  })

  it('R62: the same function given twice is called twice, and ended one at a time', () => {
    const controller = new AbortController()
    let times = 0
    const run = (): void => void (times += 1)
    onAbort(controller.signal, run)
    onAbort(controller.signal, run)()
    onAbort(controller.signal, run)
    controller.abort()
    expect(times).toBe(2)
  })

  it('R62: a signal that was left can be listened to again', () => {
    const controller = new AbortController()
    let told = 0
    onAbort(controller.signal, () => void (told += 1))()
    const end = onAbort(controller.signal, () => void (told += 1))
    expect(listenersOn(controller.signal)).toBe(1)
    controller.abort()
    end()
    expect([told, listenersOn(controller.signal)]).toEqual([1, 0])
  })

  it('R62: to end the first of two series of calls does not end the second', () => {
    const controller = new AbortController()
    const first = onAbort(controller.signal, () => {})
    first()
    let told = 0
    onAbort(controller.signal, () => void (told += 1))
    first()
    controller.abort()
    expect(told).toBe(1)
  })
})

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { sleep, systemClock, systemRandom } from '../src/clock.ts'
import { createManualClock } from './support/clocks.ts'
import { listenersOn } from './support/transport.ts'

const DAY = 86_400_000
const LONGEST = 2 ** 31 - 1

describe('systemClock', () => {
  it('reads the time of the machine, and a time that never runs backwards', () => {
    const [before, monotonic] = [Date.now(), systemClock.monotonic()]
    expect(systemClock.now()).toBeGreaterThanOrEqual(before)
    expect(systemClock.monotonic()).toBeGreaterThanOrEqual(monotonic)
  })

  describe('timers', () => {
    beforeEach(() => {
      vi.useFakeTimers()
    })
    afterEach(() => {
      vi.useRealTimers()
    })

    it.each([1, 5000, LONGEST - 1, LONGEST, LONGEST + 1, 60 * DAY, 3 * LONGEST])('R18: runs once, after %d ms', ms => {
      const run = vi.fn<() => void>()
      systemClock.after(ms, run)
      vi.advanceTimersByTime(ms - 1)
      expect(run).toHaveBeenCalledTimes(0)
      vi.advanceTimersByTime(1)
      expect(run).toHaveBeenCalledTimes(1)
      vi.advanceTimersByTime(3 * LONGEST)
      expect(run).toHaveBeenCalledTimes(1)
    })

    it('R18: hands no timer more than it can hold', () => {
      const setTimer = vi.spyOn(globalThis, 'setTimeout')
      systemClock.after(60 * DAY, () => {})
      expect(setTimer.mock.calls.map(([, ms]) => ms)).toEqual([LONGEST])
      vi.advanceTimersByTime(LONGEST)
      expect(setTimer.mock.calls.map(([, ms]) => ms)).toEqual([LONGEST, LONGEST])
      vi.advanceTimersByTime(LONGEST)
      expect(setTimer.mock.calls.map(([, ms]) => ms)).toEqual([LONGEST, LONGEST, 60 * DAY - 2 * LONGEST])
      setTimer.mockRestore()
    })

    it.each([0, -5])('a wait of %d ms is over at the next turn', ms => {
      const run = vi.fn<() => void>()
      systemClock.after(ms, run)
      vi.advanceTimersByTime(0)
      expect(run).toHaveBeenCalledTimes(1)
    })

    it.each([10, 60 * DAY])('R62: does not run when cancelled, at once or half-way through %d ms', ms => {
      const run = vi.fn<() => void>()
      systemClock.after(ms, run)()
      const cancel = systemClock.after(ms, run)
      vi.advanceTimersByTime(ms / 2)
      cancel()
      cancel()
      vi.advanceTimersByTime(ms)
      expect(run).toHaveBeenCalledTimes(0)
      expect(vi.getTimerCount()).toBe(0)
    })
  })
})

describe('systemRandom', () => {
  it('R17: draws from 0, included, to 1, excluded', () => {
    const drawn = Array.from({ length: 1000 }, systemRandom)
    expect(Math.min(...drawn)).toBeGreaterThanOrEqual(0)
    expect(Math.max(...drawn)).toBeLessThan(1)
    expect(new Set(drawn).size).toBeGreaterThan(900)
  })
})

describe('sleep', () => {
  it('waits on the clock that it is given', async () => {
    const clock = createManualClock()
    let awake = false
    void sleep(clock, 100).then(() => (awake = true))
    await clock.advance(99)
    expect(awake).toBe(false)
    await clock.advance(1)
    expect(awake).toBe(true)
  })

  it('R62: leaves no listener when it is over', async () => {
    const clock = createManualClock()
    const { signal } = new AbortController()
    const slept = sleep(clock, 100, signal)
    expect(listenersOn(signal)).toBe(1)
    await clock.advance(100)
    await slept
    expect(listenersOn(signal)).toBe(0)
  })

  it('R62 F51: an abort ends it with the reason of the caller, and leaves neither timer nor listener', async () => {
    const clock = createManualClock()
    const controller = new AbortController()
    const slept = sleep(clock, 5000, controller.signal)
    const reason = { my: 'reason' }
    controller.abort(reason)
    await expect(slept).rejects.toBe(reason)
    expect([clock.timers, listenersOn(controller.signal)]).toEqual([0, 0])
  })

  it('R62 F51: does not begin on a signal that is aborted', async () => {
    const clock = createManualClock()
    await expect(sleep(clock, 5000, AbortSignal.abort('over'))).rejects.toBe('over')
    expect(clock.timers).toBe(0)
  })
})

import { describe, expect, it } from 'vitest'
import { watchSilence } from '../../src/transport/silence.ts'
import { createManualClock } from '../support/clocks.ts'

function watched(connectTimeoutMs = 100, readTimeoutMs = 300) {
  const clock = createManualClock()
  const expired: string[] = []
  const watch = watchSilence(clock, connectTimeoutMs, readTimeoutMs, phase =>
    expired.push(`${phase} at ${clock.monotonic()}`),
  )
  return { clock, expired, watch }
}

describe('watchSilence', () => {
  it('R21: a connection that does not come in time is the first time-out', async () => {
    const { clock, expired } = watched()
    await clock.advance(99)
    expect(expired).toEqual([])
    await clock.advance(1)
    expect(expired).toEqual(['connect at 100'])
    await clock.advance(10_000)
    expect(expired).toHaveLength(1)
    expect(clock.timers).toBe(0)
  })

  it('R21: from the connection on it is the second, however long the first one took', async () => {
    const { clock, expired, watch } = watched()
    await clock.advance(90)
    watch.connected()
    await clock.advance(299)
    expect(expired).toEqual([])
    await clock.advance(1)
    expect(expired).toEqual(['read at 390'])
    expect(clock.timers).toBe(0)
  })

  it('R21: the connect time-out may be longer than the read time-out, and is over with the connection', async () => {
    const { clock, expired, watch } = watched(1000, 50)
    await clock.advance(500)
    watch.connected()
    await clock.advance(50)
    expect(expired).toEqual(['read at 550'])
  })

  it('R21: it is the longest gap between bytes, not a duration', async () => {
    const { clock, expired, watch } = watched()
    watch.connected()
    for (let byte = 0; byte < 50; byte++) {
      await clock.advance(299)
      watch.heard()
    }
    expect(expired).toEqual([])
    await clock.advance(299)
    expect(expired).toEqual([])
    await clock.advance(1)
    expect(expired).toEqual([`read at ${51 * 299 + 1}`])
  })

  it('R15: nothing expires after the end, and no timer is left', async () => {
    const { clock, expired, watch } = watched()
    watch.connected()
    watch.end()
    expect(clock.timers).toBe(0)
    await clock.advance(10_000)
    expect(expired).toEqual([])
  })

  it('R21: bytes do not move the alarm each time: it looks again when silence could first be too long', async () => {
    const { clock, watch } = watched()
    watch.connected()
    for (let byte = 0; byte < 1000; byte++) watch.heard()
    expect(clock.timers).toBe(1)
    await clock.advance(300)
    expect(clock.timers).toBe(0)
  })
})

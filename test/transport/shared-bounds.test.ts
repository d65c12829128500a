import { describe, expect, it } from 'vitest'
import type { CallOptions } from '../../src/transport/call.ts'
import type { RetrievalEvent } from '../../src/transport/events.ts'
import { shareBounds } from '../../src/transport/shared-bounds.ts'
import { createManualClock } from '../support/clocks.ts'

const attempt = { type: 'attempt' } as RetrievalEvent

describe('shareBounds', () => {
  it('R22 R23: takes off what the calls before have used up, and never asks for less than nothing', async () => {
    const clock = createManualClock()
    const bounds = shareBounds({ deadlineMs: 1000, maxRequests: 3, maxRows: 5 }, clock)
    const first = bounds.next()
    expect(first).toMatchObject({ deadlineMs: 1000, maxRequests: 3, maxRows: 5 })
    await clock.advance(400)
    for (const event of [attempt, { type: 'wait' } as RetrievalEvent, attempt]) first.onEvent?.(event)
    expect(bounds.next()).toMatchObject({ deadlineMs: 600, maxRequests: 1 })
    await clock.advance(5000)
    for (let n = 0; n < 4; n++) bounds.next().onEvent?.(attempt)
    expect(bounds.next()).toMatchObject({ deadlineMs: 0, maxRequests: 0 })
    expect(bounds.sent).toBe(6)
  })

  it("passes every event on, and what the caller's listener returns", () => {
    const heard: RetrievalEvent[] = []
    const answer = Promise.resolve()
    const onEvent = ((event: RetrievalEvent) => (heard.push(event), answer)) as never
    const next = shareBounds({ onEvent }, createManualClock()).next()
    expect(next.onEvent?.(attempt)).toBe(answer)
    expect(heard).toEqual([attempt])
  })

  it.each<CallOptions>([
    {},
    { deadlineMs: -5, maxRequests: -1 },
    { deadlineMs: Number.NaN },
    { maxRequests: 'x' as never },
  ])('leaves bounds that are not there, or make no sense, as they are: %j', call => {
    const { onEvent: _onEvent, ...next } = shareBounds(call, createManualClock()).next()
    expect(next).toEqual(call)
  })
})

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createGate } from '../../src/transport/gate.ts'
import type { RateLimit } from '../../src/transport/rate-window.ts'
import { createManualClock } from '../support/clocks.ts'
import { crowd, entry } from '../support/gate.ts'
import { holdsInTime } from '../support/properties.ts'

const names = (prefix: string, count: number): string[] =>
  Array.from({ length: count }, (_, at) => `${prefix}${at + 1}`)

/** Two requests where one a second may go: the first has been let in. */
async function twoAtOne() {
  const clock = createManualClock()
  const requests = crowd(createGate(clock), { rate: [{ requests: 1, perMs: 1000 }] })
  requests.enter('r1')
  requests.enter('r2')
  await clock.advance(0)
  return { clock, requests }
}

describe('rate', () => {
  const rate: RateLimit[] = [{ requests: 2, perMs: 1000 }]

  it('R33: lets in two, the next two when a second and a margin are over', async () => {
    const clock = createManualClock()
    const requests = crowd(createGate(clock), { rate })
    for (const name of names('r', 5)) requests.enter(name)
    await clock.advance(0)
    expect(requests.entered).toEqual(['r1', 'r2'])
    requests.finish('r1', 'r2')
    await clock.advance(1024)
    expect(requests.entered).toHaveLength(2)
    await clock.advance(1)
    expect(requests.entered).toEqual(['r1', 'r2', 'r3', 'r4'])
  })

  it('R33: a request counts from the instant it was written, not from the instant it was let in', async () => {
    const clock = createManualClock()
    const requests = crowd(createGate(clock), { rate })
    for (const name of names('r', 3)) requests.enter(name)
    await clock.advance(5000)
    // Both are still shaking hands: nobody knows when they will arrive, so nobody else may go.
    expect(requests.entered).toEqual(['r1', 'r2'])
    expect(clock.timers).toBe(0)
    requests.pass('r1').sent()
    requests.pass('r1').heard()
    await clock.advance(1025)
    expect(requests.entered).toEqual(['r1', 'r2', 'r3'])
  })

  it('R33: without an answer it is taken to arrive a little after it was written', async () => {
    const { clock, requests } = await twoAtOne()
    requests.pass('r1').sent()
    await clock.advance(1099)
    expect(requests.entered).toEqual(['r1'])
    await clock.advance(1)
    expect(requests.entered).toEqual(['r1', 'r2'])
  })

  it('R33: an answer much later does not make it count from then', async () => {
    const { clock, requests } = await twoAtOne()
    requests.pass('r1').sent()
    await clock.advance(900)
    requests.pass('r1').heard()
    requests.pass('r1').heard()
    requests.pass('r1').sent()
    await clock.advance(199)
    expect(requests.entered).toEqual(['r1'])
    await clock.advance(1)
    expect(requests.entered).toEqual(['r1', 'r2'])
  })

  it('R33: an answer that comes before the last byte was written counts as its arrival', async () => {
    const { clock, requests } = await twoAtOne()
    await clock.advance(500)
    requests.pass('r1').heard()
    await clock.advance(1024)
    expect(requests.entered).toEqual(['r1'])
    await clock.advance(1)
    expect(requests.entered).toEqual(['r1', 'r2'])
  })

  it('R33 R35: a long window looks back on what others sent whose window is short', async () => {
    const clock = createManualClock()
    const gate = createGate(clock)
    const [short, long] = [[{ requests: 2, perMs: 1000 }], [{ requests: 3, perMs: 60_000 }]]
    const requests = crowd(gate, { rate: long })
    for (const [at, name] of ['a1', 'a2', 'b1', 'b2'].entries()) {
      requests.enter(name, { rate: name.startsWith('a') ? long : short })
      await clock.advance(0)
      requests.finish(name)
      await clock.advance(at === 3 ? 0 : 5000)
    }
    requests.enter('a3')
    await clock.advance(30_000)
    expect(requests.entered).toEqual(['a1', 'a2', 'b1', 'b2'])
    await clock.advance(30_000)
    expect(requests.entered).toContain('a3')
  })

  it('R33: what was not sent after all does not count', async () => {
    const { clock, requests } = await twoAtOne()
    requests.pass('r1').refund()
    requests.pass('r1').ended('other')
    await clock.advance(0)
    expect(requests.entered).toEqual(['r1', 'r2'])
  })

  it('R33: no sliding window ever holds more than the limit, whatever the arrivals, delays and ends', async () => {
    const upTo = (max: number) => fc.oneof(fc.constant(0), fc.integer({ min: 0, max }))
    const request = fc.record({
      at: upTo(3000),
      connectMs: upTo(1500),
      wayMs: upTo(75),
      serveMs: upTo(1500),
      end: fc.constantFrom('answered', 'answered', 'answered', 'lost', 'never sent', 'refunded'),
      priority: fc.constantFrom('interactive' as const, 'bulk' as const),
    })
    const limits = fc.array(
      fc.record({ requests: fc.integer({ min: 1, max: 6 }), perMs: fc.integer({ min: 100, max: 2000 }) }),
      {
        minLength: 1,
        maxLength: 2,
      },
    )
    await holdsInTime(
      fc.asyncProperty(
        fc.array(request, { minLength: 1, maxLength: 25 }),
        limits,
        fc.integer({ min: 1, max: 8 }),
        async (requests, limited, concurrency) => {
          const clock = createManualClock()
          const gate = createGate(clock)
          const arrivals: number[] = []
          let over = 0
          for (const { at, connectMs, wayMs, serveMs, end, priority } of requests) {
            clock.after(at, () => {
              void gate.enter(entry({ rate: limited, concurrency, priority })).then(pass => {
                const finish = (): void => {
                  over += 1
                  pass.ended('other')
                }
                if (end === 'refunded') {
                  pass.refund()
                  return finish()
                }
                clock.after(connectMs, () => {
                  if (end === 'never sent') return finish()
                  pass.sent()
                  clock.after(wayMs, () => arrivals.push(clock.monotonic()))
                  clock.after(wayMs + serveMs, () => {
                    if (end === 'answered') pass.heard()
                    finish()
                  })
                  return undefined
                })
                return undefined
              })
            })
          }
          await clock.runUntil(() => over === requests.length)
          expect(over).toBe(requests.length)
          arrivals.sort((a, b) => a - b)
          for (const { requests: most, perMs } of limited) {
            const tooSoon = arrivals.filter(
              (instant, at) => instant - (arrivals[at - most] ?? Number.NEGATIVE_INFINITY) < perMs,
            )
            expect(tooSoon).toEqual([])
          }
          expect(clock.timers).toBe(0)
        },
      ),
      150,
    )
  })
})

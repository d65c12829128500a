import { describe, expect, it } from 'vitest'
import { beginCall, CALL_OPTIONS, deadlineFailure, type CallOptions } from '../../src/transport/call.ts'
import type { Failure } from '../../src/transport/failure.ts'
import { createManualClock } from '../support/clocks.ts'
import { keepLines } from '../support/log-lines.ts'
import { callOf, listenersOn } from '../support/transport.ts'

const START = Date.UTC(2026, 0, 1)

function begin(call: CallOptions = {}) {
  const clock = createManualClock(START)
  return { clock, ...callOf({ clock, call }) }
}

describe('the deadline', () => {
  it('R22: ends the call when it comes, with a failure that says so', async () => {
    const { clock, call } = begin({ deadlineMs: 500 })
    expect([call.deadlineAt, call.startedAt]).toEqual([500, 0])
    await clock.advance(499)
    expect(call.signal.aborted).toBe(false)
    await clock.advance(1)
    expect(call.signal.reason).toMatchObject({ class: 'deadline', message: 'the deadline of 500 ms came first' })
    expect(clock.timers).toBe(0)
  })

  it.each([
    [{ expiresAt: '2026-01-01T00:00:02Z' }, 2000],
    [{ expiresAt: new Date(START + 1500) }, 1500],
    [{ expiresAt: START + 700 }, 700],
    [{ expiresAt: START + 700, deadlineMs: 300 }, 300],
    [{ expiresAt: START + 700, deadlineMs: 900 }, 700],
    [{ deadlineMs: Number.POSITIVE_INFINITY }, Number.POSITIVE_INFINITY],
    [{}, Number.POSITIVE_INFINITY],
  ])('R22: the earlier of deadline and expiry counts: %j', (bounds, deadlineAt) => {
    const { clock, call } = begin(bounds)
    expect(call.deadlineAt).toBe(deadlineAt)
    expect(clock.timers).toBe(Number.isFinite(deadlineAt) ? 1 : 0)
    call.close()
    expect(clock.timers).toBe(0)
  })

  it.each([{ deadlineMs: 0 }, { expiresAt: START }, { expiresAt: '2025-12-31' }])(
    'R22: nothing is begun when the time is over: %j',
    bounds => {
      const { clock, call } = begin(bounds)
      expect(call.signal.reason).toMatchObject({
        class: 'deadline',
        message: 'the answer had expired before it was asked for',
      })
      expect(clock.timers).toBe(0)
    },
  )

  it('R22: the instant of expiry is measured from now on, on the clock that does not jump', async () => {
    const { clock, call } = begin({ expiresAt: START + 1000 })
    await clock.advance(1000)
    expect(call.signal.aborted).toBe(true)
  })

  it.each([
    [-1, 'the answer had expired before it was asked for'],
    [0, 'the answer had expired before it was asked for'],
    [1.4, 'the deadline of 1 ms came first'],
  ])('R22: says what came first: %d ms', (ms, message) => {
    expect(deadlineFailure(ms)).toMatchObject({ class: 'deadline', message })
  })
})

describe('the number of requests', () => {
  it('R23: is counted, and ends at its bound', () => {
    const { call } = begin({ maxRequests: 2 })
    call.spendRequest()
    call.spendRequest()
    expect(call.requestsSent).toBe(2)
    expect(() => call.spendRequest()).toThrow(
      expect.objectContaining<Partial<Failure>>({
        class: 'requests_spent',
        message: 'the call may send no more than 2 requests (maxRequests)',
      }),
    )
    expect(call.requestsSent).toBe(2)
  })

  it('R23: has no bound unless one is given; 0 sends nothing', () => {
    const { call } = begin()
    for (let request = 0; request < 1000; request++) call.spendRequest()
    expect(call.requestsSent).toBe(1000)
    expect(() => begin({ maxRequests: 0 }).call.spendRequest()).toThrow('no more than 0 requests')
  })
})

describe('bounds that make no sense', () => {
  it.each<[CallOptions, string, string]>([
    [{ deadlineMs: -1 }, 'deadlineMs', 'deadlineMs must be a number, 0 or more; got -1'],
    [{ deadlineMs: Number.NaN }, 'deadlineMs', 'deadlineMs must be a number, 0 or more; got NaN'],
    [{ deadlineMs: '5' as never }, 'deadlineMs', 'deadlineMs must be a number, 0 or more; got 5'],
    [{ maxRequests: -1 }, 'maxRequests', 'maxRequests must be a whole number, 0 or more; got -1'],
    [{ maxRequests: 1.5 }, 'maxRequests', 'maxRequests must be a whole number, 0 or more; got 1.5'],
    [{ expiresAt: 'soon' }, 'expiresAt', 'expiresAt is not an instant: "soon"'],
  ])('F55: %j is refused, naming the argument, and leaves nothing behind', (bounds, argument, message) => {
    const { signal } = new AbortController()
    const clock = createManualClock()
    expect(() => callOf({ clock, call: { signal, ...bounds } })).toThrow(
      expect.objectContaining({ name: 'QueryError', argument, message: expect.stringContaining(message) as string }),
    )
    expect([listenersOn(signal), clock.timers]).toEqual([0, 0])
  })
})

describe('words that make no sense', () => {
  it.each<[string, object, string]>([
    ['priority', { priority: 'high' }, "priority must be 'interactive' or 'bulk'; got 'high'"],
    ['onFailure', { onFailure: 'ignore' }, "onFailure must be 'stop' or 'collect'; got 'ignore'"],
    ['onEvent', { onEvent: 'x' }, "onEvent must be a function; got 'x'"],
    ['signal', { signal: {} }, 'signal must be an AbortSignal, such as controller.signal; got object'],
    [
      'signal',
      { signal: new AbortController() },
      'signal must be an AbortSignal, such as controller.signal; got object',
    ],
  ])('are refused before the call begins: %s', (argument, call, message) => {
    expect(() => beginCall({ call } as never)).toThrow(expect.objectContaining({ argument, message }) as Error)
  })
})

describe('the signal of the caller', () => {
  it('R62 F51: aborted before the call, nothing begins', () => {
    const reason = new Error('my own')
    expect(() => begin({ signal: AbortSignal.abort(reason) })).toThrow(reason)
  })

  it('R62 F51: ends the call with its own reason', () => {
    const controller = new AbortController()
    const { call } = begin({ signal: controller.signal })
    controller.abort('enough')
    expect(call.signal.reason).toBe('enough')
  })

  it('R62 F52: carries no listener when the call is over', async () => {
    const controller = new AbortController()
    const { call, clock } = begin({ signal: controller.signal, deadlineMs: 100 })
    expect(listenersOn(controller.signal)).toBe(1)
    call.close()
    call.close()
    expect([listenersOn(controller.signal), clock.timers]).toEqual([0, 0])
    controller.abort()
    await clock.advance(100)
    expect(call.signal.aborted).toBe(false)
  })

  it('R59: stop ends everything that the call started', () => {
    const { call } = begin()
    call.stop('over')
    expect(call.signal.reason).toBe('over')
  })

  it('R62: any number of pieces may listen to the signal of the call without a warning', () => {
    const warnings: Error[] = []
    const warn = (warning: Error): void => void warnings.push(warning)
    process.on('warning', warn)
    const { call } = begin()
    for (let piece = 0; piece < 100; piece++) call.signal.addEventListener('abort', () => {})
    process.off('warning', warn)
    expect(warnings).toEqual([])
  })
})

describe('what a call knows', () => {
  it('R37: its priority is that of the caller, or else of the getter', () => {
    expect(begin().call.priority).toBe('interactive')
    expect(begin({ priority: 'bulk' }).call.priority).toBe('bulk')
  })

  it('R32: speaks to the logger and the listener of the caller', () => {
    const { logger, lines } = keepLines()
    const heard: unknown[] = []
    const { call } = callOf({
      options: { logger },
      call: { onEvent: ({ type, at }) => heard.push(type, at.getTime()) },
      clock: createManualClock(START),
    })
    call.emit({ type: 'warning', message: 'hear' })
    expect([lines, heard]).toEqual([['WARN toy getSeries: hear'], ['warning', START]])
  })

  it('names every option that is about a call', () => {
    expect([...CALL_OPTIONS].sort()).toEqual([
      'deadlineMs',
      'expiresAt',
      'maxRequests',
      'maxRows',
      'onEvent',
      'onFailure',
      'priority',
      'signal',
    ])
  })
})

import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createEmitter, type Emit, type EventBody, type RetrievalEvent } from '../../src/transport/events.ts'
import { keepLines } from '../support/log-lines.ts'

const NOW = Date.UTC(2026, 0, 1)
const span = { start: new Date('2024-01-01T00:00Z'), end: new Date('2024-01-02T00:00Z') }

function emitter(listener?: (event: RetrievalEvent) => unknown): { emit: Emit; lines: string[] } {
  const { logger, lines } = keepLines()
  return { emit: createEmitter({ service: 'toy', operation: 'getSeries', now: () => NOW, logger, listener }), lines }
}

describe('log lines', () => {
  it.each<[EventBody, string]>([
    [
      { type: 'split', span, depth: 0, reason: 'too slow (504)' },
      'WARN toy getSeries: too slow (504); asking for 2024-01-01T00:00:00.000Z to 2024-01-02T00:00:00.000Z in two parts (depth 1)',
    ],
    [
      { type: 'split', span: null, depth: 1, reason: 'too much at a time (414)' },
      'WARN toy getSeries: too much at a time (414); asking for its identifiers in two parts (depth 2)',
    ],
    [{ type: 'refresh', reason: 'expired' }, 'WARN toy getSeries: the token is expired; logging in again'],
    [{ type: 'refresh', reason: 'refused' }, 'WARN toy getSeries: the token is refused; logging in again'],
    [
      { type: 'pause', ms: 1000.2, reason: 'too many requests (429)' },
      'WARN toy getSeries: too many requests (429); nobody sends for 1001 ms',
    ],
    [{ type: 'learned', what: 'span', value: 86_400_000 }, 'WARN toy getSeries: learned span: 86400000'],
    [{ type: 'learned', what: 'pin', value: '2026-03-01' }, 'WARN toy getSeries: learned pin: 2026-03-01'],
    [{ type: 'warning', message: 'old data' }, 'WARN toy getSeries: old data'],
  ])('R32: every adaptation and warning is one WARN line: %j', (body, line) => {
    const { emit, lines } = emitter()
    emit(body)
    expect(lines).toEqual([line])
  })

  it.each<[EventBody, string]>([
    [{ type: 'refresh', reason: 'missing' }, 'INFO toy getSeries: logging in'],
    [
      { type: 'retry', url: '/a', attempt: 2, waitMs: 12.5, reason: 'the service answered 503' },
      'INFO toy getSeries: the service answered 503; attempt 2 in 13 ms',
    ],
    [
      { type: 'done', outcome: 'complete', rows: 7, responses: 2, elapsedMs: 12.4 },
      'INFO toy getSeries: complete: 7 rows in 2 responses, 12 ms',
    ],
  ])('R32: what is ordinary is one INFO line: %j', (body, line) => {
    const { emit, lines } = emitter()
    emit(body)
    expect(lines).toEqual([line])
  })

  it.each<EventBody>([
    { type: 'planned', chunks: 1, requests: 1, span: null, concurrency: 8, perSecond: null },
    { type: 'attempt', url: '/a', attempt: 1, span: null },
    { type: 'page', page: 1, rows: 5 },
    { type: 'wait', reason: 'backoff', ms: 5, silentMs: 0, stallMs: 60_000 },
  ])('R32: the steps of a call are no lines: %j', body => {
    const { emit, lines } = emitter()
    emit(body)
    expect(lines).toEqual([])
  })
})

describe('listeners', () => {
  const body: EventBody = { type: 'warning', message: 'old data' }
  const event = { service: 'toy', operation: 'getSeries', at: new Date(NOW), ...body }

  it('R32: hear every event, with who and when', () => {
    const heard: RetrievalEvent[] = []
    emitter(one => heard.push(one)).emit(body)
    expect(heard).toEqual([event])
  })

  it.each([
    [new Error('my mistake'), 'ERROR onEvent threw: my mistake'],
    ['a text', 'ERROR onEvent threw: a text'],
  ])('R32: a listener that throws does no harm: %s', (thrown, line) => {
    const { emit, lines } = emitter(() => {
      throw thrown
    })
    expect(() => emit(body)).not.toThrow()
    expect(lines).toEqual(['WARN toy getSeries: old data', line])
  })

  it('R32: an asynchronous listener that rejects does no harm either', async () => {
    const { emit, lines } = emitter(async () => {
      throw new Error('later')
    })
    emit(body)
    await new Promise(resolve => setImmediate(resolve))
    expect(lines.at(-1)).toBe('ERROR onEvent threw: later')
  })

  it('R32: what a listener returns otherwise does not matter', () => {
    const { emit, lines } = emitter(() => 'something')
    emit(body)
    expect(lines).toHaveLength(1)
  })

  it('R32: all events of the process appear on one diagnostics channel', () => {
    const seen: unknown[] = []
    const watch = (message: unknown): void => void seen.push(message)
    subscribe('headrace:event', watch)
    onTestFinished(() => void unsubscribe('headrace:event', watch))
    emitter().emit(body)
    expect(seen).toEqual([event])
  })
})

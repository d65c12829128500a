import { describe, expect, it } from 'vitest'
import { showProgress } from '../../src/retrieval/index.ts'
import {
  NO_PROGRESS,
  advance,
  progressText,
  remainingMs,
  type ProgressState,
} from '../../src/retrieval/progress-state.ts'
import type { RetrievalEvent } from '../../src/transport/index.ts'
import { createManualClock } from '../support/clocks.ts'
import { metaRow } from './sample-result.ts'

const HOUR_MS = 3_600_000
const at = (ms: number): Date => new Date(ms)
const about = { service: 'acme', operation: 'getSeries' }

const planned = (more: Partial<Extract<RetrievalEvent, { type: 'planned' }>> = {}): RetrievalEvent => ({
  ...about,
  type: 'planned',
  at: at(0),
  chunks: 10,
  requests: 10,
  span: { start: at(0), end: at(10 * HOUR_MS) },
  concurrency: 2,
  perSecond: null,
  ...more,
})
const answered = (hour: number, rows = 12, elapsedMs = 1_000): RetrievalEvent => ({
  ...about,
  type: 'response',
  at: at(hour * 1000),
  meta: metaRow({ rows, elapsedMs, span: { start: at(hour * HOUR_MS), end: at((hour + 1) * HOUR_MS) } }),
})
const fold = (...events: RetrievalEvent[]): ProgressState => events.reduce(advance, NO_PROGRESS)

describe('progress', () => {
  it('counts rows, responses and the share of the span that is done', () => {
    const state = fold(planned(), answered(0), answered(1))
    expect(progressText(state, 1_000)).toMatch(/^acme getSeries: 20 % · 24 rows · 2 responses/)
  })

  it('is latency-bound where no rate is set: what is left, so many at a time', () => {
    expect(remainingMs(fold(planned(), answered(0)))).toBeCloseTo((9 * 1_000) / 2)
  })

  it('is rate-bound where the rate is the tighter bound', () => {
    expect(remainingMs(fold(planned({ perSecond: 0.1 }), answered(0)))).toBeCloseTo(90_000)
  })

  it('promises nothing before the first answer', () => {
    expect(remainingMs(fold(planned()))).toBeUndefined()
  })

  it('says what had to be done, and for how long it has been silent', () => {
    const state = fold(
      planned(),
      answered(0),
      { ...about, type: 'split', at: at(0), span: { start: at(0), end: at(1) }, depth: 0, reason: 'too slow' },
      { ...about, type: 'retry', at: at(0), url: '', attempt: 2, waitMs: 10, reason: '503' },
      { ...about, type: 'pause', at: at(0), ms: 1000, reason: '429' },
      { ...about, type: 'wait', at: at(0), reason: 'backoff', ms: 10, silentMs: 0, stallMs: 60_000 },
    )
    expect(progressText(state, 38_000)).toContain('1 split · 1 repeat · 1 pause · silent for 38 s of 60 s')
  })

  it('does not count twice what was asked for again', () => {
    const superseded = answered(0) as Extract<RetrievalEvent, { type: 'response' }>
    const state = fold(
      planned(),
      { ...superseded, meta: { ...superseded.meta, rows: 0, source: { superseded: true } } },
      answered(0),
    )
    expect(state.doneMs).toBe(HOUR_MS)
  })
})

describe('showProgress', () => {
  it('keeps one line up to date on a terminal, ends it, and leaves no timer', async () => {
    const clock = createManualClock()
    const written: string[] = []
    const listener = showProgress({ stream: { write: text => written.push(text), isTTY: true, columns: 200 }, clock })
    listener(planned())
    listener(answered(0))
    await clock.advance(1_000)
    listener({ ...about, type: 'done', at: at(0), outcome: 'complete', rows: 12, responses: 1, elapsedMs: 5 })
    expect(written.length).toBeGreaterThan(3)
    expect(written.every(text => text.startsWith('\r'))).toBe(true)
    expect(written.at(-1)).toMatch(/complete · 12 rows · 1 response\n$/)
    expect(clock.timers).toBe(0)
  })

  it.each([
    ['that says how wide it is', 20, 'acme getSeries: com'],
    ['that says it has no columns', 0, 'acme getSeries: complete · 0 rows · 0 responses'],
  ])('fits its line to a terminal %s', (_, columns, line) => {
    const written: string[] = []
    const stream = { write: (text: string) => written.push(text), isTTY: true, columns }
    const listener = showProgress({ stream, clock: createManualClock() })
    listener(planned())
    listener({ ...about, type: 'done', at: at(0), outcome: 'complete', rows: 0, responses: 0, elapsedMs: 5 })
    expect(written.at(-1)).toBe(`\r\u001B[2K${line}\n`)
  })

  it('writes a line a minute where there is no terminal, and one at the end', async () => {
    const clock = createManualClock()
    const written: string[] = []
    const listener = showProgress({ stream: { write: text => written.push(text) }, clock })
    listener(planned())
    listener(answered(0))
    await clock.advance(150_000)
    expect(written).toHaveLength(2)
    listener({ ...about, type: 'done', at: at(0), outcome: 'interrupted', rows: 12, responses: 1, elapsedMs: 5 })
    expect(written.at(-1)).toContain('interrupted')
    expect(written.every(text => text.endsWith('\n'))).toBe(true)
  })
})

import type { RetrievalEvent } from '../transport/index.ts'

/** How far a call has come, folded from its events. */
export interface ProgressState {
  readonly title: string
  /** Least number of requests, as planned. */
  readonly planned: number
  readonly spanMs: number
  readonly doneMs: number
  readonly rows: number
  readonly responses: number
  /** Sum of the times that answers took, milliseconds. */
  readonly answeringMs: number
  readonly splits: number
  readonly repeats: number
  readonly logins: number
  readonly pauses: number
  readonly concurrency: number
  readonly perSecond: number | null
  /** When something was last received or begun, epoch milliseconds. */
  readonly heardAt: number
  readonly stallMs: number
  readonly outcome: 'running' | 'complete' | 'interrupted' | 'aborted'
}

export const NO_PROGRESS: ProgressState = Object.freeze({
  title: '',
  planned: 0,
  spanMs: 0,
  doneMs: 0,
  rows: 0,
  responses: 0,
  answeringMs: 0,
  splits: 0,
  repeats: 0,
  logins: 0,
  pauses: 0,
  concurrency: 1,
  perSecond: null,
  heardAt: 0,
  stallMs: 0,
  outcome: 'running',
})

/** What an event changes. */
export function advance(state: ProgressState, event: RetrievalEvent): ProgressState {
  switch (event.type) {
    case 'planned': {
      const spanMs = event.span ? event.span.end.getTime() - event.span.start.getTime() : 0
      const { requests: planned, concurrency, perSecond } = event
      return {
        ...NO_PROGRESS,
        title: `${event.service} ${event.operation}`,
        planned,
        spanMs,
        concurrency,
        perSecond,
        heardAt: event.at.getTime(),
      }
    }
    case 'response': {
      const { span, rows, elapsedMs, source } = event.meta
      const gained = span && source['superseded'] !== true ? span.end.getTime() - span.start.getTime() : 0
      return {
        ...state,
        rows: state.rows + rows,
        responses: state.responses + 1,
        answeringMs: state.answeringMs + elapsedMs,
        doneMs: Math.min(state.spanMs, state.doneMs + gained),
        heardAt: event.at.getTime(),
      }
    }
    case 'split':
      return { ...state, splits: state.splits + 1 }
    case 'retry':
      return { ...state, repeats: state.repeats + 1 }
    case 'refresh':
      return { ...state, logins: state.logins + 1 }
    case 'pause':
      return { ...state, pauses: state.pauses + 1 }
    case 'wait':
      return { ...state, stallMs: event.stallMs }
    case 'done':
      return { ...state, outcome: event.outcome }
    default:
      return state
  }
}

/**
 * How long the rest will take: what the rate allows or what the service's speed allows, whichever is longer.
 *
 * @returns milliseconds, or `undefined` while nothing has been answered
 */
export function remainingMs(state: ProgressState): number | undefined {
  const { responses, doneMs, spanMs, planned, answeringMs, concurrency, perSecond } = state
  if (responses === 0) return undefined
  const requests = doneMs > 0 ? ((spanMs - doneMs) / doneMs) * responses : Math.max(0, planned - responses)
  const byLatency = (requests * (answeringMs / responses)) / Math.min(concurrency, Math.max(1, requests))
  const byRate = perSecond === null ? 0 : (requests / perSecond) * 1000
  return Math.max(byLatency, byRate)
}

/** One line for people: how far, how much, what had to be done, how long still. */
export function progressText(state: ProgressState, now: number): string {
  const { title, spanMs, doneMs, planned, responses, rows, outcome, heardAt, stallMs } = state
  const share = spanMs > 0 ? doneMs / spanMs : planned > 0 ? Math.min(1, responses / planned) : 0
  const eta = outcome === 'running' ? remainingMs(state) : undefined
  const silent = now - heardAt
  const parts = [
    `${title}: ${outcome === 'running' ? `${Math.floor(share * 100)} %` : outcome}`,
    `${rows.toLocaleString('en-US')} rows`,
    count(responses, 'response'),
    state.splits > 0 ? count(state.splits, 'split') : '',
    state.repeats > 0 ? count(state.repeats, 'repeat') : '',
    state.pauses > 0 ? count(state.pauses, 'pause') : '',
    outcome === 'running' && silent > 5_000
      ? `silent for ${Math.round(silent / 1000)} s${stallMs > 0 ? ` of ${Math.round(stallMs / 1000)} s` : ''}`
      : '',
    eta === undefined ? '' : `about ${duration(eta)} left`,
  ]
  return parts.filter(Boolean).join(' · ')
}

function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? '' : 's'}`
}

function duration(ms: number): string {
  const seconds = Math.ceil(ms / 1000)
  return seconds < 90
    ? `${seconds} s`
    : seconds < 5400
      ? `${Math.ceil(seconds / 60)} min`
      : `${Math.ceil(seconds / 3600)} h`
}

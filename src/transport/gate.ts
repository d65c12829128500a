import type { Cancel, Clock } from '../clock.ts'
import { createAdaptiveConcurrency } from './concurrency.ts'
import { Failure } from './failure.ts'
import { createLanes, type Priority } from './lanes.ts'
import { createPace } from './pace.ts'
import { latestReading, readQuota, underQuota, type QuotaReading } from './quota.ts'
import { LONGEST_WAY_MS, forgetOld, nextStart, type RateLimit, type Start } from './rate-window.ts'

/** What one request asks of the gate. Limits travel with the request: clients of one account may differ. */
export interface Entry {
  readonly priority: Priority
  readonly concurrency: number
  readonly rate: readonly RateLimit[]
  /** Longest pause named by the service that it is ready to sit out, milliseconds; a longer one fails it at once. */
  readonly patienceMs: number
  /** Monotonic instant after which it is of no use: a pause that lasts longer fails it at once. */
  readonly deadlineAt: number
  readonly quotaReserve: number
  readonly quotaWindowMs: number
  readonly signal: AbortSignal
}

/** How an exchange ended, as far as the gate learns from it. */
export type Outcome = 'success' | 'struggled' | 'other'

/** A change of the gate that concerns everybody behind it. */
export interface GateChange {
  readonly what: 'concurrency' | 'rate'
  /** Requests at a time, or the share of the set rate that is used. */
  readonly value: number
}

/** What a request that was let in tells the gate. */
export interface Pass {
  /** Its bytes are on the wire. */
  sent(): void
  /** A byte of the answer came. */
  heard(): void
  /** It was not sent after all: it does not count. */
  refund(): void
  /** Headers of an answer. */
  answered(headers: Readonly<Record<string, string>>): void
  /** The end. Returns what changed for everybody. */
  ended(outcome: Outcome): GateChange | undefined
}

/**
 * Where every request to one host for one account passes: rate, slots, pauses, lanes and quota are shared by all
 * clients of that account in the process. The slot is held from sending to the last byte, never during a wait.
 */
export interface Gate {
  /** Resolves when the request may be sent. Whoever enters must end the pass, however the request ends. */
  enter(entry: Entry): Promise<Pass>
  /** Nobody sends for so long, because the service named that time or because we think so. Returns the slower rate, if the pause changed it. */
  pause(ms: number, isNamed: boolean): GateChange | undefined
  /** How long the present pause still lasts, milliseconds. */
  pausedMs(): number
  /** What the service last said is left of its quota. */
  quota(): QuotaReading | undefined
}

/** What is to be done with the first in line. */
type Turn =
  | { readonly do: 'admit' | 'hold' }
  | { readonly do: 'wait'; readonly ms: number }
  | { readonly do: 'refuse'; readonly failure: Failure }

export function createGate(clock: Clock): Gate {
  const concurrency = createAdaptiveConcurrency()
  const pace = createPace()
  const lanes = createLanes<Entry, Pass>(clock)
  const starts: Start[] = []
  let held = 0
  let pausedUntil = Number.NEGATIVE_INFINITY
  /** The same of what the service itself asked for. */
  let namedUntil = Number.NEGATIVE_INFINITY
  /** The longest window that anybody has set: clients of one account may differ. */
  let longestMs = 1000
  let quota: QuotaReading | undefined
  let alarm: Cancel | undefined

  /** Lets in whoever may go now, and sets an alarm for who may go next. */
  const pump = (): void => {
    alarm?.()
    alarm = undefined
    for (let waiter = lanes.first(); waiter !== undefined; waiter = lanes.first()) {
      const turn = turnOf(waiter.entry, clock.monotonic())
      if (turn.do === 'admit') lanes.letIn(waiter, passFor(waiter.entry))
      else if (turn.do === 'refuse') waiter.refuse(turn.failure)
      else {
        if (turn.do === 'wait') alarm = clock.after(turn.ms, pump)
        return
      }
    }
  }

  const turnOf = (entry: Entry, now: number): Turn => {
    if (namedUntil - now > entry.patienceMs || pausedUntil > entry.deadlineAt)
      return { do: 'refuse', failure: pausedFailure(pausedUntil - now) }
    if (held >= concurrency.allowed(entry.concurrency)) return { do: 'hold' }
    const underway =
      entry.priority === 'bulk' ? underQuota(quota, entry.quotaReserve, held, now, entry.quotaWindowMs) : 'go'
    if (underway === 'spent') return { do: 'refuse', failure: quotaFailure(quota, now, entry.quotaWindowMs) }
    if (underway === 'hold') return { do: 'hold' }
    if (pausedUntil > now) return { do: 'wait', ms: pausedUntil - now }
    const limits = lanes.limitsFor(entry.priority, pace.applied(entry.rate))
    longestMs = Math.max(longestMs, ...limits.map(limit => limit.perMs))
    forgetOld(starts, longestMs, now)
    const at = nextStart(starts, limits, now)
    if (at === undefined) return { do: 'hold' }
    return at > now ? { do: 'wait', ms: at - now } : { do: 'admit' }
  }

  const passFor = (entry: Entry): Pass => {
    const start: Start = { at: clock.monotonic(), sent: false, arrived: false }
    const startedAt = start.at
    starts.push(start)
    held += 1
    const sent = (): void => {
      if (start.sent) return
      start.at = clock.monotonic()
      start.sent = true
      pump()
    }
    const heard = (): void => {
      if (start.arrived) return
      start.at = Math.min(clock.monotonic(), start.at + (start.sent ? LONGEST_WAY_MS : Number.POSITIVE_INFINITY))
      start.sent = true
      start.arrived = true
      pump()
    }
    return {
      sent,
      heard,
      refund() {
        Object.assign(start, { at: Number.NEGATIVE_INFINITY, sent: true, arrived: true })
      },
      answered(headers) {
        const reading = readQuota(headers, clock.monotonic())
        if (reading) quota = latestReading(quota, reading, startedAt)
      },
      ended(outcome) {
        sent()
        held -= 1
        const change = learn(entry, outcome, startedAt)
        pump()
        return change
      },
    }
  }

  const learn = (entry: Entry, outcome: Outcome, startedAt: number): GateChange | undefined => {
    if (outcome === 'other') return undefined
    const struggled = outcome === 'struggled'
    const cap = struggled
      ? concurrency.struggled(startedAt, clock.monotonic(), entry.concurrency)
      : concurrency.succeeded(entry.concurrency)
    if (cap !== undefined) return { what: 'concurrency', value: cap }
    const share = struggled ? undefined : pace.succeeded()
    return share === undefined ? undefined : { what: 'rate', value: share }
  }

  return {
    enter: entry => lanes.wait(entry, pump),
    pause(ms, isNamed) {
      const now = clock.monotonic()
      const begins = now >= pausedUntil
      pausedUntil = Math.max(pausedUntil, now + ms)
      if (isNamed) namedUntil = Math.max(namedUntil, now + ms)
      const share = begins ? pace.slowDown(starts.filter(start => now - start.at < 1000).length) : undefined
      pump()
      return share === undefined ? undefined : { what: 'rate', value: share }
    },
    pausedMs: () => Math.max(0, pausedUntil - clock.monotonic()),
    quota: () => quota,
  }
}

function pausedFailure(ms: number): Failure {
  return new Failure(`the service asked for a pause of which ${Math.ceil(ms / 1000)} s are left`, {
    class: 'status',
    status: 429,
    retryAfterMs: Math.ceil(ms),
  })
}

function quotaFailure(quota: QuotaReading | undefined, now: number, windowMs: number): Failure {
  const left = quota ? Math.max(0, Math.ceil(quota.at + windowMs - now)) : 0
  return new Failure(
    `the quota is used up: ${quota?.remaining ?? 0} of ${quota?.limit ?? 'an unknown number of'} requests left`,
    {
      class: 'quota_spent',
      retryAfterMs: left,
    },
  )
}

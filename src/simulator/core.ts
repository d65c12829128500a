import { createHash } from 'node:crypto'
import { sleep, type Clock } from '../clock.ts'
import { answering } from './answering.ts'
import { isDeliveryAction, type DeliveryAction, type Fault, type FaultAction } from './fault.ts'
import { createJournal, type Entry, type Journal } from './journal.ts'
import type { Admission, Answer, Ask, Service } from './service.ts'
import { createFaultBook } from './strikes.ts'

/** A request under way: what it asks, what befalls it, and whether the client is still there. */
export interface Visit {
  readonly ask: Ask
  readonly entry: Entry
  /** Milliseconds to wait before anything else happens. */
  readonly delayMs: number
  readonly delivery: DeliveryAction | undefined
  /** The answer, in the service's words or a fault's. */
  answer(): Answer
  /** Ends every wait of this visit when the client leaves. */
  readonly gone: AbortController
}

/** The part of a simulation that is the same for every service: faults, limits and the record. */
export interface Core {
  readonly service: Service
  readonly journal: Journal
  arrive(ask: Ask, connection: number): Visit
  /** Waits out the visit's own delay. Rejects when the client leaves. */
  wait(visit: Visit): Promise<void>
  /** Lets so much time pass. Rejects when the client leaves. */
  stay(visit: Visit, ms: number): Promise<void>
  end(visit: Visit, ending: number | 'reset' | 'cut' | 'aborted', abortedByClient?: boolean): void
  setFaults(faults: readonly Fault[]): void
  readonly faults: readonly Fault[]
  reset(): void
}

export interface CoreOptions {
  readonly service: Service
  readonly clock: Clock
  readonly seed: number
  readonly faults: readonly Fault[]
}

/** Puts faults, limits and the record around a service. */
export function createCore({ service, clock, seed, faults }: CoreOptions): Core {
  const journal = createJournal()
  let book = createFaultBook(faults, seed)
  let arrivals = 0

  const finish = (answer: Answer, admission: Admission, own: Readonly<Record<string, string>>): Answer => {
    const pauseMs = pauseOf(answer, clock.now())
    if (pauseMs > 0) journal.pauseUntil(clock.monotonic() + pauseMs)
    return { ...answer, headers: { ...admission.headers, ...answer.headers, ...own } }
  }

  const stay = (visit: Visit, ms: number): Promise<void> =>
    ms > 0 ? sleep(clock, ms, visit.gone.signal) : Promise.resolve()

  return {
    service,
    journal,
    get faults() {
      return book.faults
    },
    arrive(ask, connection) {
      arrivals += 1
      const at = clock.monotonic()
      const asker = service.whoAsks(ask)
      const isAccount = service.isAccountPath(ask.path)
      const isLogin = service.isLoginPath(ask.path)
      const span = service.spanOf(ask)
      const spanMs = span && span.end - span.start
      const entry = journal.arrive({ ask, asker, at, connection, isAccount, isLogin, spanMs })
      const admission = service.admit(ask, asker, at)
      const { refusal } = admission
      const actions = refusal
        ? []
        : book.strike({
            path: ask.path,
            query: ask.query,
            isAccount,
            key: service.keyOf(ask),
            span,
            tokenNumber: asker.tokenNumber,
          })
      const answer = refusal ? (): Answer => refusal : answering(service, ask, actions)
      const own = { [service.requestIdHeader(ask.path)]: requestId(seed, arrivals) }
      return {
        ask,
        entry,
        delayMs: delayOf(actions, spanMs ?? 0),
        delivery: actions.find(isDeliveryAction),
        answer: () => finish(answer(), admission, own),
        gone: new AbortController(),
      }
    },
    wait: visit => stay(visit, visit.delayMs),
    stay,
    end: (visit, ending, abortedByClient = false) =>
      journal.end(visit.entry, clock.monotonic(), ending, abortedByClient),
    setFaults(next) {
      book = createFaultBook(next, seed)
    },
    reset() {
      journal.reset()
      service.resetLimits()
      book = createFaultBook(book.faults, seed)
    },
  }
}

function delayOf(actions: readonly FaultAction[], spanMs: number): number {
  let total = 0
  for (const action of actions) {
    if (action.type === 'latency') total += (action.ms ?? 0) + ((action.perDayMs ?? 0) * spanMs) / 86_400_000
  }
  return total
}

function pauseOf(answer: Answer, now: number): number {
  const value = answer.headers['retry-after']?.trim() ?? ''
  if (/^\d+(\.\d+)?$/.test(value)) return Number(value) * 1000
  return Math.max(0, Date.parse(value) - now) || 0
}

function requestId(seed: number, arrival: number): string {
  return createHash('sha256').update(`${seed}|${arrival}`).digest('hex').slice(0, 32)
}

import { channel } from 'node:diagnostics_channel'
import type { Logger } from '../logger.ts'
import type { Span } from '../span.ts'
import type { ResponseMeta } from './meta.ts'

/** What every event says. */
interface EventBase {
  readonly service: string
  readonly operation: string
  /** Wall-clock instant of the event. */
  readonly at: Date
}

/** What happens while a call is answered, as a closed list. Addresses are without secrets. */
export type RetrievalEvent = EventBase &
  /** How the query was cut. `requests` is the least number that can answer it, `perSecond` the set rate. */
  (
    | {
        readonly type: 'planned'
        readonly chunks: number
        readonly requests: number
        readonly span: Span | null
        readonly concurrency: number
        readonly perSecond: number | null
      }
    /** A request is sent; `attempt` counts from 1. */
    | { readonly type: 'attempt'; readonly url: string; readonly attempt: number; readonly span: Span | null }
    /** An answer arrived whole and was read. */
    | { readonly type: 'response'; readonly meta: ResponseMeta }
    /** One page of a walk was read. */
    | { readonly type: 'page'; readonly page: number; readonly rows: number }
    /** The identical request will be sent again after a wait. */
    | {
        readonly type: 'retry'
        readonly url: string
        readonly attempt: number
        readonly waitMs: number
        readonly reason: string
      }
    /** A piece was too slow or too large and is asked for in two parts; `span` is null where its identifiers were divided. */
    | { readonly type: 'split'; readonly span: Span | null; readonly depth: number; readonly reason: string }
    /** A new token was asked for. */
    | { readonly type: 'refresh'; readonly reason: 'missing' | 'expired' | 'refused' }
    /** A request waits; `silentMs` of `stallMs` have passed without a byte. */
    | {
        readonly type: 'wait'
        readonly reason: 'backoff' | 'server'
        readonly ms: number
        readonly silentMs: number
        readonly stallMs: number
      }
    /** Nobody sends to this host for this account for so long. */
    | { readonly type: 'pause'; readonly ms: number; readonly reason: string }
    /** The call behaves differently from now on. Spans in milliseconds, rate as a share of the setting. */
    | {
        readonly type: 'learned'
        readonly what: 'span' | 'concurrency' | 'rate' | 'pin'
        readonly value: number | string
      }
    /** The service said something about its data, or the data look odd. */
    | { readonly type: 'warning'; readonly message: string }
    /** The call is over. */
    | {
        readonly type: 'done'
        readonly outcome: 'complete' | 'interrupted' | 'aborted'
        readonly rows: number
        readonly responses: number
        readonly elapsedMs: number
      }
  )

/** An event without what is the same for all events of a call. */
export type EventBody = RetrievalEvent extends infer E
  ? E extends EventBase
    ? Omit<E, keyof EventBase>
    : never
  : never

/** Tells everybody who listens. */
export type Emit = (event: EventBody) => void

/** All events of the process appear here, for tools that watch from outside. */
const everything = channel('headrace:event')

/**
 * @param listener - the caller's own hook; what it throws is logged and goes no further
 */
export function createEmitter(about: {
  service: string
  operation: string
  now: () => number
  logger: Logger
  listener: ((event: RetrievalEvent) => void) | undefined
}): Emit {
  const { service, operation, now, logger, listener } = about
  const complain = (thrown: unknown): void =>
    logger.error(`onEvent threw: ${thrown instanceof Error ? thrown.message : String(thrown)}`)
  return body => {
    const event = { service, operation, at: new Date(now()), ...body } as RetrievalEvent
    logEvent(logger, event)
    if (everything.hasSubscribers) everything.publish(event)
    try {
      const answer: unknown = listener?.(event)
      // A listener may be an async function: what it rejects with would otherwise end the process.
      if (answer instanceof Promise) answer.catch(complain)
    } catch (thrown) {
      complain(thrown)
    }
  }
}

/** Every adaptation is one WARN line; ordinary retries are INFO. */
function logEvent(logger: Logger, event: RetrievalEvent): void {
  const who = `${event.service} ${event.operation}:`
  switch (event.type) {
    case 'split':
      return logger.warn(
        `${who} ${event.reason}; asking for ${event.span ? spanText(event.span) : 'its identifiers'} in two parts (depth ${event.depth + 1})`,
      )
    case 'refresh':
      return event.reason === 'missing'
        ? logger.info(`${who} logging in`)
        : logger.warn(`${who} the token is ${event.reason}; logging in again`)
    case 'pause':
      return logger.warn(`${who} ${event.reason}; nobody sends for ${Math.ceil(event.ms)} ms`)
    case 'learned':
      return logger.warn(`${who} learned ${event.what}: ${event.value}`)
    case 'warning':
      return logger.warn(`${who} ${event.message}`)
    case 'retry':
      return logger.info(`${who} ${event.reason}; attempt ${event.attempt} in ${Math.ceil(event.waitMs)} ms`)
    case 'done':
      return logger.info(
        `${who} ${event.outcome}: ${event.rows} rows in ${event.responses} responses, ${Math.round(event.elapsedMs)} ms`,
      )
    default:
      return undefined
  }
}

function spanText({ start, end }: Span): string {
  return `${start.toISOString()} to ${end.toISOString()}`
}

import type { Span } from '../span.ts'

/**
 * One row per response received: what was asked, what came back, and what it took. Absent facts are `null`, so
 * that the rows make a table. Addresses are without secrets.
 */
export interface ResponseMeta {
  readonly service: string
  readonly operation: string
  readonly url: string
  readonly status: number
  /** The service's own number for the request, for a support ticket. */
  readonly requestId: string | null
  /** The span asked for, both ends included. */
  readonly span: Span | null
  /** Position of the chunk in the plan, from 0. */
  readonly chunk: number | null
  /** How often the chunk had been halved to make this request. */
  readonly depth: number
  /** Position of the page in its walk, from 1. */
  readonly page: number
  /** Whether it was taken from the disk, where an earlier call had kept it: then nothing was sent. */
  readonly cached: boolean
  /** Times the request was sent, this answer's included; 0 when it was cached. */
  readonly attempts: number
  /** Time spent queueing, backing off and waiting as told, milliseconds. */
  readonly waitedMs: number
  /** From sending to the last byte, for the attempt that answered, milliseconds. */
  readonly elapsedMs: number
  /** Of a cached answer: when it was asked for and received by the call that kept it. */
  readonly requestedAt: Date
  readonly receivedAt: Date
  /** Body as sent over the wire, compressed where it was. */
  readonly bytes: number
  /** Rows kept. */
  readonly rows: number
  /** Rows dropped because they lie outside the asked span. */
  readonly rowsOutside: number
  /** Rows dropped because the same row had been received already. */
  readonly rowsMerged: number
  /** What the service said is left of a quota. */
  readonly quotaRemaining: number | null
  /** What the service said about itself: model, units, period, region, warnings and so on. */
  readonly source: Readonly<Record<string, unknown>>
}

import type { Span } from '../span.ts'
import type { PullFormat } from './spec.ts'

/** One unit of work: one series, one stretch of time. It is done as a whole or not at all. */
export interface PlannedTask {
  /** Hash of what is asked: the same in every plan that asks for it. */
  readonly id: string
  readonly service: string
  readonly operation: string
  /** What tells the series from others of the operation, as columns of its rows: `{ region: 'CAISO_NORTH' }`. */
  readonly series: Readonly<Record<string, string | number | boolean>>
  /** Both ends included; absent where the operation knows no time. */
  readonly span: Span | undefined
  readonly requests: RequestCount
  /** Rows, if every series has a value whenever one is due; absent where nobody can know. */
  readonly expectedRows: number | undefined
  /** Whether the manifest of the folder has it already. */
  readonly covered: boolean
}

/** How many requests a plan takes. */
export interface RequestCount {
  /** If nothing has to be repeated or divided. */
  readonly low: number
  /** If one in ten has to, and where the number of pages is not known, one more of each walk. */
  readonly high: number
}

/** What a service allows, and how much of it the plan takes. */
export interface QuotaShare {
  readonly service: string
  /** Requests allowed in a window, by the service's own last word where it had one. */
  readonly allowed: number
  readonly windowSeconds: number
  /** Requests of the plan as a share of those: above 1 it takes several windows. */
  readonly share: number
}

/** What a pull would do and cost. Nothing was asked of a service to find out. */
export interface PullPlan {
  /** Hash of the normalised specification: the same today and tomorrow. */
  readonly id: string
  readonly format: PullFormat
  readonly tasks: readonly PlannedTask[]
  /** What is left to do; tasks that the manifest covers cost nothing. */
  readonly requests: RequestCount
  /** Absent where nobody can know for one of the tasks. */
  readonly expectedRows: number | undefined
  /** The larger of the time that the rates allow and the time that the answers take. */
  readonly seconds: number
  readonly quotas: readonly QuotaShare[]
  /** Bytes of the files to write, roughly; absent where the rows are not known. */
  readonly bytes: number | undefined
  /** What the folder's manifest covers. */
  readonly covered: { readonly tasks: number; readonly rows: number }
}

import type { EmissionsClient, EmissionsOptions } from '../adapters/emissions/index.ts'
import type { StreamflowClient, StreamflowOptions } from '../adapters/streamflow/index.ts'
import type { WaterQualityClient, WaterQualityOptions } from '../adapters/water-quality/index.ts'
import type { Clock } from '../clock.ts'
import type { Logger } from '../logger.ts'
import type { Disk } from './disk.ts'
import type { PullEvent } from './pull-events.ts'
import type { PullFormat } from './spec.ts'

/** Clients to ask with. @defaultValue made from `settings` and the environment, when first needed */
export interface PullClients {
  readonly emissions?: EmissionsClient
  readonly streamflow?: StreamflowClient
  readonly 'water-quality'?: WaterQualityClient
}

/** How clients are made where none is given. */
export interface PullSettings {
  readonly emissions?: EmissionsOptions
  readonly streamflow?: StreamflowOptions
  readonly 'water-quality'?: WaterQualityOptions
}

/** What every function of this folder takes. */
export interface AskingOptions {
  readonly clients?: PullClients
  readonly settings?: PullSettings
  /** For tests. @defaultValue the machine's clock */
  readonly clock?: Clock
}

/** How a plan is made. */
export interface PlanOptions extends AskingOptions {
  /** Folder whose manifest says what is there already. @defaultValue none */
  readonly out?: string
  /** @defaultValue that of the specification, then that of the folder, then 'csv' */
  readonly format?: PullFormat
  /** Tasks at a time. @defaultValue 4 */
  readonly parallel?: number
  /** Ends it at once. */
  readonly signal?: AbortSignal
}

/** How work is run and bounded. */
export interface RunOptions extends AskingOptions {
  /** Tasks at a time. The rates and slots of the clients hold for all of them together. @defaultValue 4 */
  readonly parallel?: number
  /** Ends everything at once. Tasks in flight are lost; the folder stays sound. */
  readonly signal?: AbortSignal
  /** Starts nothing new; tasks in flight have `graceMs` to end. */
  readonly stop?: AbortSignal
  /** @defaultValue 10_000 */
  readonly graceMs?: number
  /** Longest time for the whole, milliseconds. */
  readonly deadlineMs?: number
  /** Most requests, every attempt counted. */
  readonly maxRequests?: number
  readonly onEvent?: (event: PullEvent) => void
  /** Silent unless given. */
  readonly logger?: Logger
  /** For tests. @defaultValue the machine's file system */
  readonly disk?: Disk
}

/** How a specification is pulled. */
export interface PullOptions extends RunOptions {
  /** Folder for data, metadata and manifest; made if it is not there. */
  readonly out: string
  /** @defaultValue that of the specification, then that of the folder, then 'csv' */
  readonly format?: PullFormat
  /** Joins small files at the end. @defaultValue true */
  readonly compact?: boolean
  /** Takes the holes as they are: they are listed, and count no more. @defaultValue false */
  readonly acceptHoles?: boolean
}

/** How a folder is checked. */
export interface VerifyOptions extends RunOptions {
  /** Asks for what is damaged or missing, nothing else. @defaultValue false */
  readonly repair?: boolean
  /** Writes down that the holes that remain may stay. @defaultValue false */
  readonly accept?: boolean
}

/** How a folder is brought up to date. */
export interface SyncOptions extends RunOptions {
  readonly out: string
  /** Up to when. @defaultValue now */
  readonly until?: string | Date
  /**
   * Asks again for this much before the end and compares, in place of asking the service what it revised: an ISO-8601
   * duration such as `'P30D'`. @defaultValue what the service says it revised; where it cannot say, 'P30D', and 'P1Y' for water quality
   */
  readonly lookBack?: string
  /** Joins small files at the end. @defaultValue true */
  readonly compact?: boolean
  /** @defaultValue false */
  readonly acceptHoles?: boolean
}

import type { Clock } from '../../src/clock.ts'
import type { AnyRow, CallOptions, Checkpoint, ResponseMeta, Retrieval, StreamBatch } from '../../src/index.ts'
import type { Places } from './places.ts'
import type { GotSample, TrueSample } from './samples.ts'
import type { CountedClock } from './turn-clock.ts'

/** A client, asked the same way whatever the service. */
export interface Puller {
  readonly clock: CountedClock
  get(call: CallOptions): Promise<Retrieval>
  stream(call: CallOptions): AsyncGenerator<StreamBatch<AnyRow>, void, void>
  resumeFrom(checkpoint: Checkpoint, call: CallOptions): Promise<Retrieval>
}

/** Rows with their metadata rows: a result, or what a consumer of batches holds. */
export interface Received {
  readonly rows: readonly AnyRow[]
  readonly meta: readonly ResponseMeta[]
}

/** The stage of a schedule: a server with its faults, clients of it, and the truth. Samples are told apart by their place. */
export interface World {
  readonly clock: Clock
  /** How many places there are: instants of the grid, of each series. */
  readonly size: number
  /** A client. Each is of another process as far as rates, tokens and lessons are concerned. */
  puller(): Puller
  /** What there is to be had, in order, in the version that these responses speak of. */
  truth(meta: readonly ResponseMeta[]): readonly TrueSample[]
  /** Rows in the form in which they are compared. */
  samples(received: Received): GotSample[]
  /** Places that these responses answered for, and how often. */
  answered(received: Received): Places
  /** Places whose samples the service may leave out. */
  readonly gaps: Places
  /** Places inside spans, whatever was received of them. */
  inSpans(spans: readonly { readonly start: Date; readonly end: Date }[]): Places
  /** Places that a checkpoint has still to ask for. */
  leftBy(checkpoint: Checkpoint): Places
  /** Whether results say which instants are missing. */
  readonly tellsCompleteness: boolean
  /** Whether what is left can be told in spans: not where the walk through a span's pages stopped half-way. */
  readonly spansTellAll: boolean
  /** How many requests there were. */
  readonly requests: number
  /** Places that requests behind the n-th asked for. */
  askedSince(n: number): Places
  /** Holds all requests of a first call against its metadata rows. `cutOff`: answers may have been under way at its end. */
  insistRecord(meta: readonly ResponseMeta[], cutOff: boolean): void
  /** Requests without an end. */
  open(): readonly unknown[]
  /** Faults are over. */
  lift(): void
  /** Whether anybody was told to come back later. */
  readonly paused: boolean
  close(): Promise<void>
}

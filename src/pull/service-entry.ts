import type { AnyRow, StreamBatch } from '../retrieval/index.ts'
import type { SpanMs } from '../span.ts'
import type { CallOptions, SettingOrigin } from '../transport/index.ts'
import type { Segment } from './spec.ts'

/** A query as plain data. */
export type PlainQuery = Readonly<Record<string, unknown>>

/** What a client of any service says of a query before it is asked. */
export interface ClientPlan {
  readonly requests: number
  /** Requests besides those for rows: for counts, say. @defaultValue 0 */
  readonly besides?: number
  readonly expectedRows?: number | undefined
  readonly quota?: { readonly perHour: number; readonly remaining: number | undefined }
}

/** The part of a client that bulk pulls use: `streamX`, `planX` and `getX` by name. */
export interface ServiceClient {
  describeSettings(): readonly SettingOrigin[]
}

export type Batches = AsyncIterable<StreamBatch<AnyRow>>

/** An option of a query that tells series apart, where rows do not say it themselves. */
export interface KeyEntry {
  /** Name of the column that is put in front of the rows. */
  readonly column: string
  /** What the service takes where the query says nothing. */
  readonly otherwise?: string
}

/** How an operation lies in time. */
export interface TimeEntry {
  /** Column that says when a row holds, and by which rows are cut. */
  readonly column: string
  readonly by: 'instant' | 'date'
  /** Distance of two neighbours at least, milliseconds: where one task ends, the next begins so much later. */
  readonly stepMs: number
  /** @defaultValue 'year' */
  readonly segment?: Segment
}

/** How to ask for what was revised. */
export interface RevisionEntry {
  /** What to add to a query to get rows that changed at or after an instant. */
  readonly since: (isoInstant: string) => PlainQuery
  /** Columns that such an answer has on top. */
  readonly extra?: readonly string[]
}

/** Versions of the data of a service, such as its models. */
export interface VersionEntry {
  /** Where an answer says its version. */
  readonly source: string
  /** Option of the query that asks for one. */
  readonly option: string
  /** How to find out which there are: a getter that brings all, and the newest of a series in its rows. */
  readonly offered?: {
    readonly getter: string
    readonly newestOf: (rows: readonly AnyRow[], labels: Readonly<Record<string, unknown>>) => string | undefined
  }
}

/** Everything that is known of an operation. */
export interface OperationEntry {
  /** `Historical` of `getHistorical`, `streamHistorical`, `planHistorical`. */
  readonly getter: string
  /** Absent where rows know no time: such an operation is one task. */
  readonly time?: TimeEntry
  /** By option of the query. @defaultValue rows say what they are about themselves */
  readonly keys?: Readonly<Record<string, KeyEntry>>
  /** Columns that together say which sample a row is. */
  readonly identity: readonly string[]
  /** Column that says which of several series of one answer a row belongs to. @defaultValue the answer is one series */
  readonly within?: string
  /** Cadence, milliseconds, from the query and what the service said about itself; `undefined` where it has none. */
  readonly cadenceMs?: (query: PlainQuery, source: PlainQuery) => number | undefined
  /** Rows of a span where the client's plan does not say. */
  readonly expectedRows?: (span: SpanMs, query: PlainQuery) => number
  /** Whether every grid instant is due even where nothing came at all. @defaultValue false */
  readonly always?: boolean
  /** @defaultValue look back and compare */
  readonly revisions?: RevisionEntry
  /** What the service calls the version of its data, and the option that asks for one: rows of a series keep to theirs. */
  readonly version?: VersionEntry
  /** Whether an answer is whole by what the service says of it. @defaultValue it is, unless the service warns */
  readonly isWhole?: (source: PlainQuery) => boolean
  /** Options of the query that may only say this: with another, rows have no such time or identity. */
  readonly only?: Readonly<Record<string, readonly string[]>>
  /** How far back values may change or come late, where nobody can be asked what did: an ISO-8601 duration. @defaultValue 'P30D' */
  readonly lookBack?: string
  /** What a query says where it says nothing else, planned and asked alike. */
  readonly defaults?: PlainQuery
  /** What to add to a query so that nothing is sent to plan it. @defaultValue plans send nothing */
  readonly unasked?: PlainQuery
  /** Whether there is no `streamX` and no `planX`. @defaultValue false */
  readonly whole?: boolean
}

/** Everything that is known of a service. */
export interface ServiceEntry {
  /** Makes a client from options and the environment. */
  readonly create: (settings: object) => ServiceClient
  /** Time of one answer, seconds, for plans. */
  readonly answerSeconds: number
  /** Allowance, where it is known and the client's plan does not say. */
  readonly quota?: { readonly requests: number; readonly seconds: number }
  readonly operations: Readonly<Record<string, OperationEntry>>
}

/** Asks for rows in batches, with the getter's streaming form or, where there is none, all at once. */
export async function* batchesOf(
  client: ServiceClient,
  { getter, whole }: OperationEntry,
  query: PlainQuery,
  call: CallOptions,
): AsyncGenerator<StreamBatch<AnyRow>, void, void> {
  if (whole !== true) return yield* formOf<Batches>(client, `stream${getter}`)(query, call)
  const { rows, meta, columns } = await formOf<Promise<Omit<StreamBatch<AnyRow>, 'columns'> & { columns: never }>>(
    client,
    `get${getter}`,
  )(query, call)
  yield { rows, meta, columns: () => columns, checkpoint: () => undefined as never }
}

/**
 * How a query would be asked, everything that is sent for it counted.
 *
 * @param asks - whether the service may be asked how many rows there are
 * @param signal - ends that
 */
export async function planOf(
  client: ServiceClient,
  { getter, whole, unasked }: OperationEntry,
  query: PlainQuery,
  asks: boolean,
  signal?: AbortSignal,
): Promise<ClientPlan> {
  if (whole === true) return { requests: 1 }
  const form = formOf<ClientPlan | Promise<ClientPlan>>(client, `plan${getter}`)
  const { besides = 0, ...plan } = await form(asks ? query : { ...query, ...unasked }, signal ? { signal } : {})
  return { ...plan, requests: plan.requests + besides }
}

function formOf<Answer>(client: ServiceClient, name: string): (query: PlainQuery, call: CallOptions) => Answer {
  return (client as unknown as Readonly<Record<string, (query: PlainQuery, call: CallOptions) => Answer>>)[
    name
  ] as never
}

import type { CallOptions, SettingOrigin } from '../transport/index.ts'
import type { Retrieval } from './retrieval.ts'

/**
 * A service as data, for programs that are made from its getters instead of being written for each of them: a
 * command line, a form. What is said here comes from the same tables and schemas that the getters themselves use.
 */
export interface ServiceDescription {
  readonly service: string
  /** Options of a client, beside those of the transport. */
  readonly options: readonly OptionDescription[]
  readonly operations: readonly OperationDescription[]
  /** Tables of codes, by name. @defaultValue none */
  readonly codeTables?: readonly string[]
  /**
   * Makes a client. Sends nothing yet.
   *
   * @throws ConfigurationError
   */
  connect(options?: Readonly<Record<string, unknown>>): ConnectedService
}

/** An option of a client. */
export interface OptionDescription {
  readonly name: string
  readonly text: string
  /** Whether its value must never be shown. */
  readonly secret?: true
  /** Environment variable that states it, too. */
  readonly variable?: string
}

/** A getter. */
export interface OperationDescription {
  /** Its name: `getDaily`. */
  readonly operation: string
  readonly summary: string
  /** What stands before the query, where it is more than a query. */
  readonly name?: { readonly text: string; readonly choices?: readonly string[] }
  /** What the query may say. */
  query(): QuerySchema
  /** A query that works, and the name that stands before it. */
  readonly example: { readonly name?: string; readonly query: Readonly<Record<string, unknown>> }
}

/** A client of which only the description is known. */
export interface ConnectedService {
  /** Every setting with its value and where it came from; secrets only as set or not set. */
  describeSettings(): readonly SettingOrigin[]
  /**
   * Calls a getter.
   *
   * @param name - for getters that take a name before the query
   * @throws as the getter does
   */
  ask(
    operation: string,
    query: Readonly<Record<string, unknown>>,
    options?: CallOptions,
    name?: string,
  ): Promise<Retrieval>
  /** Asks for a table of codes. */
  codes?(table: string, options?: CallOptions): Promise<Retrieval>
}

/** The part of JSON Schema (draft 2020-12) in which queries are described. */
export interface QuerySchema {
  readonly type?: string | readonly string[]
  readonly properties?: Readonly<Record<string, QuerySchema>>
  readonly required?: readonly string[]
  readonly items?: QuerySchema
  readonly anyOf?: readonly QuerySchema[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  /** `date-time` where any instant is taken, `interval` where a stretch of time is taken, too; `password` for secrets. */
  readonly format?: string
  readonly description?: string
  /** What other names may say, where any name is taken. */
  readonly additionalProperties?: boolean | QuerySchema
  readonly [keyword: string]: unknown
}

/** A schema with what is known of its arguments beside what they may be. */
export function describedSchema(schema: QuerySchema, about: Readonly<Record<string, QuerySchema>>): QuerySchema {
  const entries = Object.entries(schema.properties ?? {}).map(([name, one]) => [name, { ...one, ...about[name] }])
  return { ...schema, properties: Object.fromEntries(entries) as Record<string, QuerySchema> }
}

import { z } from 'zod'
import { QueryError } from '../../errors.ts'
import { nearest } from '../../nearest.ts'
import type { QuerySchema } from '../../retrieval/index.ts'

/** What the queries of this service may say, and what its envelopes look like. The one user of zod here. */

/** Which query is checked. */
export type QueryName =
  | 'access'
  | 'region'
  | 'historical'
  | 'forecast'
  | 'historicalForecast'
  | 'signalIndex'
  | 'fuelMix'
  | 'maps'
  | 'typicalYear'
  | 'register'
  | 'passwordReset'

/** Metadata of a series as the service sends it. Fields that are not named here are kept. */
export interface SeriesMeta {
  readonly region?: string | undefined
  readonly signal_type?: string | undefined
  readonly units?: string | null | undefined
  readonly data_point_period_seconds?: number | null | undefined
  readonly generated_at?: string | null | undefined
  readonly generated_at_period_seconds?: number | null | undefined
  readonly warnings?:
    | readonly (string | { readonly type?: string | undefined; readonly message?: string | undefined })[]
    | null
    | undefined
  readonly model?:
    { readonly date?: string | null | undefined; readonly type?: string | null | undefined } | null | undefined
  readonly [field: string]: unknown
}

/** Bodies without their rows. */
export interface Envelopes {
  readonly series: { readonly data: readonly unknown[]; readonly meta?: SeriesMeta | undefined }
  readonly access: { readonly signal_types: readonly unknown[] }
  readonly region: {
    readonly region: string
    readonly region_full_name?: string | null | undefined
    readonly signal_type?: string | null | undefined
  }
  readonly maps: {
    readonly features: readonly unknown[]
    readonly meta?: Readonly<Record<string, unknown>> | null | undefined
  }
  readonly token: { readonly token: string }
}

const text = z.string().trim().min(1)
/** Read, and refused in its own words, where the query becomes a question. */
const instant = z.unknown()
const signalType = text.optional()
const model = z
  .string()
  .regex(/^\d{4}-\d\d-\d\d$/, 'must be a date such as 2024-03-01')
  .optional()
const horizonHours = z.number().int().min(0).max(72).optional()
const span = { start: instant.optional(), end: instant.optional(), last: text.optional(), zone: text.optional() }

const QUERIES = {
  access: z.strictObject({ region: text.optional(), signalType }),
  region: z.strictObject({
    latitude: z.number().min(-90).max(90),
    longitude: z.number().min(-180).max(180),
    signalType,
  }),
  historical: z.strictObject({
    region: text,
    signalType,
    model,
    ...span,
    includeImputedMarker: z.boolean().optional(),
    updatedSince: instant.optional(),
  }),
  forecast: z.strictObject({ region: text, signalType, model, horizonHours }),
  historicalForecast: z.strictObject({
    region: text,
    signalType,
    model,
    horizonHours,
    ...span,
    dates: z.array(instant).min(1).optional(),
  }),
  signalIndex: z.strictObject({ region: text, signalType }),
  fuelMix: z.strictObject({ region: text, signalType, model, ...span }),
  maps: z.strictObject({ signalType }),
  typicalYear: z.strictObject({
    region: text,
    zone: text,
    year: z.number().int().min(1970).max(2200),
    signalType,
    model,
    end: instant.optional(),
    holidays: text.optional(),
  }),
  register: z.strictObject({ username: text, password: text, email: text, org: text.optional() }),
  passwordReset: z.strictObject({ username: text.optional() }),
} as const satisfies Readonly<Record<QueryName, z.ZodObject>>

const warning = z.union([z.string(), z.looseObject({ type: z.string().optional(), message: z.string().optional() })])
const rowList = z.custom<readonly unknown[]>(Array.isArray, 'must be a list')

const meta = z.looseObject({
  region: z.string().optional(),
  signal_type: z.string().optional(),
  units: z.string().nullish(),
  data_point_period_seconds: z.number().positive().nullish(),
  generated_at: z.string().nullish(),
  generated_at_period_seconds: z.number().positive().nullish(),
  warnings: z.array(warning).nullish(),
  model: z.looseObject({ date: z.string().nullish(), type: z.string().nullish() }).nullish(),
})

const ENVELOPES: { readonly [Name in keyof Envelopes]: z.ZodType<Envelopes[Name]> } = {
  series: z.looseObject({ data: rowList, meta: meta.optional() }),
  access: z.looseObject({ signal_types: rowList }),
  region: z.looseObject({
    region: z.string(),
    region_full_name: z.string().nullish(),
    signal_type: z.string().nullish(),
  }),
  maps: z.looseObject({ features: rowList, meta: z.looseObject({}).nullish() }),
  token: z.looseObject({ token: z.string().min(1) }),
}

/**
 * Refuses a query that cannot work: an argument that is missing, of the wrong kind, or that nobody knows.
 *
 * @throws QueryError naming the argument, with the nearest known name
 */
export function checkQuery(name: QueryName, query: unknown): void {
  const schema = QUERIES[name]
  const result = schema.safeParse(query ?? {})
  if (result.success) return
  // A misspelt name explains a missing one: say that first.
  const issue = result.error.issues.find(one => one.code === 'unrecognized_keys') ?? result.error.issues[0]
  if (issue?.code === 'unrecognized_keys') {
    const argument = issue.keys[0] ?? ''
    const guess = nearest(argument, Object.keys(schema.shape))
    throw new QueryError(`'${argument}' is not known here${guess ? `; did you mean '${guess}'?` : ''}`, {
      argument,
      value: '',
    })
  }
  const argument = String(issue?.path[0] ?? 'query')
  const value: unknown = argument === 'query' ? query : (Object(query) as Record<string, unknown>)[argument]
  const secret = name === 'register'
  const shown = secret ? '' : ` ${JSON.stringify(value)}`
  const why = value === undefined ? ' is missing' : `${shown}: ${issue?.message ?? 'is not valid'}`
  throw new QueryError(`${argument}${why}`, { argument, value: secret && value !== undefined ? '' : value })
}

/** What a query may say, as JSON Schema. */
export function querySchema(name: QueryName): QuerySchema {
  return z.toJSONSchema(QUERIES[name], { unrepresentable: 'any', io: 'input' }) as QuerySchema
}

/**
 * Reads an envelope.
 *
 * @returns the value, or where it departs from what was promised
 */
export function readEnvelope<Name extends keyof Envelopes>(
  name: Name,
  value: unknown,
): { readonly value: Envelopes[Name] } | { readonly problem: string } {
  const result = ENVELOPES[name].safeParse(value)
  if (result.success) return { value: result.data }
  const issue = result.error.issues[0]
  return { problem: `${issue?.path.join('.') || 'the answer'}: ${issue?.message ?? 'is not as promised'}` }
}

import { z } from 'zod'
import { QueryError } from '../../errors.ts'
import { nearest } from '../../nearest.ts'
import type { QuerySchema } from '../../retrieval/index.ts'
import { parseDurationMs } from '../../time.ts'
import { kindOf, type Collection } from './collection.ts'
import type { Envelopes } from './envelopes.ts'
import { hintFor } from './foreign-names.ts'
import { camelCase } from './names.ts'

/** What the queries of these services may say, and what their envelopes look like. The one user of zod here. */

const text = z.string().trim().min(1, 'must not be empty')
/** Codes have leading zeros, which a number does not keep. */
const code = z
  .string("must be text, so that codes keep their leading zeros: '00060'")
  .trim()
  .min(1, 'must not be empty')
/** Other codes find nothing, and nobody would be told why. */
const fiveDigits = code.regex(/^\d{5}$/, "must have five digits: '00060' is discharge, '00003' the mean of a day")
const site = code.refine(
  name => !/^\d+$/.test(name),
  "lacks its agency: 'USGS-01491000' where other services say '01491000'",
)
const number = z.number('must be a number')
/** Read, and refused in its own words, where the query becomes a question. */
const instant = z.unknown()
const many = <Value extends z.ZodType>(value: Value) =>
  z.union([value, z.array(value).min(1, 'must not be an empty list').readonly()])
const count = z.number().int().min(1)
const flag = z.boolean()
const longitude = z.number().min(-180).max(180)
const latitude = z.number().min(-90).max(90)
const bbox = z
  .array(z.number())
  .refine(corners => corners.length === 4 || corners.length === 6, 'must be [west, south, east, north]')
  .refine(corners => {
    const [south = 0, north = 0] = corners.length === 4 ? [corners[1], corners[3]] : [corners[1], corners[4]]
    return south >= -90 && north <= 90 && south <= north
  }, 'must be [west, south, east, north], south below north, both between -90 and 90')

const SPAN = { start: instant.optional(), end: instant.optional(), last: text.optional(), zone: text.optional() }
const DURATION = z.union([
  text.refine(value => parseDurationMs(value) !== undefined, "must be a length of time such as 'PT15M'"),
  z.number().positive(),
])

/** What every query of a collection may say. */
const ITEMS = {
  state: many(code).optional(),
  bbox: bbox.readonly().optional(),
  filter: z.union([text, z.looseObject({})], 'must be CQL2: text, or an object with op and args').optional(),
  properties: z.array(text).min(1).readonly().optional(),
  geometry: z.enum(['columns', 'geojson', 'none']).optional(),
  pageSize: count.max(50_000, 'is more than the service takes: 50,000').optional(),
  checkQueryables: flag.optional(),
}

/** What the queries of the other services may say. */
const QUERIES = {
  getQueryables: z.strictObject({ collection: text }),
  getStatistics: z.strictObject({
    of: z.enum(['periodOfRecord', 'dateRange']).optional(),
    monitoringLocationId: many(site).optional(),
    parameterCode: many(fiveDigits).optional(),
    parentTimeSeriesId: many(code).optional(),
    siteTypeCode: many(code).optional(),
    siteTypeName: many(code).optional(),
    computationType: many(z.enum(['arithmetic_mean', 'maximum', 'median', 'minimum', 'percentile'])).optional(),
    normalType: z.enum(['DOY', 'MOY']).optional(),
    intervalType: many(z.enum(['M', 'CY', 'WY'])).optional(),
    countryCode: many(code).optional(),
    state: many(code).optional(),
    countyCode: many(code).optional(),
    approvalStatus: text.optional(),
    start: text.optional(),
    end: text.optional(),
    pageSize: count.optional(),
  }),
  getRatings: z.strictObject({
    monitoringLocationId: many(site).optional(),
    fileType: many(z.enum(['exsa', 'base', 'corr'])).optional(),
    bbox: bbox.readonly().optional(),
    files: z.enum(['parsed', 'listed']).optional(),
    pageSize: count.max(10_000).optional(),
    start: instant.optional(),
    end: instant.optional(),
    zone: text.optional(),
  }),
  getFlowlines: z.strictObject({
    featureSource: text.optional(),
    featureId: text.optional(),
    comid: z.union([count, text]).optional(),
    navigation: z.enum(['UM', 'UT', 'DM', 'DD']),
    distanceKm: z.number().positive().optional(),
    trimStart: flag.optional(),
    stopComid: z.union([count, text]).optional(),
  }),
  getBasin: z.strictObject({
    featureSource: text,
    featureId: text,
    simplified: flag.optional(),
    splitCatchment: flag.optional(),
  }),
  getFeatures: z.strictObject({
    featureSource: text.optional(),
    featureId: text.optional(),
    comid: z.union([count, text]).optional(),
    latitude: latitude.optional(),
    longitude: longitude.optional(),
    navigation: z.enum(['UM', 'UT', 'DM', 'DD']).optional(),
    dataSource: text.optional(),
    distanceKm: z.number().positive().optional(),
    stopComid: z.union([count, text]).optional(),
  }),
  getFeatureSources: z.strictObject({}),
  getWatershed: z.strictObject({
    state: code.optional(),
    region: text.optional(),
    longitude,
    latitude,
    includeParameters: flag.optional(),
    includeFlowTypes: flag.optional(),
    includeFeatures: flag.optional(),
    simplify: flag.optional(),
  }),
  getWaterUse: z.strictObject({
    model: text,
    variable: many(text),
    state: many(code).optional(),
    county: many(z.string().regex(/^\d{5}$/, "must be five digits: the state's and the county's FIPS code")).optional(),
    huc: many(z.string().regex(/^(?:\d\d){1,6}$/, 'must have 2, 4, 6, 8, 10 or 12 digits')).optional(),
    resolution: z.enum(['monthly', 'annualcy', 'annualwy']).optional(),
    start: z
      .string()
      .regex(/^\d{4}(?:-\d\d)?$/, "must be a year or a month: '2020' or '2020-01'")
      .optional(),
    end: z
      .string()
      .regex(/^\d{4}(?:-\d\d)?$/, "must be a year or a month: '2020' or '2020-01'")
      .optional(),
    intersection: z.enum(['overlap', 'envelop']).optional(),
    pageSize: count.optional(),
  }),
} as const

const rowList = z.custom<readonly unknown[]>(Array.isArray, 'must be a list')
const link = z.looseObject({ rel: z.string().optional(), href: z.string().nullish() })

const ENVELOPES: { readonly [Name in keyof Envelopes]: z.ZodType<Envelopes[Name]> } = {
  features: z.looseObject({
    features: rowList,
    links: z.array(link).nullish(),
    numberReturned: z.number().nullish(),
    numberMatched: z.number().nullish(),
    timeStamp: z.string().nullish(),
  }),
  statistics: z.looseObject({ features: rowList, next: z.string().nullish() }),
  queryables: z.looseObject({
    properties: z.record(
      z.string(),
      z.looseObject({ title: z.string().optional(), type: z.unknown().optional(), description: z.string().optional() }),
    ),
  }),
  watershed: z.looseObject({
    featurecollection: z.array(z.looseObject({ name: z.string(), feature: z.unknown().optional() })).nullish(),
    parameters: rowList.nullish(),
    workspaceID: z.string().nullish(),
  }),
}

/** Which query is checked. */
export type QueryName = keyof typeof QUERIES

/** Checks a query of one of the services that are no collections. @throws QueryError naming the argument */
export function checkQuery(name: QueryName, query: unknown): void {
  check(QUERIES[name], query)
}

const known = new Map<string, z.ZodObject>()

/**
 * Checks a query of a collection against its entry in the table.
 *
 * @param more - further options of the getter
 * @throws QueryError naming the argument, with the nearest known name
 */
export function checkItemsQuery(
  collection: Collection,
  query: unknown,
  more: 'none' | 'nearest' | 'any' = 'none',
): void {
  const key = `${collection.family} ${collection.name} ${more}`
  const schema = known.get(key) ?? itemsSchema(collection, more)
  known.set(key, schema)
  check(schema, query)
}

function itemsSchema(collection: Collection, more: 'none' | 'nearest' | 'any'): z.ZodObject {
  const filters: Record<string, z.ZodType> = {}
  for (const name of collection.filters) filters[camelCase(name)] = filterSchema(collection, name).optional()
  if (collection.idFilter)
    filters[camelCase(collection.idName)] = filterSchema(collection, collection.idName).optional()
  const { state, filter, ...items } = ITEMS
  const shape = {
    ...filters,
    ...items,
    ...(more === 'nearest' ? {} : { filter }),
    ...(collection.state ? { state } : {}),
    ...(collection.time && more !== 'nearest' ? SPAN : {}),
    ...(collection.time?.perDay && collection.time.by === 'instant' && more !== 'nearest'
      ? { cadence: DURATION.optional() }
      : {}),
    ...(more === 'nearest'
      ? {
          targets: z
            .unknown()
            .refine(
              value => value !== undefined && !(Array.isArray(value) && value.length === 0),
              'must be an instant, or a list of them',
            ),
          window: DURATION.optional(),
          ties: z.enum(['first', 'last', 'mean']).optional(),
          zone: text.optional(),
        }
      : {}),
  }
  return more === 'any' ? z.object(shape).catchall(many(z.union([code, number]))) : z.strictObject(shape)
}

function filterSchema(collection: Collection, name: string): z.ZodType {
  if (name === 'monitoring_location_id') return many(site)
  if (name === 'statistic_id' || (name === 'parameter_code' && collection.idName !== name)) return many(fiveDigits)
  if (name === 'hydrologic_unit_code')
    return many(
      z
        .string("must be text, so that codes keep their leading zeros: '02070010'")
        .regex(/^\d{2,12}$/, 'must have 2 to 12 digits'),
    )
  switch (kindOf(collection, name)) {
    case 'number':
    case 'measure':
      return many(number)
    case 'instant':
    case 'utc':
    case 'zoned':
      return instant
    default:
      return many(code)
  }
}

function check(schema: z.ZodObject, query: unknown): void {
  const result = schema.safeParse(query ?? {})
  if (result.success) return
  // A misspelt name explains a missing one: say that first.
  const issue = result.error.issues.find(one => one.code === 'unrecognized_keys') ?? result.error.issues[0]
  if (issue?.code === 'unrecognized_keys') {
    const argument = issue.keys[0] ?? ''
    const hint = hintFor(argument)
    const guess = hint === undefined ? nearest(argument, Object.keys(schema.shape)) : undefined
    const help = hint ?? (guess ? `did you mean '${guess}'?` : undefined)
    throw new QueryError(`'${argument}' is not known here${help ? `; ${help}` : ''}`, { argument, value: '' })
  }
  const argument = String(issue?.path[0] ?? 'query')
  const value: unknown = argument === 'query' ? query : (Object(query) as Record<string, unknown>)[argument]
  throw new QueryError(
    value === undefined
      ? `${argument} is missing`
      : `${argument} ${JSON.stringify(value)?.slice(0, 80)}: ${reasonOf(issue)}`,
    { argument, value },
  )
}

/** What a query may say, as JSON Schema: one of the services that are no collections, or one of a collection. */
export function querySchema(asked: QueryName | Collection, more: 'none' | 'nearest' | 'any' = 'none'): QuerySchema {
  const schema = typeof asked === 'string' ? QUERIES[asked] : itemsSchema(asked, more)
  return z.toJSONSchema(schema, { unrepresentable: 'any', io: 'input' }) as QuerySchema
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

/** Of several shapes that were allowed, the first reason that says what to do. */
function reasonOf(issue: z.core.$ZodIssue | undefined): string {
  if (issue?.code !== 'invalid_union') return issue?.message ?? 'is not valid'
  return issue.errors.flat().find(({ message }) => !message.startsWith('Invalid input'))?.message ?? 'is not valid'
}

import { z } from 'zod'
import { QueryError } from '../../errors.ts'
import { nearest } from '../../nearest.ts'
import type { QuerySchema } from '../../retrieval/index.ts'
import { ENDPOINTS, type PortalOperation } from './endpoints.ts'

/** What the queries of these services may say. The one user of zod here. */

const text = z.string('must be text').trim().min(1, 'must not be empty')
const many = (value: z.ZodType) => z.union([value, z.array(value).min(1, 'must not be an empty list').readonly()])
const matching = (pattern: RegExp, form: string) => many(z.string(`must be text: ${form}`).trim().regex(pattern, form))
const list = many(text).optional()
/** Read, and refused in its own words, where the query becomes a question. */
const instant = z.unknown()
const count = z.number().int().min(1)

const SPAN = { start: instant.optional(), end: instant.optional(), last: text.optional(), zone: text.optional() }
const ROWS = { derive: z.boolean().optional(), zones: z.record(text, z.number().min(-15).max(15)).optional() }
const CUTTING = { pieceRows: count.optional(), count: z.boolean().optional() }
const PLACE = {
  bbox: z
    .array(z.number())
    .refine(
      ([west = NaN, south = NaN, east = NaN, north = NaN, ...more]) =>
        more.length === 0 &&
        west <= east &&
        south <= north &&
        Math.abs(west) <= 180 &&
        east <= 180 &&
        south >= -90 &&
        north <= 90,
      'must be [west, south, east, north] in degrees, and may not cross the line where days meet',
    )
    .readonly()
    .optional(),
  near: z
    .strictObject(
      { latitude: z.number().min(-90).max(90), longitude: z.number().min(-180).max(180), miles: z.number().min(0) },
      'must be { latitude, longitude, miles }',
    )
    .optional(),
}
const HUC = matching(
  /^(?:(?:\d{2}|\d{4}|\d{6})\*?|\d{8}|\d{10}|\d{12})$/,
  'must have 2, 4, 6, 8, 10 or 12 digits, as text',
).optional()
const SITE = matching(/^\w+-.*\S$/, "needs the prefix of its agency, such as 'USGS-05406500'")

const PORTAL = {
  ...SPAN,
  ...ROWS,
  ...PLACE,
  siteId: SITE.optional(),
  stateCode: matching(/^(?:[A-Z]{2}:)?\d{1,2}$/, "must be a code such as 'US:17'").optional(),
  countyCode: matching(/^(?:[A-Z]{2}:)?\d{1,2}:(?:\d{3}|N\/A)$/, "must be a code such as 'US:17:031'").optional(),
  countryCode: matching(/^[A-Z]{2}$/, "must be two capitals, such as 'US'").optional(),
  huc: HUC,
  siteType: list,
  sampleMedia: list,
  characteristicName: list,
  characteristicType: list,
  organization: list,
  project: list,
  providers: list,
  assemblage: list,
  subjectTaxonomicName: list,
  parameterCode: matching(/^\d{5}$/, "must have five digits, as text: '00665'").optional(),
  analyticalMethod: matching(/^https?:\/\//, 'must be an address').optional(),
  minActivities: z.number().int().min(0).optional(),
  minResults: z.number().int().min(0).optional(),
  nldiUrl: z
    .string()
    .regex(/^https?:\/\//, 'must be an address')
    .optional(),
}

const SAMPLES = z.strictObject({
  ...SPAN,
  ...ROWS,
  ...PLACE,
  resource: z.enum(['results', 'locations', 'activities', 'projects', 'organizations']).optional(),
  profile: text.optional(),
  monitoringLocationIdentifier: SITE.optional(),
  countryFips: list,
  stateFips: list,
  countyFips: list,
  hydrologicUnit: HUC,
  activityMediaName: list,
  activityTypeCode: list,
  siteTypeCode: list,
  siteTypeName: list,
  characteristicGroup: list,
  characteristic: list,
  characteristicUserSupplied: list,
  usgsPCode: matching(/^\d{5}$/, "must have five digits, as text: '00665'").optional(),
  projectIdentifier: list,
  organizationIdentifier: list,
  recordIdentifierUserSupplied: list,
})

const OTHERS = {
  getSamples: SAMPLES,
  getSamplesSummary: z.strictObject({ monitoringLocationIdentifier: SITE }),
  getCodes: z.strictObject({
    list: text,
    from: z.enum(['portal', 'samples']).optional(),
    text: text.optional(),
    stateCode: list,
    countryCode: text.optional(),
    group: text.optional(),
  }),
}

function portalSchema(operation: PortalOperation) {
  const { days, legacy, ...endpoint } = ENDPOINTS[operation]
  const { start: _start, end: _end, last: _last, zone: _zone, ...undated } = PORTAL
  const profiles = [...(endpoint.wqx3?.profiles ?? []), ...legacy.profiles]
  return z.strictObject({
    ...(days === 'none' ? undated : PORTAL),
    ...(days === 'axis' ? CUTTING : {}),
    interface: z.enum(endpoint.wqx3 ? ['wqx3', 'legacy'] : ['legacy']).optional(),
    ...(profiles.length > 1 ? { profile: z.enum(profiles as [string, ...string[]]).optional() } : {}),
    ...(operation === 'getResults' ? { repeats: z.enum(['keep', 'merge']).optional() } : {}),
    ...(operation === 'getSummary'
      ? { years: z.union([z.literal(1), z.literal(5), z.literal('all')]).optional() }
      : {}),
  })
}

/** What the queries of a getter are called. */
export type QueryName = PortalOperation | keyof typeof OTHERS

const SCHEMAS = new Map<string, z.ZodObject>([
  ...(Object.keys(ENDPOINTS) as PortalOperation[]).map(name => [name, portalSchema(name)] as const),
  ...Object.entries(OTHERS),
])

/**
 * Refuses a query that cannot work, before anything is sent.
 *
 * @throws QueryError naming the argument; of an unknown one, the nearest that is known
 */
export function checkQuery(operation: string, query: unknown): void {
  const schema = SCHEMAS.get(operation)
  if (schema === undefined) throw new RangeError(`no query is called ${operation}`)
  if (typeof query !== 'object' || query === null)
    throw new QueryError(`${operation} needs a query: an object with at least one filter`, {
      argument: 'query',
      value: query,
    })
  const known = Object.keys(schema.shape)
  for (const name of Object.keys(query)) {
    if (known.includes(name)) continue
    const guess = nearest(name, known)
    throw new QueryError(
      `${operation} has no '${name}'${guess ? `; did you mean '${guess}'?` : `: it takes ${known.join(', ')}`}`,
      // What stands there may be a key.
      { argument: name, value: '' },
    )
  }
  const { error } = schema.safeParse(query)
  const issue = error?.issues[0]
  if (issue === undefined) return
  const [argument = 'query', ...deeper] = issue.path.map(String)
  throw new QueryError(`${[argument, ...deeper].join('.')} ${wordsOf(issue)}`, {
    argument,
    value: (query as Record<string, unknown>)[argument],
  })
}

/** What a query may say, as JSON Schema. */
export function querySchema(operation: QueryName): QuerySchema {
  return z.toJSONSchema(SCHEMAS.get(operation) as z.ZodObject, {
    unrepresentable: 'any',
    io: 'input',
  }) as QuerySchema
}

/** Of several forms that were tried, the one that was most likely meant says what is wrong. */
function wordsOf(issue: z.core.$ZodIssue): string {
  if (issue.code !== 'invalid_union') return lowerFirst(issue.message)
  const inner = issue.errors.flat()
  const custom = inner.find(({ message }) => /^(?:must|needs)/.test(message)) ?? inner[0]
  return custom ? lowerFirst(custom.message) : issue.message
}

function lowerFirst(message: string): string {
  return message.charAt(0).toLowerCase() + message.slice(1)
}

import { QueryError } from '../../errors.ts'

/** Conditions in CQL2, as JSON and as text. */

/** A condition as JSON. */
export interface Cql2 {
  readonly op: string
  readonly args: readonly unknown[]
}

/** A field and the values it may have. */
export interface Condition {
  readonly field: string
  readonly values: readonly string[]
  /** Whether the values are beginnings. */
  readonly prefix: boolean
}

export function conditionAsJson({ field, values, prefix }: Condition): Cql2 {
  const property = { property: field }
  if (!prefix) return { op: 'in', args: [property, values] }
  const likes = values.map((value): Cql2 => ({ op: 'like', args: [property, `${value}%`] }))
  return likes.length === 1 && likes[0] ? likes[0] : { op: 'or', args: likes }
}

export function conditionAsText({ field, values, prefix }: Condition): string {
  if (!prefix) return `${field} IN (${values.map(quoted).join(', ')})`
  return `(${values.map(value => `${field} LIKE ${quoted(`${value}%`)}`).join(' OR ')})`
}

/** All of several conditions. */
export function allOf(conditions: readonly Cql2[]): Cql2 {
  return { op: 'and', args: conditions }
}

/** A literal. A quote inside is doubled. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`
}

/** Behind a comparison, in a range, in a list, or in front of a comparison. */
const BARE_NUMBER =
  /(?:[<>=]|\bbetween\b(?:[^()]*?\band\b)?|\bin\s*\((?:[^)]*,)?)\s*[-+]?\.?\d|(?:^|[\s(])[-+]?\.?\d[\d.]*\s*[<>=]/i
const LITERAL = /'(?:[^']|'')*'/g

/**
 * Refuses a condition that the service would answer with a failure of its own: every field is text there, and a
 * number without quotes ends in a status 500, however often it is asked.
 *
 * @throws QueryError
 */
export function checkCqlText(text: string): void {
  const bare = BARE_NUMBER.exec(text.replace(LITERAL, literal => `'${' '.repeat(literal.length - 2)}'`))
  if (bare === null) return
  const at = text.slice(bare.index).trim().slice(0, 40)
  throw new QueryError(
    `filter: numbers need quotes ("${at}"): every field is text to the service, so write value >= '1000', and mind that it compares as text`,
    {
      argument: 'filter',
      value: text,
    },
  )
}

/** @throws QueryError for an object that is no condition */
export function checkCqlJson(value: unknown): void {
  const { op, args } = Object(value) as Partial<Cql2>
  if (typeof op !== 'string' || !Array.isArray(args)) {
    throw new QueryError(
      `filter must be CQL2: text, or an object with op and args; got ${JSON.stringify(value)?.slice(0, 80)}`,
      { argument: 'filter', value },
    )
  }
}

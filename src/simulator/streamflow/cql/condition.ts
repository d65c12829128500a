/** Which records are wanted: what the parameters of a query, a CQL text and a CQL document all come to. */
export type Condition =
  | { readonly op: 'and' | 'or'; readonly args: readonly Condition[] }
  | { readonly op: 'not'; readonly arg: Condition }
  | { readonly op: 'compare'; readonly field: string; readonly how: Comparison; readonly value: Literal }
  | { readonly op: 'in'; readonly field: string; readonly values: readonly Literal[] }
  | { readonly op: 'like'; readonly field: string; readonly pattern: string }
  | { readonly op: 'isNull'; readonly field: string }
  /** At or after `from`, and at or before `to`: epoch milliseconds. */
  | { readonly op: 'during'; readonly field: string; readonly from: number; readonly to: number }
  | { readonly op: 'inside'; readonly shapes: readonly Ring[] }

export type Comparison = '=' | '<>' | '<' | '<=' | '>' | '>='
export type Literal = string | number | boolean

/** Corners of an area, longitude first. */
export type Ring = readonly (readonly [longitude: number, latitude: number])[]

/** Fields that hold an instant, whose order is not that of their texts. */
const TIME_FIELDS = new Set([
  'time',
  'last_modified',
  'begin',
  'end',
  'begin_utc',
  'end_utc',
  'sample_time',
  'datetime',
])

export const isTimeField = (field: string): boolean => TIME_FIELDS.has(field)

/** Every field a condition speaks of; `geometry` for areas. */
export function fieldsOf(condition: Condition): readonly string[] {
  switch (condition.op) {
    case 'and':
    case 'or':
      return condition.args.flatMap(fieldsOf)
    case 'not':
      return fieldsOf(condition.arg)
    case 'inside':
      return ['geometry']
    default:
      return [condition.field]
  }
}

/** Every literal a condition compares with. */
export function literalsOf(condition: Condition): readonly Literal[] {
  switch (condition.op) {
    case 'and':
    case 'or':
      return condition.args.flatMap(literalsOf)
    case 'not':
      return literalsOf(condition.arg)
    case 'compare':
      return [condition.value]
    case 'in':
      return condition.values
    default:
      return []
  }
}

/** Parts that must all hold. */
export function partsOf(condition: Condition): readonly Condition[] {
  return condition.op === 'and' ? condition.args.flatMap(partsOf) : [condition]
}

/** The corners of a box: west, south, east, north. */
export function boxRing(west: number, south: number, east: number, north: number): Ring {
  return [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
  ]
}

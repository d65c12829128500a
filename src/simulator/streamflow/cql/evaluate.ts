import { readInstant } from '../times.ts'
import type { Json } from '../json.ts'
import { isTimeField, type Comparison, type Condition, type Literal, type Ring } from './condition.ts'

/** Reads a field of a record; `undefined` when it cannot be told yet. */
export type Reader = (field: string) => Json | undefined

/** Whether a record is wanted; `undefined` when that cannot be told yet. */
export type Test = (read: Reader) => boolean | undefined

/** Makes a condition ready to be asked often. */
export function compile(condition: Condition): Test {
  switch (condition.op) {
    case 'and':
      return all(condition.args.map(compile), false)
    case 'or':
      return all(condition.args.map(compile), true)
    case 'not': {
      const test = compile(condition.arg)
      return read => negate(test(read))
    }
    case 'isNull':
      return known(condition.field, value => value === null)
    case 'compare':
      return known(condition.field, comparing(condition.field, condition.how, condition.value))
    case 'in': {
      const values = new Set(condition.values.map(value => literalKey(condition.field, value)))
      return known(condition.field, value => keysOf(condition.field, value).some(key => values.has(key)))
    }
    case 'like': {
      const pattern = patternOf(condition.pattern)
      return known(condition.field, value => value !== null && pattern.test(plain(value)))
    }
    case 'during': {
      const { from, to } = condition
      return known(condition.field, value => {
        const at = readInstant(plain(value))
        return at !== undefined && at >= from && at <= to
      })
    }
    case 'inside':
      return known('geometry', value => Array.isArray(value) && condition.shapes.some(ring => isInside(value, ring)))
  }
}

/** Ends at the first test that says `ending`; else unknown wins over the opposite. */
function all(tests: readonly Test[], ending: boolean): Test {
  return read => {
    let isUnknown = false
    for (const test of tests) {
      const result = test(read)
      if (result === ending) return ending
      if (result === undefined) isUnknown = true
    }
    return isUnknown ? undefined : !ending
  }
}

function negate(result: boolean | undefined): boolean | undefined {
  return result === undefined ? undefined : !result
}

function known(field: string, test: (value: Json) => boolean): Test {
  return read => {
    const value = read(field)
    return value === undefined ? undefined : test(value)
  }
}

function comparing(field: string, how: Comparison, literal: Literal): (value: Json) => boolean {
  const right = order(field, literal)
  return value => {
    if (value === null) return false
    if (Array.isArray(value)) {
      const found = value.includes(literal)
      return how === '=' ? found : how === '<>' ? !found : false
    }
    const left = typeof value === 'number' && typeof right === 'string' ? value : order(field, value as Literal)
    const other = typeof left === 'number' ? Number(right) : right
    return compareBy(how, left, other)
  }
}

function compareBy(how: Comparison, left: Literal, right: Literal): boolean {
  switch (how) {
    case '=':
      return left === right
    case '<>':
      return left !== right
    case '<':
      return left < right
    case '<=':
      return left <= right
    case '>':
      return left > right
    case '>=':
      return left >= right
  }
}

/** What two values are compared by: instants by their place in time, texts as texts, as the service does. */
function order(field: string, value: Literal): Literal {
  return isTimeField(field) && typeof value === 'string' ? (readInstant(value) ?? value) : value
}

function literalKey(field: string, value: Literal): string {
  return String(order(field, value))
}

function keysOf(field: string, value: Json): readonly string[] {
  if (value === null) return []
  return Array.isArray(value) ? value.map(String) : [literalKey(field, value as Literal)]
}

function plain(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function patternOf(pattern: string): RegExp {
  const source = pattern.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
  return new RegExp(`^${source.replaceAll('%', '.*').replaceAll('_', '.')}$`, 's')
}

/** Counts how often a ray to the east crosses the outline. */
function isInside(point: readonly Json[], ring: Ring): boolean {
  const [x, y] = point.map(Number) as [number, number]
  let inside = false
  for (let i = 0, j = ring.length - 1; i < ring.length; j = i, i += 1) {
    const [ax, ay] = ring[i] as Ring[number]
    const [bx, by] = ring[j] as Ring[number]
    if (ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax) inside = !inside
  }
  return inside
}

import { readStretch } from '../times.ts'
import { boxRing, type Comparison, type Condition, type Literal, type Ring } from './condition.ts'

/** What cannot be understood as a condition. */
export class CqlError extends Error {
  override readonly name = 'CqlError'
}

const COMPARISONS: readonly string[] = ['=', '<>', '<', '<=', '>', '>=']

/** A condition given as a CQL2 document. */
export function readCqlJson(given: unknown): Condition {
  const { op, args } = (given ?? {}) as { op?: unknown; args?: unknown }
  if (typeof op !== 'string' || !Array.isArray(args)) throw new CqlError('expected an object with op and args')
  const [first, second, third] = args as readonly unknown[]
  switch (op) {
    case 'and':
    case 'or':
      return { op, args: args.map(readCqlJson) }
    case 'not':
      return { op, arg: readCqlJson(first) }
    case 'in':
      if (!Array.isArray(second)) throw new CqlError('in needs a list')
      return { op, field: fieldOf(first), values: second.map(literalOf) }
    case 'like':
      return { op, field: fieldOf(first), pattern: String(literalOf(second)) }
    case 'between': {
      const field = fieldOf(first)
      const bounds = [['>=', second] as const, ['<=', third] as const]
      return { op: 'and', args: bounds.map(([how, value]) => ({ op: 'compare', field, how, value: literalOf(value) })) }
    }
    case 'isNull':
      return { op, field: fieldOf(first) }
    default:
      return readOther(op, first, second)
  }
}

function readOther(op: string, first: unknown, second: unknown): Condition {
  if (COMPARISONS.includes(op)) {
    return { op: 'compare', field: fieldOf(first), how: op as Comparison, value: literalOf(second) }
  }
  if (/^s_(intersects|within)$/.test(op)) return { op: 'inside', shapes: shapesOf(second) }
  if (op.startsWith('t_')) return readTime(op, fieldOf(first), second)
  throw new CqlError(`'${op}' is not supported`)
}

function readTime(op: string, field: string, given: unknown): Condition {
  const [from, to] = intervalOf(given)
  switch (op) {
    case 't_intersects':
    case 't_during':
    case 't_equals':
      return { op: 'during', field, from, to }
    case 't_after':
      return { op: 'compare', field, how: '>', value: new Date(to).toISOString() }
    case 't_before':
      return { op: 'compare', field, how: '<', value: new Date(from).toISOString() }
    default:
      throw new CqlError(`'${op}' is not supported`)
  }
}

function fieldOf(given: unknown): string {
  const name = (given as { property?: unknown } | null)?.property
  if (typeof name !== 'string') throw new CqlError('expected {"property": ...}')
  return name
}

function literalOf(given: unknown): Literal {
  if (typeof given === 'string' || typeof given === 'number' || typeof given === 'boolean') return given
  const { timestamp, date } = (given ?? {}) as { timestamp?: unknown; date?: unknown }
  const text = timestamp ?? date
  if (typeof text !== 'string') throw new CqlError('expected a text, a number or a boolean')
  return text
}

function intervalOf(given: unknown): readonly [number, number] {
  const { interval } = (given ?? {}) as { interval?: unknown }
  const text = Array.isArray(interval) ? interval.map(String).join('/') : String(literalOf(given))
  const stretch = readStretch(text, NaN)
  if (stretch === undefined) throw new CqlError(`'${text}' is not a time`)
  return [stretch.from, stretch.to]
}

function shapesOf(given: unknown): readonly Ring[] {
  const { type, coordinates, bbox } = (given ?? {}) as { type?: unknown; coordinates?: unknown; bbox?: unknown }
  if (Array.isArray(bbox)) {
    const [west, south, east, north] = bbox.map(Number) as [number, number, number, number]
    return [boxRing(west, south, east, north)]
  }
  if (type === 'Polygon') return [(coordinates as Ring[])[0] ?? []]
  if (type === 'MultiPolygon') return (coordinates as Ring[][]).map(polygon => polygon[0] ?? [])
  throw new CqlError('expected a Polygon, a MultiPolygon or a bbox')
}

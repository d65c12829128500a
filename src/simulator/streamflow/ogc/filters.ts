import { fieldsOf, type Condition, type Literal } from '../cql/condition.ts'
import { invalid } from '../refusals.ts'
import { readStretch, type Stretch } from '../times.ts'
import type { FilterRule, Table } from './table.ts'

const DAY_MS = 86_400_000

/** What may be asked of a collection besides what it says of itself. */
export interface QueryRules {
  readonly now: number
  /** Most rows on a page, whatever is asked. */
  readonly pageCap: number
  /** What becomes of an open end where the widest span is limited. */
  readonly openWindow: 'refuse' | 'serve'
}

/** What a parameter of the query selects. */
export function filterCondition(table: Table, name: string, value: string, now: number): Condition {
  const rule = table.filters[name]
  if (rule === undefined) throw invalid('unknown query parameter')
  if (name === 'qualifier') return qualifierCondition(value)
  if (rule.type === 'time') return { op: 'during', field: name, ...stretchOf(name, value, now) }
  if (rule.isPrefix === true) return { op: 'like', field: name, pattern: `${value}%` }
  if (rule.isList === true)
    return { op: 'in', field: name, values: value.split(',').map(part => literal(rule, name, part)) }
  return { op: 'compare', field: name, how: '=', value: literal(rule, name, value) }
}

/** What `time` or `datetime` selects, or what is taken where none is named and not everything may be asked for. */
export function timeCondition(
  table: Table,
  query: URLSearchParams,
  others: readonly Condition[],
  rules: QueryRules,
): readonly Condition[] {
  const field = table.timing?.field ?? 'time'
  const name = query.has('datetime') ? 'datetime' : field
  const text = query.get(name)
  const stretch = text === null ? undefined : stretchOf(name, text, rules.now)
  const { window } = table
  if (window !== undefined && stretch !== undefined) checkWindow(stretch, window.widestMs, rules)
  // `time` itself has become a condition like any other filter.
  if (stretch !== undefined) return name === 'datetime' ? [{ op: 'during', field, ...stretch }] : []
  if (window === undefined || others.some(other => fieldsOf(other).includes(field))) return []
  return [{ op: 'during', field, from: rules.now - window.defaultMs, to: rules.now }]
}

function checkWindow({ from, to }: Stretch, widestMs: number, { now, openWindow }: QueryRules): void {
  const isOpen = from === -Infinity || to === Infinity
  if (isOpen && openWindow === 'serve') return
  if (Math.min(to, now) - from > widestMs) {
    throw invalid(`The requested time range is too long: at most ${widestMs / DAY_MS} days may be asked for at once`)
  }
}

function stretchOf(name: string, value: string, now: number): Stretch {
  const stretch = readStretch(value, now)
  if (stretch === undefined) throw invalid(`${name} is not a valid instant, interval or duration`)
  return stretch
}

function literal({ type }: FilterRule, name: string, text: string): Literal {
  if (type === 'string' || type === 'time') return text
  if (text.trim() === '' || Number.isNaN(Number(text))) throw invalid(`${name} should be a number`)
  return Number(text)
}

/** A list of JSON, whose every entry must be among the qualifiers of a row. */
function qualifierCondition(value: string): Condition {
  const given = parse(value)
  if (!Array.isArray(given)) throw invalid('qualifier should be a JSON array')
  return {
    op: 'and',
    args: given.map(entry => ({ op: 'compare', field: 'qualifier', how: '=', value: String(entry) })),
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

import { readInstant, type Stretch } from '../times.ts'
import type { Condition, Literal } from './condition.ts'

const ALWAYS: readonly Stretch[] = [{ from: -Infinity, to: Infinity }]

/** When records that fulfil a condition can have been made: stretches in order, apart from each other. */
export function stretchesOf(condition: Condition, field: string): readonly Stretch[] {
  switch (condition.op) {
    case 'and':
      return condition.args.map(arg => stretchesOf(arg, field)).reduce(both, ALWAYS)
    case 'or':
      return joined(condition.args.flatMap(arg => stretchesOf(arg, field)))
    case 'during':
      return condition.field === field ? [{ from: condition.from, to: condition.to }] : ALWAYS
    case 'compare':
      return condition.field === field ? compared(condition.how, condition.value) : ALWAYS
    default:
      return ALWAYS
  }
}

/** True when the stretches of a condition say all that it says. */
export function isAllTime(condition: Condition, field: string): boolean {
  switch (condition.op) {
    case 'and':
    case 'or':
      return condition.args.every(arg => isAllTime(arg, field))
    case 'during':
      return condition.field === field
    case 'compare':
      // A comparison that leaves its own instant out is left to the records themselves.
      return condition.field === field && ['=', '<=', '>='].includes(condition.how)
    default:
      return false
  }
}

function compared(how: string, value: Literal): readonly Stretch[] {
  const at = readInstant(String(value))
  if (at === undefined || how === '<>') return ALWAYS
  return [{ from: how.startsWith('<') ? -Infinity : at, to: how.startsWith('>') ? Infinity : at }]
}

function both(first: readonly Stretch[], second: readonly Stretch[]): readonly Stretch[] {
  const common = first.flatMap(one =>
    second.map(other => ({ from: Math.max(one.from, other.from), to: Math.min(one.to, other.to) })),
  )
  return joined(common.filter(({ from, to }) => from <= to))
}

function joined(stretches: readonly Stretch[]): readonly Stretch[] {
  const result: { from: number; to: number }[] = []
  for (const { from, to } of [...stretches].sort((a, b) => a.from - b.from)) {
    const before = result.at(-1)
    if (before !== undefined && from <= before.to) before.to = Math.max(before.to, to)
    else if (from <= to) result.push({ from, to })
  }
  return result
}

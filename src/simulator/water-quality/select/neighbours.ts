import type { World } from '../world/world.ts'
import type { Filter, Scope } from './filter.ts'
import { createSelection, type Selection } from './selection.ts'

/** The same question for the year before its days, and for the one after them. Empty without days. */
export function neighboursOf(
  world: World,
  filter: Filter,
  scope: Scope,
): { readonly before?: Selection; readonly after?: Selection } {
  const { days } = filter
  if (days === undefined) return {}
  const { first, last } = days
  const around = (from: number, to: number): Selection =>
    createSelection(world, { ...filter, days: { first: from, last: to } }, scope)
  return {
    ...(Number.isFinite(first) ? { before: around(first - 366, first - 1) } : {}),
    ...(Number.isFinite(last) ? { after: around(last + 1, last + 366) } : {}),
  }
}

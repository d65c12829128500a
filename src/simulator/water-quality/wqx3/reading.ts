import { filterOf } from '../legacy/filter-of.ts'
import type { Parameters } from '../legacy/parameters.ts'
import type { CodeLists } from '../legacy/validation.ts'
import type { Filter } from '../select/filter.ts'

/** The lists of codes, with both names of the Survey. */
export function newerCodes(codes: CodeLists): CodeLists {
  return { has: (list, value) => (list === 'providers' && value === 'USGS') || codes.has(list, value) }
}

/** What valid parameters ask for. The Survey goes by both of its names. */
export function newerFilterOf(parameters: Parameters): Filter {
  const filter = filterOf(parameters)
  if (filter.providers === undefined) return filter
  return { ...filter, providers: new Set([...filter.providers].map(name => (name === 'USGS' ? 'NWIS' : name))) }
}

import { QueryError } from '../errors.ts'
import { fingerprint } from './fingerprint.ts'
import type { OperationEntry, PlainQuery } from './service-entry.ts'
import { operationNamed } from './services.ts'
import type { PullEntry, PullSpec, PullTimes, Segment } from './spec.ts'

/** What tells a series from others, as columns. */
export type Labels = Readonly<Record<string, string | number | boolean>>

/** One series of a specification: a query of one operation, without its times. */
export interface Series {
  /** Hash of service, operation and query. */
  readonly id: string
  readonly service: string
  /** The operation's own name. */
  readonly operation: string
  readonly entry: OperationEntry
  readonly query: PlainQuery
  /** Columns that tell it from others: names of folders. */
  readonly labels: Labels
  /** Those of the labels that are put in front of its rows, which do not say them. */
  readonly constants: Labels
  readonly times: PullTimes
  readonly segment: Segment
}

const TIMES = ['start', 'end', 'last', 'zone'] as const

/**
 * Every series that a specification asks for, each once.
 *
 * @throws QueryError naming the place
 */
export function seriesOf(spec: PullSpec): Series[] {
  const all = new Map<string, Series>()
  spec.pulls.forEach((entry, at) => {
    for (const series of expand(entry, spec, `pulls[${at}]`)) {
      all.set(fingerprint([series.id, series.times, series.segment]), series)
    }
  })
  return [...all.values()]
}

/** Hash of what a specification asks for: not of how it is written, nor of the format. */
export function planIdOf(series: readonly Series[]): string {
  return fingerprint(series.map(({ id, times, segment }) => fingerprint([id, times, segment])).sort())
}

/** A series as a manifest keeps it. */
export function seriesFrom(kept: {
  readonly service: string
  readonly operation: string
  readonly query: PlainQuery
  readonly labels: Labels
}): Series {
  const { name, entry } = operationNamed(kept.service, kept.operation)
  return {
    id: idOf(kept.service, name, kept.query),
    service: kept.service,
    operation: name,
    entry,
    query: kept.query,
    labels: kept.labels,
    constants: constantsOf(entry, kept.query),
    times: {},
    segment: segmentOf(entry, undefined),
  }
}

/** A series in words: `emissions historical CAISO_NORTH co2_moer`. */
export function nameOf({ service, operation, labels }: Pick<Series, 'service' | 'operation' | 'labels'>): string {
  return [service, operation, ...Object.values(labels).map(String)].join(' ')
}

/** Name of the table that its rows belong to. */
export function tableOf({ service, operation }: { readonly service: string; readonly operation: string }): string {
  return `${snakeCase(service)}_${snakeCase(operation)}`
}

/** Whether a row is one of a series, by the columns that tell series apart. */
export function isRowOf(row: Readonly<Record<string, unknown>>, series: Pick<Series, 'labels'> | undefined): boolean {
  return Object.entries(series?.labels ?? {}).every(([name, value]) => String(row[name]) === String(value))
}

function expand(given: PullEntry, spec: PullSpec, place: string): Series[] {
  const { name, entry } = operationNamed(given.service, given.operation, place)
  const query = { ...given.query }
  const times: Record<string, string> = {}
  const stated = TIMES.some(time => query[time] !== undefined) ? query : { ...spec, ...given }
  for (const time of TIMES) {
    if (stated[time] !== undefined) times[time] = String(stated[time]).trim()
    delete query[time]
  }
  if (entry.time !== undefined && times['start'] === undefined && times['last'] === undefined) {
    throw new QueryError(`${place} has no start; give start, or last: 'P1Y'`, { argument: `${place}.start`, value: '' })
  }
  const each = given.each ?? {}
  checkOnly(entry, { ...query, ...each }, place)
  for (const option of Object.keys(each)) {
    if (query[option] === undefined) continue
    throw new QueryError(`${place}: ${option} stands in query and in each; give it once`, {
      argument: `${place}.each.${option}`,
      value: query[option],
    })
  }
  return combinations(each).map(combination => {
    const whole = { ...query, ...combination }
    const constants = constantsOf(entry, whole)
    const others = Object.entries(combination).filter(([option]) => entry.keys?.[option] === undefined)
    return {
      id: idOf(given.service, name, whole),
      service: given.service,
      operation: name,
      entry,
      query: whole,
      labels: { ...constants, ...Object.fromEntries(others.map(([option, value]) => [snakeCase(option), value])) },
      constants,
      times: entry.time === undefined ? {} : times,
      segment: segmentOf(entry, given.segment),
    }
  })
}

function checkOnly({ only = {} }: OperationEntry, said: PlainQuery, place: string): void {
  for (const [option, allowed] of Object.entries(only)) {
    for (const value of [said[option] ?? []].flat().map(String)) {
      if (allowed.includes(value)) continue
      throw new QueryError(
        `${place}: what comes with ${option} '${value}' cannot be pulled; it can be ${allowed.join(', ')}`,
        { argument: `${place}.query.${option}`, value },
      )
    }
  }
}

function idOf(service: string, operation: string, query: PlainQuery): string {
  return fingerprint([service, operation, query])
}

function segmentOf({ time }: OperationEntry, given: Segment | undefined): Segment {
  return time === undefined ? 'all' : (given ?? time.segment ?? 'year')
}

function constantsOf({ keys = {} }: OperationEntry, query: PlainQuery): Labels {
  return Object.fromEntries(
    Object.entries(keys).flatMap(([option, { column, otherwise }]) => {
      const value = query[option] ?? otherwise
      return value === undefined ? [] : [[column, value as string]]
    }),
  )
}

function combinations(each: NonNullable<PullEntry['each']>): Readonly<Record<string, string | number | boolean>>[] {
  return Object.entries(each).reduce<Record<string, string | number | boolean>[]>(
    (all, [option, values]) => all.flatMap(one => values.map(value => ({ ...one, [option]: value }))),
    [{}],
  )
}

function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`).replaceAll('-', '_')
}

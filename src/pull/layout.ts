import { QueryError } from '../errors.ts'
import { nearest } from '../nearest.ts'
import type { SpanMs } from '../span.ts'
import { tableOf, type Labels, type Series } from './series.ts'
import type { PullFormat, Segment } from './spec.ts'
import { UNFINISHED } from './new-file.ts'

/** Folders of a pull: rows by table below one, metadata rows below the other. */
export const DATA = 'data'
export const META = 'meta'

const CALENDAR: Readonly<Record<string, readonly Segment[]>> = {
  year: ['day', 'month', 'year'],
  month: ['day', 'month'],
}

/**
 * Folder of a task's rows, hive style. Without a choice: a folder for each column that tells series apart, then one
 * for each year where a task is no longer than that.
 *
 * @throws QueryError for a column that is not known, or a year that a task would overrun
 */
export function dataFolder(series: Series, span: SpanMs | undefined, partition: readonly string[] | undefined): string {
  const chosen = partition ?? [...Object.keys(series.labels), ...(fits('year', series, span) ? ['year'] : [])]
  const parts = chosen.map(name => `${name}=${encodeURIComponent(String(partValue(name, series, span)))}`)
  return [DATA, tableOf(series), ...parts].join('/')
}

export function metaFolder(series: Series): string {
  return [META, tableOf(series)].join('/')
}

/** `part-` and the task's number; further files of one task have a number of their own. */
export function partName(taskId: string, nth: number, format: PullFormat): string {
  return `part-${taskId}${nth === 0 ? '' : `-${nth + 1}`}.${format}`
}

/** Names of files that stand in the place of others. */
export function mergedName(id: string, format: PullFormat): string {
  return `merged-${id}.${format}`
}

const OWN_FILE = /^(?:data|meta)\/(?:.+\/)?(?:part|merged)-[0-9a-f]{16}(?:-\d+)?\.(?:csv|jsonl|parquet)$/

/** Whether a path is one that we give to files, finished or not: nothing else is ever removed. */
export function isOwnFile(path: string): boolean {
  return OWN_FILE.test(path.endsWith(UNFINISHED) ? path.slice(0, -UNFINISHED.length) : path)
}

function fits(name: string, { segment, entry }: Series, span: SpanMs | undefined): boolean {
  return span !== undefined && entry.time !== undefined && CALENDAR[name]?.includes(segment) === true
}

function partValue(name: string, series: Series, span: SpanMs | undefined): Labels[string] {
  if (Object.hasOwn(CALENDAR, name)) {
    if (span !== undefined && fits(name, series, span)) {
      const date = new Date(span.start)
      return name === 'year' ? date.getUTCFullYear() : date.getUTCMonth() + 1
    }
    throw new QueryError(
      `partition '${name}' needs tasks no longer than a ${name}; give ${series.service} ${series.operation} a segment of '${name}'`,
      { argument: 'partition', value: name },
    )
  }
  const value = series.labels[name]
  if (value !== undefined) return value
  const known = [...Object.keys(series.labels), ...Object.keys(CALENDAR)]
  const guess = nearest(name, known)
  throw new QueryError(
    `partition '${name}' does not tell series of ${series.service} ${series.operation} apart; ${guess ? `did you mean '${guess}'?` : `it has ${known.join(', ')}`}`,
    { argument: 'partition', value: name },
  )
}

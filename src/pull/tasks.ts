import type { SpanMs } from '../span.ts'
import { isoText } from '../time.ts'
import { fingerprint } from './fingerprint.ts'
import { lineSpanMs, type FolderState } from './folder-state.ts'
import type { LineSpan } from './manifest-lines.ts'
import { segmentsOf, settle, without } from './segments.ts'
import type { PlainQuery } from './service-entry.ts'
import type { Series } from './series.ts'

/** One unit of work: a series and a stretch of its time. */
export interface Task {
  /** Hash of what is asked. */
  readonly id: string
  readonly series: Series
  readonly span: SpanMs | undefined
  /** What is added to the query of the series: no part of what tells tasks apart. */
  readonly more?: PlainQuery
  /** Names its files, where it is done once more. @defaultValue its own */
  readonly fileId?: string
}

/** A task with what is known of it. */
export interface ListedTask extends Task {
  readonly covered: boolean
}

/** The stretch of every series, as ISO texts: as the folder has settled it, or as the times mean it now. */
export function settleAll(
  all: readonly Series[],
  planId: string,
  state: FolderState | undefined,
  now: number,
): Record<string, LineSpan> {
  const before = state?.plans.findLast(({ plan }) => plan === planId)?.settled ?? {}
  return Object.fromEntries(
    all.flatMap((series): [string, LineSpan][] => {
      if (series.entry.time === undefined) return []
      const key = settledKey(series)
      const known = before[key]
      if (known) return [[key, known]]
      const { start, end } = settle(series.times, series.entry.time, now, `${series.service} ${series.operation}`)
      return [[key, { start: isoText(start), end: isoText(end) }]]
    }),
  )
}

/** What is to be done, and what the folder has already. Nothing is asked twice, whatever specification asked first. */
export function listTasks(
  all: readonly Series[],
  settled: Readonly<Record<string, LineSpan>>,
  state: FolderState | undefined,
): ListedTask[] {
  const coveredBy = new Map<string, SpanMs[]>()
  return all.flatMap((series): ListedTask[] => {
    const known = state?.series.get(series.id)
    const { time } = series.entry
    const whole = settled[settledKey(series)]
    if (time === undefined || whole === undefined) {
      return [{ ...taskOf(series, undefined), covered: known !== undefined }]
    }
    const covered = coveredBy.get(series.id) ?? [...(known?.covered ?? [])]
    coveredBy.set(series.id, covered)
    return segmentsOf(lineSpanMs(whole), series.segment, time.stepMs).flatMap((segment): ListedTask[] => {
      const left = without(segment, covered, time.stepMs)
      if (left.length === 0) return [{ ...taskOf(series, segment), covered: true }]
      covered.push(...left)
      return left.map(span => ({ ...taskOf(series, span), covered: false }))
    })
  })
}

export function taskOf(series: Series, span: SpanMs | undefined): Task {
  return { id: fingerprint([series.id, span ?? null]), series, span }
}

/** The query of a stretch of a series. */
export function queryOf(series: Series, span: SpanMs | undefined, more: PlainQuery = {}): PlainQuery {
  const { entry } = series
  const query = { ...entry.defaults, ...series.query }
  if (span === undefined || entry.time === undefined) return { ...query, ...more }
  const text = (ms: number): string => (entry.time?.by === 'date' ? isoText(ms).slice(0, 10) : isoText(ms))
  return { ...query, ...more, start: text(span.start), end: text(span.end) }
}

/** One series can be asked for twice, for different times. */
function settledKey({ id, times }: Series): string {
  return `${id}-${fingerprint(times)}`
}

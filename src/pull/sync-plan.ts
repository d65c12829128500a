import { QueryError } from '../errors.ts'
import { mergeSpans, type SpanMs } from '../span.ts'
import { calendarDate, isoText, parseDurationMs } from '../time.ts'
import { lineSpanMs, type FolderState, type SeriesState } from './folder-state.ts'
import type { TaskLine } from './manifest-lines.ts'
import { sameVersion } from './same-version.ts'
import { latestOver, segmentsOf } from './segments.ts'
import type { PlainQuery } from './service-entry.ts'
import type { Series } from './series.ts'
import { taskOf, type ListedTask } from './tasks.ts'

/** What of a series is to be asked for once more. */
export interface Again {
  readonly series: Series
  readonly spans: readonly SpanMs[]
  readonly more: PlainQuery
  /** Whether all that the service has is asked for, not only what changed: then what does not come is gone. */
  readonly whole: boolean
}

/** A service may write a change down a little before it shows it. */
const MARGIN_MS = 10 * 60_000
const LOOK_BACK = 'P30D'

/**
 * Where a series may have been revised since the last time: all of it, where the service can be asked what changed;
 * otherwise so much before its end.
 */
export function revisedWhere(series: Series, state: FolderState, lookBack: string | undefined): Again[] {
  const known = state.series.get(series.id)
  const { time, revisions } = series.entry
  if (known === undefined || time === undefined || known.covered.length === 0) return []
  const covered = mergeSpans(known.covered, time.stepMs)
  const same = sameVersion(series, known)
  if (revisions !== undefined && lookBack === undefined) {
    const more = { ...revisions.since(isoText(lastAsked(known) - MARGIN_MS)), ...same }
    return [{ series, spans: covered, more, whole: false }]
  }
  const text = lookBack ?? series.entry.lookBack ?? LOOK_BACK
  const lookBackMs = parseDurationMs(text)
  if (lookBackMs === undefined) {
    throw new QueryError(`lookBack is not a length of time: '${text}'; use an ISO-8601 duration such as 'P30D'`, {
      argument: 'lookBack',
      value: text,
    })
  }
  const from = Math.max(...covered.map(({ end }) => end)) - lookBackMs
  const spans = covered
    .filter(({ end }) => end >= from)
    .map(({ start, end }) => ({ start: Math.max(start, Math.ceil(from / time.stepMs) * time.stepMs), end }))
  return [{ series, spans, more: same, whole: true }]
}

/** What is new of a series: from its end to now, cut as before. */
export function newTasks(series: Series, state: FolderState, until: number | undefined, now: number): ListedTask[] {
  const known = state.series.get(series.id)
  const { time } = series.entry
  if (known === undefined || time === undefined || known.covered.length === 0) return []
  const { zone } = series.times
  const start = Math.max(...known.covered.map(({ end }) => end)) + time.stepMs
  const wanted = until ?? now
  const end = Math.min(time.by === 'date' ? calendarDate(wanted, zone) : wanted, latestOver(time, zone, now))
  if (end < start) return []
  const more = sameVersion(series, known)
  return segmentsOf({ start, end }, series.segment, time.stepMs).map(segment => ({
    ...taskOf(series, segment),
    more,
    covered: false,
  }))
}

/** A task's line as far as rows came, where it reaches to the present; nothing where none came. */
export function upToNewest(line: TaskLine, now: number): TaskLine | undefined {
  if (line.rows === 0 || line.newest === undefined || line.span === null) return undefined
  const newest = Date.parse(line.newest)
  if (now - Date.parse(line.span.end) > RECENT_MS) return line
  return {
    ...line,
    span: { ...line.span, end: line.newest },
    holes: line.holes.filter(hole => lineSpanMs(hole).start < newest),
  }
}

/** Older gaps are holes, not delay. */
const RECENT_MS = 3 * 86_400_000

function lastAsked({ syncedAsOf, tasks }: SeriesState): number {
  return syncedAsOf ?? Math.min(...tasks.map(({ startedAt }) => Date.parse(startedAt)))
}

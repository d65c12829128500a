import { QueryError } from '../errors.ts'
import { subtractSpans, type SpanMs } from '../span.ts'
import { calendarDate, isoText, parseSpan } from '../time.ts'
import type { TimeEntry } from './service-entry.ts'
import type { PullTimes, Segment } from './spec.ts'

const DAY_MS = 86_400_000

/**
 * The stretch that times stand for. One that ends now, or later, ends with the last step or day that is over.
 *
 * @throws QueryError
 */
export function settle(times: PullTimes, { by, stepMs }: TimeEntry, now: number, place: string): SpanMs {
  const given = parseSpan(times, now)
  const zone = times.zone
  const latest = latestOver({ by, stepMs }, zone, now)
  const span = by === 'date' ? { start: calendarDate(given.start, zone), end: calendarDate(given.end, zone) } : given
  const settled = { start: span.start, end: Math.min(span.end, latest) }
  if (settled.end >= settled.start) return settled
  throw new QueryError(
    `${place} holds nothing yet: it starts ${isoText(span.start)}, and the last that is over is ${isoText(latest)}`,
    {
      argument: 'start',
      value: times.start ?? times.last,
    },
  )
}

/** The last step, or the last day of a zone, that is over; epoch milliseconds. */
export function latestOver(
  { by, stepMs }: Pick<TimeEntry, 'by' | 'stepMs'>,
  zone: string | undefined,
  now: number,
): number {
  return (by === 'date' ? calendarDate(now, zone) : Math.floor(now / stepMs) * stepMs) - stepMs
}

/** Cuts a stretch at the borders of days, months or years in UTC. Each part ends a step before the next begins. */
export function segmentsOf(span: SpanMs, segment: Segment, stepMs: number): SpanMs[] {
  const parts: SpanMs[] = []
  for (let start = span.start; start <= span.end;) {
    const border = segment === 'all' ? Number.POSITIVE_INFINITY : nextBorder(start, segment)
    // A border off the grid belongs to what follows; what lies right before it, to what it closes.
    const end = Math.min(span.end, border - stepMs)
    if (end >= start) parts.push({ start, end })
    start = Math.max(border, start + 1)
  }
  return parts
}

/** What is left of a stretch when others are there already. */
export function without(span: SpanMs, covered: readonly SpanMs[], stepMs: number): SpanMs[] {
  return subtractSpans([span], covered, stepMs)
}

function nextBorder(ms: number, segment: Exclude<Segment, 'all'>): number {
  if (segment === 'day') return (Math.floor(ms / DAY_MS) + 1) * DAY_MS
  const date = new Date(ms)
  return segment === 'month'
    ? Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1)
    : Date.UTC(date.getUTCFullYear() + 1, 0, 1)
}

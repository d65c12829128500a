import type { SpanMs } from '../span.ts'
import type { SpanRules } from './plan.ts'

/** A kept answer that covers a stretch of time, both ends included. */
export interface KeptSpan extends SpanMs {
  readonly key: string
  /** When its oldest page was received, epoch milliseconds. */
  readonly receivedAt: number
}

/** A stretch of a span: answered by what is kept, or still to be asked for. */
export interface Covered {
  readonly span: SpanMs
  /** The kept answer, if one covers it. */
  readonly key?: string
  /** Whether it meets the stretch in front of it at an instant that belongs to that one. */
  readonly meets: boolean
}

/**
 * Cuts a span into what kept answers cover and what they do not. Where several cover a stretch, the newest does.
 * Together the stretches hold every grid instant of the span once, as those of a plan do.
 */
export function coverSpan(span: SpanMs, { stepMs, ends }: SpanRules, kept: readonly KeptSpan[]): Covered[] {
  const trimmed = ends === 'trimmed'
  // Trimmed, rows lie on the grid only: where a kept answer begins between two grid instants says nothing.
  const floor = (at: number): number => (trimmed ? Math.ceil(at / stepMs) * stepMs : at)
  const behind = (end: number): number => (trimmed ? Math.floor(end / stepMs) * stepMs + stepMs : end)
  const before = (start: number): number => (trimmed ? floor(start) - stepMs : start)

  // Shared, what lies right at the end of one is the next one's, unless nothing else was asked for.
  const holdsItsEnd = trimmed || span.start === span.end

  const covered: Covered[] = []
  let at = span.start
  const isOver = (): boolean => (trimmed ? floor(at) > span.end && covered.length > 0 : at >= span.end)
  do {
    const here = floor(at)
    const fits = kept.filter(
      ({ start, end }) =>
        (floor(start) <= here && (end > here || (holdsItsEnd && end === here))) ||
        // Where no grid instant is left, only what reaches as far is the same question.
        (start <= at && end >= span.end),
    )
    const newest = fits.reduce<KeptSpan | undefined>(
      (best, one) => (best === undefined || one.receivedAt > best.receivedAt ? one : best),
      undefined,
    )
    const next = kept
      .filter(
        ({ start, receivedAt }) => floor(start) > here && start <= span.end && receivedAt > (newest?.receivedAt ?? 0),
      )
      .reduce((least, { start }) => Math.min(least, floor(start)), Number.POSITIVE_INFINITY)
    const end = Math.min(span.end, newest?.end ?? span.end, before(next))
    const stretch = { start: at, end }
    covered.push({ span: stretch, meets: !trimmed && covered.length > 0, ...(newest ? { key: newest.key } : {}) })
    at = behind(end)
  } while (!isOver())
  return covered
}

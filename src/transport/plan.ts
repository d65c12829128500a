import { QueryError } from '../errors.ts'
import type { SpanMs } from '../span.ts'

/** How spans of one operation are cut. */
export interface SpanRules {
  /** Interior borders lie on whole multiples of this, milliseconds. */
  readonly stepMs: number
  /** Length of a chunk unless the caller says otherwise, milliseconds. */
  readonly chunkMs: number
  /** Longest span that the service takes, milliseconds. */
  readonly mostMs: number
  /**
   * `trimmed`: both ends are included by the service, so a piece ends one step before the next begins.
   * `shared`: rows lie at any instant, so neighbours meet at one; what lies right there is the earlier one's.
   */
  readonly ends: 'trimmed' | 'shared'
}

/** The first piece of a span and what remains of it. */
export interface Taken {
  readonly piece: SpanMs
  readonly rest: SpanMs | undefined
}

/**
 * Cuts a span into pieces of at most `sizeMs`. Interior borders lie on the grid; the caller's own start and end
 * are sent as given; together the pieces hold every grid instant of the span exactly once.
 */
export function planSpan(span: SpanMs, rules: SpanRules, sizeMs: number = rules.chunkMs): SpanMs[] {
  const pieces: SpanMs[] = []
  for (let rest: SpanMs | undefined = span; rest !== undefined;) {
    const taken: Taken = takePiece(rest, rules, sizeMs)
    pieces.push(taken.piece)
    rest = taken.rest
  }
  return pieces
}

/** Takes the first piece from a span, so that a plan can change its mind about the size on the way. */
export function takePiece(span: SpanMs, { stepMs, ends }: SpanRules, sizeMs: number): Taken {
  if (span.end - span.start <= sizeMs) return { piece: span, rest: undefined }
  // Trimmed, a piece gives its last step away and must hold a grid instant before it; shared, it only has to move on.
  const least =
    (ends === 'trimmed' ? Math.ceil(span.start / stepMs) : Math.floor(span.start / stepMs)) * stepMs + stepMs
  const border = Math.max(Math.floor((span.start + sizeMs) / stepMs) * stepMs, least)
  if (border > span.end) return { piece: span, rest: undefined }
  const rest = { start: border, end: span.end }
  return { piece: { start: span.start, end: ends === 'trimmed' ? border - stepMs : border }, rest }
}

/**
 * Halves a span that was too slow, at the grid instant nearest its middle.
 *
 * @returns both parts, or `undefined` when one of them would hold nothing
 */
export function splitSpan({ start, end }: SpanMs, { stepMs, ends }: SpanRules): readonly [SpanMs, SpanMs] | undefined {
  const first = Math.ceil(start / stepMs)
  const last = Math.floor(end / stepMs)
  const trim = ends === 'trimmed' ? 1 : 0
  const middle = Math.min(Math.max(Math.round((start + end) / 2 / stepMs), first + 1), last - (1 - trim))
  if (middle <= first) return undefined
  return [
    { start, end: (middle - trim) * stepMs },
    { start: middle * stepMs, end },
  ]
}

/**
 * The chunk length in force.
 *
 * @throws QueryError when the caller's is longer than the service takes or shorter than a step
 */
export function chunkLength(rules: SpanRules, asked: number | undefined): number {
  if (asked === undefined) return rules.chunkMs
  if (asked > rules.mostMs)
    throw new QueryError(
      `chunk is ${lengthText(asked)}, but the service takes at most ${lengthText(rules.mostMs)} at a time`,
      {
        argument: 'chunk',
        value: asked,
      },
    )
  if (asked < rules.stepMs)
    throw new QueryError(`chunk is ${lengthText(asked)}, shorter than the step of ${lengthText(rules.stepMs)}`, {
      argument: 'chunk',
      value: asked,
    })
  return asked
}

/** A length of time as people say it: in the largest unit that comes out even. */
function lengthText(ms: number): string {
  const units: readonly (readonly [string, number])[] = [
    ['day', 86_400_000],
    ['hour', 3_600_000],
    ['minute', 60_000],
    ['second', 1000],
  ]
  const [unit, size] = units.find(([, length]) => ms >= length && ms % length === 0) ?? ['ms', 1]
  const count = ms / size
  return unit === 'ms' ? `${count} ms` : `${count} ${unit}${count === 1 ? '' : 's'}`
}

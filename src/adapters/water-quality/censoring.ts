/** What a result says about a value that was not measured, in the words of the agencies. */

/** On which side of its limit a value lies that was not measured. */
export type Censored = 'below' | 'above' | null

/** One limit that stands beside a result. */
export interface Limit {
  readonly value: string | null
  readonly unit: string | null
  readonly type: string | null
}

/** What a result means. */
export interface Measurement {
  /** `null` where the text is no plain number, and where the value is censored. Never 0 or a limit in its place. */
  readonly value: number | null
  readonly censored: Censored
  /** The limit that the value lies below or above; `null` where none is stated, and of ordinary values. */
  readonly limit: number | null
  readonly limit_unit: string | null
  readonly limit_type: string | null
}

/** Conditions as the agencies' domain lists them, in lower case (read 2026-11). */
const BELOW: ReadonlySet<string> = new Set([
  'below daily detection limit',
  'below detection limit',
  'below long-term blank-basd dt limit',
  'below method detection limit',
  'below reporting limit',
  'below sample-specific detect limit',
  'below system detection limit',
  'between inst detect and quant limit',
  'detected not quantified',
  'not detected',
  'not detected at detection limit',
  'not detected at reporting limit',
  'not present',
  'present below quantification limit',
  'trace',
  '*non-detect',
  '*present <ql',
  '*present',
])
const ABOVE: ReadonlySet<string> = new Set(['present above quantification limit', 'above operating range'])
const NEITHER: ReadonlySet<string> = new Set([
  'high moisture',
  'not reported',
  'reported in raw data (attached)',
  'unable to measure',
  'value decensored',
  'value affected by contamination',
])

const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i
/** A value with a sign in front: `<0.05`. */
const SIGNED = /^\s*([<>≤≥])=?\s*(.*)$/

/** `12.3`, `8.0`, `1e-05`. Anything else, `1,200` included, is no plain number. */
export function readNumber(text: string | null | undefined): number | null {
  if (text === null || text === undefined || !NUMBER.test(text)) return null
  const number = Number(text)
  return Number.isFinite(number) ? number : null
}

/** What a condition says; `undefined` for one that nobody lists. */
export function readCondition(condition: string): Censored | undefined {
  const words = condition.trim().toLowerCase()
  if (BELOW.has(words)) return 'below'
  if (ABOVE.has(words)) return 'above'
  return NEITHER.has(words) ? null : undefined
}

/**
 * Reads a result. The condition decides, then a sign in the value; a limit alone says nothing: it stands beside
 * ordinary values, too.
 *
 * @param unit - of the value, and of a limit that stands in its place behind a sign
 */
export function readMeasurement(
  text: string | null,
  condition: string | null,
  limits: readonly Limit[],
  unit: string | null = null,
): Measurement {
  const signed = text === null ? null : SIGNED.exec(text)
  const said = condition === null ? undefined : readCondition(condition)
  const censored = said ?? (signed ? sideOf(signed[1] ?? '') : text === null ? null : (readCondition(text) ?? null))
  if (censored === null) return { value: readNumber(text), censored, limit: null, limit_unit: null, limit_type: null }
  const stated = applicable(limits, censored)
  // What stands behind a sign is the limit of this very value.
  const own = signed && sideOf(signed[1] ?? '') === censored ? readNumber((signed[2] ?? '').trim()) : null
  if (own !== null && own !== readNumber(stated?.value ?? null))
    return { value: null, censored, limit: own, limit_unit: unit, limit_type: null }
  return {
    value: null,
    censored,
    limit: readNumber(stated?.value ?? null),
    limit_unit: stated?.unit ?? null,
    limit_type: stated?.type ?? null,
  }
}

function sideOf(sign: string): 'below' | 'above' {
  return sign === '<' || sign === '≤' ? 'below' : 'above'
}

/** Of several limits, the first that lies on the right side. */
function applicable(limits: readonly Limit[], side: 'below' | 'above'): Limit | undefined {
  const numbers = limits.filter(({ value }) => readNumber(value) !== null)
  const isUpper = ({ type }: Limit): boolean => /^upper\b/i.test(type ?? '')
  if (side === 'below') return numbers.find(limit => !isUpper(limit))
  return numbers.find(isUpper) ?? numbers[0]
}

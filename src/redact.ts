/**
 * Keeps secrets out of everything that people or files get to see. Two nets: patterns that look like a
 * credential wherever they stand, and the exact values a client was given.
 */

const MASK = '[redacted]'

/** Query parameters whose value is never shown. */
const SECRET_PARAMETERS =
  /^(?:.*token.*|.*password.*|passwd|.*secret.*|api[-_]?key|key|username|user|email|auth.*|signature|sig)$/i

const PATTERNS: readonly (readonly [RegExp, string])[] = [
  [/\b(Bearer|Basic)\s+[A-Za-z0-9._~+/=-]+/gi, `$1 ${MASK}`],
  [/([a-z][a-z0-9+.-]*:\/\/)[^\s/?#]+@/gi, '$1'],
  [
    /([?&](?:[\w.-]*(?:token|password|passwd|secret|api[-_]?key)[\w.-]*|key|username|email)=)[^&\s"'<>]+/gi,
    `$1${MASK}`,
  ],
  [/("(?:[\w.-]*(?:token|password|secret|api[-_]?key)[\w.-]*|authorization)"\s*:\s*")[^"]*"/gi, `$1${MASK}"`],
]

/** Text with everything that looks like a credential masked. */
export function redactText(text: string): string {
  return PATTERNS.reduce((clean, [pattern, mask]) => clean.replace(pattern, mask), text)
}

/** Behind a scheme, or where somebody forgot the scheme: `name:password@host`. */
const USER_PART = /^(?:([a-z][a-z0-9+.-]*:\/\/)[^/?#]*@|[^/?#@:]*:[^/?#@]*@)/i

/** An address without user part and without the values of secret parameters; the rest is left as sent. */
export function redactUrl(url: string): string {
  const cut = url.indexOf('?')
  const address = (cut < 0 ? url : url.slice(0, cut)).replace(USER_PART, '$1')
  if (cut < 0) return address
  const query = url
    .slice(cut + 1)
    .split('&')
    .map(pair => {
      const name = pair.split('=', 1)[0] ?? ''
      return SECRET_PARAMETERS.test(decode(name)) ? `${name}=${MASK}` : pair
    })
  return `${address}?${query.join('&')}`
}

/** Masks patterns and, on top, exact secret values in any of the spellings in which they could come back. */
export type Redactor = (text: string) => string

/**
 * A redactor that also knows the given values. Values shorter than four characters are left to the patterns:
 * masking every `a` would destroy the message and hide nothing.
 */
export function createRedactor(secrets: () => Iterable<string>): Redactor {
  return text => {
    let clean = redactText(text)
    // The longest first: one secret may be a part of another.
    for (const secret of [...secrets()].sort((a, b) => b.length - a.length)) {
      if (secret.length < 4) continue
      for (const spelling of spellings(secret)) {
        clean = withoutCut(clean.replaceAll(spelling, MASK), spelling)
      }
    }
    return clean
  }
}

/** Any plain value with its texts redacted, names included: what a service says may repeat what it was told. */
export function redactValue(value: unknown, redact: Redactor): unknown {
  if (typeof value === 'string') return redact(value)
  if (Array.isArray(value)) return value.map(one => redactValue(one, redact))
  if (typeof value !== 'object' || value === null || value instanceof Date) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [redact(name), redactValue(one, redact)]))
}

/** A text that was cut short may end inside a secret: what stands there of it goes as well. */
function withoutCut(text: string, secret: string): string {
  let clean = text
  for (let at = clean.indexOf('…'); at >= 0; at = clean.indexOf('…', at + 1)) {
    const length = startBefore(clean, at, secret)
    if (length === 0) continue
    clean = `${clean.slice(0, at - length)}${MASK}${clean.slice(at)}`
    at += MASK.length - length
  }
  return clean
}

/** How much of a secret's beginning ends at a place: three characters or less give nothing away. */
function startBefore(text: string, at: number, secret: string): number {
  for (let length = Math.min(secret.length - 1, at); length > 3; length--) {
    if (text.startsWith(secret.slice(0, length), at - length)) return length
  }
  return 0
}

/** A secret as it is, in an address, in a form, in JSON, and in base64. */
function spellings(secret: string): Set<string> {
  const form = new URLSearchParams({ secret }).toString().slice('secret='.length)
  return new Set([
    secret,
    encodeURIComponent(secret),
    form,
    form.replaceAll('+', '%20'),
    JSON.stringify(secret).slice(1, -1),
    Buffer.from(secret).toString('base64'),
  ])
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

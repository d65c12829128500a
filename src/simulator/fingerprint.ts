import { createHash } from 'node:crypto'

/** Headers that carry a secret, and are therefore kept as fingerprints only. */
const SECRET_HEADERS = new Set(['authorization', 'proxy-authorization', 'cookie', 'x-api-key', 'api_key'])

/** Parameters of the query that carry one, or tell who asks. */
const SECRET_PARAMETER = /([?&](?:api_key|username)=)([^&#]*)/gi

/** A short name for a secret that tells it from others and does not give it away. */
export function fingerprint(text: string): string {
  return `#${createHash('sha256').update(text).digest('hex').slice(0, 8)}`
}

/**
 * Headers fit to be kept: `Bearer abc` becomes `Bearer #ba7816bf`, and so on.
 *
 * @param headers - names in lower case
 */
export function maskHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, SECRET_HEADERS.has(name) ? maskValue(value) : value]),
  )
}

/** A query string fit to be kept: its API key and user name are fingerprints. */
export function maskSearch(search: string): string {
  return search.replaceAll(SECRET_PARAMETER, (_, name: string, key: string) => name + fingerprint(decodeText(key)))
}

function decodeText(text: string): string {
  return new URLSearchParams(`x=${text}`).get('x') ?? ''
}

function maskValue(value: string): string {
  const [, scheme, secret] = /^(\S+) +(.+)$/.exec(value) ?? []
  return scheme !== undefined && secret !== undefined ? `${scheme} ${fingerprint(secret)}` : fingerprint(value)
}

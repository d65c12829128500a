import { Failure } from './failure.ts'

/** Where a request goes next. */
export interface Hop {
  readonly method: string
  readonly url: URL
  readonly body: string | undefined
}

/** Redirects in a row; more is a loop. */
export const MOST_HOPS = 5

const FOLLOWED = [301, 302, 303, 307, 308]

/**
 * The next address of a redirected request, or `undefined` when the answer is no redirect.
 *
 * @throws Failure when the redirect cannot be followed safely
 */
export function nextHop(hop: Hop, status: number, headers: Readonly<Record<string, string>>): Hop | undefined {
  const location = headers['location']
  if (!FOLLOWED.includes(status) || location === undefined) return undefined
  const url = linkTarget(location, hop.url)
  if (hop.method === 'GET') return { method: 'GET', url, body: undefined }
  if (status === 303) return { method: 'GET', url, body: undefined }
  // What it says may be a secret, as a registration's is.
  if (url.host !== hop.url.host)
    throw new Failure(`a redirect (${status}) leads ${hop.method} to another host (${url.host}); it is not followed`, {
      class: 'redirect',
      status,
      headers,
    })
  if (status === 307 || status === 308) return { ...hop, url }
  throw new Failure(`a redirect (${status}) would turn ${hop.method} into GET; it is not followed`, {
    class: 'redirect',
    status,
    headers,
  })
}

/**
 * Resolves a link against the page it stands on. A user part is dropped: credentials never come from a link.
 *
 * @throws Failure when it leads from https to http, or to no address at all
 */
export function linkTarget(link: string, from: URL): URL {
  if (!URL.canParse(link, from.href)) throw new Failure('a link leads to no address', { class: 'redirect' })
  const url = new URL(link, from)
  if (!/^https?:$/.test(url.protocol) || (from.protocol === 'https:' && url.protocol === 'http:')) {
    throw new Failure(`a link leads from ${from.protocol}// down to ${url.protocol}//; it is not followed`, {
      class: 'redirect',
    })
  }
  url.username = ''
  url.password = ''
  return url
}

import type { Clock } from '../clock.ts'
import type { Call } from './call.ts'
import { isLoopback } from './http.ts'

/** What proves to a service who asks. Belongs to one host and goes nowhere else. */
export interface Credential {
  /** Names the account among all accounts of a host, without giving it away. */
  readonly account: string
  /** Whose answers are kept on disk under this name: tells accounts apart, and nothing secret can be learned from it. @defaultValue `account` */
  readonly owner?: string | undefined
  /** Values that must never be shown. */
  secrets(): Iterable<string>
  /** Makes sure that there is something to send; may log in. */
  ready(call: Call): Promise<void>
  /** Headers for one request, or `undefined` when they are not valid any more: call `ready` again. */
  headers(): Readonly<Record<string, string>> | undefined
  /** The service refused these headers. Returns whether asking again can help. */
  refused(headers: Readonly<Record<string, string>>): boolean
}

/** Whether an address may get a host's credential: the same host, over https unless it is this machine. */
export function mayCarryCredential(url: URL, home: URL): boolean {
  return url.host === home.host && (url.protocol === 'https:' || isLoopback(url.hostname))
}

/** A key that never changes: sent in a header, refused for good. */
export function keyCredential(header: string, key: string, account: string): Credential {
  return {
    account,
    secrets: () => [key],
    ready: async () => {},
    headers: () => ({ [header]: key }),
    refused: () => false,
  }
}

/** How a token is had and how long it lasts. */
export interface TokenSource {
  readonly account: string
  /** See {@link Credential.owner}. */
  readonly owner?: string
  readonly clock: Clock
  /** Life of a token from its issue, milliseconds. */
  readonly lifeMs: number
  /** A token is renewed so long before its end, milliseconds. */
  readonly marginMs: number
  /** Values that prove the account, never to be shown. */
  readonly secrets: readonly string[]
  /** Asks for a token. Runs on a signal of its own: it serves every caller that waits. */
  readonly login: (call: Call, signal: AbortSignal) => Promise<string>
}

/**
 * A token that is got by logging in. Any number of requests that find it missing, old or refused cause one login;
 * a request whose refusal concerns an older token takes the newer one. Age is measured on the monotonic clock, so a
 * wrong or changing wall clock does not matter.
 */
export function tokenCredential({ account, owner, clock, lifeMs, marginMs, secrets, login }: TokenSource): Credential {
  let token: { readonly text: string; readonly issuedAt: number } | undefined
  let pending: { readonly answer: Promise<void>; readonly controller: AbortController; waiting: number } | undefined
  let reason: 'missing' | 'expired' | 'refused' = 'missing'
  const known = new Set(secrets)

  const isFresh = (): boolean => {
    if (token !== undefined && clock.monotonic() - token.issuedAt >= lifeMs - marginMs) {
      token = undefined
      reason = 'expired'
    }
    return token !== undefined
  }

  const forget = (one: NonNullable<typeof pending>): void => {
    if (pending === one) pending = undefined
  }

  const begin = (call: Call) => {
    call.emit({ type: 'refresh', reason })
    const controller = new AbortController()
    const issuedAt = clock.monotonic()
    const answer = login(call, controller.signal).then(text => {
      known.add(text)
      token = { text, issuedAt }
    })
    const one = { answer, controller, waiting: 0 }
    // Whoever waits hears of a failure; if nobody waits any more, nobody needs to.
    answer
      .catch(() => {})
      .finally(() => forget(one))
      .catch(() => {})
    return one
  }

  return {
    account,
    owner,
    secrets: () => known,
    async ready(call) {
      if (isFresh()) return
      call.signal.throwIfAborted()
      const current = (pending ??= begin(call))
      current.waiting += 1
      try {
        await orAbort(current.answer, call.signal)
      } finally {
        current.waiting -= 1
        if (current.waiting === 0 && current === pending) {
          forget(current)
          current.controller.abort(new Error('nobody waits for the login any more'))
        }
      }
    },
    headers: () => (isFresh() && token ? { authorization: `Bearer ${token.text}` } : undefined),
    refused(headers) {
      if (token !== undefined && headers['authorization'] === `Bearer ${token.text}`) {
        token = undefined
        reason = 'refused'
      }
      return true
    },
  }
}

/** The promise's own end, unless the signal is aborted first. Leaves no listener behind. */
async function orAbort<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  let abort: () => void = () => {}
  const aborted = new Promise<never>((_, reject) => {
    abort = () => reject(signal.reason)
    signal.addEventListener('abort', abort, { once: true })
  })
  try {
    return await Promise.race([promise, aborted])
  } finally {
    signal.removeEventListener('abort', abort)
  }
}

import { SERVER_WAIT_JITTER_MS, backoffMs } from './backoff.ts'
import type { Call } from './call.ts'
import { mayCarryCredential } from './credential.ts'
import { Failure } from './failure.ts'
import type { GateChange, Outcome, Pass } from './gate.ts'
import { exchange, type HttpConfig } from './http.ts'
import type { Progress } from './progress.ts'
import { readQuota } from './quota.ts'
import { MOST_HOPS, nextHop, type Hop } from './redirect.ts'
import { createReply, serverWords, type Reply } from './reply.ts'
import type { Endpoint, RequestSpec } from './request-spec.ts'
import { takeOut } from './take-out.ts'
import { redactUrl } from '../redact.ts'
import { spanOf } from '../span.ts'
import { retryAfterMs } from './retry-after.ts'

/** An answer with the circumstances of its attempt. */
export interface Sent {
  /** The answer as it will be read. */
  readonly reply: Reply
  /** Its length on the wire. */
  readonly bytes: number
  readonly requestedAt: Date
  readonly receivedAt: Date
  readonly elapsedMs: number
}

/** Puts attempts of one request on the wire: through the gate, with the credential, along redirects. */
export interface Sender {
  /** One attempt. @throws Failure for anything but a success */
  send(config: HttpConfig): Promise<Sent>
  /** The credential of the newest attempt, told that it was refused; `stale` when others had renewed it already. */
  carried(): { readonly stale: boolean } | undefined
  quotaRemaining(headers: Readonly<Record<string, string>>): number | null
}

type Headers = Readonly<Record<string, string>>

export function createSender<T>(endpoint: Endpoint, spec: RequestSpec<T>, call: Call, progress: Progress): Sender {
  const { clock, options, random } = call
  let carriedHeaders: Headers | undefined

  /** Waits for its turn and for a credential that is valid when the turn comes. */
  const admit = async (url: URL): Promise<{ pass: Pass; secret: Headers }> => {
    const credential =
      (spec.authorized ?? true) && mayCarryCredential(url, endpoint.baseUrl) ? endpoint.credential : undefined
    if (options.offline) throw new Failure('the answer is not in the cache, and offline is set', { class: 'offline' })
    for (;;) {
      const before = clock.monotonic()
      await credential?.ready(call)
      const pass = await gateOf(url).enter({
        priority: call.priority,
        concurrency: options.concurrency,
        rate: options.rate,
        patienceMs: options.retryAfterCapMs + SERVER_WAIT_JITTER_MS,
        // No wait is begun that the call would not live to see the end of.
        deadlineAt: call.deadlineAt,
        quotaReserve: options.quotaReserve,
        quotaWindowMs: endpoint.quotaWindowMs,
        signal: call.signal,
      })
      const now = clock.monotonic()
      progress.waitedMs += now - before
      progress.budget.credit(now - before, now)
      const secret = credential ? credential.headers() : {}
      if (secret !== undefined) return { pass, secret }
      pass.refund()
      pass.ended('other')
    }
  }

  const gateOf = (url: URL) =>
    endpoint.gateFor(url.host, url.host === endpoint.baseUrl.host ? (endpoint.credential?.account ?? '') : '')

  /** One exchange with one address. */
  const exchangeOnce = async (config: HttpConfig, hop: Hop): Promise<Sent> => {
    const { pass, secret } = await admit(hop.url)
    let outcome: Outcome = 'other'
    try {
      call.spendRequest()
      progress.attempts += 1
      call.emit({
        type: 'attempt',
        url: endpoint.redact(redactUrl(hop.url.href)),
        attempt: progress.attempts,
        span: spec.span ? spanOf(spec.span) : null,
      })
      carriedHeaders = Object.keys(secret).length > 0 ? secret : undefined
      const requestedAt = new Date(clock.now())
      const began = clock.monotonic()
      const answer = await exchange(
        {
          ...config,
          method: hop.method,
          url: hop.url.href,
          data: hop.body,
          headers: headersFor(config, hop.url, secret),
        } as HttpConfig,
        {
          method: hop.method,
          url: hop.url.href,
          headers: {},
          connectTimeoutMs: options.connectTimeoutMs,
          readTimeoutMs: options.readTimeoutMs,
          maxBytes: options.maxBytes,
          proxy: options.proxy,
          reader: head => (isAnswer(head.status) ? spec.reader?.(head) : undefined),
          signal: call.signal,
          clock,
          onSent: pass.sent,
          onHeard() {
            pass.heard()
            progress.budget.heard(clock.monotonic())
          },
        },
      )
      progress.lastHeaders = answer.headers
      pass.answered(answer.headers)
      outcome = answer.status === 503 || answer.status === 504 ? 'struggled' : answer.status < 400 ? 'success' : 'other'
      if (answer.status === 429) pause(hop.url, answer.headers)
      const sent = {
        reply: createReply({
          ...answer,
          body: takeOut(answer, 'body'),
          streamed: takeOut(answer, 'streamed'),
          url: endpoint.redact(redactUrl(hop.url.href)),
        }),
        bytes: answer.bytes,
        requestedAt,
        receivedAt: new Date(clock.now()),
        elapsedMs: clock.monotonic() - began,
      }
      // Looked at before the slot is given back: a "too many" inside a success keeps the next one from leaving.
      const hidden = isAnswer(answer.status) ? spec.inspect?.(sent.reply) : undefined
      if (hidden?.status === 429) pause(hop.url, answer.headers)
      if (hidden) throw hidden
      return sent
    } catch (thrown) {
      if (thrown instanceof Failure && thrown.class === 'read_timeout') outcome = 'struggled'
      throw thrown
    } finally {
      tell(pass.ended(outcome))
    }
  }

  const headersFor = (config: HttpConfig, url: URL, secret: Headers): HttpConfig['headers'] => {
    const headers = config.headers.concat({
      'user-agent': options.userAgent,
      'accept-encoding': 'gzip, deflate, br',
      ...spec.headers,
      ...secret,
    })
    // A login brings its own: it goes to no other host either.
    if (!mayCarryCredential(url, endpoint.baseUrl)) headers.delete('authorization')
    return headers
  }

  const isAnswer = (status: number): boolean =>
    (status >= 200 && status < 300) || (spec.accept?.includes(status) ?? false)

  /** After a "too many", nobody behind this gate sends until the wait is over. */
  const pause = (url: URL, headers: Headers): void => {
    const hint = retryAfterMs(headers['retry-after'], headers['date'], clock.now())
    const ms =
      hint === undefined
        ? backoffMs(progress.retries + 1, options.backoff, random)
        : hint + random() * SERVER_WAIT_JITTER_MS
    const change = gateOf(url).pause(ms, hint !== undefined)
    call.emit({
      type: 'pause',
      ms,
      reason: hint === undefined ? 'too many requests (429)' : `too many requests (429), come back in ${hint} ms`,
    })
    tell(change)
  }

  const tell = (change: GateChange | undefined): void => {
    if (change) call.emit({ type: 'learned', what: change.what, value: change.value })
  }

  return {
    async send(config) {
      let hop: Hop = { method: spec.method, url: parse(spec.url), body: spec.body }
      for (let hops = 0; hops <= MOST_HOPS; hops++) {
        const sent = await exchangeOnce(config, hop)
        const { status, headers } = sent.reply
        const next = nextHop(hop, status, headers)
        if (next === undefined) {
          if (isAnswer(status)) return sent
          throw statusFailure(sent.reply, clock.now(), endpoint.redact)
        }
        hop = next
      }
      throw new Failure(`more than ${MOST_HOPS} redirects in a row`, { class: 'redirect' })
    },
    carried() {
      const credential = endpoint.credential
      if (carriedHeaders === undefined || credential === undefined) return undefined
      const current = credential.headers()
      const stale = current === undefined || JSON.stringify(current) !== JSON.stringify(carriedHeaders)
      return credential.refused(carriedHeaders) ? { stale } : undefined
    },
    quotaRemaining: headers => readQuota(headers, 0)?.remaining ?? null,
  }
}

/** An address that cannot be asked is a settled matter: no attempt is made. */
function parse(url: string): URL {
  if (!URL.canParse(url)) throw new Failure(`not an address: ${redactUrl(url)}`, { class: 'unreachable' })
  const parsed = new URL(url)
  if (/^https?:$/.test(parsed.protocol)) return parsed
  throw new Failure(`the scheme ${parsed.protocol}// is not supported; use https://`, { class: 'unreachable' })
}

function statusFailure({ status, headers, body }: Reply, now: number, redact: (text: string) => string): Failure {
  const words = serverWords(body)
  return new Failure(`the service answered ${status}`, {
    class: 'status',
    status,
    headers,
    serverMessage: words && redact(words),
    retryAfterMs: retryAfterMs(headers['retry-after'], headers['date'], now),
  })
}

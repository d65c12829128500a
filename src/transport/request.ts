import { RequestError } from '../errors.ts'
import { spanOf } from '../span.ts'
import type { Call } from './call.ts'
import { Failure } from './failure.ts'
import { asAxiosError, failureIn, type HttpConfig } from './http.ts'
import { trackProgress, type Progress } from './progress.ts'
import type { Reply } from './reply.ts'
import { requestIdIn } from './request-id.ts'
import type { Endpoint, RequestEnd, RequestSpec, ResponseFacts } from './request-spec.ts'
import { retryConfig } from './retry.ts'
import { createSender, type Sender, type Sent } from './sender.ts'
import { takeOut } from './take-out.ts'

/**
 * Sends a request until it is answered or its failure is final. Repeats of the identical request are carried out by
 * axios-retry under our decisions; the rate token and the slot are taken for every attempt; a refused token is
 * renewed once.
 *
 * @throws the abort reason of the caller, unwrapped; nothing else
 */
export async function perform<T>(endpoint: Endpoint, spec: RequestSpec<T>, call: Call): Promise<RequestEnd<T>> {
  const progress: Progress = trackProgress(endpoint, spec, call, () => sender.carried())
  const sender: Sender = createSender(endpoint, spec, call, progress)

  const attempt = async (config: HttpConfig): Promise<unknown> => {
    try {
      const sent = await sender.send(config)
      const reply = takeOut(sent, 'reply')
      const value = await confirmed(spec.read(reply), reply)
      const end = { ok: true, value, facts: responseFacts(reply, sent), warnings: reply.warnings }
      return { data: end, status: reply.status, statusText: '', headers: {}, config }
    } catch (thrown) {
      throw thrown instanceof Failure ? asAxiosError(thrown, config) : thrown
    }
  }

  /** The value, when whoever must be asked about it has been. */
  const confirmed = async (value: T, reply: Reply): Promise<T> => {
    const confirmation = spec.confirm?.(value, reply)
    if (confirmation === undefined) return value
    const { url, headers, read, judge } = confirmation
    const end = await perform(endpoint, { method: 'GET', url, ...(headers ? { headers } : {}), read }, call)
    // A bound of the call's own says nothing about the answer: it ends the request that asks.
    if (!end.ok && (end.error.kind === 'deadline' || end.error.kind === 'other')) throw end.error
    return judge(end.ok ? end.value : undefined)
  }

  const responseFacts = (reply: Reply, { requestedAt, receivedAt, elapsedMs, bytes }: Sent): ResponseFacts => ({
    service: call.service,
    operation: call.operation,
    url: reply.url,
    status: reply.status,
    requestId: requestIdIn(reply.headers, endpoint.redact) ?? null,
    span: spec.span ? spanOf(spec.span) : null,
    chunk: spec.chunk ?? null,
    depth: spec.depth ?? 0,
    page: spec.page ?? 1,
    cached: false,
    attempts: progress.attempts,
    waitedMs: Math.round(progress.waitedMs),
    elapsedMs: Math.round(elapsedMs),
    requestedAt,
    receivedAt,
    bytes,
    quotaRemaining: sender.quotaRemaining(reply.headers),
  })

  for (;;) {
    try {
      const response = await endpoint.axios.request({
        ...retryConfig({
          retries: call.options.retries - progress.retries,
          again: progress.again,
          wait: progress.wait,
        }),
        method: spec.method,
        url: spec.url,
        adapter: attempt as never,
      })
      return response.data as RequestEnd<T>
    } catch (thrown) {
      const failure: unknown = call.signal.aborted ? call.signal.reason : (failureIn(thrown) ?? thrown)
      // A login that failed on the way explains itself better than the request that needed it.
      if (failure instanceof RequestError) return { ok: false, split: false, error: failure }
      if (!(failure instanceof Failure)) throw failure
      if (!call.signal.aborted && progress.mayRefresh(failure)) continue
      return progress.failed(failure)
    }
  }
}

import type { Clock, Random } from '../clock.ts'
import { createRedactor } from '../redact.ts'
import { spanOf } from '../span.ts'
import { gateFor } from './accounts.ts'
import { createKeeper } from './cache-keeper.ts'
import { beginCall, mostRows, type Call, type CallOptions } from './call.ts'
import type { Batch } from './chunk.ts'
import type { Credential } from './credential.ts'
import { createAxios } from './http.ts'
import type { Priority } from './lanes.ts'
import type { Operation } from './operation.ts'
import type { ResolvedOptions } from './options.ts'
import { spansOf, type Piece } from './piece.ts'
import { chunkLength, planSpan } from './plan.ts'
import { perform } from './request.ts'
import type { Endpoint, RequestSpec, ResponseFacts } from './request-spec.ts'
import { withRetries } from './retry.ts'
import { runPieces, type Running } from './run-pieces.ts'
import { createSpanLessons, type SpanLessons } from './span-lessons.ts'
import type { ServicePolicy } from './verdict.ts'

/** What an adapter states about its service. */
export interface TransportSetup {
  readonly service: string
  readonly baseUrl: URL
  readonly policy: ServicePolicy
  /** Makes the account's credential; `ask` is for logging in. */
  readonly credential?: (ask: AskForToken) => Credential | undefined
  readonly clock: Clock
  readonly random: Random
  /** How long a quota reading holds, milliseconds. @defaultValue one hour */
  readonly quotaWindowMs?: number
  /** Settings of one call, every gap filled. */
  readonly optionsFor: (call: CallOptions) => ResolvedOptions
}

/** Sends a login for a call, on a signal of its own. */
export type AskForToken = (spec: RequestSpec<string>, call: Call, signal: AbortSignal) => Promise<string>

/** One query, cut into what is to be done. */
export interface Question<Row> {
  /** Name of the getter, for errors and metadata. */
  readonly operation: string
  /** What lessons about the span belong to: the operation with everything that makes an answer slow or quick. */
  readonly series: string
  readonly facts: Operation<Row>
  readonly todo: readonly Piece[]
  readonly pin?: string | undefined
  readonly priority: Priority
  /** Whether batches are handed on while the query runs, with bounded memory, or all at its end. */
  readonly streaming: boolean
}

/** A query under way. */
export interface Retrieving<Row> extends Omit<Running<Row>, 'batches'> {
  readonly call: Call
  batches(): AsyncGenerator<Batch<Row>, void, void>
}

/** How any service is asked. Knows none by name. */
export interface Transport {
  readonly service: string
  readonly clock: Clock
  /** Hides this service's secrets in a text. */
  readonly redact: (text: string) => string
  /** Hides these, too, from now on: secrets that a query brings. */
  hide(secrets: readonly string[]): void
  retrieve<Row>(question: Question<Row>, call: CallOptions): Retrieving<Row>
  /** One request with one answer. @throws RequestError */
  ask<T>(
    operation: string,
    spec: RequestSpec<T>,
    call: CallOptions,
  ): Promise<{ readonly value: T; readonly facts: ResponseFacts }>
  /** Pieces that a query would be asked in if nothing had to be split. */
  plan<Row>(question: Pick<Question<Row>, 'facts' | 'todo'>, call: CallOptions): Piece[]
  /** Settings as they hold for a call. */
  optionsFor(call: CallOptions): ResolvedOptions
  /** Requests that are left of the service's quota by its own last word, if that still holds. */
  quotaRemaining(): number | undefined
}

const HOUR_MS = 3_600_000

export function createTransport(setup: TransportSetup): Transport {
  const { service, clock, random } = setup
  const lessons = new Map<string, SpanLessons>()
  const credential = setup.credential?.(askForToken)
  const brought = new Set<string>()
  const redact = createRedactor(() => [...(credential?.secrets() ?? []), ...brought])
  const endpoint: Endpoint = {
    service,
    baseUrl: setup.baseUrl,
    policy: setup.policy,
    credential,
    redact,
    axios: withRetries(createAxios()),
    quotaWindowMs: setup.quotaWindowMs ?? HOUR_MS,
    gateFor: (host, account) => gateFor(clock, host, account),
  }

  async function askForToken(spec: RequestSpec<string>, call: Call, signal: AbortSignal): Promise<string> {
    const end = await perform(
      endpoint,
      { ...spec, authorized: false },
      { ...call, operation: 'login', signal, deadlineAt: Number.POSITIVE_INFINITY },
    )
    if (end.ok) return end.value
    throw end.error
  }

  const begin = (operation: string, call: CallOptions, priority: Priority): Call =>
    beginCall({ service, operation, options: setup.optionsFor(call), call, priority, clock, random })

  const lessonsFor = (key: string): SpanLessons => {
    const known = lessons.get(key) ?? createSpanLessons()
    lessons.set(key, known)
    return known
  }

  return {
    service,
    clock,
    redact,
    hide: secrets => secrets.forEach(secret => brought.add(secret)),
    optionsFor: setup.optionsFor,
    quotaRemaining() {
      const reading = gateFor(clock, setup.baseUrl.host, credential?.account ?? '').quota()
      return reading && clock.monotonic() - reading.at < endpoint.quotaWindowMs ? reading.remaining : undefined
    },
    plan({ facts, todo }, call) {
      const chunkMs = chunkLength(facts.rules, setup.optionsFor(call).chunkMs)
      return todo.flatMap(piece =>
        piece.span ? planSpan(piece.span, facts.rules, chunkMs).map(span => ({ ...piece, span })) : [piece],
      )
    },
    async ask(operation, spec, options) {
      const call = begin(operation, options, options.priority ?? 'interactive')
      try {
        const end = await perform(endpoint, spec, call)
        if (!end.ok) throw end.error
        return { value: end.value, facts: end.facts }
      } finally {
        call.close()
      }
    },
    retrieve(question, options) {
      // What can be refused is looked at before the call begins: nothing is left on the caller's signal.
      const maxRows = mostRows(options)
      const chunkMs = chunkLength(question.facts.rules, setup.optionsFor(options).chunkMs)
      const call = begin(question.operation, options, question.priority)
      const { cache } = call.options
      const running = runPieces({
        endpoint,
        operation: question.facts,
        call,
        todo: question.todo,
        chunkMs,
        lessons: lessonsFor(`${question.operation} ${question.series}`),
        pin: question.pin,
        window: question.streaming ? call.options.concurrency : Number.POSITIVE_INFINITY,
        maxRows,
        keeper:
          cache &&
          createKeeper({
            cache,
            owner: credential?.owner ?? credential?.account ?? '',
            operation: question.facts,
            call,
          }),
        // Behind a hole nobody knows which rows are among the first so many.
        onFailure: maxRows === Number.POSITIVE_INFINITY ? (options.onFailure ?? 'stop') : 'stop',
      })
      return Object.assign(Object.create(running) as typeof running, {
        call,
        batches: () => announced(running, question, call, chunkMs),
      })
    },
  }
}

/** The batches of a run, with its beginning and its end told to whoever listens. */
async function* announced<Row>(
  running: Running<Row>,
  { facts }: Question<Row>,
  call: Call,
  chunkMs: number,
): AsyncGenerator<Batch<Row>, void, void> {
  const todo = await lookedUp(running, call)
  const kept = todo.filter(piece => piece.kept !== undefined).length
  const toSend = todo
    .filter(piece => piece.kept === undefined)
    .flatMap(({ span }) => (span ? planSpan(span, facts.rules, chunkMs) : [undefined])).length
  const spans = spansOf(todo)
  const whole =
    spans.length > 0
      ? spanOf({ start: Math.min(...spans.map(span => span.start)), end: Math.max(...spans.map(span => span.end)) })
      : null
  const { concurrency, rate } = call.options
  const perSecond = rate.length > 0 ? Math.min(...rate.map(({ requests, perMs }) => (requests / perMs) * 1000)) : null
  call.emit({ type: 'planned', chunks: kept + toSend, requests: toSend, span: whole, concurrency, perSecond })
  let rows = 0
  let responses = 0
  let outcome: 'complete' | 'interrupted' | 'aborted' = 'aborted'
  try {
    for await (const batch of running.batches()) {
      rows += batch.rows.length
      responses += 1
      yield batch
    }
    outcome = running.failures.length > 0 ? 'interrupted' : 'complete'
  } finally {
    call.emit({ type: 'done', outcome, rows, responses, elapsedMs: call.clock.monotonic() - call.startedAt })
    call.close()
  }
}

/** What is to be done; a call that cannot begin leaves nothing behind. */
async function lookedUp<Row>(running: Running<Row>, call: Call): Promise<readonly Piece[]> {
  try {
    return await running.lookUp()
  } catch (thrown) {
    call.close()
    throw thrown
  }
}

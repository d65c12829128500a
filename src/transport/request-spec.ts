import type { RequestError } from '../errors.ts'
import type { Redactor } from '../redact.ts'
import type { SpanMs } from '../span.ts'
import type { Credential } from './credential.ts'
import type { Failure } from './failure.ts'
import type { BodyReader } from './arriving.ts'
import type { Gate } from './gate.ts'
import type { HttpClient } from './http.ts'
import type { ResponseMeta } from './meta.ts'
import type { Reply } from './reply.ts'
import type { ServicePolicy } from './verdict.ts'

/** One service as requests see it. */
export interface Endpoint {
  readonly service: string
  readonly baseUrl: URL
  readonly policy: ServicePolicy
  readonly credential: Credential | undefined
  readonly redact: Redactor
  readonly axios: HttpClient
  /** How long a quota reading holds, milliseconds. */
  readonly quotaWindowMs: number
  readonly gateFor: (host: string, account: string) => Gate
}

/** One request, whatever number of attempts it takes. */
export interface RequestSpec<T> {
  readonly method: 'GET' | 'POST'
  /** Absolute; may point to another host, which then gets no credential. */
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  /** Whether sending it twice is as good as once. @defaultValue true for GET */
  readonly idempotent?: boolean
  /** Whether it carries the account's credential. @defaultValue true */
  readonly authorized?: boolean
  /** Meanings of statuses, where this request differs from its service. */
  readonly policy?: ServicePolicy
  readonly span?: SpanMs | undefined
  readonly splittable?: boolean
  readonly divisible?: boolean
  readonly chunk?: number
  readonly depth?: number
  readonly page?: number
  /** Statuses beside the successes that are an answer, not a failure. */
  readonly accept?: readonly number[]
  /** Finds a failure in a success: gives its class and words, or nothing. */
  readonly inspect?: ((reply: Reply) => Failure | undefined) | undefined
  /** Reads the body of a success while it arrives, so that it is never there whole; one for each attempt. */
  readonly reader?: ((head: AnswerHead) => BodyReader | undefined) | undefined
  /** Makes the answer's value; may throw a `Failure`. */
  readonly read: (reply: Reply) => T
  /** What else must be asked before the value counts: whether the answer was whole, for one. */
  readonly confirm?: ((value: T, reply: Reply) => Confirmation<T> | undefined) | undefined
}

/** What is known of an answer before its body. */
export interface AnswerHead {
  readonly status: number
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
}

/** A second, small request about an answer. */
export interface Confirmation<T> {
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  readonly read: (reply: Reply) => unknown
  /**
   * Makes the value that counts; may throw a `Failure`, which counts as one of the first request.
   *
   * @param word - what was read, or `undefined` where the second request failed for good
   */
  readonly judge: (word: unknown) => T
}

/** What is known of a response before anybody counted its rows. */
export type ResponseFacts = Omit<ResponseMeta, 'rows' | 'rowsOutside' | 'rowsMerged' | 'source'>

/** A request's end, when nobody aborted it. */
export type RequestEnd<T> =
  | { readonly ok: true; readonly value: T; readonly facts: ResponseFacts; readonly warnings: readonly string[] }
  | {
      readonly ok: false
      readonly split: boolean
      readonly error: RequestError
      /** Whether the answer had begun to arrive: it was not too slow to make. */
      readonly begun?: boolean
    }

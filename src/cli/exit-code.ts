import { ConfigurationError, QueryError, RequestError, RetrievalInterrupted, type FailureKind } from '../errors.ts'
import type { PullError, PullFailureKind } from '../pull/index.ts'
import { Interrupted } from './interrupt.ts'
import { isPullEnd, LocalFailure, UsageError } from './failures.ts'

/** How a command can end. */
export type Outcome =
  | 'ok'
  | 'unexpected'
  | 'usage'
  | 'settings'
  | 'empty'
  | 'try-again'
  | 'refused'
  | 'local'
  | 'holes'
  | 'unchanged'
  | 'bounded'
  | 'interrupted'

/** What a script branches on. */
export const OUTCOMES: Readonly<Record<Outcome, { readonly exitCode: number; readonly text: string }>> = {
  ok: { exitCode: 0, text: 'done' },
  unexpected: { exitCode: 1, text: 'something that should not happen: please report it' },
  usage: { exitCode: 2, text: 'the command, an option or the query cannot work; nothing was sent' },
  settings: { exitCode: 3, text: 'a setting makes no sense, or the credentials are missing or refused' },
  empty: { exitCode: 4, text: 'nothing matched; only with --fail-empty' },
  'try-again': { exitCode: 5, text: 'the service did not answer well for as long as was allowed: run it again' },
  refused: { exitCode: 6, text: 'the service refuses for good: running it again does not help' },
  local: { exitCode: 7, text: 'a failure of this machine: disk, permission, folder' },
  holes: { exitCode: 8, text: 'done, but samples are missing; --accept-holes makes it 0' },
  unchanged: { exitCode: 9, text: 'nothing new; only with --fail-unchanged' },
  bounded: { exitCode: 10, text: 'a deadline or a budget of requests was reached: run it again with more' },
  interrupted: { exitCode: 130, text: 'interrupted; can be taken up again' },
}

/** How a command ends that threw. */
export function outcomeOf(thrown: unknown): Outcome {
  if (thrown instanceof Interrupted) return 'interrupted'
  if (thrown instanceof UsageError || thrown instanceof QueryError) return 'usage'
  if (thrown instanceof ConfigurationError) return 'settings'
  if (thrown instanceof LocalFailure) return 'local'
  if (isPullEnd(thrown)) return outcomeOfPull(thrown)
  if (thrown instanceof RetrievalInterrupted) return outcomeOfRequest(thrown.failure)
  if (thrown instanceof RequestError) return outcomeOfRequest(thrown)
  // Node's own: a port that is taken, a folder that may not be read.
  const { code, syscall } = Object(thrown) as { code?: unknown; syscall?: unknown }
  return typeof code === 'string' && typeof syscall === 'string' ? 'local' : 'unexpected'
}

const OUTCOME_OF_KIND: Readonly<Record<FailureKind, Outcome>> = {
  timeout: 'try-again',
  stalled: 'try-again',
  connection: 'try-again',
  http_5xx: 'try-again',
  rate_limited: 'try-again',
  deadline: 'bounded',
  http_401: 'settings',
  login: 'settings',
  http_4xx: 'refused',
  too_large: 'refused',
  bad_response: 'refused',
  pagination: 'refused',
  other: 'refused',
}

const OUTCOME_OF_PULL: Readonly<Record<Exclude<PullFailureKind, 'failed'>, Outcome>> = {
  locked: 'local',
  disk: 'local',
  manifest: 'local',
  format: 'usage',
  stopped: 'interrupted',
  deadline: 'bounded',
  budget: 'bounded',
}

/** Of several failures the first that a person must look at; what is worth another try goes before what is refused. */
const FIRST: readonly Outcome[] = ['unexpected', 'usage', 'settings', 'local', 'bounded', 'try-again', 'refused']

function outcomeOfPull({ kind, failures }: PullError): Outcome {
  if (kind !== 'failed') return OUTCOME_OF_PULL[kind]
  const outcomes = failures.map(({ error }) => outcomeOf(error))
  return FIRST.find(outcome => outcomes.includes(outcome)) ?? 'try-again'
}

function outcomeOfRequest({ kind, status, message }: RequestError): Outcome {
  // A login that was not refused but got no proper answer says nothing about the credentials.
  if (kind === 'login' && status !== 401 && status !== 403) return 'try-again'
  // The one failure that has neither a kind nor a code of its own.
  if (kind === 'other' && message.includes('(maxRequests)')) return 'bounded'
  return OUTCOME_OF_KIND[kind]
}

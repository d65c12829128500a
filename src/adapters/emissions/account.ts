import { ConfigurationError } from '../../errors.ts'
import type { CallOptions } from '../../transport/index.ts'
import type { PasswordResetQuery, RegisterQuery } from './queries.ts'
import { checkQuery } from './schemas.ts'
import { inspectReply, type EmissionsService } from './service.ts'

/** What the service says about an account. */
export interface AccountAnswer {
  /** Its own words, such as `'User created'`. */
  readonly ok: string
  /** The account concerned. */
  readonly user?: string
}

/** Sent once: whether a registration that got no answer took place, nobody can know. */
export async function register(
  { transport, baseUrl }: EmissionsService,
  query: RegisterQuery,
  call: CallOptions,
): Promise<AccountAnswer> {
  checkQuery('register', query)
  const { username, password, email, org } = query
  transport.hide([username, password])
  const { value } = await transport.ask(
    'register',
    {
      method: 'POST',
      url: new URL('./register', baseUrl).href,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ username, password, email, org }),
      authorized: false,
      inspect: inspectReply,
      read: reply => reply.json(),
    },
    { ...call, retries: 0 },
  )
  return accountAnswer(value)
}

export async function requestPasswordReset(
  service: EmissionsService,
  query: PasswordResetQuery,
  call: CallOptions,
): Promise<AccountAnswer> {
  checkQuery('passwordReset', query)
  const username = query.username ?? service.username
  if (username === undefined) {
    throw new ConfigurationError('username is not set; pass username, or set WATTTIME_USER', {
      setting: 'username',
      source: 'WATTTIME_USER',
    })
  }
  service.transport.hide([username])
  const url = new URL('./password', service.baseUrl)
  url.searchParams.set('username', username)
  const { value } = await service.transport.ask(
    'requestPasswordReset',
    {
      method: 'GET',
      url: url.href,
      authorized: false,
      inspect: inspectReply,
      read: reply => reply.json(),
    },
    { ...call, retries: 0 },
  )
  return accountAnswer(value)
}

function accountAnswer(value: unknown): AccountAnswer {
  const { ok, user } = Object(value) as { ok?: unknown; user?: unknown }
  return { ok: String(ok ?? ''), ...(typeof user === 'string' ? { user } : {}) }
}

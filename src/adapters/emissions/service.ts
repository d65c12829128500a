import { createHash } from 'node:crypto'
import { systemClock, systemRandom, type Clock, type Random } from '../../clock.ts'
import { ConfigurationError } from '../../errors.ts'
import {
  CALL_OPTIONS,
  checkOptionNames,
  createTransport,
  environmentLayer,
  Failure,
  isLoopback,
  resolveSettings,
  failureInBody,
  serverWords,
  tokenCredential,
  type CallOptions,
  type Credential,
  type Reply,
  type ServicePolicy,
  type SettingOrigin,
  type SettingsLayer,
  type Transport,
  type TransportOptions,
} from '../../transport/index.ts'
import { redactUrl } from '../../redact.ts'
import { readEnvelope } from './schemas.ts'

/** How a client of the emissions service is made. */
export interface EmissionsOptions extends TransportOptions {
  /** @defaultValue the environment variable WATTTIME_USER */
  readonly username?: string | undefined
  /** @defaultValue the environment variable WATTTIME_PASSWORD */
  readonly password?: string | undefined
  /** @defaultValue the environment variable WATTTIME_API_URL, else https://api.watttime.org */
  readonly baseUrl?: string | undefined
  /** How long a region look-up is kept, milliseconds; 0 keeps nothing. @defaultValue seven days */
  readonly regionCacheMs?: number | undefined
  /** Environment to read. @defaultValue process.env */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined
  /** For tests. @defaultValue the machine's clock */
  readonly clock?: Clock | undefined
  /** For tests. @defaultValue the machine's chance */
  readonly random?: Random | undefined
}

/** The service as a client sees it. */
export interface EmissionsService {
  readonly transport: Transport
  readonly baseUrl: URL
  readonly username: string | undefined
  readonly regionCacheMs: number
  /** Every setting with its value and where it came from; secrets only as set or not set. */
  describeSettings(): readonly SettingOrigin[]
}

export const SERVICE = 'emissions'
const DEFAULT_URL = 'https://api.watttime.org'
const MINUTE_MS = 60_000
const OWN_OPTIONS = ['username', 'password', 'baseUrl', 'regionCacheMs', 'env', 'clock', 'random']
const WEEK_MS = 7 * 24 * 60 * MINUTE_MS

/** Statuses as this service means them: a 500 passes by itself, a time-out does not (contract, section 6). */
const POLICY: ServicePolicy = { retryStatuses: [500, 502, 503], slowStatuses: [504], onTimeout: 'fail' }

/** What the service likes: few repeats, ten requests a second (contract, section 7). */
const PREFERENCES: SettingsLayer = { source: 'service preference', values: { retries: 3, rate: 10 } }

export function createService(given: EmissionsOptions): EmissionsService {
  checkOptionNames({ ...given }, OWN_OPTIONS, 'client option')
  const { env = process.env, clock = systemClock, random = systemRandom } = given
  const {
    username,
    password,
    baseUrl: _url,
    regionCacheMs,
    env: _env,
    clock: _clock,
    random: _random,
    ...options
  } = given
  const address = firstOf('baseUrl', [
    ['client option', given.baseUrl],
    ['WATTTIME_API_URL', env['WATTTIME_API_URL']],
    ['default', DEFAULT_URL],
  ])
  const user = firstOf('username', [
    ['client option', username],
    ['WATTTIME_USER', env['WATTTIME_USER']],
  ])
  const secret = firstOf('password', [
    ['client option', password],
    ['WATTTIME_PASSWORD', env['WATTTIME_PASSWORD']],
  ])
  const baseUrl = checkAddress(address)
  const cacheMs = checkCacheMs(regionCacheMs ?? WEEK_MS)
  const layers: SettingsLayer[] = [
    { source: 'client option', values: { ...options } },
    ...environmentLayer(env),
    PREFERENCES,
  ]
  const settings = resolveSettings(layers)

  const transport = createTransport({
    service: SERVICE,
    baseUrl,
    policy: POLICY,
    clock,
    random,
    credential: ask =>
      loginCredential(user.value, secret.value, clock, (basic, call, signal) =>
        ask(
          {
            method: 'GET',
            url: new URL('./login', baseUrl).href,
            headers: { authorization: basic },
            accept: [401, 403],
            read: readToken,
          },
          call,
          signal,
        ),
      ),
    optionsFor(call: CallOptions) {
      checkOptionNames({ ...call }, CALL_OPTIONS, 'call option')
      return resolveSettings([{ source: 'call option', values: { ...call } }, ...layers]).options
    },
  })
  return {
    transport,
    baseUrl,
    username: user.value,
    regionCacheMs: cacheMs,
    describeSettings: () => [
      { setting: 'baseUrl', value: redactUrl(baseUrl.href), source: address.source },
      { setting: 'username', value: user.value === undefined ? 'not set' : 'set', source: user.source },
      { setting: 'password', value: secret.value === undefined ? 'not set' : 'set', source: secret.source },
      {
        setting: 'regionCacheMs',
        value: String(cacheMs),
        source: regionCacheMs === undefined ? 'default' : 'client option',
      },
      ...settings.origins,
    ],
  }
}

/**
 * A failure inside a success: an error object, or a page of the gateway. A body that says "too many" is repeated like
 * the status would be.
 */
export function inspectReply(reply: Reply): Failure | undefined {
  if (reply.status === 204) return undefined
  const json = reply.json()
  const { error, code, message, detail } = Object(json) as Record<string, unknown>
  if ([error, code, message, detail].every(part => part === undefined || part === null)) return undefined
  return failureInBody(reply, [error, code, message])
}

type Login = (basic: string, ...rest: Parameters<Parameters<typeof tokenCredential>[0]['login']>) => Promise<string>

/** Tokens live for 30 minutes (contract, section 3). Without a user there is nothing to log in with: refused on first use. */
function loginCredential(
  username: string | undefined,
  password: string | undefined,
  clock: Clock,
  login: Login,
): Credential {
  const basic = `Basic ${Buffer.from(`${username}:${password}`, 'utf8').toString('base64')}`
  return tokenCredential({
    account: createHash('sha256').update(basic).digest('hex').slice(0, 16),
    // By the name alone: what is on disk must not help to guess a password.
    owner: createHash('sha256')
      .update(username ?? '')
      .digest('hex')
      .slice(0, 16),
    clock,
    lifeMs: 30 * MINUTE_MS,
    marginMs: 5 * MINUTE_MS,
    secrets: username !== undefined && password !== undefined ? [password, basic.slice(6), username] : [],
    login(call, signal) {
      for (const [setting, value, variable] of [
        ['username', username, 'WATTTIME_USER'],
        ['password', password, 'WATTTIME_PASSWORD'],
      ] as const) {
        if (value === undefined)
          throw new ConfigurationError(`${setting} is not set; pass ${setting}, or set ${variable}`, {
            setting,
            source: variable,
          })
      }
      return login(basic, call, signal)
    },
  })
}

/** The token, or why there is none. Bad credentials come as 401 or 403, both final. */
function readToken(reply: Reply): string {
  if (reply.status === 401 || reply.status === 403) {
    throw new Failure(`the service refuses the user name or the password (status ${reply.status})`, {
      class: 'login',
      status: reply.status,
      headers: reply.headers,
      serverMessage: serverWords(reply.body),
    })
  }
  const envelope = readEnvelope('token', jsonOf(reply))
  if ('value' in envelope) return envelope.value.token
  throw new Failure('the login was answered without a token', {
    class: 'login',
    status: reply.status,
    headers: reply.headers,
  })
}

/** Nothing where it is no JSON: that is no token either. One that breaks off is asked for again. */
function jsonOf(reply: Reply): unknown {
  try {
    return reply.json()
  } catch (thrown) {
    if (thrown instanceof Failure && thrown.class === 'bad_response') return undefined
    throw thrown
  }
}

/** The first value that is stated; empty text states nothing. */
function firstOf(
  setting: string,
  candidates: readonly (readonly [source: string, value: string | undefined])[],
): { readonly source: string; readonly value: string | undefined } {
  const [source, value] = candidates.find(([, text]) => text !== undefined && String(text).trim() !== '') ?? [
    'default',
    undefined,
  ]
  if (value === undefined || typeof value === 'string') return { source, value }
  throw new ConfigurationError(`${setting} (${source}) must be a text; got a ${typeof value}`, { setting, source })
}

function checkCacheMs(value: number): number {
  if (typeof value === 'number' && value >= 0 && Number.isFinite(value)) return value
  throw new ConfigurationError(`regionCacheMs must be a number, 0 or more; got ${String(value)}`, {
    setting: 'regionCacheMs',
    source: 'client option',
  })
}

/** The address, with a slash at its end: paths of the service go behind it. */
function checkAddress({ source, value = '' }: { source: string; value: string | undefined }): URL {
  const about = { setting: 'baseUrl', source }
  const url = URL.canParse(value) ? new URL(value) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new ConfigurationError(`baseUrl (${source}) must be an https:// address; got '${redactUrl(value)}'`, about)
  }
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) {
    throw new ConfigurationError(
      `baseUrl (${source}) must be https://: over http:// the credentials would be readable; got '${redactUrl(value)}'`,
      about,
    )
  }
  if (url.username !== '' || url.password !== '') {
    throw new ConfigurationError(
      `baseUrl (${source}) must not hold a user name; use username and password; got '${redactUrl(value)}'`,
      about,
    )
  }
  return new URL(`${url.origin}${url.pathname.replace(/\/*$/, '/')}`)
}

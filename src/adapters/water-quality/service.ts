import { createHash } from 'node:crypto'
import { systemClock, systemRandom, type Clock, type Random } from '../../clock.ts'
import { ConfigurationError } from '../../errors.ts'
import { redactUrl } from '../../redact.ts'
import {
  CALL_OPTIONS,
  checkOptionNames,
  createTransport,
  environmentLayer,
  isLoopback,
  keyCredential,
  readKey,
  resolveSettings,
  type CallOptions,
  type EnvironmentNames,
  type ServicePolicy,
  type SettingOrigin,
  type SettingsLayer,
  type Transport,
  type TransportOptions,
} from '../../transport/index.ts'

/** How a client of the services is made. Addresses are taken from code only, never from the environment. */
export interface WaterQualityOptions extends TransportOptions {
  /** Raises the hourly quota of Samples; sent to the host of `samplesUrl` and to no other. @defaultValue the environment variable API_USGS_PAT */
  readonly apiKey?: string | undefined
  /** Moves the Portal. @defaultValue https://www.waterqualitydata.us */
  readonly baseUrl?: string | undefined
  /** Moves Samples. @defaultValue https://api.waterdata.usgs.gov */
  readonly samplesUrl?: string | undefined
  /** Environment to read. @defaultValue process.env */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined
  /** For tests. @defaultValue the machine's clock */
  readonly clock?: Clock | undefined
  /** For tests. @defaultValue the machine's chance */
  readonly random?: Random | undefined
}

/** The services as a client sees them. */
export interface WaterQualityService {
  readonly portal: Transport
  readonly samples: Transport
  readonly clock: Clock
  /** Address of a path of the Portal. */
  portalAddress(path: string): string
  samplesAddress(path: string): string
  describeSettings(): readonly SettingOrigin[]
}

export const SERVICE = 'water-quality'

const OWN_OPTIONS = ['apiKey', 'baseUrl', 'samplesUrl', 'env', 'clock', 'random']
const ADDRESSES = {
  baseUrl: 'https://www.waterqualitydata.us',
  samplesUrl: 'https://api.waterdata.usgs.gov',
} as const

/** Names that users of the official clients have in their environment already. */
const ENVIRONMENT: EnvironmentNames = {
  retries: [{ name: 'API_USGS_RETRIES' }],
  stallMs: [{ name: 'API_USGS_STALL_TIMEOUT', scale: 1000 }],
  concurrency: [{ name: 'API_USGS_CONCURRENT' }],
}

/**
 * A 500 is an over-large or refused query, and the same query will meet it again: a span is cut. A stream that breaks
 * off twice was too much work (contract, sections 2.6 and 2.7).
 */
export const POLICY: ServicePolicy = {
  retryStatuses: [502, 503],
  slowStatuses: [504],
  splitStatuses: [500],
  onTimeout: 'retry',
  onLost: 'split',
}

/**
 * What the services like. A connection without a byte for two minutes is cut in front of them: a little before that
 * it is a time-out, and the span is halved. The Survey's own client keeps to thirty requests a minute.
 */
const PREFERENCES: SettingsLayer = {
  source: 'service preference',
  values: {
    readTimeoutMs: 110_000,
    stallMs: 240_000,
    concurrency: 3,
    rate: { requests: 30, perMs: 60_000 },
    maxSplitDepth: 8,
  },
}

export function createService(given: WaterQualityOptions): WaterQualityService {
  checkOptionNames({ ...given }, OWN_OPTIONS, 'client option')
  const { env = process.env, clock = systemClock, random = systemRandom } = given
  const {
    apiKey: _key,
    baseUrl: _base,
    samplesUrl: _samples,
    env: _env,
    clock: _clock,
    random: _random,
    ...options
  } = given
  const key = readKey(given.apiKey, env, 'API_USGS_PAT')
  const bases = {
    baseUrl: checkAddress('baseUrl', given.baseUrl),
    samplesUrl: checkAddress('samplesUrl', given.samplesUrl),
  }
  const layers: SettingsLayer[] = [
    { source: 'client option', values: { ...options } },
    ...environmentLayer(env, ENVIRONMENT),
    PREFERENCES,
  ]
  const settings = resolveSettings(layers)
  const transportOf = (base: keyof typeof ADDRESSES, apiKey?: string): Transport =>
    createTransport({
      service: SERVICE,
      baseUrl: bases[base],
      policy: POLICY,
      clock,
      random,
      ...(apiKey === undefined ? {} : { credential: () => keyCredential('x-api-key', apiKey, accountOf(apiKey)) }),
      optionsFor(call: CallOptions) {
        checkOptionNames({ ...call }, CALL_OPTIONS, 'call option')
        return resolveSettings([{ source: 'call option', values: { ...call } }, ...layers]).options
      },
    })
  const address = (base: keyof typeof ADDRESSES, path: string): string => bases[base].href.replace(/\/$/, '') + path

  return {
    portal: transportOf('baseUrl'),
    samples: transportOf('samplesUrl', key.value),
    clock,
    portalAddress: path => address('baseUrl', path),
    samplesAddress: path => address('samplesUrl', path),
    describeSettings: () => [
      { setting: 'apiKey', value: key.value === undefined ? 'not set' : 'set', source: key.source },
      ...(['baseUrl', 'samplesUrl'] as const).map(setting => ({
        setting,
        value: redactUrl(bases[setting].href),
        source: given[setting] === undefined ? 'default' : 'client option',
      })),
      ...settings.origins,
    ],
  }
}

function accountOf(key: string): string {
  return `samples ${createHash('sha256').update(key).digest('hex').slice(0, 16)}`
}

function checkAddress(setting: keyof typeof ADDRESSES, given: string | undefined): URL {
  const about = { setting, source: given === undefined ? 'default' : 'client option' }
  const value = given ?? ADDRESSES[setting]
  const url = URL.canParse(value) ? new URL(value) : undefined
  if (url && (url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname)))) return url
  throw new ConfigurationError(
    `${setting} (${about.source}) must be an https:// address; got '${redactUrl(value)}'`,
    about,
  )
}

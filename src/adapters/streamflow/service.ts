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
  type Credential,
  type EnvironmentNames,
  type ServicePolicy,
  type SettingOrigin,
  type SettingsLayer,
  type Transport,
  type TransportOptions,
} from '../../transport/index.ts'

/** Version of the service's own interface. */
export type ApiVersion = 'v0' | 'v1'

/** How a client of the services is made. Addresses are taken from code only, never from the environment. */
export interface StreamflowOptions extends TransportOptions {
  /** Raises the hourly quota; sent to the host of `baseUrl` and to no other. @defaultValue the environment variable API_USGS_PAT */
  readonly apiKey?: string | undefined
  /** `'v0'` is served until June 2027. @defaultValue 'v1' */
  readonly apiVersion?: ApiVersion | undefined
  /** Moves collections, statistics, ratings and groundwater. @defaultValue https://api.waterdata.usgs.gov */
  readonly baseUrl?: string | undefined
  /** Moves the network navigation and water use. @defaultValue https://api.water.usgs.gov */
  readonly waterUrl?: string | undefined
  /** Moves the watersheds. @defaultValue https://streamstats.usgs.gov */
  readonly streamStatsUrl?: string | undefined
  /** Requests an hour, for plans. @defaultValue 1,000 with a key, 50 without */
  readonly quotaPerHour?: number | undefined
  /** Environment to read. @defaultValue process.env */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined
  /** For tests. @defaultValue the machine's clock */
  readonly clock?: Clock | undefined
  /** For tests. @defaultValue the machine's chance */
  readonly random?: Random | undefined
}

/** The services that are asked apart from one another: each has a quota, a policy and limits of its own. */
export type Family = 'waterdata' | 'statistics' | 'navigation' | 'waterUse' | 'watersheds'

/** The services as a client sees them. */
export interface StreamflowService {
  readonly transports: Readonly<Record<Family, Transport>>
  readonly clock: Clock
  readonly apiVersion: ApiVersion
  readonly quotaPerHour: number
  /** Address of a path of a family, as text. */
  address(family: Family, path: string): string
  /** Every setting with its value and where it came from; secrets only as set or not set. */
  describeSettings(): readonly SettingOrigin[]
}

export const SERVICE = 'streamflow'

const OWN_OPTIONS = [
  'apiKey',
  'apiVersion',
  'baseUrl',
  'waterUrl',
  'streamStatsUrl',
  'quotaPerHour',
  'env',
  'clock',
  'random',
]
const ADDRESSES = {
  baseUrl: 'https://api.waterdata.usgs.gov',
  waterUrl: 'https://api.water.usgs.gov',
  streamStatsUrl: 'https://streamstats.usgs.gov',
} as const

/** Names that users of the official clients have in their environment already. */
const ENVIRONMENT: EnvironmentNames = {
  retries: [{ name: 'API_USGS_RETRIES' }],
  stallMs: [{ name: 'API_USGS_STALL_TIMEOUT', scale: 1000 }],
  concurrency: [{ name: 'API_USGS_CONCURRENT' }],
}

/**
 * A 500 passes by itself, and what was slow may be quick next time (contract, section 5). A page that breaks off is
 * asked for again: half of the span would have pages as long.
 */
export const WATER_DATA_POLICY: ServicePolicy = {
  retryStatuses: [500, 502, 503],
  slowStatuses: [504],
  onTimeout: 'retry',
  onStall: 'retry',
}
/** A 500 is a refused query (contract, sections 10 and 11). */
const REFUSING_POLICY: ServicePolicy = { retryStatuses: [502, 503, 504], slowStatuses: [], onTimeout: 'retry' }
/** Refused queries come as 400; every 5xx is a fault of theirs (contract, section 13). */
const WATER_USE_POLICY: ServicePolicy = { retryStatuses: [500, 502, 503, 504], slowStatuses: [], onTimeout: 'retry' }

interface FamilySetup {
  readonly host: keyof typeof ADDRESSES
  readonly policy: ServicePolicy
  /** What the service likes. */
  readonly preferences: SettingsLayer['values']
}

const FAMILIES: Readonly<Record<Family, FamilySetup>> = {
  waterdata: { host: 'baseUrl', policy: WATER_DATA_POLICY, preferences: {} },
  statistics: { host: 'baseUrl', policy: WATER_DATA_POLICY, preferences: {} },
  navigation: { host: 'waterUrl', policy: REFUSING_POLICY, preferences: { concurrency: 4 } },
  waterUse: { host: 'waterUrl', policy: WATER_USE_POLICY, preferences: { concurrency: 4 } },
  watersheds: { host: 'streamStatsUrl', policy: REFUSING_POLICY, preferences: { concurrency: 2 } },
}

export function createService(given: StreamflowOptions): StreamflowService {
  checkOptionNames({ ...given }, OWN_OPTIONS, 'client option')
  const { env = process.env, clock = systemClock, random = systemRandom } = given
  const {
    apiKey: _key,
    apiVersion = 'v1',
    baseUrl: _base,
    waterUrl: _water,
    streamStatsUrl: _stats,
    quotaPerHour,
    env: _env,
    clock: _clock,
    random: _random,
    ...options
  } = given
  checkVersion(apiVersion)
  const key = readKey(given.apiKey, env, 'API_USGS_PAT')
  const bases = {
    baseUrl: checkAddress('baseUrl', given.baseUrl),
    waterUrl: checkAddress('waterUrl', given.waterUrl),
    streamStatsUrl: checkAddress('streamStatsUrl', given.streamStatsUrl),
  }
  const layers: SettingsLayer[] = [
    { source: 'client option', values: { ...options } },
    ...environmentLayer(env, ENVIRONMENT),
  ]
  const layersOf = (family: Family): SettingsLayer[] => [
    ...layers,
    { source: 'service preference', values: FAMILIES[family].preferences },
  ]
  const settings = resolveSettings(layersOf('waterdata'))

  const transportOf = (family: Family): Transport =>
    createTransport({
      service: SERVICE,
      baseUrl: bases[FAMILIES[family].host],
      policy: FAMILIES[family].policy,
      clock,
      random,
      credential: () => credentialOf(family, FAMILIES[family].host === 'baseUrl' ? key.value : undefined),
      optionsFor(call: CallOptions) {
        checkOptionNames({ ...call }, CALL_OPTIONS, 'call option')
        return resolveSettings([{ source: 'call option', values: { ...call } }, ...layersOf(family)]).options
      },
    })

  return {
    transports: {
      waterdata: transportOf('waterdata'),
      statistics: transportOf('statistics'),
      navigation: transportOf('navigation'),
      waterUse: transportOf('waterUse'),
      watersheds: transportOf('watersheds'),
    },
    clock,
    apiVersion,
    quotaPerHour: checkQuota(quotaPerHour) ?? (key.value === undefined ? 50 : 1000),
    address: (family, path) => bases[FAMILIES[family].host].href.replace(/\/$/, '') + path,
    describeSettings: () => [
      { setting: 'apiKey', value: key.value === undefined ? 'not set' : 'set', source: key.source },
      {
        setting: 'apiVersion',
        value: apiVersion,
        source: given.apiVersion === undefined ? 'default' : 'client option',
      },
      ...(['baseUrl', 'waterUrl', 'streamStatsUrl'] as const).map(setting => ({
        setting,
        value: redactUrl(bases[setting].href),
        source: given[setting] === undefined ? 'default' : 'client option',
      })),
      ...settings.origins,
    ],
  }
}

/** Families of one host have quotas of their own, so each is an account of its own, with a key or without. */
function credentialOf(family: Family, key: string | undefined): Credential {
  const account = `${family} ${key === undefined ? '' : createHash('sha256').update(key).digest('hex').slice(0, 16)}`
  if (key !== undefined) return keyCredential('x-api-key', key, account)
  return { account, secrets: () => [], ready: async () => {}, headers: () => ({}), refused: () => false }
}

function checkVersion(version: string): void {
  if (version === 'v0' || version === 'v1') return
  throw new ConfigurationError(`apiVersion (client option) must be 'v0' or 'v1'; got '${version}'`, {
    setting: 'apiVersion',
    source: 'client option',
  })
}

function checkQuota(quota: number | undefined): number | undefined {
  if (quota === undefined || (Number.isInteger(quota) && quota > 0)) return quota
  throw new ConfigurationError(`quotaPerHour (client option) must be a whole number, 1 or more; got ${String(quota)}`, {
    setting: 'quotaPerHour',
    source: 'client option',
  })
}

function checkAddress(setting: keyof typeof ADDRESSES, given: string | undefined): URL {
  const about = { setting, source: given === undefined ? 'default' : 'client option' }
  const value = given ?? ADDRESSES[setting]
  const url = URL.canParse(value) ? new URL(value) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new ConfigurationError(
      `${setting} (${about.source}) must be an https:// address; got '${redactUrl(value)}'`,
      about,
    )
  }
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) {
    throw new ConfigurationError(
      `${setting} (${about.source}) must be https://: over http:// the key would be readable; got '${redactUrl(value)}'`,
      about,
    )
  }
  return url
}

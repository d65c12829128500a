import { ConfigurationError } from '../errors.ts'
import { silentLogger } from '../logger.ts'
import { nearest } from '../nearest.ts'
import { redactText } from '../redact.ts'
import { userAgent } from '../version.ts'
import { readCache } from './cache-options.ts'
import type { ResolvedOptions, TransportOptions } from './options.ts'
import {
  readBackoff,
  readBoolean,
  readDuration,
  readFunction,
  readLogger,
  readNumber,
  readProxy,
  readRate,
  readText,
  type Reader,
} from './setting-readers.ts'

/** One place where settings can come from, in the order in which places are asked. */
export interface SettingsLayer {
  /** As people know it: `call option`, `client option`, `environment`, `service preference`, `default`. */
  readonly source: string
  readonly values: Readonly<Record<string, unknown>>
}

/** A setting's value and where it came from. */
export interface SettingOrigin {
  readonly setting: string
  /** As text; secrets only as `set` or `not set`. */
  readonly value: string
  readonly source: string
}

/** Other names under which a setting may stand in the environment, with the factor to our unit. */
export type EnvironmentNames = Readonly<
  Partial<Record<keyof TransportOptions, readonly { readonly name: string; readonly scale?: number }[]>>
>

const whole = (least: number): Reader => readNumber({ least, whole: true })
const duration = (least: number): Reader => readNumber({ least, whole: false })

/** Every setting: how it is read, and what holds when nobody says anything. */
const SETTINGS: Readonly<Record<keyof TransportOptions, { readonly read: Reader; readonly otherwise: unknown }>> = {
  retries: { read: whole(0), otherwise: 4 },
  retryWhen: { read: readFunction, otherwise: undefined },
  backoff: { read: readBackoff, otherwise: { baseDelayMs: 500, maxDelayMs: 30_000 } },
  retryAfterCapMs: { read: duration(0), otherwise: 60_000 },
  stallMs: { read: duration(0), otherwise: 60_000 },
  connectTimeoutMs: { read: duration(1), otherwise: 10_000 },
  readTimeoutMs: { read: duration(1), otherwise: 60_000 },
  concurrency: { read: whole(1), otherwise: 8 },
  rate: { read: readRate, otherwise: [] },
  maxSplitDepth: { read: readNumber({ least: 0, most: 20, whole: true }), otherwise: 2 },
  learnSpans: { read: readBoolean, otherwise: true },
  chunk: { read: readDuration, otherwise: undefined },
  quotaReserve: { read: whole(0), otherwise: 0 },
  maxPages: { read: whole(1), otherwise: 10_000 },
  maxBytes: { read: whole(1), otherwise: 2 ** 30 },
  userAgent: { read: readText, otherwise: userAgent },
  proxy: { read: readProxy, otherwise: 'environment' },
  cache: { read: readCache, otherwise: undefined },
  refresh: { read: readBoolean, otherwise: false },
  offline: { read: readBoolean, otherwise: false },
  logger: { read: readLogger, otherwise: silentLogger },
}

const NAMES = Object.keys(SETTINGS) as (keyof TransportOptions)[]
/** Settings that are functions or objects: they have no place in an environment. */
const CODE_ONLY: readonly string[] = ['retryWhen', 'backoff', 'logger']

/** Whether a name is one of the transport's options. */
export function isTransportOption(name: string): name is keyof TransportOptions {
  return Object.hasOwn(SETTINGS, name)
}

/**
 * Settings that the environment states, under our names (`HEADRACE_READ_TIMEOUT_MS`) or under names that people
 * have already. Empty means not set.
 */
export function environmentLayer(
  env: Readonly<Record<string, string | undefined>>,
  also: EnvironmentNames = {},
): SettingsLayer[] {
  return NAMES.filter(name => !CODE_ONLY.includes(name)).flatMap(name =>
    [{ name: `HEADRACE_${name.replace(/[A-Z]/g, '_$&').toUpperCase()}` }, ...(also[name] ?? [])].map(variable => ({
      source: variable.name,
      values: { [name]: scaled(env[variable.name], 'scale' in variable ? variable.scale : undefined) },
    })),
  )
}

/**
 * Fills every setting from the first layer that states it, and refuses what makes no sense.
 *
 * @throws ConfigurationError naming the setting and its source
 */
export function resolveSettings(layers: readonly SettingsLayer[]): {
  readonly options: ResolvedOptions
  readonly origins: readonly SettingOrigin[]
} {
  const origins: SettingOrigin[] = []
  const values: Record<string, unknown> = {}
  for (const name of NAMES) {
    const { read, otherwise } = SETTINGS[name]
    const layer = layers.find(({ values: stated }) => isStated(stated[name]))
    const source = layer?.source ?? 'default'
    values[name] = layer ? read(layer.values[name], { setting: name, source }) : otherwise
    origins.push({ setting: name, value: show(values[name]), source })
  }
  checkOffline(values, origins)
  const { chunk, ...rest } = values
  return { options: Object.freeze({ ...rest, chunkMs: chunk }) as unknown as ResolvedOptions, origins }
}

/** Refuses options that nobody knows, with the nearest name that somebody does. */
export function checkOptionNames(
  given: Readonly<Record<string, unknown>>,
  known: readonly string[],
  source: string,
): void {
  for (const name of Object.keys(given)) {
    if (known.includes(name) || isTransportOption(name)) continue
    const guess = nearest(name, [...known, ...NAMES])
    throw new ConfigurationError(`${source} '${name}' is not known${guess ? `; did you mean '${guess}'?` : ''}`, {
      setting: name,
      source,
    })
  }
}

/** Nothing can be answered from where nothing is kept, nor asked anew without asking. */
function checkOffline(values: Readonly<Record<string, unknown>>, origins: readonly SettingOrigin[]): void {
  if (values['offline'] !== true) return
  const source = origins.find(({ setting }) => setting === 'offline')?.source ?? 'default'
  const about = { setting: 'offline', source }
  if (values['refresh'] === true)
    throw new ConfigurationError(`offline (${source}) and refresh cannot both be set: the one sends nothing`, about)
  if (values['cache'] === undefined)
    throw new ConfigurationError(`offline (${source}) needs a cache to answer from; set cache as well`, about)
}

function isStated(value: unknown): boolean {
  return value !== undefined && !(typeof value === 'string' && value.trim() === '')
}

function scaled(text: string | undefined, scale: number | undefined): unknown {
  if (scale === undefined || text === undefined || !/^\s*\d+(?:\.\d+)?\s*$/.test(text)) return text
  return Number(text) * scale
}

function show(value: unknown): string {
  if (value === undefined || value === null) return 'none'
  if (typeof value === 'function') return 'a function'
  if (value === silentLogger) return 'silent'
  if (typeof value === 'object') return 'warn' in value ? 'a logger' : JSON.stringify(value)
  return redactText(String(value))
}

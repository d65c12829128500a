import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { ConfigurationError } from '../errors.ts'
import { readBoolean, readNumber, type Reader, type Whence } from './setting-readers.ts'

/** Where answers are kept on disk, and how many. */
export interface CacheOptions {
  /** Folder, made when something is first kept. @defaultValue the user's own cache folder */
  readonly dir?: string | undefined
  /** Bytes that all kept answers may take; the oldest go first. @defaultValue 1 GiB */
  readonly maxBytes?: number | undefined
}

export type Cache = { readonly [Option in keyof CacheOptions]-?: NonNullable<CacheOptions[Option]> }

const DEFAULT_MAX_BYTES = 2 ** 30

/**
 * Reads `cache`: on, off, a folder, or both its options.
 *
 * @returns nothing where nothing is kept
 */
export const readCache: Reader = (value, whence): Cache | undefined => {
  if (typeof value === 'object' && value !== null) return fromOptions(value, whence)
  if (typeof value === 'string' && /[/\\]/.test(value)) return fromOptions({ dir: value.trim() }, whence)
  if (typeof value === 'boolean' || typeof value === 'string')
    return readBoolean(value, whence) ? fromOptions({}, whence) : undefined
  throw refusal(`must be true, false, a folder, or { dir, maxBytes }`, whence)
}

/** The folder in which programs of this user keep what they can get again. */
export function defaultCacheDir(
  platform: NodeJS.Platform = process.platform,
  env: Readonly<Record<string, string | undefined>> = process.env,
  home: string = homedir(),
): string {
  const stated = env['XDG_CACHE_HOME']
  if (stated !== undefined && stated !== '') return join(stated, 'headrace')
  if (platform === 'darwin') return join(home, 'Library', 'Caches', 'headrace')
  if (platform === 'win32') return join(env['LOCALAPPDATA'] ?? join(home, 'AppData', 'Local'), 'headrace', 'cache')
  return join(home, '.cache', 'headrace')
}

function fromOptions(given: CacheOptions, whence: Whence): Cache {
  const unknown = Object.keys(given).find(name => name !== 'dir' && name !== 'maxBytes')
  if (unknown !== undefined) throw refusal(`has no option '${unknown}'; it takes dir and maxBytes`, whence)
  const { dir = defaultCacheDir(), maxBytes = DEFAULT_MAX_BYTES } = given
  if (typeof dir !== 'string' || dir.trim() === '') throw refusal('dir must be the path of a folder', whence)
  readNumber({ least: 1, whole: true })(maxBytes, { ...whence, setting: `${whence.setting}.maxBytes` })
  return Object.freeze({ dir: resolve(dir), maxBytes })
}

function refusal(what: string, { setting, source }: Whence): ConfigurationError {
  return new ConfigurationError(`${setting} (${source}) ${what}`, { setting, source })
}

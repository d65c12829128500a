import { mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { ConfigurationError, describeCause } from '../errors.ts'
import { defaultCacheDir } from './cache-options.ts'

/** What is known of a kept answer without reading it. */
export interface KeptFacts {
  /** Its stretch of time, both ends included, epoch milliseconds; absent where it has none. */
  readonly span?: readonly [start: number, end: number]
  /** When its oldest page was received, epoch milliseconds. */
  readonly receivedAt: number
  /** When it must be asked for again, epoch milliseconds. */
  readonly expiresAt: number
}

export interface KeptEntry extends KeptFacts {
  readonly key: string
  readonly bytes: number
}

/** What a cache folder holds. */
export interface CacheStats {
  readonly dir: string
  readonly entries: number
  readonly bytes: number
  /** When the oldest and the newest of it were received; absent when it is empty. */
  readonly oldest?: Date
  readonly newest?: Date
}

/**
 * Answers on disk, in drawers: one for each question, named by a hash of it. Writes are atomic and checked when they
 * are read, so two processes may use one folder; the worst that can happen is that something is asked again.
 */
export interface CacheStore {
  list(drawer: string): Promise<readonly KeptEntry[]>
  /** The bytes of an entry; nothing where it is gone or damaged. */
  read(drawer: string, key: string): Promise<Buffer | undefined>
  write(drawer: string, key: string, bytes: Buffer, facts: KeptFacts): Promise<void>
  remove(drawer: string, key: string): Promise<void>
  /** Removes the oldest until no more than so many bytes are left. */
  shrink(maxBytes: number): Promise<void>
  stats(): Promise<CacheStats>
  clear(): Promise<void>
}

/** Changes when what is written cannot be read by what was before. */
const LAYOUT = 'v1'
/** Bytes that an entry takes beside its content, about. */
const INDEX_BYTES = 400

interface Listed extends KeptEntry {
  readonly drawer: string
}

export async function openCacheStore(dir: string): Promise<CacheStore> {
  const cacache = await loadPackage()
  const root = join(dir, LAYOUT)
  const folder = (drawer: string): string => join(root, drawer)

  const list = async (drawer: string): Promise<KeptEntry[]> => {
    const entries = await cacache.ls(folder(drawer))
    return Object.values(entries).flatMap(({ key, size, metadata }) => {
      const { span, receivedAt, expiresAt } = Object(metadata) as Partial<KeptFacts>
      if (typeof receivedAt !== 'number' || typeof expiresAt !== 'number') return []
      return [{ key, bytes: size + INDEX_BYTES, receivedAt, expiresAt, ...(span ? { span } : {}) }]
    })
  }

  const remove = async (drawer: string, key: string): Promise<void> => {
    const known = await cacache.get.info(folder(drawer), key)
    if (known === null) return
    // First out of the index: nobody finds what is about to go.
    await cacache.rm.entry(folder(drawer), key, { removeFully: true })
    await cacache.rm.content(folder(drawer), known.integrity).catch(ignoreAbsent)
  }

  const everything = async (): Promise<Listed[]> => {
    const drawers = await readdir(root).catch(ignoreAbsent)
    const listed: Listed[] = []
    for (const drawer of drawers ?? []) for (const entry of await list(drawer)) listed.push({ ...entry, drawer })
    return listed
  }

  return {
    list,
    remove,
    async read(drawer, key) {
      try {
        return (await cacache.get(folder(drawer), key, { memoize: false })).data
      } catch {
        // Gone in the meantime, or not what was written: as good as never kept.
        return undefined
      }
    },
    async write(drawer, key, bytes, facts) {
      await mkdir(root, { recursive: true, mode: 0o700 })
      const before = await cacache.get.info(folder(drawer), key)
      const integrity = await cacache.put(folder(drawer), key, bytes, { metadata: facts, memoize: false })
      if (before !== null && before.integrity !== String(integrity))
        await cacache.rm.content(folder(drawer), before.integrity).catch(ignoreAbsent)
    },
    async shrink(maxBytes) {
      const listed = (await everything()).sort((a, b) => b.receivedAt - a.receivedAt)
      let bytes = 0
      for (const entry of listed) {
        bytes += entry.bytes
        if (bytes > maxBytes) await remove(entry.drawer, entry.key)
      }
    },
    async stats() {
      const listed = await everything()
      const times = listed.map(({ receivedAt }) => receivedAt).sort((a, b) => a - b)
      const [oldest, newest] = [times[0], times.at(-1)]
      return {
        dir,
        entries: listed.length,
        bytes: listed.reduce((sum, entry) => sum + entry.bytes, 0),
        ...(oldest === undefined ? {} : { oldest: new Date(oldest) }),
        ...(newest === undefined ? {} : { newest: new Date(newest) }),
      }
    },
    clear: () => rm(root, { recursive: true, force: true }),
  }
}

/**
 * What is kept on disk.
 *
 * @param dir - the folder that `cache` names
 */
export async function cacheStats(dir: string = defaultCacheDir()): Promise<CacheStats> {
  return (await openCacheStore(dir)).stats()
}

/** Removes everything that is kept in a folder, and nothing else that is there. */
export async function clearCache(dir: string = defaultCacheDir()): Promise<void> {
  await (await openCacheStore(dir)).clear()
}

/** The little that is used of the package; its own types leave an option out. */
interface StorePackage {
  ls(folder: string): Promise<Readonly<Record<string, { key: string; size: number; metadata?: unknown }>>>
  get: {
    (folder: string, key: string, options: { memoize: false }): Promise<{ readonly data: Buffer }>
    info(folder: string, key: string): Promise<{ readonly integrity: string } | null>
  }
  put(folder: string, key: string, bytes: Buffer, options: { metadata: object; memoize: false }): Promise<unknown>
  rm: {
    /** `removeFully` takes the file away, too, that said the entry was there. */
    entry(folder: string, key: string, options: { removeFully: true }): Promise<unknown>
    content(folder: string, integrity: string): Promise<unknown>
  }
}

async function loadPackage(): Promise<StorePackage> {
  try {
    const module = await import('cacache')
    return module.default as unknown as StorePackage
  } catch (thrown) {
    throw new ConfigurationError(
      `cache needs an optional package; run: npm i cacache (${describeCause(thrown).message})`,
      { setting: 'cache', source: 'installed packages' },
    )
  }
}

function ignoreAbsent(thrown: unknown): undefined {
  if ((thrown as { code?: unknown }).code === 'ENOENT') return undefined
  throw thrown
}

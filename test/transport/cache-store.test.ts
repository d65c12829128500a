import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { cacheStats, clearCache, openCacheStore } from '../../src/transport/cache-store.ts'
import { runScript } from '../support/run-script.ts'
import { tempFolder } from '../tooling/temp-folder.ts'

const facts = (receivedAt: number) => ({ receivedAt, expiresAt: receivedAt + 100, span: [0, 10] as const })
const bytes = (text: string) => Buffer.from(text)

/** Paths of all files that hold content. */
function contents(dir: string): string[] {
  return readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile() && entry.parentPath.includes('content-v'))
    .map(entry => join(entry.parentPath, entry.name))
}

describe('a cache store', () => {
  it('finds what was written, by drawer and key', async () => {
    const store = await openCacheStore(tempFolder())
    await store.write('a', 'one', bytes('1'), facts(1))
    await store.write('b', 'one', bytes('2'), facts(2))
    expect((await store.read('a', 'one'))?.toString()).toBe('1')
    expect((await store.read('b', 'one'))?.toString()).toBe('2')
    expect(await store.read('a', 'two')).toBeUndefined()
    expect(await store.list('a')).toEqual([{ key: 'one', bytes: expect.any(Number), ...facts(1) }])
    expect(await store.list('nowhere')).toEqual([])
  })

  it('replaces an entry and leaves nothing of the old one behind', async () => {
    const dir = tempFolder()
    const store = await openCacheStore(dir)
    await store.write('a', 'one', bytes('old'), facts(1))
    await store.write('a', 'one', bytes('new'), facts(2))
    expect((await store.read('a', 'one'))?.toString()).toBe('new')
    expect(contents(dir)).toHaveLength(1)
  })

  it('does not hand on what was damaged', async () => {
    const dir = tempFolder()
    const store = await openCacheStore(dir)
    await store.write('a', 'one', bytes('whole'), facts(1))
    writeFileSync(contents(dir)[0] ?? '', 'whale')
    expect(await store.read('a', 'one')).toBeUndefined()
  })

  it('shrinks to its bound, the oldest first', async () => {
    const store = await openCacheStore(tempFolder())
    const large = 'x'.repeat(10_000)
    for (const [at, name] of ['old', 'older', 'new'].entries())
      await store.write(name, 'k', bytes(large + name), facts([2, 1, 3][at] ?? 0))
    await store.shrink(21_500)
    expect(await store.list('older')).toEqual([])
    expect(await store.list('old')).toHaveLength(1)
    expect(await store.list('new')).toHaveLength(1)
  })

  it('counts what it holds, and clears nothing but that', async () => {
    const dir = tempFolder()
    const store = await openCacheStore(dir)
    expect(await cacheStats(dir)).toEqual({ dir, entries: 0, bytes: 0 })
    await store.write('a', 'one', bytes('1'), facts(1))
    await store.write('a', 'two', bytes('2'), facts(5))
    writeFileSync(join(dir, 'mine.txt'), 'mine')
    expect(await cacheStats(dir)).toMatchObject({ entries: 2, oldest: new Date(1), newest: new Date(5) })
    await clearCache(dir)
    expect(await cacheStats(dir)).toMatchObject({ entries: 0 })
    expect(readFileSync(join(dir, 'mine.txt'), 'utf8')).toBe('mine')
  })

  it('is for its owner only', async () => {
    const dir = tempFolder()
    await (await openCacheStore(dir)).write('a', 'one', bytes('1'), facts(1))
    if (process.platform !== 'win32') expect(statSync(join(dir, 'v1')).mode & 0o077).toBe(0)
  })

  it('is safe with two processes: everything read is whole, and both find what the other wrote', async () => {
    const dir = tempFolder()
    const script = join(import.meta.dirname, 'scripts', 'cache-writer.ts')
    const ends = await Promise.all(['left', 'right'].map(name => runScript(script, [dir, name])))
    expect(ends.map(({ code, stderr }) => [code, stderr])).toEqual([
      [0, ''],
      [0, ''],
    ])
    const store = await openCacheStore(dir)
    const own = (await store.list('common')).map(({ key }) => key)
    expect(own.sort()).toEqual(['fought over', 'left', 'right'])
    expect((await store.read('common', 'fought over'))?.toString()).toMatch(/^(left|right) 19 x{5000}$/)
  })
})

describe('without the optional package', () => {
  it('says what to install', async () => {
    vi.doMock('cacache', () => {
      throw new Error('not there')
    })
    try {
      await expect(openCacheStore(tempFolder())).rejects.toThrow('npm i cacache')
    } finally {
      vi.doUnmock('cacache')
    }
  })
})

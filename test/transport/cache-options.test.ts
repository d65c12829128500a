import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ConfigurationError } from '../../src/errors.ts'
import { defaultCacheDir, readCache } from '../../src/transport/cache-options.ts'
import { optionsOf } from '../support/transport.ts'

const whence = { setting: 'cache', source: 'test' }
const usual = { dir: resolve(defaultCacheDir()), maxBytes: 2 ** 30 }

describe('readCache', () => {
  it.each([
    [true, usual],
    ['on', usual],
    [false, undefined],
    ['off', undefined],
    ['/var/answers', { dir: resolve('/var/answers'), maxBytes: 2 ** 30 }],
    [{ maxBytes: 5 }, { ...usual, maxBytes: 5 }],
    [{ dir: 'answers' }, { dir: resolve('answers'), maxBytes: 2 ** 30 }],
  ])('reads %j', (given, read) => {
    expect(readCache(given, whence)).toEqual(read)
  })

  it.each([
    [5, 'must be true, false, a folder'],
    ['answers', 'must be true or false'],
    [{ folder: '/x' }, "has no option 'folder'"],
    [{ dir: ' ' }, 'dir must be the path of a folder'],
    [{ maxBytes: 0 }, 'cache.maxBytes'],
  ])('refuses %j', (given, words) => {
    expect(() => readCache(given, whence)).toThrow(ConfigurationError)
    expect(() => readCache(given, whence)).toThrow(words)
  })
})

describe('defaultCacheDir', () => {
  it.each([
    ['linux', {}, join('/home/a', '.cache', 'headrace')],
    ['linux', { XDG_CACHE_HOME: '/x' }, join('/x', 'headrace')],
    ['darwin', {}, join('/home/a', 'Library', 'Caches', 'headrace')],
    ['win32', { LOCALAPPDATA: '/local' }, join('/local', 'headrace', 'cache')],
    ['win32', {}, join('/home/a', 'AppData', 'Local', 'headrace', 'cache')],
  ] as const)('is the usual place on %s with %j', (platform, env, dir) => {
    expect(defaultCacheDir(platform, env, '/home/a')).toBe(dir)
  })
})

describe('offline', () => {
  it.each([
    [{ offline: true }, 'needs a cache'],
    [{ offline: true, refresh: true, cache: true }, 'cannot both be set'],
  ])('refuses %j before any request', (given, words) => {
    expect(() => optionsOf(given)).toThrow(words)
  })
})

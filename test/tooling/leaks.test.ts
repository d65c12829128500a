import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { LeakSearch } from './leaks.ts'
import { SECRETS, TEST_API_KEY, TEST_PASSWORD, TEST_USERNAME, TOKEN_PREFIX } from './secrets.ts'

const token = `${TOKEN_PREFIX}42`

/** An error as an HTTP library makes them: the headers hang on it, where no message shows them. */
function carrying(headers: object): Error {
  return Object.assign(new Error('refused'), { config: { headers } })
}

describe('R44: the leak search', () => {
  it.each([
    ['a line', `login of ${TEST_USERNAME}`, 'user name'],
    ['an address', `https://host/?password=${encodeURIComponent(TEST_PASSWORD)}`, 'password'],
    ['a form', String(new URLSearchParams({ password: TEST_PASSWORD })), 'password, percent-encoded'],
    ['a header', Buffer.from(`${TEST_USERNAME}:${TEST_PASSWORD}`).toString('base64'), 'user name and password, Basic'],
    ['a message', new Error(`refused ${token}`), 'token'],
    ['a field of an error', carrying({ authorization: `Bearer ${token}` }), 'token'],
    [
      'a cause',
      new Error('outer', { cause: new Error('inner', { cause: carrying({ key: TEST_API_KEY }) }) }),
      'API key',
    ],
    ['a hidden field', Object.defineProperty({}, 'agent', { value: { key: TEST_API_KEY } }), 'API key'],
    ['what only JSON shows', { toJSON: () => ({ token }) }, 'token'],
    [
      'what its own display hides',
      { key: TEST_API_KEY, [Symbol.for('nodejs.util.inspect.custom')]: () => '{}' },
      'API key',
    ],
    ['a map in a list', [new Map([['x-api-key', TEST_API_KEY]])], 'API key'],
    ['a circle', Object.assign(carrying({ token }), { self: [] as unknown[] }), 'token'],
  ])('finds a secret in %s', (_where, value, secret) => {
    const search = new LeakSearch()
    search.seen('error', value)
    expect(search.leaks.map(leak => leak.secret)).toContain(secret)
  })

  it.each(['nothing', '', undefined, null, 5n, new Error('plain'), [{ rows: 3 }], () => 1])('lets %s pass', value => {
    const search = new LeakSearch()
    expect(search.seen('log', value)).toBe(value)
    expect(search.leaks).toEqual([])
    expect(search.searched).toEqual({ log: 1 })
  })

  it('searches the names and the contents of files', () => {
    const folder = mkdtempSync(join(tmpdir(), 'leaks-'))
    writeFileSync(join(folder, `${TEST_USERNAME}.csv`), `key\n${TEST_API_KEY}\n`)
    const search = new LeakSearch()
    search.seenFolder(folder)
    rmSync(folder, { recursive: true })
    expect(search.leaks.map(leak => leak.secret)).toEqual(['user name', 'API key'])
  })

  it('reports the place without repeating the secret', () => {
    const search = new LeakSearch()
    search.during = 'a test'
    search.seen('log', `before ${TEST_USERNAME}:${TEST_PASSWORD} after`)
    expect(search.report()).toContain('password shown in log (a test): "before [secret]:[secret] after"')
    for (const [, text] of SECRETS) expect(search.report()).not.toContain(text)
  })
})

describe('R44: the set-up of the suite', () => {
  let said = ''
  let status: number | null = 0

  beforeAll(() => {
    const vitest = join(import.meta.dirname, '../../node_modules/vitest/vitest.mjs')
    const config = join(import.meta.dirname, 'planted/vitest.config.ts')
    const env = { ...process.env, NO_COLOR: '1', FORCE_COLOR: '0' }
    const planted = spawnSync(process.execPath, [vitest, 'run', '--config', config], { encoding: 'utf8', env })
    said = planted.stdout + planted.stderr
    status = planted.status
  }, 60_000)

  it('fails each file that shows a secret, and lets the clean one pass', () => {
    const failed = [...said.matchAll(/FAIL\s+(\S+)\.planted\.ts/g)].map(([, name]) => name)
    expect(new Set(failed)).toEqual(new Set(['error', 'event', 'file', 'handed-in', 'log', 'printed']))
    expect(said).toMatch(/Test Files\s+6 failed \| 1 passed/)
    expect(status).not.toBe(0)
  })

  it('says what was shown, where, and by which test', () => {
    expect(said).toContain('password shown in error (makes an error that nobody looks at)')
    expect(said).toContain('user name shown in meta (publishes an event with an account in it)')
  })

  it('fails a whole suite that never showed it what there was to search', () => {
    expect(said).toContain('R44: the suite never showed the leak search: simulator')
  })
})

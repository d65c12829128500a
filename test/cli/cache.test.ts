import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { tempFolder } from '../tooling/temp-folder.ts'
import { inside, simulated, TWO_HOURS } from './headrace.ts'

/** A folder in which one answer is kept. */
async function kept() {
  const { env, simulator } = await simulated()
  const folder = join(tempFolder(), 'cache')
  const ask = () => inside(['emissions', 'historical', ...TWO_HOURS, '--cache', folder, '--format', 'csv'], { env })
  await ask()
  return { folder, env, simulator, ask }
}

describe('headrace cache stats', () => {
  it('says what is kept in a folder, and how old it is', async () => {
    const { folder } = await kept()
    const { stdout, stderr, code } = await inside(['cache', 'stats', folder])
    expect(stdout.split('\n')).toEqual([
      `folder    ${folder}`,
      'answers   1',
      expect.stringMatching(/^size {6}\d+ B$|^size {6}\d+\.\d kB$/),
      expect.stringMatching(/^oldest {4}\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      expect.stringMatching(/^newest {4}\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      '',
    ])
    expect([stderr, code]).toEqual(['', 0])
  })

  it('is about the folder of HEADRACE_CACHE unless one is named', async () => {
    const { folder } = await kept()
    const { stdout } = await inside(['cache', 'stats', '--json'], { env: { HEADRACE_CACHE: folder } })
    expect(JSON.parse(stdout)).toMatchObject({ outcome: 'ok', exitCode: 0, cache: { dir: folder, entries: 1 } })
    const elsewhere = await inside(['cache', 'stats', tempFolder()], { env: { HEADRACE_CACHE: folder } })
    expect(elsewhere.stdout).toMatch(/^answers {3}0\nsize {6}0 B\n$/m)
  })

  it('3: where HEADRACE_CACHE makes no sense', async () => {
    const { code, stderr } = await inside(['cache', 'stats'], { env: { HEADRACE_CACHE: 'perhaps' } })
    expect(stderr).toContain('HEADRACE_CACHE')
    expect(code).toBe(3)
  })
})

describe('headrace cache clear', () => {
  it('removes what is kept: the next call asks the service again', async () => {
    const { folder, simulator, ask } = await kept()
    const requests = () => simulator.stats.dataRequests
    const before = requests()
    await ask()
    expect(requests()).toBe(before)
    const { stdout, stderr, code } = await inside(['cache', 'clear', folder])
    expect(stderr).toMatch(/^removed 1 answer \(.*\) from .*cache\n$/)
    expect([stdout, code]).toEqual(['', 0])
    await ask()
    expect(requests()).toBe(before + 1)
  })

  it('with --json says what it removed', async () => {
    const { folder } = await kept()
    const { stdout } = await inside(['cache', 'clear', folder, '--json'])
    expect(JSON.parse(stdout)).toMatchObject({ outcome: 'ok', exitCode: 0, removed: { dir: folder, entries: 1 } })
  })

  it('touches nothing where nothing is kept', async () => {
    const folder = tempFolder()
    mkdirSync(join(folder, 'v1'))
    writeFileSync(join(folder, 'v1', 'mine.txt'), 'mine')
    const { stderr, code } = await inside(['cache', 'clear', folder])
    expect([stderr, code]).toEqual([`nothing is kept in ${folder}\n`, 0])
    expect(readFileSync(join(folder, 'v1', 'mine.txt'), 'utf8')).toBe('mine')
  })

  it('2: says which commands there are where none is named', async () => {
    const { stderr, code } = await inside(['cache'])
    expect(stderr).toMatch(/stats \[folder\][\s\S]*clear \[folder\]/)
    expect(code).toBe(2)
  })
})

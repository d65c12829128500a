import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { tempFolder } from '../tooling/temp-folder.ts'
import { inside, simulated } from './headrace.ts'

const WHAT = ['--service', 'emissions', '--operation', 'historical']
const SPEC = [...WHAT, '--query', 'region=CAISO_NORTH', '--start', '2024-01-01', '--end', '2024-01-02']
const ENTRY = 'pulls:\n  - service: emissions\n    operation: historical\n'

describe('a specification with a mistake', () => {
  it.each<[what: string, text: string, message: RegExp]>([
    ['nothing in it', '', /spec\.yaml: the specification is empty: say at least what to pull/],
    [
      'a name nobody knows',
      `start: 2024-01-01\n${ENTRY}    segmnt: day\n`,
      /spec\.yaml: pulls\[0\]\.segmnt is not known; did you mean 'segment'\?/,
    ],
    [
      'a tab',
      'start: 2024-01-01\n\tpulls: []\n',
      /spec\.yaml: .*Tabs are not allowed as indentation at line 2, column 1$/m,
    ],
    [
      'a name twice',
      'start: 2024-01-01\nstart: 2024-01-02\n',
      /spec\.yaml: .*Map keys must be unique at line 2, column 1$/m,
    ],
    ['JSON that breaks off', '{"start": "2024-01-01", "pulls": [}', /spec\.yaml: .* at line 1, column 35$/m],
    ['bytes of another kind', '\u0000\u0001\u0002'.repeat(500), /spec\.yaml: .{0,200}$/m],
    [
      'one text in place of a list',
      `start: 2024-01-01\n${ENTRY}    each: { region: CAISO_NORTH }\n`,
      /each\.region must be a list with one value or more/,
    ],
    [
      'an argument nobody knows',
      `start: 2024-01-01\n${ENTRY}    query: { regoin: X }\n`,
      /emissions historical co2_moer: 'regoin' is not known here; did you mean 'region'\?/,
    ],
    ['an argument that is missing', `start: 2024-01-01\n${ENTRY}`, /emissions historical co2_moer: region is missing/],
    [
      'an end before its start',
      `start: 2024-01-01\nend: 2023-01-01\n${ENTRY}`,
      /end 2023-01-01T00:00:00Z is before start 2024-01-01T00:00:00Z/,
    ],
  ])('is refused with its place: %s', async (_, text, message) => {
    const file = join(tempFolder(), 'spec.yaml')
    writeFileSync(file, text)
    const [plain, json] = await Promise.all([inside(['plan', file]), inside(['plan', file, '--json'])])
    expect(plain.stderr).toMatch(message)
    expect(plain.stderr.length).toBeLessThan(400)
    expect(plain.code).toBe(2)
    expect(JSON.parse(json.stdout)).toMatchObject({ exitCode: 2 })
  })

  it('is one that cannot be read: nobody is told to make a folder', async () => {
    const { stderr, code } = await inside(['plan', join(tempFolder(), 'nowhere.yaml')])
    expect(stderr).toMatch(/^error: cannot read .*nowhere\.yaml: there is no such file or folder \(ENOENT\)\n$/)
    expect(code).toBe(7)
  })
})

describe('an option that cannot work', () => {
  it.each<[args: readonly string[], message: string]>([
    [['--parallel', '0'], 'parallel must be a whole number, 1 or more; got 0'],
    [['--parallel', '1.5'], 'parallel must be a whole number, 1 or more; got 1.5'],
    [['--grace-ms', '-1'], 'graceMs must be a number, 0 or more; got -1'],
    [['--deadline-ms', '-5'], 'deadlineMs must be a number, 0 or more; got -5'],
    [['--query', 'region=PJM_DC'], '--query region is given more than once'],
    [['--each', 'signalType=a', '--each', 'signal-type=b'], '--each signal-type is given more than once'],
    [['--segment', 'week'], 'segment must be day, month, year, all'],
    [['--partition', 'regoin'], "did you mean 'region'?"],
  ])('is refused by pull before anything is asked: %j', async (args, message) => {
    const { env, simulator } = await simulated()
    const { stderr, code } = await inside(['pull', ...SPEC, '--out', join(tempFolder(), 'data'), ...args], { env })
    expect(stderr).toContain(message)
    expect(code).toBe(2)
    expect(simulator.requests).toEqual([])
  })

  it('is a password that is missing: one warning, however many tasks there are', async () => {
    const { env } = await simulated()
    const many = [...SPEC.slice(0, -1), '2024-01-31', '--segment', 'day']
    const { stderr, code } = await inside(['pull', ...many, '--out', join(tempFolder(), 'data')], {
      env: { ...env, WATTTIME_PASSWORD: '' },
    })
    expect(stderr.match(/^warning: .*WATTTIME_PASSWORD$/gm)).toHaveLength(1)
    expect(stderr).toContain('31 of 31 tasks are left')
    expect(code).toBe(3)
  })

  it.each([['sync'], ['verify'], ['resume'], ['status'], ['load']])('%s without a folder says so', async command => {
    const { stderr, code } = await inside([command])
    expect(stderr).toBe('error: <folder> is missing; --help says what it is\n')
    expect(code).toBe(2)
  })

  it('is an empty folder name, or an address of PostgreSQL that is none', async () => {
    expect((await inside(['pull', ...SPEC, '--out', ''])).stderr).toContain('--out is missing')
    const { stderr } = await inside(['load', 'data', '--into', 'postgres', '--database', 'localhost'])
    expect(stderr).toContain('--database must be an address of PostgreSQL and begin with postgres://')
  })
})

describe('a folder that is a file', () => {
  it.each<[command: string, args: (path: string) => readonly string[]]>([
    ['pull', path => ['pull', ...SPEC, '--out', path]],
    ['plan', path => ['plan', ...SPEC, '--out', path]],
    ['status', path => ['status', path]],
    ['verify', path => ['verify', path]],
    ['sync', path => ['sync', path]],
    ['load', path => ['load', path, '--into', 'duckdb', '--database', join(path, '..', 'x.duckdb')]],
  ])('is refused by %s, with what to do, and stays as it is', async (_, args) => {
    const folder = tempFolder()
    writeFileSync(join(folder, 'data'), 'mine')
    const { stderr, code } = await inside(args(join(folder, 'data')))
    expect(stderr).toMatch(
      /: a (part of the path is a file, not a folder|file of that name is there, not a folder) \(E[A-Z]+\); choose another folder\n$/,
    )
    expect(code).toBe(7)
    expect(readdirSync(folder)).toEqual(['data'])
  })
})

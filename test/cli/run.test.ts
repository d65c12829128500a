import { EventEmitter } from 'node:events'
import { readdirSync, readFileSync, symlinkSync, writeFileSync, lstatSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { version } from '../../src/version.ts'
import { TEST_PASSWORD, TEST_USERNAME } from '../tooling/secrets.ts'
import { tempFolder } from '../tooling/temp-folder.ts'
import { inside, simulated, TWO_HOURS } from './headrace.ts'

const HISTORICAL = ['emissions', 'historical', ...TWO_HOURS]

describe('--json', () => {
  const nowhere = { WATTTIME_USER: 'a', WATTTIME_PASSWORD: 'b', WATTTIME_API_URL: 'ftp://x' }

  it.each<[what: string, args: string[], exitCode: number]>([
    ['no command', [], 2],
    ['help', ['--help'], 0],
    ['help of a command', ['emissions', 'historical', '--help'], 0],
    ['the version', ['--version'], 0],
    ['a command nobody knows', ['emisions'], 2],
    ['an operation nobody knows', ['emissions', 'histrical'], 2],
    ['an option nobody knows', [...HISTORICAL, '--regoin', 'x'], 2],
    ['an option without its value', ['emissions', 'historical', '--region'], 2],
    ['an operand too many', [...HISTORICAL, 'more'], 2],
    ['a required option that is missing', ['emissions', 'region', '--latitude', '1'], 2],
    ['a value that is no number', ['emissions', 'region', '--latitude', 'north', '--longitude', '1'], 2],
    ['a format beside it', [...HISTORICAL, '--format', 'csv'], 2],
    ['a file without an ending', [...HISTORICAL, '--output', 'file'], 2],
    ['a setting that makes no sense', [...HISTORICAL, '--retries', 'many'], 3],
    ['an address that is none', HISTORICAL, 3],
    ['a folder that is not there', [...HISTORICAL, '--output', '/nowhere/at/all.csv'], 7],
    ['tables of codes', ['codes'], 0],
    ['a table of codes nobody knows', ['codes', 'site-typs'], 2],
    ['settings', ['config', 'streamflow'], 0],
    ['settings of a service nobody knows', ['config', 'streemflow'], 2],
    ['settings that make no sense', ['config'], 3],
    ['faults that are none', ['simulate', '--faults', 'slow-year'], 2],
  ])('gives one document for %s', async (_, args, exitCode) => {
    const { code, stdout } = await inside([...args, '--json'], { env: nowhere })
    expect(JSON.parse(stdout)).toMatchObject({ exitCode, outcome: expect.any(String) as string })
    expect(code).toBe(exitCode)
  })

  it('gives one document for a query that cannot work', async () => {
    const { env } = await simulated()
    const { code, stdout } = await inside([...HISTORICAL, '--model', 'newest', '--json'], { env })
    expect(JSON.parse(stdout)).toMatchObject({ outcome: 'usage', exitCode: 2, error: { argument: 'model' } })
    expect(code).toBe(2)
  })

  it('gives the rows, their metadata and what is missing', async () => {
    const { env } = await simulated({ faults: [{ do: { type: 'rows', drop: [3] } }] })
    const { code, stdout, stderr } = await inside([...HISTORICAL, '--json'], { env })
    const document = JSON.parse(stdout) as { rows: unknown[]; meta: unknown[] }
    expect(document).toMatchObject({ outcome: 'holes', exitCode: 8, service: 'emissions', count: 24 })
    expect(document).toMatchObject({ completeness: { expected: 25, received: 24 } })
    expect(document.rows).toHaveLength(24)
    expect(document.rows[0]).toEqual({ point_time: '2024-01-01T00:00:00Z', value: 703.2 })
    expect(document.meta).toHaveLength(1)
    expect(stderr).toBe('')
    expect(code).toBe(8)
  })

  it('tells of a failure what the error knows', async () => {
    const { env } = await simulated({ faults: [{ do: { type: 'status', status: 503 } }] })
    const { stdout } = await inside([...HISTORICAL, '--json', '--retries', '0'], { env })
    expect(JSON.parse(stdout)).toMatchObject({
      outcome: 'try-again',
      error: { code: 'HEADRACE_INTERRUPTED', kind: 'http_5xx', failure: { status: 503 } },
    })
  })

  it('tells of a file what was written, and leaves the rows out', async () => {
    const { env } = await simulated()
    const path = join(tempFolder(), 'x.csv')
    const { stdout } = await inside([...HISTORICAL, '--json', '--output', path], { env })
    const document = JSON.parse(stdout) as Record<string, unknown>
    expect(document['output']).toEqual({ file: path, format: 'csv', bytes: readFileSync(path).length })
    expect(document).not.toHaveProperty('rows')
  })
})

describe('what is shown of secrets', () => {
  it.each([
    ['with a sign of equality', ['--passwrod=hunter2hunter2']],
    ['behind the option', ['--passwrod', 'hunter2hunter2']],
    ['where a command is due', ['--api-key', 'hunter2hunter2']],
    ['as a value that is refused', ['--password', 'hunter2hunter2', '--retries', 'hunter2hunter2']],
  ])('is nothing of one that was typed %s', async (_, args) => {
    const { stdout, stderr, code } = await inside([...args, ...HISTORICAL, '--json'])
    expect(stdout + stderr).not.toContain('hunter2')
    expect(code).toBe(2)
  })

  it('is a warning where one was typed, and what to do instead', async () => {
    const { env, simulator } = await simulated()
    const typed = [...HISTORICAL, '--password', TEST_PASSWORD, '--username', TEST_USERNAME, '--quiet']
    const { code, stderr } = await inside(typed, { env: { WATTTIME_API_URL: env['WATTTIME_API_URL'] } })
    expect(stderr).toContain('warning: what stands behind --password can be seen in the list of processes')
    expect(stderr).toContain('set WATTTIME_PASSWORD instead')
    expect(simulator.requests.length).toBe(2)
    expect(code).toBe(0)
  })

  it('is nothing of the account that is opened, whose secrets come from the environment', async () => {
    const { env, simulator } = await simulated({ accounts: [] })
    const { stdout, code } = await inside(['emissions', 'register', '--email', 'a@example.org', '--format', 'json'], {
      env,
    })
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toEqual([{ ok: 'User created' }])
    expect(simulator.requests.map(({ path }) => path)).toEqual(['/register'])
  })
})

describe('standard output', () => {
  it('shows the first and last rows of a long table, and says so', async () => {
    const { env } = await simulated()
    const day = ['--region', 'CAISO_NORTH', '--start', '2024-01-01', '--end', '2024-01-01T23:55']
    const { stdout, stderr } = await inside(['emissions', 'historical', ...day], { env })
    const lines = stdout.trimEnd().split('\n')
    expect(lines).toHaveLength(1 + 40 + 1 + 10)
    expect(lines.at(-1)).toMatch(/^2024-01-01T23:55:00Z/)
    expect(stderr).toContain('50 of 288 rows are shown; --format csv gives all')
  })

  it.each(['csv', 'jsonl', 'json'])('holds the same rows as %s', async format => {
    const { env, simulator } = await simulated()
    const { stdout } = await inside([...HISTORICAL, '--format', format, '-q'], { env })
    const rows =
      format === 'csv'
        ? stdout.trimEnd().split('\n').slice(1)
        : format === 'jsonl'
          ? stdout.trimEnd().split('\n').map(fromJson)
          : (JSON.parse(stdout) as object[]).map(row => Object.values(row).join(','))
    const truth = simulator.truth.historical({ region: 'CAISO_NORTH', start: '2024-01-01', end: '2024-01-01T02:00' })
    expect(rows).toEqual(truth.map(row => `${new Date(row.point_time).toISOString().replace('.000', '')},${row.value}`))
  })

  it('ends quietly when its reader has gone', async () => {
    const { env } = await simulated()
    const refuse = (): Error => Object.assign(new Error('write EPIPE'), { code: 'EPIPE' })
    expect(await inside([...HISTORICAL, '--format', 'csv'], { env, refuse })).toEqual({
      code: 0,
      stdout: '',
      stderr: '',
    })
  })
})

describe('--output', () => {
  it('leaves what was there before when the call fails', async () => {
    const { env } = await simulated({ faults: [{ do: { type: 'status', status: 400 } }] })
    const folder = tempFolder()
    writeFileSync(join(folder, 'x.csv'), 'before')
    const { code } = await inside([...HISTORICAL, '--output', join(folder, 'x.csv')], { env })
    expect(code).toBe(6)
    expect(readdirSync(folder)).toEqual(['x.csv'])
    expect(readFileSync(join(folder, 'x.csv'), 'utf8')).toBe('before')
  })

  it('follows a link, which stays one', async () => {
    const { env } = await simulated()
    const folder = tempFolder()
    writeFileSync(join(folder, 'real.csv'), 'before')
    symlinkSync('real.csv', join(folder, 'x.csv'))
    await inside([...HISTORICAL, '--output', join(folder, 'x.csv')], { env })
    expect(lstatSync(join(folder, 'x.csv')).isSymbolicLink()).toBe(true)
    expect(readFileSync(join(folder, 'real.csv'), 'utf8')).toMatch(/^point_time,value\n/)
  })

  it('is refused where it is a folder', async () => {
    const { code, stderr } = await inside([...HISTORICAL, '--output', tempFolder(), '--format', 'csv'])
    expect(stderr).toContain('it is a folder (EISDIR); give the name of a file')
    expect(code).toBe(7)
  })
})

describe('standard error', () => {
  it('has a progress line on a terminal, ended before anything else is said', async () => {
    const { env } = await simulated()
    const { stderr } = await inside(HISTORICAL, { env, terminal: true })
    expect(stderr).toContain('\r\u001B[2Kemissions getHistorical: complete · 25 rows · 1 response\nemissions')
  })

  it('is as wide as usual where a terminal says that it has no columns', async () => {
    const { env } = await simulated()
    const { stdout, stderr } = await inside(HISTORICAL, { env, terminal: true, columns: 0 })
    expect(stderr).toContain('complete · 25 rows · 1 response\n')
    expect(stdout.split('\n')[0]).toMatch(/^point_time +value$/)
  })

  it.each([
    ['no terminal', {}, []],
    ['--quiet', { terminal: true }, ['--quiet']],
    ['--json', { terminal: true }, ['--json']],
  ])('has none with %s', async (_, given, flags) => {
    const { env } = await simulated()
    const { stderr } = await inside([...HISTORICAL, ...flags], { env, ...given })
    expect(stderr).not.toContain('\r')
  })

  it.each([
    ['on a terminal', {}, true],
    ['where NO_COLOR is set', { NO_COLOR: '1' }, false],
    ['on a terminal that can do nothing', { TERM: 'dumb' }, false],
  ])('has coloured errors: %s', async (_, env, coloured) => {
    const { stderr } = await inside(['emisions'], { env, terminal: true })
    expect(stderr.startsWith('\u001B[1;31merror:\u001B[0m unknown command')).toBe(coloured)
  })

  it('tells what is done with -v', async () => {
    const { env } = await simulated()
    const once = await inside([...HISTORICAL, '-v'], { env })
    expect(once.stderr).toContain('info: emissions getHistorical: logging in')
    const none = await inside(HISTORICAL, { env })
    expect(none.stderr).not.toContain('info:')
  })
})

describe('interrupts', () => {
  it('the second one ends the program at once', async () => {
    const { env, simulator } = await simulated({ faults: [{ do: { type: 'hang' } }] })
    const signals = new EventEmitter()
    const running = inside(HISTORICAL, { env, signals })
    await expect.poll(() => simulator.requests.length).toBe(2)
    signals.emit('SIGINT')
    signals.emit('SIGINT')
    expect((await running).code).toBe(130)
    expect(signals.listenerCount('SIGINT')).toBe(0)
  })

  it('one ends the simulator in order', async () => {
    const signals = new EventEmitter()
    const running = inside(['simulate'], { signals })
    await expect.poll(() => signals.listenerCount('SIGINT')).toBe(1)
    signals.emit('SIGINT')
    const { code, stdout } = await running
    expect(stdout).toMatch(/^http:\/\/127\.0\.0\.1:\d+\n$/)
    expect(code).toBe(0)
  })
})

describe('the program', () => {
  it('says its version', async () => {
    expect((await inside(['--version'])).stdout).toBe(`${version}\n`)
  })

  it.each([[['help', 'emissions', 'historical']], [['emissions', 'historical', '-h']]])('helps with %j', async args => {
    const { stdout, code } = await inside(args)
    expect(stdout).toContain('Usage: headrace emissions historical [options]')
    expect(stdout).toContain('--region CAISO_NORTH')
    expect(code).toBe(0)
  })

  it('takes options that stand before the command', async () => {
    const { env } = await simulated()
    expect((await inside(['--quiet', ...HISTORICAL], { env })).stderr).toBe('')
  })
})

function fromJson(line: string): string {
  return Object.values(JSON.parse(line) as object).join(',')
}

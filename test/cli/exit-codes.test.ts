import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { tempFolder } from '../tooling/temp-folder.ts'
import { PROGRAM } from './built.ts'
import { binary, shell, simulated, start, TWO_HOURS } from './headrace.ts'

const HISTORICAL = ['emissions', 'historical', ...TWO_HOURS]
const QUICK = ['--retries', '0', '--read-timeout-ms', '300', '--rate', '1000']

/** Every exit code through the program itself, in a process of its own. */
describe('exit codes of the program', () => {
  it('0: data on standard output, words on standard error', async () => {
    const { env, simulator } = await simulated()
    const { code, stdout, stderr } = await binary([...HISTORICAL, '--format', 'csv'], env)
    const truth = simulator.truth.historical({ region: 'CAISO_NORTH', start: '2024-01-01', end: '2024-01-01T02:00' })
    expect(stdout.split('\n')).toHaveLength(1 + 25 + 1)
    expect(stdout).toContain(`2024-01-01T02:00:00Z,${truth.at(-1)?.value}\n`)
    expect(stderr).toContain('holes: none, 25 of 25 samples received')
    expect(code).toBe(0)
  })

  it('1: something that should not happen', async () => {
    const broken = `data:text/javascript,${encodeURIComponent('String.prototype.padStart = () => { throw new Error("broken") }')}`
    const { code, stdout, stderr } = await binary(['config', '--json'], { NODE_OPTIONS: `--import=${broken}` })
    expect(stderr).toBe('error: broken\n')
    expect(JSON.parse(stdout)).toMatchObject({ outcome: 'unexpected', exitCode: 1, message: 'broken' })
    expect(code).toBe(1)
  })

  it('2: a query that cannot work', async () => {
    const { code, stderr, stdout } = await binary(['emissions', 'historical', '--regoin', 'X'])
    expect(stderr).toBe("error: unknown option '--regoin'; did you mean --region?\n")
    expect(stdout).toBe('')
    expect(code).toBe(2)
  })

  it('3: credentials that are missing, and credentials that are refused', async () => {
    const { env } = await simulated()
    const missing = await binary(HISTORICAL, { ...env, WATTTIME_PASSWORD: '' })
    expect(missing.stderr).toContain('WATTTIME_PASSWORD')
    expect(missing.code).toBe(3)
    const refused = await binary(HISTORICAL, { ...env, WATTTIME_PASSWORD: 'not-the-password' })
    expect(refused.stderr).toContain('the service refuses the user name or the password')
    expect(refused.stderr).not.toContain('not-the-password')
    expect(refused.code).toBe(3)
  })

  it('4: nothing matched, where that was said to be a failure', async () => {
    const { env } = await simulated()
    const nowhere = ['emissions', 'region', '--latitude', '0', '--longitude', '-150']
    expect((await binary(nowhere, env)).code).toBe(0)
    expect((await binary([...nowhere, '--fail-empty'], env)).code).toBe(4)
  })

  it('5: the service was in trouble for as long as was allowed', async () => {
    const { env } = await simulated({ faults: [{ do: { type: 'status', status: 503 } }] })
    const { code, stderr } = await binary([...HISTORICAL, ...QUICK], env)
    expect(stderr).toContain('503')
    expect(code).toBe(5)
  })

  it('6: refused for good', async () => {
    const { env } = await simulated()
    const free = { ...env, WATTTIME_USER: 'free', WATTTIME_PASSWORD: 'free-pass-1!' }
    const { code, stderr } = await binary(['emissions', 'historical', ...TWO_HOURS.with(1, 'PJM_DC'), ...QUICK], free)
    expect(stderr).toContain('403')
    expect(code).toBe(6)
  })

  it('7: a folder that is not there, and nothing was asked for', async () => {
    const { env, simulator } = await simulated()
    const { code, stderr } = await binary([...HISTORICAL, '--output', join(tempFolder(), 'no/where.csv')], env)
    expect(stderr).toContain('there is no such file or folder (ENOENT)')
    expect(simulator.requests).toEqual([])
    expect(code).toBe(7)
  })

  it.runIf(existsSync('/dev/full'))('7: a disk that is full, behind a file and behind standard output', async () => {
    const { env } = await simulated()
    const file = await binary([...HISTORICAL, '--output', '/dev/full', '--format', 'csv'], env)
    expect(file.stderr).toContain('the disk is full (ENOSPC)')
    expect(file.code).toBe(7)
    const words = [process.execPath, PROGRAM, ...HISTORICAL, '--format', 'csv']
    const { code, stderr } = await shell(`${words.join(' ')} > /dev/full`, env)
    expect(stderr).toContain('cannot write to standard output: the disk is full (ENOSPC)')
    expect(code).toBe(7)
  })

  it('7: a file that grows beyond what is allowed, and nothing is left', async () => {
    const { env } = await simulated()
    const folder = tempFolder()
    const year = ['--region', 'CAISO_NORTH', '--start', '2023-01-01', '--end', '2024-01-01']
    const words = [process.execPath, PROGRAM, 'emissions', 'historical', ...year]
    const { code, stderr } = await shell(`ulimit -f 64; ${words.join(' ')} --output ${join(folder, 'x.csv')}`, env)
    expect(stderr).toContain('EFBIG')
    expect(code).toBe(7)
    expect(readdirSync(folder)).toEqual([])
  })

  it('8: done, but samples are missing, unless that is accepted', async () => {
    const { env } = await simulated({ faults: [{ do: { type: 'rows', drop: [3] } }] })
    const folder = tempFolder()
    const { code, stderr } = await binary([...HISTORICAL, '--output', join(folder, 'x.csv')], env)
    expect(stderr).toContain('samples missing')
    expect(code).toBe(8)
    expect(readdirSync(folder)).toEqual(['x.csv'])
    expect((await binary([...HISTORICAL, '--accept-holes'], env)).code).toBe(0)
  })

  it('10: a budget of requests, and a deadline', async () => {
    const { env } = await simulated({ faults: [{ do: { type: 'hang' } }] })
    const months = ['--region', 'CAISO_NORTH', '--start', '2024-01-01', '--end', '2024-03-01']
    const spent = await binary(['emissions', 'historical', ...months, '--max-requests', '1'], (await simulated()).env)
    expect(spent.stderr).toContain('maxRequests')
    expect(spent.code).toBe(10)
    const late = await binary([...HISTORICAL, '--deadline-ms', '300'], env)
    expect(late.stderr).toContain('deadline')
    expect(late.code).toBe(10)
  })

  it.each(['SIGINT', 'SIGTERM'] as const)('130: %s, and no half file is left', async signal => {
    const { env, simulator } = await simulated({ faults: [{ do: { type: 'hang' } }] })
    const folder = tempFolder()
    const { child, end } = start([...HISTORICAL, '--output', join(folder, 'x.csv')], env)
    while (!simulator.requests.some(({ path }) => path.startsWith('/v3'))) await wait(10)
    child.kill(signal)
    const { code, stderr } = await end
    expect(stderr).toContain('stopping')
    expect(stderr).toContain(`interrupted (${signal})`)
    expect(code).toBe(130)
    expect(readdirSync(folder)).toEqual([])
  })

  it('0: a reader that has seen enough ends it quietly', async () => {
    const { env } = await simulated()
    const year = ['--region', 'CAISO_NORTH', '--start', '2023-01-01', '--end', '2024-01-01']
    const words = [process.execPath, PROGRAM, 'emissions', 'historical', ...year, '--format', 'csv']
    const { stdout, stderr } = await shell(`{ ${words.join(' ')}; echo "code $?" >&2; } | head -1`, env)
    expect(stdout).toBe('point_time,value\n')
    expect(stderr).toBe('code 0\n')
  })
})

describe('the list of exit codes', () => {
  it('is in the guide as it is in the help', async () => {
    const { stdout } = await binary(['--help'])
    const guide = readFileSync(join(import.meta.dirname, '../../docs/guide/command-line.md'), 'utf8')
    const codes = stdout.slice(stdout.indexOf('Exit codes:')).trim().split('\n').slice(1)
    expect(codes).toHaveLength(12)
    for (const line of codes) {
      const [, code = '', text = ''] = /^\s*(\d+) {2}(.*)$/.exec(line) ?? []
      expect(guide).toContain(`| ${code} | ${text} |`)
    }
  })
})

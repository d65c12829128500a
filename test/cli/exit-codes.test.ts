import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Fault } from '../../src/simulator/index.ts'
import { tempFolder } from '../tooling/temp-folder.ts'
import { PROGRAM } from './built.ts'
import { binary, firstLine, shell, simulated, start, TWO_HOURS } from './headrace.ts'

const HISTORICAL = ['emissions', 'historical', ...TWO_HOURS]
const QUICK = ['--retries', '0', '--read-timeout-ms', '300', '--rate', '1000']

/** A way to end, and how to get there. */
interface Situation {
  readonly args: readonly string[]
  readonly env?: Readonly<Record<string, string | undefined>>
  /** What standard error says. */
  readonly says?: string
}

const MONTHS = ['--region', 'CAISO_NORTH', '--start', '2024-01-01', '--end', '2024-03-01']
const HANG: Fault = { do: { type: 'hang' } }

const SITUATIONS: readonly (readonly [code: number, what: string, make: () => Promise<Situation>])[] = [
  [0, 'done', async () => ({ args: HISTORICAL, env: (await simulated()).env })],
  [1, 'something that should not happen', async () => ({ args: ['config'], env: BROKEN, says: 'error: broken' })],
  [
    2,
    'an option nobody knows',
    async () => ({ args: ['emissions', 'historical', '--regoin', 'X'], says: 'did you mean --region?' }),
  ],
  [
    3,
    'a password that is missing',
    async () => ({
      args: HISTORICAL,
      env: { ...(await simulated()).env, WATTTIME_PASSWORD: '' },
      says: 'WATTTIME_PASSWORD',
    }),
  ],
  [
    3,
    'a password that is refused',
    async () => ({
      args: HISTORICAL,
      env: { ...(await simulated()).env, WATTTIME_PASSWORD: 'not-the-password' },
      says: 'the service refuses the user name or the password',
    }),
  ],
  [
    4,
    'nothing matched',
    async () => ({
      args: ['emissions', 'region', '--latitude', '0', '--longitude', '-150', '--fail-empty'],
      env: (await simulated()).env,
    }),
  ],
  [
    5,
    'a service in trouble',
    async () => ({
      args: [...HISTORICAL, ...QUICK],
      env: (await simulated({ faults: [{ do: { type: 'status', status: 503 } }] })).env,
      says: '503',
    }),
  ],
  [
    6,
    'refused for good',
    async () => ({
      args: ['emissions', 'historical', ...TWO_HOURS.with(1, 'PJM_DC')],
      env: { ...(await simulated()).env, WATTTIME_USER: 'free', WATTTIME_PASSWORD: 'free-pass-1!' },
      says: '403',
    }),
  ],
  [
    7,
    'a folder that is not there',
    async () => ({
      args: [...HISTORICAL, '--output', join(tempFolder(), 'no/where.csv')],
      env: (await simulated()).env,
      says: 'there is no such file or folder (ENOENT)',
    }),
  ],
  [
    8,
    'samples are missing',
    async () => ({
      args: HISTORICAL,
      env: (await simulated({ faults: [{ do: { type: 'rows', drop: [3] } }] })).env,
    }),
  ],
  [
    10,
    'a budget of requests is spent',
    async () => ({
      args: ['emissions', 'historical', ...MONTHS, '--max-requests', '1'],
      env: (await simulated()).env,
      says: 'maxRequests',
    }),
  ],
  [
    10,
    'a deadline came first',
    async () => ({
      args: [...HISTORICAL, '--deadline-ms', '300'],
      env: (await simulated({ faults: [HANG] })).env,
      says: 'deadline',
    }),
  ],
]

/** Breaks something that the program relies on. */
const BROKEN = {
  NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent('String.prototype.padStart = () => { throw new Error("broken") }')}`,
}

/** Every exit code through the program itself, in a process of its own. */
describe('exit codes of the program', { timeout: 60_000 }, () => {
  it.each(SITUATIONS)('%i: %s, in words and as one JSON document', async (exitCode, _, make) => {
    const { args, env, says = '' } = await make()
    const [plain, json] = await Promise.all([binary(args, env), binary([...args, '--json'], env)])
    expect(plain.stderr).toContain(says)
    expect(plain.code).toBe(exitCode)
    expect(JSON.parse(json.stdout)).toMatchObject({ exitCode })
    expect(json.code).toBe(exitCode)
  })

  it('0: data on standard output, words on standard error', async () => {
    const { env, simulator } = await simulated()
    const { stdout, stderr } = await binary([...HISTORICAL, '--format', 'csv'], env)
    const truth = simulator.truth.historical({ region: 'CAISO_NORTH', start: '2024-01-01', end: '2024-01-01T02:00' })
    expect(stdout.split('\n')).toHaveLength(1 + 25 + 1)
    expect(stdout).toContain(`2024-01-01T02:00:00Z,${truth.at(-1)?.value}\n`)
    expect(stderr).toContain('holes: none, 25 of 25 samples received')
  })

  it('0: nothing matched, where that is no failure', async () => {
    const { env } = await simulated()
    expect((await binary(['emissions', 'region', '--latitude', '0', '--longitude', '-150'], env)).code).toBe(0)
  })

  it('0: samples are missing, and that is accepted', async () => {
    const { env } = await simulated({ faults: [{ do: { type: 'rows', drop: [3] } }] })
    expect((await binary([...HISTORICAL, '--accept-holes'], env)).code).toBe(0)
  })

  it('0: a reader that has seen enough ends it quietly', async () => {
    const { env } = await simulated()
    const year = ['--region', 'CAISO_NORTH', '--start', '2023-01-01', '--end', '2024-01-01']
    const words = [process.execPath, PROGRAM, 'emissions', 'historical', ...year, '--format', 'csv']
    const { stdout, stderr } = await shell(`{ ${words.join(' ')}; echo "code $?" >&2; } | head -1`, env)
    expect(stdout).toBe('point_time,value\n')
    expect(stderr).toBe('code 0\n')
  })

  it('0: a simulator that is stopped, and 7: a port that is taken', async () => {
    const { child, end } = start(['simulate', '--quiet'])
    const url = await firstLine(child)
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
    const second = await binary(['simulate', '--port', new URL(url).port])
    expect(second.stderr).toContain('EADDRINUSE')
    expect(second.code).toBe(7)
    child.kill('SIGINT')
    expect((await end).code).toBe(0)
  })

  it('7: nothing is asked for where nothing can be written', async () => {
    const { env, simulator } = await simulated()
    await binary([...HISTORICAL, '--output', join(tempFolder(), 'no/where.csv')], env)
    expect(simulator.requests).toEqual([])
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

  it.each(['SIGINT', 'SIGTERM'] as const)('130: %s, and no half file is left', async signal => {
    const { env, simulator } = await simulated({ faults: [HANG] })
    const folder = tempFolder()
    const { child, end } = start([...HISTORICAL, '--output', join(folder, 'x.csv'), '--json'], env)
    await expect.poll(() => simulator.requests.length, { timeout: 30_000 }).toBe(2)
    child.kill(signal)
    const { code, stdout, stderr } = await end
    expect(stderr).toContain('stopping')
    expect(stderr).toContain(`interrupted (${signal})`)
    expect(JSON.parse(stdout)).toMatchObject({ outcome: 'interrupted', exitCode: 130 })
    expect(code).toBe(130)
    expect(readdirSync(folder)).toEqual([])
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

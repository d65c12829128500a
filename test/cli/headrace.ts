import { spawn, type ChildProcess } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { EventEmitter, once } from 'node:events'
import { onTestFinished } from 'vitest'
import { run } from '../../src/cli/run.ts'
import { startSimulator, type Simulator, type SimulatorOptions } from '../../src/simulator/index.ts'
import { seen } from '../tooling/leaks.ts'
import { PROGRAM } from './built.ts'
import { TEST_PASSWORD, TEST_USERNAME } from '../tooling/secrets.ts'

type Env = Readonly<Record<string, string | undefined>>

/** What a command left behind. */
export interface Left {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** A simulator that knows the test account, and an environment that leads there. */
export async function simulated(options: SimulatorOptions = {}): Promise<{ simulator: Simulator; env: Env }> {
  const simulator = await startSimulator({
    accounts: [
      { username: TEST_USERNAME, password: TEST_PASSWORD, plan: 'pro' },
      { username: 'free', password: 'free-pass-1!', plan: 'free' },
    ],
    ...options,
  })
  onTestFinished(() => simulator.close())
  return { simulator, env: envOf(simulator.url) }
}

export function envOf(url: string): Env {
  return {
    WATTTIME_API_URL: url,
    WATTTIME_USER: TEST_USERNAME,
    WATTTIME_PASSWORD: TEST_PASSWORD,
    HEADRACE_PROXY: 'none',
  }
}

/** Starts the program in a process of its own. */
export function start(args: readonly string[], env: Env = {}): { child: ChildProcess; end: Promise<Left> } {
  return begin(process.execPath, [PROGRAM, ...args], env)
}

/** What a process says first. */
export async function firstLine({ stdout }: ChildProcess): Promise<string> {
  if (stdout === null) throw new Error('its output is not piped')
  const [chunk] = (await once(stdout, 'data')) as [Buffer]
  return chunk.toString('utf8').split('\n')[0] ?? ''
}

/** Runs a line of shell. */
export function shell(line: string, env: Env = {}, cwd?: string): Promise<Left> {
  return begin('sh', ['-c', line], env, cwd).end
}

function begin(
  file: string,
  args: readonly string[],
  env: Env,
  cwd?: string,
): { child: ChildProcess; end: Promise<Left> } {
  const variables = Object.entries({ ...process.env, ...env })
  const child = spawn(file, args, {
    env: Object.fromEntries(variables.filter(([, value]) => value !== undefined)) as NodeJS.ProcessEnv,
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(cwd === undefined ? {} : { cwd }),
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const ended = new Promise<number | null>(resolve => child.once('close', resolve))
  const end = Promise.all([ended, text(child.stdout), text(child.stderr)]).then(([code, stdout, stderr]) => ({
    code,
    stdout: seen('output', stdout),
    stderr: seen('output', stderr),
  }))
  return { child, end }
}

/** Runs the program in a process of its own, to its end. */
export function binary(args: readonly string[], env: Env = {}): Promise<Left> {
  return start(args, env).end
}

/** How the program is run within this process. */
export interface Inside {
  readonly env?: Env
  /** Whether its streams are terminals. */
  readonly terminal?: boolean
  /** Of a terminal. @defaultValue 100 */
  readonly columns?: number
  /** Fails a write to standard output. */
  readonly refuse?: (part: string) => Error | undefined
  readonly signals?: EventEmitter
}

/** Runs the program within this process: quicker, and its streams can be anything. */
export async function inside(args: readonly string[], given: Inside = {}): Promise<Left> {
  const { env = {}, terminal = false, columns = 100, refuse, signals = new EventEmitter() } = given
  const said = { stdout: '', stderr: '' }
  const stream = (name: keyof typeof said): never =>
    Object.assign(new EventEmitter(), {
      ...(terminal ? { isTTY: true, columns } : {}),
      write(part: string, done?: (error?: Error) => void) {
        const error = name === 'stdout' ? refuse?.(part) : undefined
        if (error === undefined) said[name] += part
        done?.(error)
        return true
      },
    }) as never
  let forced: number | undefined
  const code = await run({
    args,
    env,
    stdout: stream('stdout'),
    stderr: stream('stderr'),
    signals,
    pid: process.pid,
    exit: number => {
      forced = number
    },
  })
  return { code: forced ?? code, stdout: seen('output', said.stdout), stderr: seen('output', said.stderr) }
}

/** A span of two hours of a region that the simulator knows: 25 samples. */
export const TWO_HOURS = ['--region', 'CAISO_NORTH', '--start', '2024-01-01', '--end', '2024-01-01T02:00']

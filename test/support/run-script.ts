import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { seen } from '../tooling/leaks.ts'

/** What a program left behind. */
export interface ScriptEnd {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/**
 * Runs a TypeScript program in a process of its own.
 *
 * @param path - the program
 * @param cwd - where it runs; from there it sees the project's own settings for TypeScript only if told
 * @param env - variables on top of this process's own; `undefined` takes one away
 */
export async function runScript(
  path: string,
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>> = {},
  cwd?: string,
): Promise<ScriptEnd> {
  const variables = Object.entries({ ...process.env, ...env }).filter(([, value]) => value !== undefined)
  const child = spawn(process.execPath, ['--import', 'tsx', path, ...args], {
    env: Object.fromEntries(variables) as NodeJS.ProcessEnv,
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(cwd === undefined ? {} : { cwd }),
  })
  const ended = new Promise<number | null>(resolve => child.once('close', resolve))
  const [stdout, stderr, code] = await Promise.all([text(child.stdout), text(child.stderr), ended])
  return { code, stdout: seen('output', stdout), stderr: seen('output', stderr) }
}

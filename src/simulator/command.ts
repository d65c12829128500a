import { parseArgs } from 'node:util'
import { systemClock } from '../clock.ts'
import { ConfigurationError } from '../errors.ts'
import type { Fault } from './fault.ts'
import { resolveSimulation, type SimulatorOptions } from './options.ts'
import { PRESETS, type Preset } from './presets.ts'
import { startSimulator, type Simulator } from './simulator.ts'

const HELP = `simulate: a local server that answers like the services

  --port <number>           port on 127.0.0.1 (default: any free one)
  --seed <number>           what draws of chance depend on (default: 1)
  --faults <preset|json>    ${Object.keys(PRESETS).join(', ')}; or a JSON list of faults; or {"faults": [...], "limits": {...}}
  --help                    this text
`

/**
 * What `npm run simulate` does.
 *
 * @param args - what stands behind the command
 * @param say - where words for people go
 * @returns the running server, or `undefined` when only help was wanted
 * @throws ConfigurationError for an argument that makes no sense
 */
export async function simulate(args: readonly string[], say: (text: string) => void): Promise<Simulator | undefined> {
  const { help, ...options } = readArguments(args)
  if (help) return void say(HELP)
  const simulator = await startSimulator(options)
  say(greeting(simulator.url))
  return simulator
}

function readArguments(args: readonly string[]): SimulatorOptions & { readonly help: boolean } {
  const { port, seed, faults, help } = parse(args)
  return {
    help: help ?? false,
    ...(port === undefined ? {} : { port: wholeNumber('--port', port, 65_535) }),
    ...(seed === undefined ? {} : { seed: wholeNumber('--seed', seed, 2 ** 31 - 1) }),
    ...(faults === undefined ? {} : readFaults(faults)),
  }
}

function parse(args: readonly string[]): { port?: string; seed?: string; faults?: string; help?: boolean } {
  const text = { type: 'string' } as const
  try {
    return parseArgs({
      args: [...args],
      options: { port: text, seed: text, faults: text, help: { type: 'boolean', short: 'h' } },
    }).values
  } catch (error) {
    throw new ConfigurationError(error instanceof Error ? error.message : String(error), {
      setting: 'arguments',
      source: 'command line',
    })
  }
}

function wholeNumber(setting: string, text: string, most: number): number {
  if (/^\d+$/.test(text) && Number(text) <= most) return Number(text)
  throw new ConfigurationError(`${setting} must be a whole number from 0 to ${most}, got '${text}'`, {
    setting,
    source: 'command line',
  })
}

function readFaults(text: string): Preset {
  const preset = PRESETS[text]
  if (preset) return preset()
  const about = { setting: '--faults', source: 'command line' }
  let given: unknown
  try {
    given = JSON.parse(text)
  } catch {
    throw new ConfigurationError(
      `--faults must be one of ${Object.keys(PRESETS).join(', ')}, or JSON, got '${text}'`,
      about,
    )
  }
  if (Array.isArray(given)) return { faults: given as Fault[], limits: {} }
  if (typeof given === 'object' && given !== null) return { faults: [], limits: {}, ...given }
  throw new ConfigurationError('--faults must be a JSON list of faults, or an object with faults and limits', about)
}

function greeting(url: string): string {
  const { accounts } = resolveSimulation({}, systemClock)
  const [first] = accounts
  return [
    `The services are simulated at ${url}`,
    '',
    'Accounts of the emissions service; the others want no key:',
    ...accounts.map(({ username, password, plan }) => `  ${username} / ${password}  (${plan})`),
    '',
    'Point headrace at it:',
    `  export WATTTIME_API_URL=${url}`,
    `  export WATTTIME_USER=${first?.username} WATTTIME_PASSWORD='${first?.password}'`,
    '',
    'Stop it with Ctrl-C.',
    '',
  ].join('\n')
}

import { ConfigurationError } from '../errors.ts'
import type { Command } from './command-tree.ts'
import { UsageError } from './failures.ts'
import { valueOf, type Flag } from './flags.ts'
import type { Interrupted } from './interrupt.ts'

const plain = { kind: 'text', list: 'no', required: false, secret: false } as const

const FLAGS: readonly Flag[] = [
  { ...plain, name: 'port', flag: '--port', text: 'port on 127.0.0.1 (default: any free one)' },
  { ...plain, name: 'seed', flag: '--seed', text: 'what draws of chance depend on (default: 1)' },
  {
    ...plain,
    name: 'faults',
    flag: '--faults',
    text: 'slow-month; a JSON list of faults; or {"faults": [], "limits": {}}',
  },
]

/** A local server that answers like the services. Being stopped is its ordinary end. */
export const simulateCommand: Command = {
  name: 'simulate',
  summary: 'a local server that answers like the services, faults included',
  about: 'Runs until it is interrupted. Needs the package msw. Its address goes to standard output.',
  groups: [{ title: 'Simulator:', flags: FLAGS }],
  examples: ['headrace simulate --port 8080', 'headrace simulate --faults slow-month'],
  async run(typed, { terminal, json, quiet, signal }) {
    const args = FLAGS.flatMap(flag => {
      const given = typed.flags[flag.name]
      return given === undefined ? [] : [flag.flag, String(valueOf(flag, given))]
    })
    const simulator = await start(args, text => (quiet ? undefined : terminal.note(text.trimEnd())))
    try {
      const { url } = simulator
      await terminal.data([
        json ? `${JSON.stringify({ outcome: 'ok', exitCode: 0, command: 'simulate', url })}\n` : `${url}\n`,
      ])
      await interrupted(signal)
    } finally {
      await simulator.close()
    }
    return { outcome: 'ok' }
  },
}

async function start(
  args: readonly string[],
  say: (text: string) => void,
): Promise<{ url: string; close(): Promise<void> }> {
  const { simulate } = await import('../simulator/index.ts').catch((thrown: unknown) => {
    if (/Cannot find package 'msw'/.test(String(thrown)))
      throw new ConfigurationError('the simulator needs the package msw; run: npm install msw', {
        setting: 'msw',
        source: 'installed packages',
      })
    throw thrown
  })
  try {
    const simulator = await simulate(args, say)
    return simulator as NonNullable<typeof simulator>
  } catch (thrown) {
    if (thrown instanceof ConfigurationError) throw new UsageError(thrown.message)
    throw thrown
  }
}

function interrupted(signal: AbortSignal): Promise<Interrupted> {
  return new Promise(resolve => {
    if (signal.aborted) return resolve(signal.reason as Interrupted)
    signal.addEventListener('abort', () => resolve(signal.reason as Interrupted), { once: true })
  })
}

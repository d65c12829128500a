import type { PullSettings, RunOptions } from '../pull/index.ts'
import { callFlags } from './call-flags.ts'
import type { Surroundings, Typed } from './command-tree.ts'
import { UsageError } from './failures.ts'
import { valueOf, type Flag } from './flags.ts'
import { verboseLogger } from './log-lines.ts'
import { SERVICES } from './services.ts'

const plain = { list: 'no', required: false, secret: false } as const
const TRANSPORT = callFlags([], []).client

/** Bounds of a run. */
const BOUNDS: readonly Flag[] = [
  { ...plain, name: 'parallel', flag: '--parallel', kind: 'number', text: 'tasks at a time (default: 4)' },
  { ...plain, name: 'deadlineMs', flag: '--deadline-ms', kind: 'number', text: 'longest time for the whole' },
  { ...plain, name: 'maxRequests', flag: '--max-requests', kind: 'number', text: 'most requests to send' },
  {
    ...plain,
    name: 'graceMs',
    flag: '--grace-ms',
    kind: 'number',
    text: 'how long what is on its way may take after an interrupt (default: 10000)',
  },
]

const SET: Flag = {
  ...plain,
  name: 'set',
  flag: '--set',
  kind: 'text',
  list: 'may be',
  text: 'service.option=value: an option of one service, such as streamflow.baseUrl=…; several times for several',
}

/** Options of commands that ask services. */
export const RUN_FLAGS: readonly { readonly title: string; readonly flags: readonly Flag[] }[] = [
  { title: 'Bounds:', flags: BOUNDS },
  { title: 'Client:', flags: [SET, ...TRANSPORT] },
]

/** Values of flags by their names; those that were not typed are absent. */
export function typedValues(flags: readonly Flag[], { flags: typed }: Typed): Record<string, unknown> {
  return Object.fromEntries(
    flags.flatMap(flag => {
      const given = typed[flag.name]
      return given === undefined ? [] : [[flag.name, valueOf(flag, given)]]
    }),
  )
}

/** What a run is told. The first interrupt starts nothing new, and what is on its way has ten seconds to end. */
export function runOptions(typed: Typed, around: Surroundings): RunOptions {
  const logger = verboseLogger(around.terminal, around.verbose)
  return {
    ...typedValues(BOUNDS, typed),
    ...(logger ? { logger } : {}),
    settings: clientSettings(typed, around),
    stop: around.signal,
  }
}

/** Options of the clients: those of the transport for all, those of `--set` for one. */
export function clientSettings(typed: Typed, { env }: Surroundings): PullSettings {
  const all = { ...typedValues(TRANSPORT, typed), env }
  const settings: Record<string, Record<string, unknown>> = Object.fromEntries(
    Object.keys(SERVICES).map(service => [service, { ...all }]),
  )
  for (const text of typed.flags['set'] ?? []) {
    const [, service = '', option = '', value = ''] = /^([^.=]+)\.([^=]+)=(.*)$/s.exec(String(text)) ?? []
    const one = settings[service]
    if (one === undefined)
      throw new UsageError(
        `--set must be service.option=value, with one of the services ${Object.keys(SERVICES).join(', ')}`,
      )
    if (/passw|key|user/i.test(option))
      throw new UsageError(`--set takes no secrets: they would stand in the list of processes; use the environment`)
    one[option] = value
  }
  return settings
}

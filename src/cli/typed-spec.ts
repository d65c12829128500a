import { readFile } from 'node:fs/promises'
import { nearest } from '../nearest.ts'
import type { PullSpec } from '../pull/index.ts'
import type { OperationDescription } from '../retrieval/index.ts'
import type { Typed } from './command-tree.ts'
import { QueryError } from '../errors.ts'
import { LocalFailure, UsageError } from './failures.ts'
import { camelCase, commandName } from './flag-names.ts'
import { flagsOf, splitAtCommas, valueOf, type Flag } from './flags.ts'
import { SERVICES } from './services.ts'

const plain = { kind: 'text', list: 'no', required: false, secret: false } as const

/** What is pulled, where no file says it. */
export const SPEC_FLAGS: readonly Flag[] = [
  { ...plain, name: 'service', flag: '--service', text: `one of ${Object.keys(SERVICES).join(', ')}` },
  { ...plain, name: 'operation', flag: '--operation', text: 'such as historical or daily' },
  {
    ...plain,
    name: 'query',
    flag: '--query',
    text: 'name=value: an argument of the query; several times for several',
    list: 'may be',
  },
  {
    ...plain,
    name: 'each',
    flag: '--each',
    text: 'name=a,b: one series for each value; several times for several',
    list: 'may be',
  },
  { ...plain, name: 'start', flag: '--start', text: 'first instant, included' },
  { ...plain, name: 'end', flag: '--end', text: 'last instant, included (default: now)' },
  { ...plain, name: 'last', flag: '--last', text: 'in place of start: an ISO-8601 duration such as P1Y' },
  { ...plain, name: 'zone', flag: '--zone', text: 'zone of times that state none (default: UTC)' },
  { ...plain, name: 'segment', flag: '--segment', text: 'how much goes into one task: day, month, year or all' },
  {
    ...plain,
    name: 'partition',
    flag: '--partition',
    text: 'folders: columns of a series, year, month',
    list: 'always',
  },
]

/** The operand of commands that take a specification. */
export const SPEC_OPERAND = { synopsis: '[spec]', text: 'file with what to pull, JSON or YAML; or say it with options' }

/**
 * What is to be pulled: from a file, or from options. What it says of services is checked where it is planned.
 *
 * @throws UsageError, QueryError, LocalFailure
 */
export async function typedSpec({ operands: [path], flags }: Typed): Promise<PullSpec> {
  const { readSpec } = await import('../pull/index.ts')
  if (path === undefined) return readSpec(await specOfFlags(flags))
  const first = SPEC_FLAGS.find(({ name }) => flags[name] !== undefined)
  if (first) throw new UsageError(`${path} says what to pull: ${first.flag} stands beside it; put it into the file`)
  const text = await readText(path)
  try {
    return readSpec(text)
  } catch (thrown) {
    if (!(thrown instanceof QueryError)) throw thrown
    const { argument, value, message } = thrown
    throw new QueryError(`${path}: ${message}`, { argument, value })
  }
}

async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (thrown) {
    throw new LocalFailure('cannot read', path, thrown)
  }
}

async function specOfFlags(flags: Typed['flags']): Promise<object> {
  const text = (name: string): string | undefined => {
    const flag = SPEC_FLAGS.find(one => one.name === name) as Flag
    return flags[name] === undefined ? undefined : String(valueOf(flag, flags[name]))
  }
  const [service, name] = [text('service'), text('operation')]
  if (service === undefined || name === undefined)
    throw new UsageError('say what to pull: a file, or --service and --operation; see --help')
  const operation = await operationOf(service, name)
  const query = flagsOf(operation.query())
  const partition = flags['partition']
  return stated({
    start: text('start'),
    end: text('end'),
    last: text('last'),
    zone: text('zone'),
    partition: partition && valueOf(SPEC_FLAGS.at(-1) as Flag, partition),
    pulls: [
      stated({
        service,
        operation: operation.operation,
        segment: text('segment'),
        query: pairs(flags['query'], '--query', query, flag => flag),
        each: pairs(flags['each'], '--each', query, flag => ({ ...flag, list: 'always' })),
      }),
    ],
  })
}

async function operationOf(service: string, name: string): Promise<OperationDescription> {
  const entry = Object.hasOwn(SERVICES, service) ? SERVICES[service] : undefined
  if (!entry) throw unknown('--service', service, Object.keys(SERVICES))
  const { operations } = await entry.load()
  const found = operations.find(one => one.operation === name || commandName(one.operation) === commandName(name))
  if (found) return found
  throw unknown(
    '--operation',
    name,
    operations.map(one => commandName(one.operation)),
  )
}

/** `name=value` as arguments, of the kinds that the query has. */
function pairs(
  given: readonly (string | boolean)[] | undefined,
  option: string,
  query: readonly Flag[],
  shape: (flag: Flag) => Flag,
): Record<string, unknown> | undefined {
  if (given === undefined) return undefined
  const names = new Set<string>()
  return Object.fromEntries(
    given.map(text => {
      const [, name = '', value = ''] = /^([^=]+)=(.*)$/s.exec(String(text)) ?? []
      if (name === '') throw new UsageError(`${option} must be name=value; got '${text}'`)
      const flag = query.find(one => one.name === camelCase(name))
      if (!flag)
        throw unknown(
          option,
          name,
          query.map(one => one.name),
        )
      if (names.has(flag.name))
        throw new UsageError(
          `${option} ${name} is given more than once: put its values behind one, with commas between`,
        )
      names.add(flag.name)
      return [flag.name, converted(shape(flag), value)]
    }),
  )
}

function converted(flag: Flag, value: string): unknown {
  if (flag.kind !== 'boolean') return valueOf(flag, [value])
  const values = splitAtCommas(value).map(text => {
    if (text !== 'true' && text !== 'false') throw new UsageError(`${flag.name} must be true or false; got '${text}'`)
    return text === 'true'
  })
  return flag.list === 'always' ? values : values[0]
}

function stated(values: Readonly<Record<string, unknown>>): object {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined))
}

function unknown(option: string, value: string, known: readonly string[]): UsageError {
  const guess = nearest(value, known)
  return new UsageError(
    `${option} '${value}' is not known; ${guess ? `did you mean ${guess}?` : `known are ${known.join(', ')}`}`,
  )
}

import { QueryError } from '../errors.ts'
import { nearest } from '../nearest.ts'
import type { PullEntry, PullSpec } from './spec.ts'
import { parseYaml } from './yaml-text.ts'

const TIMES = ['start', 'end', 'last', 'zone'] as const
const SPEC_NAMES = ['format', 'partition', 'pulls', ...TIMES]
const ENTRY_NAMES = ['service', 'operation', 'query', 'each', 'segment', ...TIMES]
const FORMATS = ['csv', 'jsonl', 'parquet']
const SEGMENTS = ['day', 'month', 'year', 'all']

/**
 * Reads what to pull: JSON or YAML text, or the object that such text holds. What it says of services and operations
 * is checked when a plan is made of it.
 *
 * @throws QueryError naming the place, such as `pulls[1].each.region`
 */
export function readSpec(given: string | object): PullSpec {
  const read = typeof given === 'string' ? parsed(given) : given
  if (read === null || read === undefined) {
    throw new QueryError('the specification is empty: say at least what to pull, under pulls', {
      argument: 'spec',
      value: '',
    })
  }
  const spec = mapping(read, 'the specification')
  checkNames(spec, SPEC_NAMES, '')
  checkTimes(spec, '')
  checkChoice(spec['format'], FORMATS, 'format')
  if (spec['partition'] !== undefined && !isListOf(spec['partition'], isText)) {
    throw refusal('partition', spec['partition'], "a list of column names, such as ['region', 'year']")
  }
  const { pulls } = spec
  if (!Array.isArray(pulls) || pulls.length === 0) throw refusal('pulls', pulls, 'a list with one entry or more')
  return { ...spec, pulls: pulls.map(readEntry) } as PullSpec
}

function readEntry(given: unknown, at: number): PullEntry {
  const place = `pulls[${at}]`
  const entry = mapping(given, place)
  checkNames(entry, ENTRY_NAMES, `${place}.`)
  checkTimes(entry, `${place}.`)
  for (const name of ['service', 'operation']) {
    if (!isText(entry[name])) throw refusal(`${place}.${name}`, entry[name], 'a name')
  }
  checkChoice(entry['segment'], SEGMENTS, `${place}.segment`)
  if (entry['query'] !== undefined) mapping(entry['query'], `${place}.query`)
  const each = entry['each'] === undefined ? {} : mapping(entry['each'], `${place}.each`)
  for (const [name, values] of Object.entries(each)) {
    if (!isListOf(values, isPlain) || values.length === 0) {
      throw refusal(`${place}.each.${name}`, values, 'a list with one value or more')
    }
  }
  return entry as unknown as PullEntry
}

function parsed(text: string): unknown {
  try {
    return parseYaml(text)
  } catch (thrown) {
    throw new QueryError(
      `the specification is neither JSON nor YAML: ${(thrown as Error).message.split('\n')[0]?.replace(/:$/, '')}`,
      {
        argument: 'spec',
        value: `${text.length} characters`,
      },
    )
  }
}

function mapping(value: unknown, place: string): Readonly<Record<string, unknown>> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>
  throw refusal(place, value, 'names with values')
}

function checkNames(given: object, known: readonly string[], prefix: string): void {
  for (const name of Object.keys(given)) {
    if (known.includes(name)) continue
    const guess = nearest(name, known)
    throw new QueryError(`${prefix}${name} is not known${guess ? `; did you mean '${guess}'?` : ''}`, {
      argument: `${prefix}${name}`,
      value: (given as Record<string, unknown>)[name],
    })
  }
}

function checkTimes(given: Readonly<Record<string, unknown>>, prefix: string): void {
  for (const name of TIMES) {
    if (given[name] !== undefined && !isText(given[name])) throw refusal(`${prefix}${name}`, given[name], 'a text')
  }
}

function checkChoice(value: unknown, choices: readonly string[], place: string): void {
  if (value !== undefined && !choices.includes(value as string)) throw refusal(place, value, choices.join(', '))
}

function refusal(argument: string, value: unknown, wanted: string): QueryError {
  return new QueryError(`${argument} must be ${wanted}; got ${(JSON.stringify(value) ?? 'nothing').slice(0, 60)}`, {
    argument,
    value,
  })
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== ''
}

function isPlain(value: unknown): value is string | number | boolean {
  return isText(value) || typeof value === 'number' || typeof value === 'boolean'
}

function isListOf<T>(value: unknown, is: (one: unknown) => one is T): value is T[] {
  return Array.isArray(value) && value.every(is)
}

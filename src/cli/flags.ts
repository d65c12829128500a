import type { QuerySchema } from '../retrieval/index.ts'
import { UsageError } from './failures.ts'
import { kebabCase } from './flag-names.ts'

/** How the text behind a flag becomes a value. */
export type FlagKind = 'text' | 'number' | 'boolean' | 'interval' | 'json'

/** One option of a command. */
export interface Flag {
  /** The argument it fills: `horizonHours`. */
  readonly name: string
  /** As it is typed: `--horizon-hours`. */
  readonly flag: string
  readonly kind: FlagKind
  /** Whether several values may be given: with commas, or by repeating the flag. */
  readonly list: 'no' | 'may be' | 'always'
  readonly required: boolean
  readonly secret: boolean
  readonly text: string
  /** The only values, where there are few; each is typed as its text. */
  readonly choices?: readonly (string | number | boolean)[]
}

/** The options of a command from the schema of its query. */
export function flagsOf(schema: QuerySchema): Flag[] {
  return Object.entries(schema.properties ?? {}).map(([name, about]) => {
    const choices = choicesOf(about)
    return {
      name,
      flag: `--${kebabCase(name)}`,
      kind: kindOf(about),
      list: listOf(about),
      required: schema.required?.includes(name) === true,
      secret: about.format === 'password',
      text: about.description ?? '',
      ...(choices ? { choices } : {}),
    }
  })
}

/**
 * The value of a flag from what was typed.
 *
 * @param given - the texts, in order; `true` or `false` where the flag takes none
 * @throws UsageError naming the flag. What was typed is repeated only where it cannot be a secret.
 */
export function valueOf(flag: Flag, given: readonly (string | boolean)[]): unknown {
  if (flag.kind === 'boolean') return given.at(-1)
  const texts = given.map(String)
  if (flag.list === 'no') {
    if (texts.length > 1) throw new UsageError(`${flag.flag} is given more than once`)
    return oneValue(flag, texts[0] ?? '')
  }
  const values = texts.flatMap(splitAtCommas).map(text => oneValue(flag, text))
  return flag.list === 'may be' && values.length === 1 ? values[0] : values
}

function oneValue({ flag, kind, secret, choices }: Flag, text: string): unknown {
  const shown = secret ? '' : `; got '${text}'`
  if (choices) {
    const chosen = choices.find(choice => String(choice) === text)
    if (chosen !== undefined) return chosen
    throw new UsageError(`${flag} must be one of ${choices.join(', ')}${shown}`)
  }
  switch (kind) {
    case 'number':
      if (!/^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i.test(text.trim()))
        throw new UsageError(`${flag} must be a number${shown}`)
      return Number(text)
    case 'interval':
      return interval(text)
    case 'json':
      return text.trimStart().startsWith('{') ? parseJson(flag, text) : text
    default:
      return text
  }
}

/** `2024-01-01/2024-02-01`, either side `..` where it is open. Without a slash an instant or a duration. */
function interval(text: string): unknown {
  const slash = text.indexOf('/')
  if (slash < 0) return text
  const [start, end] = [text.slice(0, slash).trim(), text.slice(slash + 1).trim()]
  const isOpen = (side: string): boolean => side === '' || side === '..'
  return { ...(isOpen(start) ? {} : { start }), ...(isOpen(end) ? {} : { end }) }
}

function parseJson(flag: string, text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch (thrown) {
    throw new UsageError(`${flag} begins like JSON but is none: ${thrown instanceof Error ? thrown.message : ''}`)
  }
}

/** A comma within a value is written `\,`. */
export function splitAtCommas(text: string): string[] {
  return text.split(/(?<!\\),/).map(part => part.replaceAll('\\,', ',').trim())
}

function listOf(about: QuerySchema): Flag['list'] {
  if (isArray(about)) return 'always'
  return about.anyOf?.some(isArray) ? 'may be' : 'no'
}

function kindOf(about: QuerySchema): FlagKind {
  const shapes = [about, ...(about.anyOf ?? [])].flatMap(one => (isArray(one) ? [one.items ?? {}] : [one]))
  const types = new Set(shapes.flatMap(({ type }) => type ?? []))
  if (shapes.some(({ format }) => format === 'interval')) return 'interval'
  if (types.has('object')) return 'json'
  if (types.has('string') || types.size === 0) return 'text'
  return types.has('boolean') ? 'boolean' : 'number'
}

function choicesOf(about: QuerySchema): Flag['choices'] | undefined {
  const shapes = (about.anyOf ?? [about]).map(one => (isArray(one) ? (one.items ?? {}) : one))
  // A value without an end of possibilities beside the choices: then they are none.
  if (!shapes.every(({ enum: few, const: only }) => few !== undefined || only !== undefined)) return undefined
  return [...new Set(shapes.flatMap(({ enum: few, const: only }) => (few ?? [only]) as string[]))]
}

function isArray({ type }: QuerySchema): boolean {
  return type === 'array'
}

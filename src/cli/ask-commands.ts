import type { OperationDescription, QuerySchema, ServiceDescription } from '../retrieval/index.ts'
import { callFlags } from './call-flags.ts'
import type { Command, Surroundings, Typed } from './command-tree.ts'
import { UsageError } from './failures.ts'
import { camelCase, commandName, kebabCase } from './flag-names.ts'
import { flagsOf, splitAtCommas, valueOf, type Flag } from './flags.ts'
import { OUTPUT_FLAGS } from './output-flags.ts'

/** One command for each getter of a service. */
export function askCommands(service: string, description: ServiceDescription): readonly Command[] {
  return description.operations.map(operation => askCommand(service, description, operation))
}

function askCommand(service: string, description: ServiceDescription, operation: OperationDescription): Command {
  const name = commandName(operation.operation)
  const schema = operation.query()
  const query = [...flagsOf(schema), ...(takesAnyName(schema) ? [WHERE] : [])]
  const flags = callFlags(
    description.options,
    query.map(one => one.name),
  )
  return {
    name,
    summary: operation.summary,
    ...(operation.name ? { operands: [{ synopsis: '<name>', text: nameText(operation.name) }] } : {}),
    groups: [
      {
        title: query.some(isList) ? 'Query (values, numbers: one or more, with commas between):' : 'Query:',
        flags: query,
      },
      { title: 'Output:', flags: OUTPUT_FLAGS },
      { title: 'Client and call:', flags: [...flags.call, ...flags.client] },
    ],
    examples: [
      exampleOf(`headrace ${service} ${name}`, operation),
      `${exampleOf(`headrace ${service} ${name}`, operation)} --format csv --output ${name}.csv`,
    ],
    async run(typed, around) {
      const all = [...query, ...flags.client, ...flags.call]
      warnOfSecrets(all, typed, description, around)
      const asked = { ...valuesOf(query, fromEnvironment(query, typed, description, around)), ...whereOf(typed) }
      checkRequired(query, asked)
      const { answer } = await import('./answer.ts')
      return answer(
        (options, call) =>
          description
            .connect({ ...valuesOf(flags.client, typed), env: around.env, ...options })
            .ask(operation.operation, asked, { ...valuesOf(flags.call, typed), ...call }, typed.operands[0]),
        typed,
        around,
      )
    },
  }
}

/** For collections of which the fields are not known beforehand. */
const WHERE: Flag = {
  name: 'where',
  flag: '--where',
  kind: 'text',
  list: 'may be',
  required: false,
  secret: false,
  text: 'name=value: a field to select by; may be given several times',
}

function isList({ list }: Flag): boolean {
  return list !== 'no'
}

function takesAnyName({ additionalProperties }: QuerySchema): boolean {
  return typeof additionalProperties === 'object'
}

function nameText({ text, choices }: { readonly text: string; readonly choices?: readonly string[] }): string {
  return choices ? `${text} (${choices.join(', ')})` : text
}

/** Values by the names of what they fill. */
function valuesOf(flags: readonly Flag[], { flags: typed }: Typed): Record<string, unknown> {
  return Object.fromEntries(
    flags.flatMap(flag => {
      const given = typed[flag.name]
      return given === undefined || flag === WHERE ? [] : [[flag.name, valueOf(flag, given)]]
    }),
  )
}

/** Several values of one name are a list. */
function whereOf({ flags }: Typed): Record<string, unknown> {
  const found: Record<string, string | string[]> = {}
  for (const text of flags['where'] ?? []) {
    const [field = '', ...rest] = String(text).split('=')
    if (field === '' || rest.length === 0) throw new UsageError(`--where must be name=value; got '${text}'`)
    // As the service writes it, or as an option would be.
    const name = camelCase(field)
    const values = [found[name] ?? [], splitAtCommas(rest.join('='))].flat()
    found[name] = values.length === 1 ? (values[0] as string) : values
  }
  return found
}

/** Secrets of the query that were not typed, from where those of the client come from. */
function fromEnvironment(
  query: readonly Flag[],
  typed: Typed,
  { options }: ServiceDescription,
  { env }: Surroundings,
): Typed {
  const stated = query.flatMap(({ name, secret, required }) => {
    const variable = options.find(option => option.name === name)?.variable
    const value = variable === undefined ? undefined : env[variable]
    return secret && required && typed.flags[name] === undefined && value ? [[name, [value]] as const] : []
  })
  return { ...typed, flags: { ...typed.flags, ...Object.fromEntries(stated) } }
}

function checkRequired(query: readonly Flag[], asked: Readonly<Record<string, unknown>>): void {
  const missing = query.filter(({ name, required }) => required && asked[name] === undefined)
  if (missing.length === 0) return
  throw new UsageError(
    `${missing.map(({ flag }) => flag).join(' and ')} ${missing.length === 1 ? 'is' : 'are'} missing`,
  )
}

/** What is typed can be read by every user of the machine, and stays in the shell's history. */
function warnOfSecrets(
  flags: readonly Flag[],
  { flags: typed }: Typed,
  { options }: ServiceDescription,
  { terminal }: Surroundings,
): void {
  for (const { name, flag, secret } of flags) {
    if (!secret || typed[name] === undefined) continue
    const variable = options.find(option => option.name === name)?.variable
    terminal.mark(
      'warning',
      `what stands behind ${flag} can be seen in the list of processes${variable ? `; set ${variable} instead` : ''}`,
    )
  }
}

function exampleOf(command: string, { example }: OperationDescription): string {
  const flags = Object.entries(example.query).map(([name, value]) => {
    const text = Array.isArray(value) ? value.join(',') : String(value)
    return `--${kebabCase(name)} ${/^[\w.:,/-]+$/.test(text) ? text : `'${text}'`}`
  })
  return [command, ...(example.name === undefined ? [] : [example.name]), ...flags].join(' ')
}

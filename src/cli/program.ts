import { Argument, CommanderError, Command as Program, Option } from 'commander'
import { version } from '../version.ts'
import type { Branch, Command, Manner, Typed } from './command-tree.ts'
import { UsageError } from './failures.ts'
import type { Flag } from './flags.ts'

/** What a command line asks for. */
export type Wish =
  | {
      readonly type: 'run'
      readonly command: Command
      readonly path: string
      readonly typed: Typed
      readonly manner: Manner
    }
  /** `asked` is false where help is all that can be given: no command was named. */
  | { readonly type: 'text'; readonly text: string; readonly asked: boolean }

const ABOUT = `Long time series from grid-emission, streamflow and water-quality services.
Data go to standard output, everything else to standard error.`

/** Commands at the top, in groups as the help shows them. */
export interface CommandGroup {
  readonly title: string
  readonly commands: readonly (Command | Branch)[]
}

/** How wide help may be, and what stands below that of the whole program. */
export interface HelpStyle {
  readonly width: number
  readonly below: string
}

/**
 * Reads a command line. Nothing is done yet but loading the part of the program that it names.
 *
 * @throws UsageError
 */
export async function readCommandLine(
  args: readonly string[],
  groups: readonly CommandGroup[],
  { width, below }: HelpStyle,
): Promise<Wish> {
  const said = { out: '', error: '' }
  let wish: Wish | undefined
  const program = new Program('headrace')
    .description(ABOUT)
    .version(version, '-V, --version', 'the version')
    .helpOption('-h, --help', 'this text; also behind a command')
    .helpCommand(false)
    .exitOverride()
    .configureHelp({ showGlobalOptions: true, optionTerm: one => yesOrNo(one) ?? one.flags })
    .configureOutput({
      writeOut: text => void (said.out += text),
      writeErr: text => void (said.error += text),
      getOutHelpWidth: () => width,
      getErrHelpWidth: () => width,
      getOutHasColors: () => false,
      getErrHasColors: () => false,
      outputError: () => {},
    })
    .option('--json', 'one JSON document on standard output, whatever happens')
    .option('-q, --quiet', 'say nothing but errors')
    .option('-v, --verbose', 'say what is done; twice: everything', (_: string, before: number) => before + 1, 0)
    .addHelpText('after', below)

  const add = (parent: Program, command: Command): void => {
    const made = addCommand(parent, command)
    made.action(() => {
      const { json, quiet, verbose } = program.opts<Partial<Manner>>()
      const typed = { operands: made.args, flags: typedFlags(made) }
      const manner = { json: json === true, quiet: quiet === true, verbose: verbose ?? 0 }
      wish = { type: 'run', command, path: pathOf(made), typed, manner }
    })
  }
  const branches = new Map<Program, Branch>()
  for (const { title, commands } of groups) {
    program.commandsGroup(title)
    for (const one of commands) {
      if ('run' in one) add(program, one)
      else branches.set(program.command(one.name).summary(one.summary).description(one.summary).helpCommand(false), one)
    }
  }
  program.hook('preSubcommand', async (_, chosen) => {
    const branch = branches.get(chosen)
    for (const command of (await branch?.load()) ?? []) add(chosen, command)
  })

  try {
    await program.parseAsync(helpWanted(args), { from: 'user' })
  } catch (thrown) {
    if (!(thrown instanceof CommanderError)) throw thrown
    if (thrown.exitCode === 0) return { type: 'text', text: said.out, asked: true }
    if (thrown.code === 'commander.help') return { type: 'text', text: said.error, asked: false }
    throw new UsageError(usageMessage(thrown.message))
  }
  return wish ?? { type: 'text', text: program.helpInformation(), asked: false }
}

/** `help emissions daily` is `emissions daily --help`. */
function helpWanted(args: readonly string[]): string[] {
  const at = args.findIndex(arg => !arg.startsWith('-'))
  return args[at] === 'help' ? [...args.toSpliced(at, 1), '--help'] : [...args]
}

function addCommand(parent: Program, command: Command): Program {
  const { name, summary, about, operands = [], groups, examples } = command
  const made = parent
    .command(name)
    .summary(summary)
    .description(about === undefined ? summary : `${summary}\n\n${about}`)
    .allowExcessArguments(false)
  for (const { synopsis, text } of operands) made.addArgument(new Argument(synopsis, text))
  for (const { title, flags } of groups) {
    made.optionsGroup(title)
    for (const flag of flags) addFlag(made, flag)
  }
  made.optionsGroup('Help:')
  const lines = examples.map(example => `  $ ${example}`)
  return lines.length === 0 ? made : made.addHelpText('after', `\nExamples:\n${lines.join('\n')}`)
}

function addFlag(made: Program, { flag, kind, list, required, text, choices }: Flag): void {
  const words = [text, choices ? `(${choices.join(', ')})` : '', required ? '(required)' : ''].filter(Boolean).join(' ')
  if (kind === 'boolean') {
    made.addOption(new Option(flag, words))
    made.addOption(new Option(flag.replace('--', '--no-'), '').hideHelp())
    return
  }
  const one = kind === 'number' ? 'number' : kind === 'json' ? 'text' : 'value'
  const placeholder = list === 'no' ? one : `${one}s`
  made.addOption(
    new Option(`${flag} <${placeholder}>`, words).argParser((value: string, before: string[] | undefined) => [
      ...(before ?? []),
      value,
    ]),
  )
}

/** What holds unless somebody says no. */
function yesOrNo({ flags, description }: Option): string | undefined {
  return description.includes('(default: yes)') ? flags.replace('--', '--[no-]') : undefined
}

function typedFlags(made: Program): Typed['flags'] {
  return Object.fromEntries(
    Object.entries(made.opts<Record<string, boolean | readonly string[]>>()).map(([name, value]) => [
      name,
      typeof value === 'boolean' ? [value] : value,
    ]),
  )
}

function pathOf(command: Program): string {
  const { parent } = command
  return parent?.parent ? `${pathOf(parent)} ${command.name()}` : command.name()
}

/** Without its prefix, and without what was typed behind a sign of equality: it may be a secret. */
function usageMessage(message: string): string {
  return message
    .replace(/^error: /, '')
    .replace(/^(unknown option '--?[^'=]*)=[^']*'/, "$1'")
    .replace(/\n\(Did you mean (.*)\?\)$/, '; did you mean $1?')
    .replace(/^missing required argument '(.*)'$/, '<$1> is missing; --help says what it is')
}

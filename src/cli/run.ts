import { RetrievalInterrupted, isHeadraceError } from '../errors.ts'
import { redactValue, type Redactor } from '../redact.ts'
import { commandGroups } from './commands.ts'
import type { Ending, Manner } from './command-tree.ts'
import { OUTCOMES, outcomeOf, type Outcome } from './exit-code.ts'
import { factsOf, wordsOf } from './failures.ts'
import { watchInterrupts, type SignalSource } from './interrupt.ts'
import { readCommandLine, type Wish } from './program.ts'
import { hidingSecrets } from './secrets.ts'
import { openTerminal, ReaderGone, type Terminal, type Writable } from './terminal.ts'

/** What the program finds around it: the process, or a test. */
export interface World {
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string | undefined>>
  readonly stdout: Writable
  readonly stderr: Writable
  readonly signals: SignalSource
  /** Number of the process. */
  readonly pid: number
  /** Ends the process at once. */
  exit(code: number): void
}

/** Does what a command line says and returns the exit code. Never throws. */
export async function run(world: World): Promise<number> {
  const { args, env, stdout, stderr, signals, pid } = world
  const redact = hidingSecrets(args, env)
  const terminal = openTerminal(stdout, stderr, env, redact)
  const end = { ...world, terminal, redact, json: wantsJson(args) }
  const interrupt = watchInterrupts(
    signals,
    text => terminal.note(text),
    () => world.exit(OUTCOMES.interrupted.exitCode),
  )
  let wish: Wish | undefined
  try {
    const style = { width: Math.min(terminal.width, 120), below: exitCodeText() }
    wish = await readCommandLine(args, commandGroups(), style)
    if (wish.type === 'text') return await showText(wish, end)
    const around = { ...wish.manner, terminal, env, signal: interrupt.signal, tag: pid }
    const ending = await wish.command.run(wish.typed, around)
    return await finish(ending, wish, end)
  } catch (thrown) {
    return await fail(interrupt.signal.aborted && isAbort(thrown) ? interrupt.signal.reason : thrown, end, wish)
  } finally {
    interrupt.close()
  }
}

interface End {
  readonly terminal: Terminal
  readonly redact: Redactor
  readonly json: boolean
  readonly args: readonly string[]
}

async function showText({ text, asked }: Wish & { type: 'text' }, { terminal, json }: End): Promise<number> {
  const outcome: Outcome = asked ? 'ok' : 'usage'
  if (json) await terminal.data([documentText(outcome, asked ? { text } : { message: 'give a command', text })])
  else if (asked) await terminal.data([text])
  else terminal.note(text.trimEnd())
  return OUTCOMES[outcome].exitCode
}

async function finish(
  { outcome, document }: Ending,
  { path, manner }: { readonly path: string; readonly manner: Manner },
  { terminal }: End,
): Promise<number> {
  if (manner.json && document) await terminal.data([documentText(outcome, { command: path, ...document })])
  return OUTCOMES[outcome].exitCode
}

async function fail(thrown: unknown, { terminal, redact, json, args }: End, wish: Wish | undefined): Promise<number> {
  if (thrown instanceof ReaderGone) return OUTCOMES.ok.exitCode
  const outcome = outcomeOf(thrown)
  const message = messageOf(thrown, wish)
  terminal.mark('error', message)
  if (outcome === 'unexpected' && args.some(arg => /^-v+$|^--verbose$/.test(arg)) && thrown instanceof Error)
    terminal.note(thrown.stack ?? '')
  if (json) {
    const known = isHeadraceError(thrown)
      ? { ...factsOf(thrown), message }
      : { name: thrown instanceof Error ? thrown.name : 'Error' }
    const error: unknown = JSON.parse(jsonOf(known))
    await terminal
      .data([documentText(outcome, { message: redact(message), error: redactValue(error, redact) })])
      .catch(() => {})
  }
  return OUTCOMES[outcome].exitCode
}

/** What happened, and what to do. */
function messageOf(thrown: unknown, wish: Wish | undefined): string {
  if (!(thrown instanceof RetrievalInterrupted)) {
    const chosen = wish?.type === 'run' ? wish : undefined
    return wordsOf(thrown, ended => chosen?.command.again?.(chosen.typed, ended))
  }
  const { done, left } = thrown
  const kept = done.length > 0 ? `; ${done.length} of ${done.length + left.length} stretches had come` : ''
  return `${wordsOf(thrown)}${kept}. Nothing was written`
}

function documentText(outcome: Outcome, fields: Readonly<Record<string, unknown>>): string {
  return `${jsonOf({ outcome, exitCode: OUTCOMES[outcome].exitCode, ...fields })}\n`
}

/** Instants as everywhere else, without milliseconds where they are zero; errors by what they say. */
function jsonOf(value: unknown): string {
  return JSON.stringify(
    value,
    function (this: Record<string, unknown>, name: string, shown: unknown) {
      const held = this[name]
      if (held instanceof Date) return String(shown).replace('.000Z', 'Z')
      if (isHeadraceError(held)) return factsOf(held)
      if (held instanceof Error) return { name: held.name, message: held.message }
      return shown
    },
    2,
  )
}

function wantsJson(args: readonly string[]): boolean {
  const end = args.indexOf('--')
  return args.slice(0, end < 0 ? undefined : end).includes('--json')
}

function isAbort(thrown: unknown): boolean {
  return thrown instanceof Error && (thrown.name === 'AbortError' || thrown.name === 'Interrupted')
}

function exitCodeText(): string {
  const lines = Object.values(OUTCOMES).map(({ exitCode, text }) => `  ${String(exitCode).padStart(3)}  ${text}`)
  return `\nExit codes:\n${lines.join('\n')}`
}

import type { EndedWork } from './failures.ts'
import type { Flag } from './flags.ts'
import type { Terminal } from './terminal.ts'
import type { Outcome } from './exit-code.ts'

/** What is said about every command. */
export interface Manner {
  /** One JSON document on standard output, whatever happens. */
  readonly json: boolean
  /** No word but errors. */
  readonly quiet: boolean
  /** How much of the inside is told: 0 nothing, 1 what was done, 2 everything. */
  readonly verbose: number
}

/** What a command finds around it. */
export interface Surroundings extends Manner {
  readonly terminal: Terminal
  readonly env: Readonly<Record<string, string | undefined>>
  /** Aborted when the user interrupts. */
  readonly signal: AbortSignal
  /** Number of this process. */
  readonly tag: number
}

/** What was typed behind a command. */
export interface Typed {
  /** What stands behind the command without a flag. */
  readonly operands: readonly string[]
  /** Texts behind flags, by the flag's name; `true` and `false` behind flags that take none. */
  readonly flags: Readonly<Record<string, readonly (string | boolean)[]>>
}

/** What a command has to say when it is over. Rows and files it has written itself. */
export interface Ending {
  readonly outcome: Outcome
  /** Members of the JSON document, where one is wanted and the command has not written it. */
  readonly document?: Readonly<Record<string, unknown>>
}

/** A command that does something. */
export interface Command {
  readonly name: string
  readonly summary: string
  /** Text below the summary in its help. */
  readonly about?: string
  /** As in a synopsis: `<folder>`, `[table]`, `[services...]`. */
  readonly operands?: readonly { readonly synopsis: string; readonly text: string }[]
  readonly groups: readonly { readonly title: string; readonly flags: readonly Flag[] }[]
  readonly examples: readonly string[]
  /** What to type to go on, where work that ended early can be taken up. @param ended - how it ended */
  again?(typed: Typed, ended: EndedWork): string | undefined
  run(typed: Typed, around: Surroundings): Promise<Ending>
}

/** A command that has commands below it, of which nothing is known before it is chosen. */
export interface Branch {
  readonly name: string
  readonly summary: string
  readonly load: () => Promise<readonly Command[]>
}

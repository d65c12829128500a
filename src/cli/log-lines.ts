import type { Logger } from '../logger.ts'
import type { Terminal } from './terminal.ts'

/** What the inside has to say, as lines on standard error. `undefined` where nobody wants to hear it. */
export function verboseLogger({ note }: Pick<Terminal, 'note'>, verbose: number): Logger | undefined {
  if (verbose === 0) return undefined
  const line =
    (level: string): ((message: string) => void) =>
    message =>
      note(`${level}: ${message}`)
  return {
    error: line('error'),
    warn: line('warning'),
    info: line('info'),
    debug: verbose > 1 ? line('debug') : () => {},
  }
}

import type { Redactor } from '../redact.ts'
import { LocalFailure } from './failures.ts'

/** A stream that a program writes to. */
export interface Writable {
  write(text: string, done?: (error?: Error | null) => void): unknown
  on(event: 'error', listener: (error: Error) => void): unknown
  readonly isTTY?: boolean
  readonly columns?: number
}

/** Whoever read the output has gone: there is nothing left to do, and nothing went wrong. */
export class ReaderGone extends Error {
  override readonly name = 'ReaderGone'
}

/** What is said, and to whom: data to standard output, everything else to standard error. */
export interface Terminal {
  /** Columns of standard output. */
  readonly width: number
  /**
   * Writes data. A slow reader is waited for.
   *
   * @throws ReaderGone when nobody reads any more, LocalFailure when it cannot be written
   */
  data(parts: Iterable<string>): Promise<void>
  /** A line for people. */
  note(text: string): void
  /** The same with its first word marked: `error`, `warning`. */
  mark(word: 'error' | 'warning', text: string): void
  /** Where a progress line may be drawn; absent where nobody would see it. */
  readonly progress: { write(text: string): void; readonly isTTY: true; readonly columns: number } | undefined
}

const USUAL_WIDTH = 100
const CLEAR_LINE = '\r\u001B[2K'
const COLOURS = { error: '31', warning: '33' } as const

/**
 * @param env - `NO_COLOR` and `TERM=dumb` take the colours away
 * @param redact - what people are told passes through it
 */
export function openTerminal(
  stdout: Writable,
  stderr: Writable,
  env: Readonly<Record<string, string | undefined>>,
  redact: Redactor,
): Terminal {
  let drawing = false
  const colourful = stderr.isTTY === true && !env['NO_COLOR'] && env['TERM'] !== 'dumb'
  // A stream whose reader has gone must not end the process: whoever writes hears of it.
  stdout.on('error', () => {})
  stderr.on('error', () => {})

  const note = (text: string): void => {
    stderr.write(`${drawing ? CLEAR_LINE : ''}${redact(text)}\n`)
    drawing = false
  }
  return {
    width: widthOf(stdout),
    async data(parts) {
      for (const part of parts) await written(stdout, part)
    },
    note,
    mark: (word, text) => note(`${colourful ? `\u001B[1;${COLOURS[word]}m${word}:\u001B[0m` : `${word}:`} ${text}`),
    progress:
      stderr.isTTY === true
        ? {
            isTTY: true,
            get columns() {
              return widthOf(stderr)
            },
            write(text) {
              drawing = !text.endsWith('\n')
              stderr.write(text)
            },
          }
        : undefined,
  }
}

/** Some terminals say that they have no columns. */
function widthOf({ columns = 0 }: Writable): number {
  return columns > 0 ? columns : USUAL_WIDTH
}

function written(stream: Writable, part: string): Promise<void> {
  return new Promise((resolve, reject) => {
    stream.write(part, error => {
      if (!error) return resolve()
      const { code } = error as { code?: unknown }
      reject(code === 'EPIPE' ? new ReaderGone() : new LocalFailure('cannot write to', 'standard output', error))
    })
  })
}

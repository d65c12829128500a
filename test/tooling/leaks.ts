import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { SECRETS } from './secrets.ts'

/**
 * Where something was shown. Tests and their support code hand in what the package showed:
 * `error` every error a test provoked, `log` log lines, `event` events, `meta` metadata rows, `file`
 * content that was written, `simulator` the simulator's log, `output` what went to stdout or stderr.
 */
export type Channel = 'error' | 'log' | 'event' | 'meta' | 'file' | 'simulator' | 'output'

/** A secret where none may be. */
export interface Leak {
  readonly channel: Channel
  /** The test that ran, if one did. */
  readonly during: string
  /** Which secret, by name. */
  readonly secret: string
  /** Text around the place, the secret itself taken out. */
  readonly near: string
}

/** Searches what it is shown and keeps what it found: not the values, so a long suite stays small. */
export class LeakSearch {
  readonly leaks: Leak[] = []
  readonly searched: Partial<Record<Channel, number>> = {}
  /** Name of the test that runs now; the setup file keeps it. */
  during = 'no test'

  /**
   * Searches one value.
   *
   * @param channel - where it was shown
   * @param value - text as it was shown, or anything else in the forms in which it could be
   * @returns the value itself, so that a call can be put around an expression
   */
  seen<T>(channel: Channel, value: T): T {
    this.searched[channel] = (this.searched[channel] ?? 0) + 1
    const shown = faces(value)
    for (const [secret, text] of SECRETS) {
      const face = shown.find(candidate => candidate.includes(text))
      if (face !== undefined) this.leaks.push({ channel, during: this.during, secret, near: around(face, text) })
    }
    return value
  }

  /** Searches every file below a folder. */
  seenFolder(folder: string): void {
    for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
      const path = join(entry.parentPath, entry.name)
      this.seen('file', path)
      if (entry.isFile()) this.seen('file', readFileSync(path, 'utf8'))
    }
  }

  /** What to print: empty when nothing was found. */
  report(): string {
    return this.leaks
      .map(({ channel, during, secret, near }) => `${secret} shown in ${channel} (${during}): ${near}`)
      .join('\n')
  }
}

const search = new LeakSearch()

/** Call this with everything the package shows; the file's tests fail at their end if a secret stood in it. */
export const seen: LeakSearch['seen'] = search.seen.bind(search)

/** The search of the running test file. */
export function currentSearch(): LeakSearch {
  return search
}

/** Every text a value turns into when somebody logs, prints or serialises it. */
function faces(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  const all = { depth: 10, showHidden: true, maxArrayLength: 2000, maxStringLength: null }
  return [json(value), inspect(value, all), inspect(value, { ...all, customInspect: false })]
}

function json(value: unknown): string {
  try {
    return JSON.stringify(value) ?? ''
  } catch {
    // A circular value or a bigint: nobody can serialise it, so nothing leaks that way.
    return ''
  }
}

function around(face: string, text: string): string {
  const at = face.indexOf(text)
  const piece = face.slice(Math.max(0, at - 60), at + text.length + 60)
  return JSON.stringify(SECRETS.reduce((left, [, secret]) => left.replaceAll(secret, '[secret]'), piece))
}

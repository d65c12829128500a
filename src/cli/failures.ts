import { HeadraceError, isHeadraceError, RetrievalInterrupted } from '../errors.ts'
import type { PullError } from '../pull/index.ts'

/** A command line that cannot work. */
export class UsageError extends HeadraceError {
  override readonly name = 'UsageError'
  readonly code = 'HEADRACE_USAGE'
}

/** A file or folder of this machine that does not do what it should. */
export class LocalFailure extends HeadraceError {
  override readonly name = 'LocalFailure'
  readonly code = 'HEADRACE_LOCAL'
  readonly path: string
  /** Node's own code, such as `ENOSPC`. */
  readonly systemCode: string | undefined

  /** @param advice - what to do where there is no such folder */
  constructor(doing: string, path: string, thrown: unknown, advice?: string) {
    const { code, message } = Object(thrown) as { code?: unknown; message?: unknown }
    const systemCode = typeof code === 'string' ? code : undefined
    super(
      `${doing} ${path}: ${WORDS[systemCode ?? ''] ?? String(message ?? thrown)}${advice && systemCode === 'ENOENT' ? `; ${advice}` : ''}`,
    )
    this.path = path
    this.systemCode = systemCode
  }
}

/** What the usual codes mean, and what to do. */
const WORDS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file or folder (ENOENT)',
  ENOTDIR: 'a part of the path is no folder (ENOTDIR)',
  EISDIR: 'it is a folder (EISDIR); give the name of a file',
  EACCES: 'permission denied (EACCES)',
  EPERM: 'not permitted (EPERM)',
  EROFS: 'the disk is read-only (EROFS)',
  ENOSPC: 'the disk is full (ENOSPC); free some space and run it again',
  EDQUOT: 'your share of the disk is used up (EDQUOT); free some space and run it again',
  EMFILE: 'too many files are open (EMFILE)',
  EEXIST: 'it exists already (EEXIST)',
  EFBIG: 'the file would be larger than allowed (EFBIG)',
  EIO: 'the disk does not work properly (EIO)',
}

/** What is known of a pull that did not come to its end. */
export interface EndedWork {
  /** What had been done, where work had begun. */
  readonly report?: unknown
}

/** Ends of a pull after which it can be taken up, and nothing else has to be done first. */
const TAKEN_UP = new Set(['failed', 'stopped', 'deadline', 'budget'])

/**
 * What went wrong, in the words of a command line: there is no `resume()` to call.
 *
 * @param again - what to type to go on
 */
export function wordsOf(thrown: unknown, again: (ended: EndedWork) => string | undefined = () => undefined): string {
  if (thrown instanceof RetrievalInterrupted) return thrown.failure.message
  const next = isPullEnd(thrown) ? again(thrown) : undefined
  if (isPullEnd(thrown) && next !== undefined) {
    if (TAKEN_UP.has(thrown.kind)) return `${thrown.said}; to go on: ${next}`
    if (thrown.kind === 'disk' && thrown.message.includes('run it again')) return `${thrown.message} (${next})`
  }
  return thrown instanceof Error ? thrown.message : String(thrown)
}

/** An error as plain data, in the same words. */
export function factsOf(error: HeadraceError): Record<string, unknown> {
  return { ...error.toJSON(), message: wordsOf(error) }
}

/** Not by its class: that would load all of it to say a word of help. */
export function isPullEnd(thrown: unknown): thrown is PullError {
  return isHeadraceError(thrown) && thrown.code === 'HEADRACE_PULL'
}

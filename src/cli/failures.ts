import { HeadraceError, RetrievalInterrupted } from '../errors.ts'

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

  constructor(doing: string, path: string, thrown: unknown) {
    const { code, message } = Object(thrown) as { code?: unknown; message?: unknown }
    const systemCode = typeof code === 'string' ? code : undefined
    super(`${doing} ${path}: ${WORDS[systemCode ?? ''] ?? String(message ?? thrown)}`)
    this.path = path
    this.systemCode = systemCode
  }
}

/** What the usual codes mean, and what to do. */
const WORDS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file or folder (ENOENT); make the folder first',
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

/** What went wrong, in the words of a command line: there is no `resume()` to call. */
export function wordsOf(thrown: unknown): string {
  if (thrown instanceof RetrievalInterrupted) return thrown.failure.message
  return thrown instanceof Error ? thrown.message : String(thrown)
}

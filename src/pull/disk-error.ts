import { describeCause } from '../errors.ts'
import { PullError, type DiskReason } from './pull-error.ts'

const AGAIN = 'then run it again: what is done is kept'

const REASONS: Readonly<Record<string, readonly [reason: DiskReason, what: string, advice: string]>> = {
  ENOSPC: ['full', 'the disk is full', `make room, ${AGAIN}`],
  EDQUOT: ['full', 'the quota of the disk is used up', `make room, ${AGAIN}`],
  EACCES: ['denied', 'there is no permission', 'give it, or choose another folder'],
  EPERM: ['denied', 'there is no permission', 'give it, or choose another folder'],
  ENOENT: ['other', 'there is no such file or folder', 'choose another folder'],
  EEXIST: ['other', 'a file of that name is there, not a folder', 'choose another folder'],
  EROFS: ['denied', 'the file system can only be read', 'choose another folder'],
  ENOTDIR: ['other', 'a part of the path is a file, not a folder', 'choose another folder'],
  EISDIR: ['other', 'a folder stands where a file should', 'choose another folder'],
  ENAMETOOLONG: ['other', 'a name is too long', 'partition by fewer columns'],
  EMFILE: ['other', 'too many files are open', `lower parallel, ${AGAIN}`],
  EIO: ['other', 'the disk fails', `look after it, ${AGAIN}`],
}

/**
 * What a file system refused, as one of our errors. Anything else comes back as it is.
 *
 * @param doing - what was being done, such as `writing`
 */
export function asDiskError(thrown: unknown, doing: string, path: string): unknown {
  const code = (thrown as { code?: unknown } | null)?.code
  if (thrown instanceof PullError || typeof code !== 'string' || !/^E[A-Z0-9]+$/.test(code)) return thrown
  const [reason, what, advice] = REASONS[code] ?? [
    'other',
    `the file system says ${code}`,
    `look at the cause, ${AGAIN}`,
  ]
  return new PullError('disk', `${doing} ${path}: ${what} (${code})`, { reason, path, advice }, describeCause(thrown))
}

/** Runs work on a file or folder; what the file system refuses becomes one of our errors. */
export async function onDisk<T>(doing: string, path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (thrown) {
    throw asDiskError(thrown, doing, path)
  }
}

import type { VerifyOptions } from './options.ts'
import { PullError } from './pull-error.ts'
import type { VerifyReport } from './pull-report.ts'

/** Placeholder for the signature. */
export async function verify(_out: string, _options: VerifyOptions = {}): Promise<VerifyReport> {
  throw new PullError('manifest', 'not built yet')
}

import { PullError } from './pull-error.ts'
import type { PullStatus } from './pull-report.ts'

/** Placeholder for the signature. */
export async function status(_out: string): Promise<PullStatus> {
  throw new PullError('manifest', 'not built yet')
}

import type { SyncOptions } from './options.ts'
import { PullError } from './pull-error.ts'
import type { SyncReport } from './pull-report.ts'
import type { PullSpec } from './spec.ts'

/** Placeholder for the signature. */
export async function sync(_spec: PullSpec | undefined, _options: SyncOptions): Promise<SyncReport> {
  throw new PullError('manifest', 'not built yet')
}

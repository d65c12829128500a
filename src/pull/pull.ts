import type { PullOptions } from './options.ts'
import { PullError } from './pull-error.ts'
import type { PullReport } from './pull-report.ts'
import type { PullSpec } from './spec.ts'

/** Placeholder for the signature. */
export async function pull(_spec: PullSpec, _options: PullOptions): Promise<PullReport> {
  throw new PullError('manifest', 'not built yet')
}

import type { PlanOptions } from './options.ts'
import { PullError } from './pull-error.ts'
import type { PullPlan } from './pull-plan.ts'
import type { PullSpec } from './spec.ts'

/** Placeholder for the signature. */
export async function planPull(_spec: PullSpec, _options: PlanOptions = {}): Promise<PullPlan> {
  throw new PullError('manifest', 'not built yet')
}

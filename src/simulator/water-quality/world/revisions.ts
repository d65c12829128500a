import { covers, revisionsIn, type Edit } from '../../edits.ts'
import type { Activity } from './activities.ts'
import type { Result } from './results.ts'

const DAY_MS = 86_400_000

/** The day of an activity, as if it were one of UTC; what has no date holds at no time. */
export function timeOf({ day }: Activity): number {
  return day === null ? NaN : day * DAY_MS
}

/** A result with the revisions that were made to it. What is no number cannot be revised. */
export function revised(result: Result, edits: readonly Edit[]): Result {
  const { value, text, activity } = result
  if (edits.length === 0 || value === null) return result
  const due = revisionsIn(edits).filter(revision => covers(revision, timeOf(activity)))
  if (due.length === 0) return result
  const changed = Number(due.reduce((sum, { add }) => sum + add, value).toPrecision(12))
  return {
    ...result,
    value: changed,
    text: text.includes('.') && Number.isInteger(changed) ? `${changed}.0` : `${changed}`,
  }
}

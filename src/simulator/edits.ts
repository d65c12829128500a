import type { ContentAction, ReviseAction, WithdrawAction } from './content-action.ts'
import { epochMs } from './epoch.ts'

/** What has become of values since they were published: the truth knows of it. */
export type Edit = ReviseAction | WithdrawAction

export function isEdit(action: { readonly type: string }): action is Edit {
  return action.type === 'revise' || action.type === 'withdraw'
}

/** Whether an edit is about what holds at an instant, epoch milliseconds. */
export function covers({ from, to }: Edit, time: number): boolean {
  return time >= epochMs(from) && time <= epochMs(to)
}

/** Whether what holds at an instant has been taken away. */
export function isWithdrawn(time: number, changes: readonly (Edit | ContentAction)[]): boolean {
  return changes.some(change => change.type === 'withdraw' && covers(change, time))
}

export function revisionsIn(changes: readonly (Edit | ContentAction)[]): readonly ReviseAction[] {
  return changes.filter(change => change.type === 'revise')
}

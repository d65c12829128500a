import type { ResponseMeta } from '../../src/index.ts'
import type { PagedSchedule } from './paged-schedule.ts'
import type { PageAsk } from './paged-server.ts'
import { insist } from './third-outcome.ts'

/** Faults after which a page that came whole is not counted as read. */
const UNREAD = ['html', 'loop', 'foreign', 'endless']

/**
 * Holds one call's requests against the rules: no page in front of one that failed is asked for again, no more attempts
 * than agreed, and one metadata row for every page that came whole.
 *
 * @param cutOff - whether answers may have been under way when the call ended
 */
export function insistPagedRecord(
  asks: readonly PageAsk[],
  schedule: PagedSchedule,
  meta: readonly ResponseMeta[],
  cutOff: boolean,
): void {
  insistForward(asks, schedule)
  const unmatched = asks.filter(({ status, ended, spoilt }) => status === 200 && ended === 'whole' && spoilt !== true)
  for (const row of meta) {
    const at = unmatched.findIndex(({ search }) => search === new URL(row.url).search)
    insist(at >= 0, 'R55: a metadata row for no response', row)
    unmatched.splice(at, 1)
  }
  if (cutOff || schedule.faults.some(fault => UNREAD.includes(fault.do.type))) return
  // A page that took long may have been given up in the very moment in which it ended.
  const slow = schedule.faults.some(({ do: { type } }) => type === 'latency' || type === 'drip' || type === 'silent')
  insist(slow || unmatched.length === 0, 'R55: a page that came whole has no metadata row', unmatched)
}

function insistForward(asks: readonly PageAsk[], { call, faults }: PagedSchedule): void {
  const redone = faults.some(fault => fault.do.type === 'older')
  const reached = new Map<string, number>()
  const counts = new Map<string, number>()
  for (const { series, start, end, offset, search } of asks) {
    const walk = `${series} ${start} ${end}`
    insist(redone || offset >= (reached.get(walk) ?? 0), 'R48: a page was asked for again that had been read', search)
    reached.set(walk, offset)
    const count = (counts.get(search) ?? 0) + 1
    counts.set(search, count)
    insist(count <= (1 + call.retries) * (redone ? 2 : 1), 'R16: sent more often than agreed', { search, count })
  }
}

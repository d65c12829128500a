import { createHash } from 'node:crypto'
import type { ResponseMeta } from '../../src/index.ts'
import type { Simulator, SimulatorRequest } from '../../src/simulator/index.ts'
import { STEP_MS, type SeriesSchedule } from './series-schedule.ts'
import { insist } from './third-outcome.ts'

/** More renewals of a token than this no request goes through. */
const MOST_REFRESHES = 3

/** Requests for data since the n-th of all requests, in order of arrival. */
export function dataSince({ requests }: Simulator, n: number): SimulatorRequest[] {
  return requests.filter(request => request.n > n && !request.isAccount)
}

/** The span that a request asked for. */
export function askedBy({ query }: SimulatorRequest): { readonly start: string; readonly end: string } {
  return { start: query['start'] ?? '', end: query['end'] ?? '' }
}

/**
 * Holds one call's requests against the rules: borders on the grid, no time-out answered with the same request, no more
 * attempts than agreed, and one metadata row for every answer that came whole.
 *
 * @param meta - all metadata rows of the call
 * @param cutOff - whether answers may have been under way when the call ended
 */
export function insistSeriesRecord(
  simulator: Simulator,
  schedule: SeriesSchedule,
  meta: readonly ResponseMeta[],
  cutOff: boolean,
): void {
  const requests = dataSince(simulator, 0)
  insistBorders(requests, schedule)
  insistRepeats(requests, schedule)
  const answered = new Map(requests.map(request => [requestIdOf(schedule.seed, request.n), request]))
  const matched = new Set<SimulatorRequest>()
  for (const row of meta) {
    const request = answered.get(row.requestId ?? '')
    if (request === undefined) {
      insist(false, 'R55: a metadata row for no response of this call', row)
      continue
    }
    insist(!matched.has(request), 'R55: two metadata rows for one response', row)
    matched.add(request)
    const { start, end } = askedBy(request)
    const sameSpan = row.span?.start.getTime() === Date.parse(start) && row.span.end.getTime() === Date.parse(end)
    insist(
      sameSpan && request.path === new URL(row.url).pathname,
      'R55: a metadata row tells of another request',
      row,
      request,
    )
  }
  if (cutOff || schedule.faults.some(fault => fault.do.type === 'html')) return
  for (const request of requests) {
    if (request.status !== 200 || matched.has(request)) continue
    // Whoever takes as long as a time-out may have been given up in the very moment in which it ended.
    const late = (request.endedAt ?? request.at) - request.at > schedule.call.readTimeoutMs / 2
    insist(late, 'R55: an answer that came whole has no metadata row', request)
  }
}

function insistBorders(requests: readonly SimulatorRequest[], { start, end }: SeriesSchedule): void {
  for (const request of requests) {
    const asked = askedBy(request)
    const from = Date.parse(asked.start)
    const to = Date.parse(asked.end)
    insist(
      (from === start || from % STEP_MS === 0) && (to === end || to % STEP_MS === 0),
      'R25: a border off the grid',
      request.search,
    )
    insist(from >= start && to <= end && from <= to, 'R25: more was asked for than was wanted', request.search)
  }
}

function insistRepeats(requests: readonly SimulatorRequest[], { call, faults }: SeriesSchedule): void {
  const redone = faults.some(fault => fault.do.type === 'model')
  const counts = new Map<string, number>()
  const hung = new Set<string>()
  for (const { search, status } of requests) {
    insist(redone || !hung.has(search), 'R28: a request that timed out was sent again as it was', search)
    if (status === 'hung') hung.add(search)
    const count = (counts.get(search) ?? 0) + 1
    counts.set(search, count)
    insist(count <= (1 + call.retries + MOST_REFRESHES) * (redone ? 2 : 1), 'R16: sent more often than agreed', {
      search,
      count,
    })
  }
}

/** How the simulator numbers its answers. */
function requestIdOf(seed: number, arrival: number): string {
  return createHash('sha256').update(`${seed}|${arrival}`).digest('hex').slice(0, 32)
}

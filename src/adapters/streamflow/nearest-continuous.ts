import { QueryError } from '../../errors.ts'
import { arrange, type Finished, type Gathering } from '../../retrieval/index.ts'
import { isoText, parseDurationMs, parseInstant } from '../../time.ts'
import { groupIds, mostRows, type CallOptions, type Piece, type ResponseMeta } from '../../transport/index.ts'
import { COLLECTIONS } from './collections.ts'
import { itemsQuestion } from './items-question.ts'
import { bytesOf, itemsRequest, MOST_REQUEST_BYTES } from './items-request.ts'
import { itemsOrder } from './order.ts'
import type { NearestContinuousQuery } from './queries.ts'
import type { ContinuousRow, NearestContinuousRow } from './rows.ts'
import { checkItemsQuery } from './schemas.ts'
import type { StreamflowService } from './service.ts'

/** What is looked for, settled. */
interface Search {
  /** Instants in question, ascending, each once. */
  readonly targets: readonly number[]
  readonly windowMs: number
  readonly ties: 'first' | 'last' | 'mean'
}

const COLLECTION = COLLECTIONS.continuous
const DAY_MS = 86_400_000
/** Half of the usual quarter of an hour: every target then has a reading, and mostly one. */
const USUAL_WINDOW_MS = 450_000
/** As much as the service takes between the first and the last instant of a request. */
const WIDEST_MS = (COLLECTION.time.mostDays - 1) * DAY_MS

/**
 * For every target and every series, the reading nearest to it. The service matches instants exactly and sorts by
 * nothing of use, so a window around each target is asked for, many in one request, and the choice is made here.
 *
 * @throws QueryError before anything is sent
 */
export function nearestGathering(
  service: StreamflowService,
  query: NearestContinuousQuery,
  call: CallOptions,
): Gathering<NearestContinuousRow> {
  checkItemsQuery(COLLECTION, query, 'nearest')
  const { targets: _targets, window: _window, ties: _ties, ...rest } = query
  checkProperties(query)
  const search = searchOf(query)
  // A cap is one on what is chosen: to choose, all readings must be there.
  const cap = mostRows(call)
  const { maxRows: _maxRows, ...uncapped } = call
  const span = {
    start: (search.targets[0] ?? 0) - search.windowMs,
    end: (search.targets.at(-1) ?? 0) + search.windowMs,
  }
  // The question of the collection itself, of which everything but the time and its division is taken.
  const whole = { service, collection: COLLECTION, operation: 'getNearestContinuous', mode: 'whole' as const }
  const { gathering, asking } = itemsQuestion<ContinuousRow>(
    whole,
    { ...rest, start: new Date(span.start), end: new Date(span.end) },
    uncapped,
  )
  const request = (ids: readonly string[]) => {
    const windows = windowsOf(ids.map(Date.parse), search.windowMs)
    const [first, last] = [windows[0], windows.at(-1)]
    const time = first && last ? `${isoText(first.start)}/${isoText(last.end)}` : undefined
    return itemsRequest({ ...asking, expression: windowsText(windows) }, { time })
  }
  const { facts } = gathering.question
  const { policy, inspect, reader } = facts.request({ depth: 0 }, undefined)
  checkRoom(bytesOf(request(search.targets.slice(0, 1).map(isoText))))
  const todo = groupsOf(search, ids => bytesOf(request(ids))).map((ids): Piece => ({ ids, depth: 0 }))
  return {
    ...gathering,
    query: JSON.parse(JSON.stringify({ ...query, targets: search.targets.map(isoText) })) as Record<string, unknown>,
    question: {
      ...gathering.question,
      todo,
      priority: todo.length > 1 ? 'bulk' : 'interactive',
      facts: {
        ...facts,
        request: ({ ids = [] }: Piece) => ({ ...request(ids), policy, inspect, reader }),
      },
    },
    columns: (rows: readonly ContinuousRow[], meta: readonly ResponseMeta[]) => [
      { name: 'target_time', kind: 'instant', when: true },
      { name: 'offset_seconds', kind: 'number' },
      ...gathering.columns(rows, meta).map(({ when: _when, ...column }) => column),
    ],
    filled: [...(gathering.filled ?? []), 'target_time', 'offset_seconds'],
    finish: (rows: readonly ContinuousRow[]) => firstOf(nearestOf(rows, search), cap),
    completeness: undefined,
  } as unknown as Gathering<NearestContinuousRow>
}

function searchOf({ targets, window, ties = 'first', zone }: NearestContinuousQuery): Search {
  const windowMs = window === undefined ? USUAL_WINDOW_MS : parseDurationMs(window)
  if (windowMs === undefined)
    throw new QueryError(`window is not a length of time: '${window}'; use an ISO-8601 duration such as 'PT15M'`, {
      argument: 'window',
      value: window,
    })
  const instants = [targets].flat().map(target => parseInstant(target, 'targets', zone))
  return { targets: [...new Set(instants)].sort((a, b) => a - b), windowMs, ties }
}

/** The choice needs to know which series a reading is of, and when it was. */
function checkProperties({ properties }: NearestContinuousQuery): void {
  const missing = ['time_series_id', 'time'].find(name => properties !== undefined && !properties.includes(name))
  if (missing !== undefined)
    throw new QueryError(`properties must hold '${missing}': without it nobody can tell which reading is nearest`, {
      argument: 'properties',
      value: properties,
    })
}

/** The list of sites stands in every request. */
function checkRoom(bytes: number): void {
  if (bytes <= MOST_REQUEST_BYTES) return
  throw new QueryError(
    `monitoringLocationId: the list leaves no room for a target (${bytes} bytes of ${MOST_REQUEST_BYTES}); ask for fewer sites at a time`,
    { argument: 'monitoringLocationId', value: '' },
  )
}

/** Targets that go into one request: not too many, and not too far apart. */
function groupsOf({ targets, windowMs }: Search, lengthOf: (ids: readonly string[]) => number): string[][] {
  const stretches: number[][] = []
  for (const target of targets) {
    const last = stretches.at(-1)
    if (last?.[0] !== undefined && target + 2 * windowMs - last[0] <= WIDEST_MS) last.push(target)
    else stretches.push([target])
  }
  return stretches.flatMap(stretch => groupIds(stretch.map(isoText), lengthOf, MOST_REQUEST_BYTES, 'targets'))
}

/** Windows around targets; those that meet become one. */
function windowsOf(targets: readonly number[], windowMs: number): { readonly start: number; readonly end: number }[] {
  const windows: { start: number; end: number }[] = []
  for (const target of targets) {
    const last = windows.at(-1)
    if (last && target - windowMs <= last.end) last.end = target + windowMs
    else windows.push({ start: target - windowMs, end: target + windowMs })
  }
  return windows
}

function windowsText(windows: readonly { readonly start: number; readonly end: number }[]): string {
  return windows.map(({ start, end }) => `(time >= '${isoText(start)}' AND time <= '${isoText(end)}')`).join(' OR ')
}

/** Chosen readings, and where each was among those received. */
type Chosen = Finished<NearestContinuousRow> & { readonly from: number[] }

function nearestOf(received: readonly ContinuousRow[], search: Search): Chosen {
  // Windows of two requests may hold the same reading.
  const { rows: sorted, from: places, warnings = [] } = arrange([...received], itemsOrder<ContinuousRow>(COLLECTION))
  const bySeries = new Map<string, number[]>()
  sorted.forEach((row, at) => {
    const key = [row.monitoring_location_id, row.parameter_code, row.statistic_id, row.time_series_id].join('\n')
    const series = bySeries.get(key) ?? []
    bySeries.set(key, series)
    if (row.time !== null) series.push(at)
  })
  const rows: NearestContinuousRow[] = []
  const from: number[] = []
  const found = new Set<number>()
  for (const series of bySeries.values()) {
    for (const target of search.targets) {
      const near = nearestIn(sorted, series, target, search.windowMs)
      const row = chosen(
        near.map(at => sorted[at] as ContinuousRow),
        target,
        search.ties,
      )
      if (row === undefined) continue
      found.add(target)
      rows.push(row)
      from.push(places?.[near[0] as number] ?? (near[0] as number))
    }
  }
  const silent = search.targets.length - found.size
  return {
    rows,
    from,
    warnings: [
      ...warnings,
      ...(silent > 0
        ? [`${silent} of ${search.targets.length} targets have no reading within ${search.windowMs / 1000} s`]
        : []),
    ],
  }
}

function firstOf({ rows, from, ...rest }: Chosen, most: number): Chosen {
  return { ...rest, rows: rows.slice(0, most), from: from.slice(0, most) }
}

/** The one reading that is nearest, or the two that are at the same distance, the earlier first. */
function nearestIn(
  rows: readonly ContinuousRow[],
  series: readonly number[],
  target: number,
  windowMs: number,
): number[] {
  const timeAt = (place: number): number => rows[place]?.time?.getTime() ?? Number.NaN
  let low = 0
  let high = series.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (timeAt(series[middle] as number) < target) low = middle + 1
    else high = middle
  }
  const around = [series[low - 1], series[low]].filter(place => place !== undefined)
  const distances = around.map(place => Math.abs(timeAt(place) - target))
  const least = Math.min(...distances)
  return least <= windowMs ? around.filter((_, at) => distances[at] === least) : []
}

function chosen(
  near: readonly ContinuousRow[],
  target: number,
  ties: Search['ties'],
): NearestContinuousRow | undefined {
  const [first] = near
  const last = near.at(-1)
  if (first === undefined || last === undefined) return undefined
  const offset = (row: ContinuousRow): number => ((row.time?.getTime() ?? target) - target) / 1000
  const about = (row: ContinuousRow, seconds = offset(row)) =>
    ({ target_time: new Date(target), offset_seconds: seconds, ...row }) as NearestContinuousRow
  if (near.length === 1 || ties !== 'mean') return about(ties === 'last' ? last : first)
  // Nobody read the mean: it has no identifier, and stands at the target.
  const value = first.value === null || last.value === null ? null : (first.value + last.value) / 2
  return { ...about(first, 0), time: new Date(target), value, continuous_id: null }
}

import type { Clock } from '../../clock.ts'
import { Retrieval, type AnyRow, type Column } from '../../retrieval/index.ts'
import type { Operation } from '../../transport/index.ts'
import { KEEP_ACCESS_MS, KEEP_REGIONS_MS } from './keep.ts'
import type { AccessQuery, MapsQuery, RegionQuery } from './queries.ts'
import { columnsOf, DEFAULT_SIGNAL, get, type SeriesQuestion } from './questions.ts'
import { COLUMNS, type AccessRow, type MapRow, type RegionRow } from './rows.ts'
import { asSent, readAccess, readMaps, readRegion } from './tables.ts'

export function accessQuestion({ region, signalType }: AccessQuery, baseUrl: URL): SeriesQuestion<AccessRow> {
  return table(
    'getAccess',
    COLUMNS.access,
    () => get(baseUrl, '/v3/my-access', { region, signal_type: signalType }),
    readAccess,
    KEEP_ACCESS_MS,
  )
}

export function mapsQuestion({ signalType = DEFAULT_SIGNAL }: MapsQuery, baseUrl: URL): SeriesQuestion<MapRow> {
  return table(
    'getMaps',
    COLUMNS.maps,
    () => get(baseUrl, '/v3/maps', { signal_type: signalType }),
    readMaps,
    KEEP_REGIONS_MS,
  )
}

export function regionQuestion(
  { latitude, longitude, signalType = DEFAULT_SIGNAL }: RegionQuery,
  baseUrl: URL,
): SeriesQuestion<RegionRow> {
  const request: Operation<RegionRow>['request'] = () => {
    const { inspect, ...asked } = get(baseUrl, '/v3/region-from-loc', { latitude, longitude, signal_type: signalType })
    return { ...asked, accept: [400, 404], inspect: reply => (reply.status < 400 ? inspect?.(reply) : undefined) }
  }
  return table('getRegion', COLUMNS.region, request, readRegion, KEEP_REGIONS_MS)
}

/** Region look-ups that were answered, kept for a while: regions change, but not every day. */
export interface RegionCache {
  /** @param fresh - whether it is asked again though it is kept */
  through(query: RegionQuery, ask: () => Promise<Retrieval<RegionRow>>, fresh?: boolean): Promise<Retrieval<RegionRow>>
}

/** Look-ups kept at a time: the oldest goes first. */
const MOST_KEPT = 10_000

export function createRegionCache(clock: Clock, lifeMs: number): RegionCache {
  const kept = new Map<string, { readonly answer: Retrieval<RegionRow>; readonly at: number }>()
  return {
    async through(query, ask, fresh = false) {
      // The signal belongs to the key: regions differ by signal.
      const key = `${query?.signalType ?? DEFAULT_SIGNAL} ${query?.latitude} ${query?.longitude}`
      const known = kept.get(key)
      if (!fresh && known && clock.monotonic() - known.at < lifeMs) return copyOf(known.answer)
      const answer = await ask()
      kept.delete(key)
      if (lifeMs > 0) kept.set(key, { answer: copyOf(answer), at: clock.monotonic() })
      const oldest = kept.keys().next()
      if (kept.size > MOST_KEPT && !oldest.done) kept.delete(oldest.value)
      return answer
    },
  }
}

/** What the caller does to an answer must not change what is kept. */
function copyOf(answer: Retrieval<RegionRow>): Retrieval<RegionRow> {
  return new Retrieval({ ...answer.toJSON(), rows: answer.rows.map(row => ({ ...row })) })
}

function table<Row extends AnyRow>(
  operation: string,
  columns: readonly Column[],
  request: Operation<Row>['request'],
  read: Operation<Row>['read'],
  keepMs: number,
): SeriesQuestion<Row> {
  return {
    operation,
    series: '',
    todo: [{ depth: 0 }],
    pin: undefined,
    columns: columnsOf(columns),
    facts: {
      rules: { stepMs: 1, chunkMs: 1, mostMs: Number.MAX_SAFE_INTEGER, ends: 'trimmed' },
      order: asSent<Row>(),
      request,
      keepMs: () => keepMs,
      // No content is no rows, as it is for a series.
      read: (reply, piece) => (reply.status === 204 ? { rows: [], source: {}, warnings: [] } : read(reply, piece)),
    },
  }
}

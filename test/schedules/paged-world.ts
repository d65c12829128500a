import type { ResponseMeta } from '../../src/index.ts'
import { HASTE } from './call-plan.ts'
import { createGrid, type Stretch } from './grid.ts'
import { createPagedPuller, nameOf } from './paged-client.ts'
import { insistPagedRecord } from './paged-record.ts'
import { PAGE_STEP_MS, type PagedSchedule } from './paged-schedule.ts'
import { askOf, NEWEST, openPagedServer, valueOf } from './paged-server.ts'
import type { Places } from './places.ts'
import { countTimers, createTurnClock } from './turn-clock.ts'
import type { World } from './world.ts'

/** A part of a walk: rows from `offset` on, at most so many. */
interface Part extends Stretch {
  readonly series: string
  readonly offset: number
  readonly limit: number
}

/** The smallest adapter of a service with pages, and that service. */
export async function openPagedWorld(schedule: PagedSchedule): Promise<World> {
  const { series: count, start, end, ends } = schedule
  const clock = createTurnClock(HASTE)
  const server = await openPagedServer(clock, schedule.faults)
  const grid = createGrid(start, end, PAGE_STEP_MS)
  const names = Array.from({ length: count }, (_, place) => nameOf(place))
  const size = grid.size * count
  const placeOf = (key: string): number => {
    const [series = '', time] = key.split('@')
    return names.indexOf(series) * grid.size + grid.placeOf(Number(time))
  }

  const cover = (parts: readonly Part[]): Places => {
    const places = new Uint8Array(size)
    for (const { series, offset, limit, ...stretch } of parts) {
      const { from, to } = grid.within(stretch)
      const base = names.indexOf(series) * grid.size
      for (let row = offset; row < offset + limit && from + row <= to; row++) {
        // Where neighbours meet at one instant, it belongs to the earlier one.
        if (row === 0 && ends === 'shared' && new Date(stretch.start).getTime() > start) continue
        places[base + from + row] = (places[base + from + row] ?? 0) + 1
      }
    }
    return places
  }
  const everySeries = (stretches: readonly Stretch[]): Places =>
    cover(
      stretches.flatMap(stretch =>
        names.map(series => ({ ...stretch, series, offset: 0, limit: Number.POSITIVE_INFINITY })),
      ),
    )

  return {
    clock,
    size,
    puller: () => createPagedPuller(schedule, server.url, countTimers(clock)),
    truth: () =>
      names.flatMap((series, at) =>
        Array.from({ length: grid.size }, (_, place) => ({
          key: `${series}@${(Math.ceil(start / PAGE_STEP_MS) + place) * PAGE_STEP_MS}`,
          place: at * grid.size + place,
        })),
      ),
    samples({ rows, meta }) {
      const versions = meta.flatMap(one => Array<string>(one.rows).fill(versionOf(one)))
      return rows.map((row, at) => {
        const key = String(row['id'])
        const [series = '', time] = key.split('@')
        return {
          key,
          place: placeOf(key),
          value: row['value'] as number,
          expected: valueOf(series, Number(time), versions[at] ?? NEWEST),
          mayBeNull: false,
        }
      })
    },
    answered({ rows }) {
      const places = new Uint8Array(size)
      for (const row of rows) places[placeOf(String(row['id']))] = (places[placeOf(String(row['id']))] ?? 0) + 1
      return places
    },
    gaps: new Uint8Array(size),
    inSpans: everySeries,
    leftBy: ({ left }) =>
      cover(
        left.map(piece => ({
          series: piece.ids?.[0] ?? '',
          start: piece.start ?? '',
          end: piece.end ?? '',
          limit: Number.POSITIVE_INFINITY,
          offset: piece.cursor === undefined ? 0 : askOf(piece.cursor).offset,
        })),
      ),
    tellsCompleteness: false,
    spansTellAll: false,
    get requests() {
      return server.asks.length
    },
    askedSince: n => cover(server.asks.slice(n)),
    insistRecord: (meta, cutOff) => insistPagedRecord(server.asks, schedule, meta, cutOff),
    open: () => server.asks.filter(({ ended }) => ended === undefined),
    lift: () => server.lift(),
    get paused() {
      return server.asks.some(({ status }) => status === 429)
    },
    close: () => server.close(),
  }
}

function versionOf({ source }: ResponseMeta): string {
  return typeof source['version'] === 'string' ? source['version'] : NEWEST
}

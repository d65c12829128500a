import { createEmissions, type EmissionsClient } from '../../src/adapters/emissions/index.ts'
import { systemClock } from '../../src/clock.ts'
import type { AnyRow, CallOptions, ResponseMeta, Retrieval, StreamBatch } from '../../src/index.ts'
import { startSimulator, type Simulator } from '../../src/simulator/index.ts'
import { clientOptions, HASTE } from './call-plan.ts'
import { seededRandom } from './chance.ts'
import { createGrid, type Stretch } from './grid.ts'
import type { Places } from './places.ts'
import { askedBy, dataSince, insistSeriesRecord } from './series-record.ts'
import { atHand, STEP_MS, type SeriesOperation, type SeriesSchedule } from './series-schedule.ts'
import { countTimers, createTurnClock, type CountedClock } from './turn-clock.ts'
import type { Puller, World } from './world.ts'

const REGION = 'CAISO_NORTH'
/** The version that the simulator speaks of unless told otherwise. */
const NEWEST_MODEL = '2026-03-01'
const HORIZON_HOURS = 1

/** The emissions client and the simulator. */
export async function openSeriesWorld(schedule: SeriesSchedule): Promise<World> {
  const { seed, operation, start, end, gzip, faults } = schedule
  const clock = createTurnClock(HASTE)
  const simulator = await startSimulator({ seed, clock, gzip, faults: atHand(faults, systemClock.now()) })
  const grid = createGrid(start, end, STEP_MS)
  const placeOf = (key: string): number => grid.placeOf(Number.parseInt(key, 10))
  const cover = (stretches: Iterable<Stretch>): Places => {
    const places = new Uint8Array(grid.size)
    for (const stretch of stretches) {
      const { from, to } = grid.within(stretch)
      for (let place = from; place <= to; place++) places[place] = (places[place] ?? 0) + 1
    }
    return places
  }
  const valuesByModel = new Map<string, ReadonlyMap<string, number>>()
  const valuesOf = (model: string): ReadonlyMap<string, number> => {
    const known = valuesByModel.get(model) ?? trueValues(simulator, operation, { region: REGION, start, end, model })
    valuesByModel.set(model, known)
    return known
  }
  return {
    clock,
    size: grid.size,
    puller: () => createPuller(schedule, simulator.url, countTimers(clock)),
    truth: meta =>
      [...valuesOf(modelsOf(meta).at(-1) ?? NEWEST_MODEL).keys()].map(key => ({ key, place: placeOf(key) })),
    samples({ rows, meta }) {
      let at = 0
      return meta.flatMap(one => {
        const values = valuesOf(modelOf(one))
        const mayBeNull = JSON.stringify(one.source['warnings'] ?? '').includes('NaN')
        return rows.slice(at, (at += one.rows)).map(row => {
          const key = keyOf(operation, row)
          return {
            key,
            place: placeOf(key),
            value: row['value'] as number | null,
            expected: values.get(key) ?? Number.NaN,
            mayBeNull,
          }
        })
      })
    },
    answered: ({ meta }) =>
      cover(meta.flatMap(({ span, source }) => (span && source['superseded'] !== true ? span : []))),
    gaps: cover(faults.flatMap(gapsOf)),
    inSpans: cover,
    leftBy: ({ left }) => cover(left.map(piece => ({ start: piece.start ?? '', end: piece.end ?? '' }))),
    tellsCompleteness: true,
    spansTellAll: true,
    get requests() {
      return simulator.requests.length
    },
    askedSince: n => cover(dataSince(simulator, n).map(askedBy)),
    insistRecord: (meta, cutOff) => insistSeriesRecord(simulator, schedule, meta, cutOff),
    open: () => simulator.requests.filter(request => request.endedAt === undefined),
    lift: () => simulator.setFaults([]),
    get paused() {
      return simulator.requests.some(request => request.status === 429)
    },
    close: () => simulator.close(),
  }
}

function createPuller(schedule: SeriesSchedule, baseUrl: string, clock: CountedClock): Puller {
  const { operation, start, end, chunkMs, call, seed } = schedule
  const client = createEmissions({
    username: 'demo',
    password: 'demo-pass-1!',
    baseUrl,
    env: {},
    clock,
    random: seededRandom(seed),
    chunk: chunkMs,
    ...clientOptions(call),
  })
  const query = {
    region: REGION,
    start,
    end,
    ...(operation === 'historicalForecast' ? { horizonHours: HORIZON_HOURS } : {}),
  }
  return {
    clock,
    get: options => getterOf(client, operation)(query, options),
    stream: options => streamerOf(client, operation)(query, options),
    resumeFrom: (checkpoint, options) => client.resumeFrom(checkpoint, options),
  }
}

interface SpanQuery {
  readonly region: string
  readonly start: number
  readonly end: number
}

type Getter = (query: SpanQuery, call: CallOptions) => Promise<Retrieval>
type Streamer = (query: SpanQuery, call: CallOptions) => AsyncGenerator<StreamBatch<AnyRow>, void, void>

function getterOf(
  { getHistorical, getFuelMix, getHistoricalForecast }: EmissionsClient,
  operation: SeriesOperation,
): Getter {
  return { historical: getHistorical, fuelMix: getFuelMix, historicalForecast: getHistoricalForecast }[
    operation
  ] as Getter
}

function streamerOf(
  { streamHistorical, streamFuelMix, streamHistoricalForecast }: EmissionsClient,
  operation: SeriesOperation,
): Streamer {
  return { historical: streamHistorical, fuelMix: streamFuelMix, historicalForecast: streamHistoricalForecast }[
    operation
  ] as Streamer
}

/** Every sample's value by its key, in the order in which rows must stand. A key begins with the instant that is asked for. */
function trueValues(
  { truth }: Simulator,
  operation: SeriesOperation,
  query: SpanQuery & { readonly model: string },
): ReadonlyMap<string, number> {
  if (operation === 'historical')
    return new Map(truth.historical(query).map(({ point_time, value }) => [String(point_time), value]))
  if (operation === 'historicalForecast') {
    const rows = truth.historicalForecast({ ...query, horizonHours: HORIZON_HOURS })
    return new Map(rows.map(({ generated_at, point_time, value }) => [`${generated_at} ${point_time}`, value]))
  }
  const points = truth.fuelMix(query)
  return new Map(
    points.flatMap(({ point_time, values }) =>
      Object.entries(values)
        .sort(byName)
        .map(([fuel, share]) => [`${point_time} ${fuel}`, share]),
    ),
  )
}

function byName([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number {
  return one < other ? -1 : 1
}

function keyOf(operation: SeriesOperation, row: AnyRow): string {
  const time = (row['point_time'] as Date).getTime()
  if (operation === 'historical') return String(time)
  return operation === 'fuelMix'
    ? `${time} ${String(row['fuel_type'])}`
    : `${(row['generated_at'] as Date).getTime()} ${time}`
}

/** Versions that brought rows, oldest first. */
function modelsOf(meta: readonly ResponseMeta[]): readonly string[] {
  return [...new Set(meta.filter(({ rows }) => rows > 0).map(modelOf))].sort()
}

/** The version that a response speaks of: the one it states, else the one that was asked for, else the newest. */
function modelOf({ source, url }: ResponseMeta): string {
  const stated = source['model_date']
  return typeof stated === 'string' ? stated : (new URL(url).searchParams.get('model') ?? NEWEST_MODEL)
}

function gapsOf({ do: action }: SeriesSchedule['faults'][number]): Stretch[] {
  const drops = action.type === 'rows' ? (action.drop ?? []) : []
  return drops.flatMap(drop => (typeof drop === 'number' ? [] : [{ start: drop.from, end: drop.to }]))
}

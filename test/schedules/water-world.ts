import { createStreamflow, type StreamflowClient } from '../../src/adapters/streamflow/index.ts'
import type { Clock } from '../../src/clock.ts'
import type { AnyRow, CallOptions } from '../../src/index.ts'
import { startSimulator, type Simulator } from '../../src/simulator/index.ts'
import { clientOptions, HASTE } from './call-plan.ts'
import { seededRandom } from './chance.ts'
import { countTimers, createTurnClock } from './turn-clock.ts'
import { WATER_STEP_MS, type WaterSchedule } from './water-schedule.ts'
import type { Puller } from './world.ts'

/** The streamflow client and the simulator, and what is true. */
export interface WaterWorld {
  readonly clock: Clock
  /** Lets time pass at once: for waits that nothing happens in. */
  skip(ms: number): void
  readonly simulator: Simulator
  /** Values by series and time, or by site; in the order in which rows must stand. */
  readonly truth: ReadonlyMap<string, unknown>
  /** A client. Each is of another process as far as quotas and lessons are concerned. */
  puller(): Puller
}

const HOUR_MS = 3_600_000
/** Twice as many as there are: a link may lead to an empty page for ever. */
const MOST_PAGES = 300
const DISCHARGE = '00060'
const SITES_QUERY = { state: ['VA', 'MD'], siteTypeCode: 'ST' }

export async function openWaterWorld(schedule: WaterSchedule): Promise<WaterWorld> {
  const { seed, gzip, quota, faults } = schedule
  const { clock, skip } = skippable(createTurnClock(HASTE))
  const everybody = quota === null ? null : { count: quota, perMs: HOUR_MS }
  const none = { withKey: null, statistics: null, navigations: null, lookups: null }
  const simulator = await startSimulator({
    seed,
    clock,
    gzip,
    streamflow: { sites: 500, quotas: { ...none, withoutKey: everybody } },
  })
  const truth = await truthOf(schedule, simulator)
  simulator.reset()
  simulator.setFaults(faults)
  return { clock, skip, simulator, truth, puller: () => createPuller(schedule, simulator.url, clock) }
}

function skippable(clock: Clock): { readonly clock: Clock; readonly skip: (ms: number) => void } {
  let skipped = 0
  return {
    clock: {
      now: () => clock.now() + skipped,
      monotonic: () => clock.monotonic() + skipped,
      after: (ms, run) => clock.after(ms, run),
    },
    skip: ms => void (skipped += ms),
  }
}

/** Tells a row from all others, whatever its identifier is now. */
export function keyOf(row: AnyRow): string {
  const time = row['time']
  return row['time_series_id'] === undefined
    ? String(row['monitoring_location_id'])
    : `${String(row['time_series_id'])} ${time instanceof Date ? time.toISOString().slice(0, 19) : String(time)}`
}

/** What is compared of a row. */
export function valueOf(row: AnyRow): unknown {
  return row['time_series_id'] === undefined ? row['monitoring_location_name'] : (row['value_text'] ?? row['value'])
}

async function truthOf(schedule: WaterSchedule, simulator: Simulator): Promise<ReadonlyMap<string, unknown>> {
  const { operation } = schedule
  if (operation === 'sites') {
    const { rows } = await createStreamflow({ baseUrl: simulator.url, env: {} }).getMonitoringLocations(SITES_QUERY)
    return new Map(rows.map(row => [keyOf(row), valueOf(row)]))
  }
  const { start, end } = spanOf(schedule)
  const query = { monitoringLocationId: sitesOf(schedule), parameterCode: DISCHARGE, start, end }
  const rows = operation === 'daily' ? simulator.truth.daily(query) : simulator.truth.continuous(query)
  return new Map(
    rows.map(({ time_series_id, time, value }) => [`${time_series_id} ${time.slice(0, 19)}`, plainValue(value)]),
  )
}

function plainValue(text: string | null): unknown {
  if (text === null || text === '') return null
  return Number.isNaN(Number(text)) ? text : Number(text)
}

function sitesOf({ sites }: WaterSchedule): string[] {
  return Array.from({ length: sites }, (_, n) => `USGS-${String(1_000_000 + n).padStart(8, '0')}`)
}

function spanOf({ operation, start, steps }: WaterSchedule): { readonly start: number; readonly end: number } {
  return { start, end: start + steps * WATER_STEP_MS[operation] }
}

function createPuller(schedule: WaterSchedule, baseUrl: string, shared: Clock): Puller {
  const { operation, pageSize, chunkSteps, call: plan, seed } = schedule
  const clock = countTimers(shared)
  const client = createStreamflow({
    baseUrl,
    env: {},
    clock,
    random: seededRandom(seed),
    ...clientOptions(plan),
    maxPages: MOST_PAGES,
    ...(chunkSteps === null ? {} : { chunk: chunkSteps * WATER_STEP_MS[operation] }),
  })
  const span = { monitoringLocationId: sitesOf(schedule), parameterCode: DISCHARGE, pageSize, ...spanOf(schedule) }
  return { clock, ...askedWith(client, operation, span, pageSize), resumeFrom: client.resumeFrom }
}

type Asked = Pick<Puller, 'get' | 'stream'>

function askedWith(
  client: StreamflowClient,
  operation: WaterSchedule['operation'],
  span: { readonly start: number; readonly end: number; readonly monitoringLocationId: readonly string[] },
  pageSize: number,
): Asked {
  switch (operation) {
    case 'daily':
      return {
        get: (call: CallOptions) => client.getDaily(span, call),
        stream: call => client.streamDaily(span, call),
      }
    case 'continuous': {
      const query = { ...span, cadence: 'PT15M' }
      return { get: call => client.getContinuous(query, call), stream: call => client.streamContinuous(query, call) }
    }
    case 'sites': {
      const query = { ...SITES_QUERY, pageSize }
      return {
        get: call => client.getMonitoringLocations(query, call),
        stream: call => client.streamCollection('monitoring-locations', query, call),
      }
    }
  }
}

import { setTimeout as pause } from 'node:timers/promises'
import { createStreamflow, type ContinuousRow, type DailyRow } from 'headrace/streamflow'
import { pack, type Packed } from './checksum.ts'
import { BENCH_URL, measure } from './measure.ts'
import { takenUp } from './taken-up.ts'
import { scaledWaits, type BenchSpec, type Tuning } from './spec.ts'

type Row = DailyRow | ContinuousRow

const DISCHARGE = '00060'
const AGENCY = 'USGS-'
/** As long as the site numbers of the bench. */
const DIGITS = 8

/** The jobs of streamflow: one call for all sites and years. */
export async function runStreamflow(peer: string, spec: BenchSpec, tuning: Tuning): Promise<void> {
  const { stream, pauseMs, resume, walk, ...options } = tuning
  // The server speaks the older version only.
  const client = createStreamflow({
    baseUrl: BENCH_URL,
    apiVersion: 'v0',
    apiKey: 'bench',
    env: {},
    ...scaledWaits(spec),
    ...options,
  })
  const [start, end] = spec.time?.split('/') ?? []
  if (start === undefined || end === undefined) throw new TypeError(`job ${spec.job} states no time`)
  const query = {
    monitoringLocationId: spec.sites ?? [],
    parameterCode: DISCHARGE,
    start,
    end,
    ...(spec.limit === undefined ? {} : { pageSize: spec.limit }),
  }
  const call = walk ? { maxRows: Number.MAX_SAFE_INTEGER } : {}
  const daily = spec.collection === 'daily'
  const collect = (): Promise<{ rows: readonly Row[] }> =>
    daily ? client.getDaily(query, call) : client.getContinuous(query, call)
  const whole = takenUp(collect, resume)
  const run = async (): Promise<Packed[]> => {
    if (!stream) return [packRows((await whole.run()).rows)]
    const kept: Packed[] = []
    for await (const { rows } of daily ? client.streamDaily(query, call) : client.streamContinuous(query, call)) {
      kept.push(packRows(rows))
      if (pauseMs > 0) await pause(pauseMs)
    }
    return kept
  }
  return measure(peer, spec, { run, more: whole.more, pack: parts => parts, labelOf: siteOf })
}

function packRows(rows: readonly Row[]): Packed {
  return pack<Row>(rows, {
    group: row => Number(row.monitoring_location_id?.slice(AGENCY.length)),
    time: ({ time }) => (time instanceof Date ? time.getTime() : Date.parse(time ?? '')),
    value: row => row.value,
  })
}

function siteOf(number: number): string {
  return AGENCY + String(number).padStart(DIGITS, '0')
}

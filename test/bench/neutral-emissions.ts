import { setTimeout as pause } from 'node:timers/promises'
import { createEmissions, type EmissionsClient, type ForecastRow, type HistoricalRow } from 'headrace/emissions'
import { pack, type Packed } from './checksum.ts'
import { BENCH_URL, measure } from './measure.ts'
import { takenUp } from './taken-up.ts'
import { REGION, scaledWaits, spanOfJob, type BenchSpec, type Tuning } from './spec.ts'

/** The jobs of grid-emission signals. */
export async function runEmissions(peer: string, spec: BenchSpec, tuning: Tuning): Promise<void> {
  const { stream, pauseMs, resume, walk: _walk, ...options } = tuning
  const client = createEmissions({
    baseUrl: BENCH_URL,
    username: 'bench',
    password: 'bench',
    env: {},
    ...scaledWaits(spec),
    ...options,
  })
  const query = { region: REGION, ...spanOfJob(spec) }
  if (spec.endpoint === 'forecast') {
    const run = takenUp(() => client.getHistoricalForecast(query), resume)
    return measure(peer, spec, { ...run, pack: ({ rows }) => [packForecast(rows)] })
  }
  if (stream) return measure(peer, spec, { run: () => drain(client, query, pauseMs), pack: parts => parts })
  const run = takenUp(() => client.getHistorical(query), resume)
  return measure(peer, spec, { ...run, pack: ({ rows }) => [packHistorical(rows)] })
}

/** Takes a span batch by batch and keeps no row: what a program does that writes to a file or a database. */
async function drain(
  client: EmissionsClient,
  query: { region: string; start: number; end: number },
  pauseMs: number,
): Promise<Packed[]> {
  const kept: Packed[] = []
  for await (const { rows } of client.streamHistorical(query)) {
    kept.push(packHistorical(rows))
    if (pauseMs > 0) await pause(pauseMs)
  }
  return kept
}

function packHistorical(rows: readonly HistoricalRow[]): Packed {
  return pack(rows, { time: row => row.point_time.getTime(), value: row => row.value })
}

function packForecast(rows: readonly ForecastRow[]): Packed {
  return pack(rows, {
    group: row => row.generated_at.getTime() / 1000,
    time: row => row.point_time.getTime(),
    value: row => row.value,
  })
}

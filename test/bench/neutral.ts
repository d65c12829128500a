/**
 * Our client on the neutral bench: `--spec '<json>'`, the server's address in BENCH_URL, one JSON line out.
 *
 *   --concurrency <n>  requests at a time       --rate <n>       request starts per second
 *   --stream           through streamHistorical --pause-ms <n>   a consumer that takes so long over each batch
 */
import { setTimeout as pause } from 'node:timers/promises'
import {
  createEmissions,
  type EmissionsClient,
  type EmissionsOptions,
  type ForecastRow,
  type HistoricalRow,
} from 'headrace/emissions'
import { pack, type Packed } from './checksum.ts'
import { BENCH_URL, measure, refuse } from './measure.ts'
import { readFlags, REGION, spanOfJob } from './spec.ts'

const { spec, concurrency, rate, stream, pauseMs } = readFlags()
const peer = [
  'headrace',
  ...(concurrency === undefined ? [] : [`concurrency ${concurrency}`]),
  ...(rate === undefined ? [] : [`rate ${rate}`]),
  ...(stream ? ['streaming'] : []),
  ...(pauseMs > 0 ? [`${pauseMs} ms a batch`] : []),
].join(', ')

/** Our defaults, every wait divided like the server's. */
function scaledOptions(): EmissionsOptions {
  const scaled = (ms: number): number => ms / spec.timeScale
  return {
    baseUrl: BENCH_URL,
    username: 'bench',
    password: 'bench',
    env: {},
    readTimeoutMs: scaled(60_000),
    connectTimeoutMs: scaled(10_000),
    stallMs: scaled(60_000),
    backoff: { baseDelayMs: scaled(500), maxDelayMs: scaled(30_000) },
    retryAfterCapMs: scaled(60_000),
    ...(concurrency === undefined ? {} : { concurrency }),
    ...(rate === undefined ? {} : { rate }),
  }
}

/** Takes a span batch by batch and keeps no row: what a program does that writes to a file or a database. */
async function drain(client: EmissionsClient, query: { start: number; end: number }): Promise<Packed[]> {
  const kept: Packed[] = []
  for await (const { rows } of client.streamHistorical({ region: REGION, ...query })) {
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
    issued: row => row.generated_at.getTime(),
    time: row => row.point_time.getTime(),
    value: row => row.value,
  })
}

async function main(): Promise<void> {
  if (spec.collection !== undefined) return refuse(peer, spec, 'streamflow has no adapter here yet')
  const client = createEmissions(scaledOptions())
  const query = { region: REGION, ...spanOfJob(spec) }
  if (spec.endpoint === 'forecast') {
    const run = () => client.getHistoricalForecast(query)
    return measure(peer, spec, { run, pack: ({ rows }) => [packForecast(rows)] })
  }
  if (stream) return measure(peer, spec, { run: () => drain(client, query), pack: parts => parts })
  return measure(peer, spec, { run: () => client.getHistorical(query), pack: ({ rows }) => [packHistorical(rows)] })
}

await main()

/**
 * How little a JavaScript client can cost: plan, fetch, JSON.parse, pick three fields. No retry, no validation, no
 * rate limit, no record. The yardstick of `run.ts`; same command line and same output as `neutral.ts`.
 */
import { pack } from './checksum.ts'
import { BENCH_URL, measure, refuse } from './measure.ts'
import { readFlags, REGION, spanOfJob, type BenchSpec } from './spec.ts'

/** Issue time (0 where there is none), point time, value. Times in epoch milliseconds. */
type Row = readonly [number, number, number]

interface Point {
  readonly point_time: string
  readonly value: number
}

const FIELDS = {
  group: ([issued]: Row) => issued / 1000,
  time: ([, time]: Row) => time,
  value: ([, , value]: Row) => value,
}
const DAY_MS = 86_400_000
const STEP_MS = 300_000

const { spec, concurrency = 8 } = readFlags()
const peer = `floor: fetch and JSON.parse, concurrency ${concurrency}`

async function pull(job: BenchSpec): Promise<Row[]> {
  const headers = { authorization: `Bearer ${await login()}` }
  const chunks = planned(job)
  const answers: Row[][] = []
  let next = 0
  const worker = async (): Promise<void> => {
    while (next < chunks.length) {
      const at = next++
      const response = await fetch(chunks[at] ?? '', { headers })
      if (!response.ok) throw new Error(`status ${response.status}`)
      answers[at] = rowsOf(job, await response.json())
    }
  }
  await Promise.all(Array.from({ length: concurrency }, worker))
  return answers.flat()
}

async function login(): Promise<string> {
  const response = await fetch(`${BENCH_URL}/login`, { headers: { authorization: `Basic ${btoa('bench:bench')}` } })
  return ((await response.json()) as { token: string }).token
}

function planned(job: BenchSpec): string[] {
  const { start, end } = spanOfJob(job)
  const [path, chunkMs] =
    job.endpoint === 'forecast' ? ['/v3/forecast/historical', DAY_MS] : ['/v3/historical', 30 * DAY_MS]
  const urls: string[] = []
  for (let from = start; from < end; from += chunkMs) {
    const to = from + chunkMs >= end ? end : from + chunkMs - STEP_MS
    const span = `start=${new Date(from).toISOString()}&end=${new Date(to).toISOString()}`
    urls.push(`${BENCH_URL}${path}?region=${REGION}&signal_type=co2_moer&${span}`)
  }
  return urls
}

function rowsOf(job: BenchSpec, body: unknown): Row[] {
  if (job.endpoint !== 'forecast') {
    return (body as { data: Point[] }).data.map(({ point_time, value }): Row => [0, Date.parse(point_time), value])
  }
  return (body as { data: { generated_at: string; forecast: Point[] }[] }).data.flatMap(
    ({ generated_at, forecast }) => {
      const issued = Date.parse(generated_at)
      return forecast.map(({ point_time, value }): Row => [issued, Date.parse(point_time), value])
    },
  )
}

if (spec.collection === undefined)
  await measure(peer, spec, { run: () => pull(spec), pack: rows => [pack(rows, FIELDS)] })
else refuse(peer, spec, 'streamflow is not part of this floor')

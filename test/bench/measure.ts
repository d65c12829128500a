import { once } from 'node:events'
import { request, type IncomingMessage } from 'node:http'
import { json } from 'node:stream/consumers'
import { summarize, type LabelOf, type Packed } from './checksum.ts'
import type { BenchSpec } from './spec.ts'

/** Where data are asked for. */
export const BENCH_URL = process.env['BENCH_URL'] ?? 'http://127.0.0.1:8790'
/** Where the server is told how to behave, and asked what it saw. */
const ADMIN_URL = process.env['BENCH_ADMIN_URL'] ?? BENCH_URL

/** A client's work, and its rows made small afterwards. */
export interface Work<Result> {
  /** Runs under the clock. */
  readonly run: () => Promise<Result>
  readonly pack: (result: Result) => readonly Packed[]
  /** What else is to be shown. */
  readonly more?: () => object
  /** How groups of rows are written. @defaultValue as numbers */
  readonly labelOf?: LabelOf
}

/** What the server counted, of which the neutral bench shows these. */
const COUNTED = [
  'requests',
  'logins',
  'repeats',
  'maxAttempts',
  'peakConcurrency',
  'peakPerSecond',
  'duringRetryAfter',
  'failed',
  'clientAborts',
  'faults',
  'bytes',
  'byPathStatus',
] as const

/** Does a job under the clock, checks what came of it, and prints the one line that the neutral bench reads. */
export async function measure<Result>(
  peer: string,
  spec: BenchSpec,
  { run, pack, more, labelOf }: Work<Result>,
): Promise<void> {
  await ask('/__scenario', spec.scenario)
  const about = { peer, job: spec.job, timeScale: spec.timeScale, baseRssMB: megabytes(process.memoryUsage().rss) }
  const began = performance.now()
  const before = process.cpuUsage()
  const end = await run().then(
    result => ({ ok: true, result }) as const,
    (thrown: unknown) => ({ ok: false, thrown }) as const,
  )
  const used = process.cpuUsage(before)
  const wallS = (performance.now() - began) / 1000
  const figures = {
    wallS: round(wallS, 3),
    cpuS: round((used.user + used.system) / 1e6, 3),
    peakRssMB: megabytes(process.resourceUsage().maxRSS * 1024),
  }
  const stats = (await ask('/__stats')) as Record<string, unknown>
  const counted = Object.fromEntries(COUNTED.map(name => [name, stats[name]]))
  if (!end.ok)
    return print({ ...about, outcome: 'raised', error: String(end.thrown).slice(0, 300), ...figures, ...counted })

  const summary = summarize(pack(end.result), labelOf)
  const truth = (await ask(`/__expect?url=${encodeURIComponent(spec.expectUrl)}`)) as { rows: number; sha256: string }
  print({
    ...about,
    outcome: 'ok',
    ...figures,
    ...counted,
    ...more?.(),
    ...summary,
    rowsPerS: Math.round(summary.rows / wallS),
    expectedRows: truth.rows,
    correct: truth.sha256 === summary.sha256,
  })
}

/** A job that this client cannot do. */
export function refuse(peer: string, { job }: BenchSpec, reason: string): void {
  print({ peer, job, outcome: 'raised', error: `refused: ${reason}` })
}

/** Without `fetch`, whose memory would be counted as the client's. */
async function ask(path: string, payload?: unknown): Promise<unknown> {
  const asked = request(ADMIN_URL + path, { method: payload === undefined ? 'GET' : 'POST', agent: false })
  asked.end(payload === undefined ? undefined : JSON.stringify(payload))
  const [answer] = (await once(asked, 'response')) as [IncomingMessage]
  return json(answer)
}

function print(line: object): void {
  console.log(JSON.stringify(line))
}

function megabytes(bytes: number): number {
  return round(bytes / 2 ** 20, 1)
}

function round(value: number, digits: number): number {
  return Number(value.toFixed(digits))
}

/**
 * What a bulk pull costs: ten years of five-minute values into Parquet, against a bare fetch and the Parquet writer
 * alone, on the same server in the same run: `npm run bench:pull -- [--times 3]`. Builds the package first: the pull is
 * the built one.
 */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { startServer, type Served } from './served.ts'

interface Line {
  readonly rows: number
  readonly cpuS: number
  readonly wallS: number
  readonly peakRssMB: number
}

const { values } = parseArgs({ options: { times: { type: 'string', default: '3' } } })
execFileSync('npm', ['run', 'build'], { stdio: 'inherit' })
const server = await startServer({})
try {
  // Answers are rendered on their first request: nobody is to pay for that.
  await run('fetch', server)
  const sides = { fetch: [] as Line[], writer: [] as Line[], pull: [] as Line[] }
  for (let turn = 0; turn < Number(values.times); turn++) {
    for (const what of ['fetch', 'writer', 'pull'] as const) sides[what].push(await run(what, server))
  }
  for (const [what, lines] of Object.entries(sides)) {
    const { rows, cpuS, wallS, peakRssMB } = medians(lines)
    console.log(
      `${what.padEnd(7)} ${rows} rows, ${cpuS.toFixed(2)} s CPU, ${wallS.toFixed(2)} s, peak ${peakRssMB.toFixed(0)} MB`,
    )
  }
  const [fetched, written, pulled] = [medians(sides.fetch), medians(sides.writer), medians(sides.pull)]
  console.log(`pull / (fetch + writer): ${(pulled.cpuS / (fetched.cpuS + written.cpuS)).toFixed(2)} (aim: 1.6)`)
  console.log(`highest peak of a pull: ${Math.max(...sides.pull.map(line => line.peakRssMB)).toFixed(0)} MB (aim: 250)`)
} finally {
  server.stop()
}

async function run(what: 'fetch' | 'writer' | 'pull', { url }: Served): Promise<Line> {
  const folder = mkdtempSync(join(tmpdir(), 'headrace-bench-'))
  const file = fileURLToPath(new URL('./pull-work.mjs', import.meta.url))
  const child = spawn(process.execPath, [file, what, url, folder], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [printed, [code]] = await Promise.all([text(child.stdout), once(child, 'close') as Promise<[number]>])
  if (code !== 0) throw new Error(`${what} ended with ${code}`)
  return JSON.parse(printed) as Line
}

function medians(lines: readonly Line[]): Line {
  const middle = (of: (line: Line) => number): number =>
    lines.map(of).sort((a, b) => a - b)[Math.floor((lines.length - 1) / 2)] ?? 0
  return {
    rows: middle(line => line.rows),
    cpuS: middle(line => line.cpuS),
    wallS: middle(line => line.wallS),
    peakRssMB: middle(line => line.peakRssMB),
  }
}

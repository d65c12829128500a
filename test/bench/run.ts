/**
 * What our client costs, against the cheapest client that can be written: `npm run bench`.
 *
 *   --only J1,J10   some jobs only        --times 5   runs of each, of which the median counts (3)
 *   --built         the package as it is published, after `npm run build`
 *   --shared        the neutral bench instead, where it is checked out beside this project; all else is passed on
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { builtRunners } from './built.ts'
import { JOBS, type Job } from './jobs.ts'
import { startServer, type Served } from './served.ts'
import { heading, rowOf, type Line } from './table.ts'
import type { BenchSpec } from './spec.ts'

const HERE = fileURLToPath(new URL('.', import.meta.url))
const NEUTRAL_BENCH = fileURLToPath(new URL('../../../shared/bench/run.mjs', import.meta.url))

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    times: { type: 'string', default: '3' },
    built: { type: 'boolean', default: false },
  },
  strict: false,
})
/** Where the runners are, if not here. */
const runners = values.built ? builtRunners() : undefined

/** The neutral bench, with our client beside the others. */
async function runShared(rest: readonly string[]): Promise<number> {
  if (!existsSync(NEUTRAL_BENCH)) {
    console.error(
      'The neutral bench is not checked out beside this project. Without --shared the jobs run on our own simulator.',
    )
    return 1
  }
  const child = spawn(process.execPath, [NEUTRAL_BENCH, '--also', 'headrace=npx tsx test/bench/neutral.ts', ...rest], {
    stdio: 'inherit',
  })
  const [code] = (await once(child, 'close')) as [number | null]
  return code ?? 1
}

/** Runs a client once in a process of its own, and reads the line it prints. */
async function runOnce(
  client: 'neutral' | 'floor',
  server: Served,
  spec: BenchSpec,
  flags: readonly string[],
): Promise<Line> {
  const program = runners ? [join(runners, `${client}.js`)] : ['--import', 'tsx', join(HERE, `${client}.ts`)]
  const child = spawn(process.execPath, [...program, '--spec', JSON.stringify(spec), ...flags], {
    env: { ...process.env, BENCH_URL: server.url, BENCH_ADMIN_URL: server.adminUrl },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let printed = ''
  child.stdout.on('data', chunk => {
    printed += String(chunk)
  })
  await once(child, 'close')
  return JSON.parse(printed.trim()) as Line
}

/** One job: the floor on a server that behaves, our client on one that does what the scenario says. */
async function runJob(
  { about, spec, flags = [], raises = false, seeds }: Job,
  times: number,
  clean: Served,
): Promise<boolean> {
  const behaved = { ...spec, scenario: {} }
  const floors: Line[] = []
  const ours: Line[] = []
  for (let seed = 1; seed <= (seeds ?? 1); seed++) {
    const misbehaves = Object.keys(spec.scenario).length > 0
    const server = misbehaves ? await startServer({ seed, ...spec.scenario }) : clean
    try {
      if (seeds) {
        // What counts is whether all ends well, not what it costs.
        ours.push(await runOnce('neutral', server, spec, flags))
        continue
      }
      // Rows are rendered on their first request: nobody is to pay for that.
      for (const one of new Set([clean, server])) await runOnce('floor', one, behaved, [])
      for (let turn = 0; turn < times; turn++) {
        floors.push(await runOnce('floor', clean, behaved, []))
        ours.push(await runOnce('neutral', server, spec, flags))
      }
    } finally {
      if (misbehaves) server.stop()
    }
  }
  console.log(rowOf({ job: spec.job, about, floors, ours }))
  return ours.every(line => (raises ? line.outcome === 'raised' : line.correct === true && line.ordered === true))
}

async function runPublic(only: readonly string[] | undefined, times: number): Promise<number> {
  const clean = await startServer({})
  try {
    console.log(heading())
    let right = true
    for (const job of JOBS) {
      if (only && !only.includes(job.spec.job)) continue
      right = (await runJob(job, times, clean)) && right
    }
    if (!right) console.error('A job did not end as it should.')
    return right ? 0 : 1
  } finally {
    clean.stop()
  }
}

const given = process.argv.slice(2)
if (given.includes('--shared')) {
  process.exitCode = await runShared(given.filter(flag => flag !== '--shared'))
} else {
  process.exitCode = await runPublic(
    typeof values.only === 'string' ? values.only.split(',') : undefined,
    Number(values.times),
  )
}

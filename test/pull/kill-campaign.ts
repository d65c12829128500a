import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { systemDisk } from '../../src/pull/disk.ts'
import { pull, type PullFormat, type PullSpec } from '../../src/pull/index.ts'
import { readManifest } from '../../src/pull/manifest.ts'
import type { TaskLine } from '../../src/pull/manifest-lines.ts'
import { startSimulator, type Fault, type Simulator } from '../../src/simulator/index.ts'
import { settingsFor } from '../support/pull-settings.ts'
import { contentsOf, filesIn } from '../support/pulling.ts'
import { seededRandom } from '../schedules/chance.ts'

/** What a campaign of kills came to. Anything but what should be is thrown. */
export interface Campaign {
  readonly kills: number
  /** Folders that were begun, killed, and brought to their end. */
  readonly pulls: number
  /** Kills by what the process had reached: tasks that the manifest held then. */
  readonly tasksAtKill: readonly number[]
}

export interface CampaignOptions {
  readonly kills: number
  readonly seed: number
  readonly format: PullFormat
  /** Latest moment of a kill after the pull began, milliseconds. */
  readonly withinMs?: number
  readonly say?: (line: string) => void
}

/** Two regions, two weeks, a task a day: 28 tasks, whose files are joined at the end. */
const SPEC: PullSpec = {
  start: '2024-01-01',
  end: '2024-01-14T23:55Z',
  partition: ['region'],
  pulls: [
    { service: 'emissions', operation: 'historical', each: { region: ['CAISO_NORTH', 'PJM_DC'] }, segment: 'day' },
  ],
}
const TASKS = 28

/** Answers take their time, one in ten is an error at first, one in twenty breaks off. */
const FAULTS: readonly Fault[] = [
  { do: { type: 'latency', ms: 60 } },
  { when: { probability: 0.1, attempts: 1 }, do: { type: 'status', status: 503 } },
  { when: { probability: 0.05, attempts: 1 }, do: { type: 'cut', at: 0.5 } },
]

/**
 * Kills pulls at random moments, has each taken up again, and compares what they leave with a pull that nobody
 * disturbed.
 *
 * @throws Error saying what is wrong
 */
export async function killPulls({ kills, seed, format, withinMs = 900, say }: CampaignOptions): Promise<Campaign> {
  const chance = seededRandom(seed)
  const simulator = await startSimulator({ faults: FAULTS })
  const home = mkdtempSync(join(tmpdir(), 'headrace-kill-'))
  try {
    const undisturbed = join(home, 'undisturbed')
    await pull(SPEC, { out: undisturbed, format, settings: settingsFor(simulator) })
    const wanted = contentsOf(undisturbed)
    const tasksAtKill: number[] = []
    let pulls = 0
    while (tasksAtKill.length < kills) {
      const out = join(home, `pull-${pulls++}`)
      for (;;) {
        const done = await finishedTasks(out)
        simulator.reset()
        const killed =
          tasksAtKill.length < kills ? await runAndKill(simulator, out, format, chance() * withinMs) : false
        checkNotAskedAgain(simulator, done)
        if (!killed) break
        tasksAtKill.push((await finishedTasks(out)).length)
      }
      const done = await finishedTasks(out)
      simulator.reset()
      const report = await pull(SPEC, { out, format, settings: settingsFor(simulator) })
      checkNotAskedAgain(simulator, done)
      check(report.tasks.left === 0 && report.holes.length === 0, `incomplete: ${JSON.stringify(report)}`)
      checkLeftovers(out)
      check(JSON.stringify(contentsOf(out)) === JSON.stringify(wanted), 'the files differ from an undisturbed pull')
      rmSync(out, { recursive: true })
      say?.(`${tasksAtKill.length} kills, ${pulls} pulls, tasks done at the kills: ${tasksAtKill.join(' ')}`)
    }
    return { kills: tasksAtKill.length, pulls, tasksAtKill }
  } finally {
    rmSync(home, { recursive: true, force: true })
    await simulator.close()
  }
}

/** @returns whether it was killed; otherwise it had come to its end before */
async function runAndKill(simulator: Simulator, out: string, format: PullFormat, afterMs: number): Promise<boolean> {
  const child = startPull(simulator.url, out, format)
  const said: string[] = []
  child.stdout?.on('data', (bytes: Buffer) => said.push(bytes.toString()))
  const exited = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>
  await once(child.stdout as NonNullable<typeof child.stdout>, 'data')
  await Promise.race([exited, pause(afterMs)])
  child.kill('SIGKILL')
  const [code, signal] = await exited
  if (signal === 'SIGKILL') return true
  check(code === 0, `the pull ended by itself with ${code}: ${said.join('')}`)
  return false
}

function startPull(url: string, out: string, format: PullFormat): ChildProcess {
  return spawn(process.execPath, ['--import', 'tsx', join(import.meta.dirname, 'scripts', 'pull.ts')], {
    env: { ...process.env, PULL_URL: url, PULL_OUT: out, PULL_SPEC: JSON.stringify(SPEC), PULL_FORMAT: format },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
}

async function finishedTasks(out: string): Promise<TaskLine[]> {
  const { lines } = await readManifest(systemDisk, out)
  return lines.filter(line => line.type === 'task')
}

/** A finished task is one whose line the manifest had before the run. */
function checkNotAskedAgain({ requests }: Simulator, done: readonly TaskLine[]): void {
  const finished = new Set(done.map(({ query, span }) => `${String(query['region'])} ${span?.start}`))
  check(finished.size === done.length, 'a task stands in the manifest twice')
  check(done.length <= TASKS, 'the manifest has more tasks than there are')
  for (const { path, query } of requests) {
    if (path !== '/v3/historical') continue
    check(!finished.has(`${query['region']} ${query['start']}`), `asked again: ${query['region']} ${query['start']}`)
  }
}

function checkLeftovers(out: string): void {
  const others = filesIn(out).filter(path => !/^(?:data|meta)\/.+\/merged-[0-9a-f]{16}\.\w+$/.test(path))
  check(others.join() === 'manifest.jsonl', `left behind: ${others.join()}`)
}

function check(holds: boolean, message: string): asserts holds {
  if (!holds) throw new Error(message)
}

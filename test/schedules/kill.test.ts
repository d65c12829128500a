import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { simulate } from '../support/emissions.ts'
import { tempFolder } from '../tooling/temp-folder.ts'

const DAY_MS = 86_400_000
const START = Date.UTC(2024, 0, 1)
const DAYS = 30
const END = START + DAYS * DAY_MS

/** Starts the script as its own process. */
function pull(url: string, out: string): ChildProcess {
  return spawn(process.execPath, ['--import', 'tsx', join(import.meta.dirname, 'scripts', 'pull.ts')], {
    env: {
      ...process.env,
      PULL_URL: url,
      PULL_OUT: out,
      PULL_START: new Date(START).toISOString(),
      PULL_END: new Date(END).toISOString(),
    },
    stdio: 'inherit',
  })
}

describe('R60: a process that is killed in mid-pull', () => {
  it(
    'is carried on by another from its checkpoint: every sample once, and nothing asked again that was stored',
    { timeout: 60_000 },
    async () => {
      const simulator = await simulate({ faults: [{ do: { type: 'latency', ms: 60 } }] })
      const out = join(tempFolder(), 'rows.txt')
      const first = pull(simulator.url, out)
      const exited = once(first, 'exit')
      while (simulator.stats.dataRequests < 10 || !existsSync(`${out}.checkpoint`))
        await new Promise(resolve => setTimeout(resolve, 20))
      first.kill('SIGKILL')
      expect((await exited)[1]).toBe('SIGKILL')
      const { checkpoint } = JSON.parse(readFileSync(`${out}.checkpoint`, 'utf8')) as {
        checkpoint: { left: { start: string }[] }
      }
      const goesOnAt = Date.parse(checkpoint.left[0]?.start ?? '')
      expect(goesOnAt).toBeGreaterThan(START)
      simulator.reset()

      const [code] = (await once(pull(simulator.url, out), 'exit')) as [number]

      expect(code).toBe(0)
      const truth = simulator.truth.historical({ region: 'CAISO_NORTH', start: START, end: END })
      expect(readFileSync(out, 'utf8')).toBe(truth.map(({ point_time, value }) => `${point_time} ${value}\n`).join(''))
      const asked = simulator.requests
        .filter(({ path }) => path === '/v3/historical')
        .map(({ query }) => Date.parse(query['start'] ?? ''))
      expect(asked.length).toBeGreaterThan(0)
      expect(Math.min(...asked)).toBe(goesOnAt)
    },
  )
})

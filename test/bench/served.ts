import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Scenario } from './spec.ts'

/** A simulator in another process: its work is not ours. */
export interface Served {
  readonly url: string
  readonly adminUrl: string
  stop(): void
}

export async function startServer(scenario: Scenario): Promise<Served> {
  const file = fileURLToPath(new URL('./serve.ts', import.meta.url))
  const child = spawn(process.execPath, ['--import', 'tsx', file, JSON.stringify(scenario)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = (await Promise.race([
    once(child.stdout, 'data'),
    once(child, 'close').then(() => Promise.reject(new Error('the simulator did not start'))),
  ])) as [Buffer]
  const { url, adminUrl } = JSON.parse(String(line)) as Omit<Served, 'stop'>
  return { url, adminUrl, stop: () => void child.kill() }
}

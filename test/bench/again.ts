/**
 * A notebook cell that is run again: two years of five-minute values with the cache on, each time in a process of its
 * own, against a simulator in a bad month. Prints requests and milliseconds from the end of the imports.
 *
 *   npx tsx test/bench/again.ts
 */
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { createEmissions } from '../../src/adapters/emissions/index.ts'
import { slowMonth, startSimulator } from '../../src/simulator/index.ts'

const TIMES = 5
const run = promisify(execFile)
const [address, folder] = process.argv.slice(2)

if (address !== undefined && folder !== undefined) await cell(address, folder)
else await runAll()

async function cell(baseUrl: string, cache: string): Promise<void> {
  let requests = 0
  const began = performance.now()
  const emissions = createEmissions({ baseUrl, cache, username: 'demo', password: 'demo-pass-1!', readTimeoutMs: 1500 })
  const { rows } = await emissions.getHistorical(
    { region: 'CAISO_NORTH', start: '2024-01-01', end: '2026-01-01' },
    {
      onEvent: event => {
        if (event.type === 'attempt') requests += 1
      },
    },
  )
  console.log(JSON.stringify({ rows: rows.length, requests, ms: Math.round(performance.now() - began) }))
}

async function runAll(): Promise<void> {
  const dir = mkdtempSync(join(tmpdir(), 'headrace-again-'))
  const server = await startSimulator(slowMonth())
  try {
    const program = ['--import', 'tsx', fileURLToPath(import.meta.url), server.url, dir]
    const lines: string[] = []
    for (let turn = 0; turn <= TIMES; turn++) lines.push((await run(process.execPath, program)).stdout.trim())
    const [first = '', ...again] = lines
    const times = again.map(line => (JSON.parse(line) as { ms: number }).ms).sort((a, b) => a - b)
    console.log(`first: ${first}`)
    for (const line of again) console.log(`again: ${line}`)
    console.log(`median again: ${times[TIMES >> 1]} ms`)
  } finally {
    await server.close()
    rmSync(dir, { recursive: true })
  }
}

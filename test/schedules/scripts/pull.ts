/**
 * Pulls a span into a file, a line a sample, with a checkpoint beside it after every batch; goes on from the checkpoint
 * where there is one. Made to be killed at any moment: see `kill.test.ts`.
 */
import { appendFileSync, existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { createEmissions } from '../../../src/adapters/emissions/index.ts'
import type { AnyRow, Checkpoint } from '../../../src/index.ts'

const { PULL_URL: baseUrl = '', PULL_OUT: out = '', PULL_START: start = '', PULL_END: end = '' } = process.env
const beside = `${out}.checkpoint`

/** What is stored and where to go on belong together: rows behind the length that the checkpoint knows do not count. */
interface Stored {
  readonly checkpoint: Checkpoint
  readonly bytes: number
}

const emissions = createEmissions({
  baseUrl,
  username: 'demo',
  password: 'demo-pass-1!',
  env: {},
  rate: null,
  concurrency: 2,
  chunk: 'P1D',
})
if (existsSync(beside)) await goOn(JSON.parse(readFileSync(beside, 'utf8')) as Stored)
else await begin()

async function begin(): Promise<void> {
  writeFileSync(out, '')
  for await (const { rows, checkpoint } of emissions.streamHistorical({ region: 'CAISO_NORTH', start, end })) {
    appendFileSync(out, lines(rows))
    keep({ checkpoint: checkpoint(), bytes: readFileSync(out).length })
  }
}

async function goOn({ checkpoint, bytes }: Stored): Promise<void> {
  writeFileSync(out, readFileSync(out).subarray(0, bytes))
  const rest = await emissions.resumeFrom(checkpoint)
  appendFileSync(out, lines(rest.rows))
}

function lines(rows: readonly AnyRow[]): string {
  return rows.map(row => `${Number(row['point_time'])} ${String(row['value'])}\n`).join('')
}

function keep(stored: Stored): void {
  writeFileSync(`${beside}.new`, JSON.stringify(stored))
  renameSync(`${beside}.new`, beside)
}

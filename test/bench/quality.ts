/**
 * What reading water-quality tables costs: `npm run bench:quality`. A quarter of a million results of the simulator are
 * read in processes of their own: by the parser alone, and into rows. Then the same number is collected over a
 * connection, and a state-year of 1.2 million is streamed.
 *
 *   --times 5   runs of each parse, of which the median counts     --only parse,collect,stream
 *   --only silence   the state-year once more, eight minutes long: the service is silent for 200 ms before each thousand
 *                    rows, and a connection is cut after two minutes of silence
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import Papa from 'papaparse'
import { createWaterQuality } from 'headrace/water-quality'
import { startSimulator } from 'headrace/simulator'
import { createTableReader } from '../../src/adapters/water-quality/csv.ts'
import { tableReaderFor, type TableRead } from '../../src/adapters/water-quality/read-table.ts'

const QUARTER = { stateCode: 'US:19', start: '2023-01-01', end: '2023-03-17' } as const
const YEAR = { stateCode: 'US:19', start: '2023-01-01', end: '2023-12-31' } as const
const PART = 64 * 1024
const HEAD = { status: 200, headers: { 'content-type': 'text/csv' } }

const { values } = parseArgs({
  options: {
    as: { type: 'string' },
    target: { type: 'string', default: '' },
    times: { type: 'string', default: '5' },
    only: { type: 'string', default: 'parse,collect,stream' },
  },
})

/** Ways to read the same text, each in a process of its own. */
const READERS: Readonly<Record<string, (body: Buffer) => number>> = {
  'the parser alone, all of the text at once': body => Papa.parse(body.toString(), { delimiter: ',' }).data.length - 1,
  'the parser alone, all at once, into objects': body =>
    Papa.parse(body.toString(), { delimiter: ',', header: true }).data.length,
  'the parser alone, in parts of 64 KiB, with our checks': body => {
    let rows = 0
    const reader = createTableReader({ header: () => {}, row: () => (rows += 1) })
    for (let at = 0; at < body.length; at += PART) reader.take(body.subarray(at, at + PART))
    reader.end()
    return rows
  },
  'rows without derived columns': body => rowsOf(body, false),
  'rows with instants, values and limits': body => rowsOf(body, true),
}

function rowsOf(body: Buffer, derive: boolean): number {
  const reader = tableReaderFor(HEAD, { derive })
  if (reader === undefined) throw new Error('no reader for a table')
  for (let at = 0; at < body.length; at += PART) reader.take(body.subarray(at, at + PART))
  return (reader.end() as TableRead).rows.length
}

const clientOf = (url: string) => createWaterQuality({ baseUrl: url, samplesUrl: url, env: {}, rate: null })
const megabytes = (): string => `${Math.round(process.resourceUsage().maxRSS / 1024)} MB at most`

if (values.as === undefined) await run()
else if (values.as === 'serve') await serve(values.target === 'silent')
else if (values.as === 'collect') await collectOnce(values.target)
else if (values.as === 'stream') await streamOnce(values.target)
else readOften(values.as, values.target)

async function run(): Promise<void> {
  const only = values.only.split(',')
  const folder = mkdtempSync(join(tmpdir(), 'headrace-bench-'))
  const flags = ['--as', 'serve', '--target', only.includes('silence') ? 'silent' : '']
  const server = spawn(process.execPath, ['--import', 'tsx', fileURLToPath(import.meta.url), ...flags], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const [line] = (await once(server.stdout, 'data')) as [Buffer]
  const url = String(line).trim()
  try {
    if (only.includes('parse')) await parseAll(url, folder)
    if (only.includes('collect')) console.log(await child('collect', url))
    if (only.includes('stream') || only.includes('silence')) console.log(await child('stream', url))
  } finally {
    server.kill()
    rmSync(folder, { recursive: true })
  }
}

async function parseAll(url: string, folder: string): Promise<void> {
  const tables = {
    'narrow, 63 columns': `/wqx3/Result/search?dataProfile=narrow`,
    'resultPhysChem, 81 columns': `/data/Result/search?dataProfile=resultPhysChem`,
  }
  for (const [name, path] of Object.entries(tables)) {
    const query = 'statecode=US:19&startDateLo=01-01-2023&startDateHi=03-17-2023&mimeType=csv'
    const file = join(folder, 'table.csv')
    writeFileSync(file, Buffer.from(await (await fetch(`${url}${path}&${query}`)).arrayBuffer()))
    console.log(name)
    for (const reader of Object.keys(READERS)) console.log(`  ${await child(reader, file)}`)
  }
}

async function child(as: string, target: string): Promise<string> {
  const flags = ['--as', as, '--target', target, '--times', values.times]
  const reading = spawn(process.execPath, ['--import', 'tsx', fileURLToPath(import.meta.url), ...flags], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let printed = ''
  reading.stdout.on('data', chunk => (printed += String(chunk)))
  await once(reading, 'close')
  return printed.trim()
}

function readOften(as: string, file: string): void {
  const body = readFileSync(file)
  const read = READERS[as]
  if (read === undefined) throw new RangeError(`no way to read is called ${as}`)
  const seconds: number[] = []
  let rows = 0
  for (let n = 0; n <= Number(values.times); n++) {
    const before = process.cpuUsage()
    rows = read(body)
    const { user, system } = process.cpuUsage(before)
    // The first run is for the engine to warm up.
    if (n > 0) seconds.push((user + system) / 1e6)
  }
  const median = seconds.sort((a, b) => a - b)[Math.floor(seconds.length / 2)] ?? Number.NaN
  console.log(`${median.toFixed(2)} s of CPU, ${rows} rows, ${as}`)
}

async function serve(isSilent: boolean): Promise<void> {
  const simulator = await startSimulator(isSilent ? { waterQuality: { silenceMsPerThousand: 200 } } : {})
  console.log(simulator.url)
  process.stdin.resume()
  process.stdin.on('end', () => process.exit())
}

/** One answer with a quarter of a million lines, kept. */
async function collectOnce(url: string): Promise<void> {
  const before = Math.round(process.memoryUsage.rss() / 2 ** 20)
  const { rows, meta } = await clientOf(url).getResults({ ...QUARTER, count: false })
  console.log(`collected ${rows.length} rows in ${meta.length} answer: ${megabytes()} (${before} MB before)`)
}

/** A state-year through the plan, nothing kept but what proves that it came once. */
async function streamOnce(url: string): Promise<void> {
  const began = performance.now()
  const before = process.cpuUsage()
  let rows = 0
  let requests = 0
  let announced = 0
  let mixed = 0
  for await (const batch of clientOf(url).streamResults({ ...YEAR, interface: 'legacy' })) {
    rows += batch.rows.length
    requests += batch.meta.length
    for (const row of batch.rows) mixed = (mixed + Number(String(row['ResultIdentifier']).replace(/\D/g, ''))) % 2 ** 40
    for (const { source } of batch.meta) announced += Number(source['announced'])
  }
  const { user, system } = process.cpuUsage(before)
  console.log(
    `streamed ${rows} rows (${announced} announced) in ${requests} answers: ${megabytes()}, ` +
      `${((user + system) / 1e6).toFixed(1)} s of CPU, ${((performance.now() - began) / 1000).toFixed(0)} s, sum ${mixed}`,
  )
}

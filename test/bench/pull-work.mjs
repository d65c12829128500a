/**
 * One side of `pull.ts`, in a process of its own and from the built package: `fetch` (plan, fetch, JSON.parse, two
 * fields), `writer` (the Parquet writer alone, on rows that are there already) or `pull` (our bulk pull). Prints one
 * line of JSON. CPU is counted from the work's beginning to its end, memory from the process's.
 */
import { rmSync } from 'node:fs'
import { join } from 'node:path'

const [what, url = '', folder = ''] = process.argv.slice(2)
const REGION = 'CAISO_NORTH'
const DAY_MS = 86_400_000
const START = Date.UTC(2016, 0, 1)
const END = START + 3650 * DAY_MS
const STEP_MS = 300_000

async function fetchAll(keep) {
  const basic = { authorization: `Basic ${btoa('bench:bench')}` }
  const { token } = await (await fetch(`${url}/login`, { headers: basic })).json()
  const headers = { authorization: `Bearer ${token}` }
  const urls = []
  for (let from = START; from <= END; from += 30 * DAY_MS) {
    const span = [from, Math.min(END, from + 30 * DAY_MS - STEP_MS)].map(ms => new Date(ms).toISOString())
    urls.push(`${url}/v3/historical?region=${REGION}&signal_type=co2_moer&start=${span[0]}&end=${span[1]}`)
  }
  let next = 0
  let rows = 0
  const worker = async () => {
    while (next < urls.length) {
      const at = next++
      const { data } = await (await fetch(urls[at], { headers })).json()
      const part = data.map(({ point_time, value }) => [Date.parse(point_time), value])
      rows += part.length
      keep?.(at, part)
    }
  }
  await Promise.all(Array.from({ length: 8 }, worker))
  return rows
}

/** A file a year, as the pull writes them: the same columns, the same types, groups of 8,192 rows. */
async function writeAll(rows) {
  const { fileWriter, ParquetWriter } = await import('hyparquet-writer')
  const text = { repetition_type: 'OPTIONAL', type: 'BYTE_ARRAY', converted_type: 'UTF8' }
  const schema = [
    { name: 'root', num_children: 4 },
    { name: 'region', ...text },
    { name: 'signal_type', ...text },
    { name: 'point_time', repetition_type: 'OPTIONAL', type: 'INT64', converted_type: 'TIMESTAMP_MILLIS' },
    { name: 'value', repetition_type: 'OPTIONAL', type: 'DOUBLE' },
  ]
  for (let year = 2016; year <= 2025; year++) {
    const own = rows.filter(([ms]) => ms >= Date.UTC(year, 0, 1) && ms < Date.UTC(year + 1, 0, 1))
    const parquet = new ParquetWriter({ writer: fileWriter(join(folder, `${year}.parquet`)), schema })
    for (let at = 0; at < own.length; at += 8_192) {
      const part = own.slice(at, at + 8_192)
      parquet.write({
        rowGroupSize: part.length,
        columnData: [
          { name: 'region', data: part.map(() => REGION) },
          { name: 'signal_type', data: part.map(() => 'co2_moer') },
          { name: 'point_time', data: part.map(([ms]) => new Date(ms)) },
          { name: 'value', data: part.map(([, value]) => value) },
        ],
      })
    }
    parquet.finish()
  }
  return rows.length
}

async function pullAll() {
  const { pull } = await import('../../dist/pull/index.js')
  const spec = {
    start: new Date(START).toISOString(),
    end: new Date(END).toISOString(),
    pulls: [{ service: 'emissions', operation: 'historical', query: { region: REGION } }],
  }
  const emissions = { baseUrl: url, username: 'bench', password: 'bench', env: {}, rate: null }
  const report = await pull(spec, { out: join(folder, 'pull'), format: 'parquet', settings: { emissions } })
  if (report.outcome !== 'complete') throw new Error(`the pull came out ${report.outcome}`)
  return report.rows
}

async function prepare() {
  if (what !== 'writer') return undefined
  const parts = []
  await fetchAll((at, part) => (parts[at] = part))
  return parts.flat()
}

const given = await prepare()
// Nobody pays for reading a package.
await (what === 'pull' ? import('../../dist/pull/index.js') : import('hyparquet-writer'))
const before = process.cpuUsage()
const began = performance.now()
const rows = what === 'fetch' ? await fetchAll() : what === 'writer' ? await writeAll(given) : await pullAll()
const { user, system } = process.cpuUsage(before)
console.log(
  JSON.stringify({
    what,
    rows,
    cpuS: (user + system) / 1e6,
    wallS: (performance.now() - began) / 1000,
    peakRssMB: process.resourceUsage().maxRSS / 1024,
  }),
)
if (folder !== '') rmSync(folder, { recursive: true, force: true })

/** Plans a pull, does it, checks it, and brings it up to date. On a simulator: `npx tsx docs/examples/pull-files.ts`. */
import { planPull, pull, readSpec, sync, verify } from 'headrace/pull'
import { startSimulator } from 'headrace/simulator'

const simulator = await startSimulator()
const settings = { emissions: { baseUrl: simulator.url, username: 'demo', password: 'demo-pass-1!' } }
const spec = readSpec(`
start: 2026-01-01
pulls:
  - service: emissions
    operation: historical
    each: { region: [CAISO_NORTH, PJM_DC] }
    segment: month
`)

const out = 'out/pull'
const plan = await planPull(spec, { out, settings })
console.log(`plan ${plan.id}: ${plan.tasks.length} tasks, ${plan.requests.low} requests, about ${plan.seconds} s`)

const report = await pull(spec, { out, settings })
console.log(`${report.outcome}: ${report.rows} rows in ${report.requests} requests, ${report.holes.length} holes`)

const check = await verify(out)
console.log(`${check.sound ? 'sound' : 'not sound'}: ${check.files} files, ${check.rows} rows`)

const { outcome, added, revised } = await sync(spec, { out, settings })
console.log(`sync: ${outcome}, ${added} new rows, ${revised} revised`)
await simulator.close()

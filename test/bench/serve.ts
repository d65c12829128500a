/**
 * Our simulator in a process of its own, with the three questions that the neutral bench's server answers: what
 * happens now (`/__scenario`), what happened (`/__stats`), and what is right (`/__expect`). They are answered on a
 * port beside the data, so that asking is not counted. Prints one JSON line with both addresses.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { startSimulator, type TruthForecastRow, type TruthRow } from 'headrace/simulator'
import { pack, summarize, type Summary } from './checksum.ts'
import { simulatorOptions } from './scenario.ts'
import type { Scenario } from './spec.ts'

const simulator = await startSimulator(simulatorOptions(JSON.parse(process.argv[2] ?? '{}') as Scenario))
const expected = new Map<string, Summary>()

/** Under the names of the neutral bench. */
function stats() {
  const { dataRequests, logins, repeats, peakPerSecond, peakOpen, duringPause, statuses } = simulator.stats
  const data = simulator.requests.filter(({ isAccount }) => !isAccount)
  const failed = data.filter(({ status, abortedByClient }) => status !== 200 || abortedByClient).length
  const clientAborts = simulator.requests.filter(({ abortedByClient }) => abortedByClient).length
  return {
    requests: dataRequests,
    logins,
    repeats,
    peakPerSecond,
    peakConcurrency: peakOpen,
    duringRetryAfter: duringPause,
    clientAborts,
    failed,
    byPathStatus: statuses,
  }
}

/** The checksum of what a correct client ends with. */
function expectation(address: string): Summary {
  const { pathname, searchParams } = new URL(address, simulator.url)
  const [region = '', start = '', end = ''] = ['region', 'start', 'end'].map(name => searchParams.get(name) ?? '')
  const query = { region, start, end }
  const past = { time: (row: TruthRow) => row.point_time, value: (row: TruthRow) => row.value }
  if (pathname === '/v3/historical') return summarize([pack(simulator.truth.historical(query), past)])
  const group = (row: TruthForecastRow): number => row.generated_at / 1000
  return summarize([pack(simulator.truth.historicalForecast(query), { ...past, group })])
}

function answer(request: IncomingMessage, response: ServerResponse): void {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost')
  const address = searchParams.get('url') ?? ''
  // The scenario is set for good at the start; what is asked for here is a clean slate.
  if (pathname === '/__scenario') simulator.reset()
  if (pathname === '/__expect' && !expected.has(address)) expected.set(address, expectation(address))
  const body = pathname === '/__stats' ? stats() : pathname === '/__expect' ? expected.get(address) : {}
  request.resume()
  response.end(JSON.stringify(body))
}

const admin = createServer(answer)
admin.listen(0, '127.0.0.1', () => {
  const { port } = admin.address() as AddressInfo
  console.log(JSON.stringify({ url: simulator.url, adminUrl: `http://127.0.0.1:${port}` }))
})

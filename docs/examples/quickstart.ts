/**
 * Two years of five-minute emission data through a service that is slow, busy and expires tokens.
 *
 * Without credentials it starts a simulator on this machine that behaves like the service in a bad month: spans above
 * 15 days get no answer, one request in twenty gets a 503, a token ends early, and more than ten requests a
 * second are refused. With WATTTIME_USER and WATTTIME_PASSWORD set, it asks the real service.
 */
import { mkdir, writeFile } from 'node:fs/promises'
import { fileStem, showProgress, type RetrievalEvent } from 'headrace'
import { createEmissions, type EmissionsOptions } from 'headrace/emissions'

const START = '2024-01-01T00:00Z'
const END = '2026-01-01T00:00Z'
const REGION = 'CAISO_NORTH'

async function main(): Promise<void> {
  const { options, close } = process.env['WATTTIME_USER'] ? { options: {}, close: async () => {} } : await badMonth()
  try {
    await pullTwoYears(options)
  } finally {
    await close()
  }
}

async function pullTwoYears(options: EmissionsOptions): Promise<void> {
  const emissions = createEmissions(options)
  const counts: Record<string, number> = {}
  const progress = showProgress()
  const onEvent = (event: RetrievalEvent): void => {
    counts[event.type] = (counts[event.type] ?? 0) + 1
    progress(event)
  }

  const result = await emissions.getHistorical({ region: REGION, start: START, end: END }, { onEvent })

  console.log(result)
  const waitedMs = result.meta.reduce((sum, row) => sum + row.waitedMs, 0)
  const { retry = 0, split = 0, refresh = 0, pause = 0 } = counts
  console.log(
    `What it took: ${retry} repeats, ${split} splits, ${refresh} logins, ${pause} pauses, ${Math.round(waitedMs / 1000)} s of waiting over all requests.`,
  )

  await mkdir('out', { recursive: true })
  const stem = fileStem('co2_moer', REGION, new Date(START), new Date(END))
  await writeFile(`out/${stem}.csv`, result.toCsv())
  await writeFile(`out/${stem}.svg`, await result.toSvg({ title: `co2_moer, ${REGION}` }))
  console.log(`Wrote out/${stem}.csv and out/${stem}.svg`)
}

/** A simulated service in a bad month, with limits to match: what takes minutes there takes a second here. */
async function badMonth(): Promise<{ options: EmissionsOptions; close: () => Promise<void> }> {
  const { slowMonth, startSimulator } = await import('headrace/simulator')
  const simulator = await startSimulator(slowMonth())
  console.error(`No credentials are set, so this runs against a simulator at ${simulator.url}.`)
  console.error('For the real service: WATTTIME_USER=you WATTTIME_PASSWORD=secret npm run quickstart')
  return {
    options: { baseUrl: simulator.url, username: 'demo', password: 'demo-pass-1!', readTimeoutMs: 1_500 },
    close: () => simulator.close(),
  }
}

await main()

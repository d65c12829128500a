/**
 * Draws the pictures of this documentation, from a simulator on this machine: the same bytes every time.
 *
 * `npx tsx docs/examples/pictures.ts [folder]` writes them to docs/img, or where you say.
 */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createEmissions } from 'headrace/emissions'
import { startSimulator } from 'headrace/simulator'
import { createStreamflow } from 'headrace/streamflow'
import { createWaterQuality } from 'headrace/water-quality'

const [folder = join(import.meta.dirname, '..', 'img')] = process.argv.slice(2)

// What data exist by now, and which of them are provisional, depends on the day: here it is always the same one.
const now = Date.UTC(2026, 2, 1)
const clock = {
  now: () => now,
  monotonic: () => performance.now(),
  after(ms: number, run: () => void) {
    const timer = setTimeout(run, ms)
    return () => clearTimeout(timer)
  },
}
const simulator = await startSimulator({ clock })

try {
  const emissions = createEmissions({ baseUrl: simulator.url, username: 'demo', password: 'demo-pass-1!', clock })
  const region = 'CAISO_NORTH'
  const zone = 'America/Los_Angeles'
  const week = await emissions.getHistorical({ region, start: '2025-06-02', end: '2025-06-09', zone })
  const year = await emissions.getHistorical({ region, start: '2025-01-01', end: '2025-12-31T23:55', zone })

  const streamflow = createStreamflow({ baseUrl: simulator.url, clock })
  const flow = await streamflow.getDaily({
    monitoringLocationId: ['USGS-01000000', 'USGS-01000001'],
    parameterCode: '00060',
    statisticId: '00003',
    start: '2024-10-01',
    end: '2026-02-28',
  })

  const waterQuality = createWaterQuality({ baseUrl: simulator.url, samplesUrl: simulator.url, env: {}, clock })
  const results = await waterQuality.getResults({
    siteId: ['USGS-05510007', 'WIDNR_WQX-10001'],
    characteristicName: ['Phosphorus', 'Orthophosphate'],
    start: '2013-01-01',
    end: '2022-12-31',
    count: false,
  })

  const pictures = {
    'line-signal': await week.toSvg({ title: `co2_moer, ${region}: a week`, zone }),
    'heatmap-signal': await year.toSvg({ kind: 'heatmap', title: `co2_moer, ${region}: by hour of day`, zone }),
    'calendar-signal': await year.toSvg({ kind: 'calendar', title: `co2_moer, ${region}: day by day`, zone }),
    'line-hydrograph': await flow.toSvg({ title: 'Discharge at two sites' }),
    'line-results': await results.toSvg({ title: 'Phosphorus and orthophosphate at two sites' }),
    'duration-flow': await flow.toSvg({ kind: 'duration', title: 'Flow duration at two sites' }),
  }
  await mkdir(folder, { recursive: true })
  for (const [name, svg] of Object.entries(pictures)) await writeFile(join(folder, `${name}.svg`), svg)
  console.log(`wrote ${Object.keys(pictures).length} pictures to ${folder}`)
} finally {
  await simulator.close()
}

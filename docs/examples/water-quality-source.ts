import { createWaterQuality, type WaterQualityClient } from 'headrace/water-quality'

/**
 * Runs an example. Without more it asks a simulator on this machine; with LIVE=1 it asks the real services, with the
 * key in API_USGS_PAT if there is one.
 */
export async function withWaterQuality(example: (client: WaterQualityClient) => Promise<void>): Promise<void> {
  if (process.env['LIVE'] === '1') return example(createWaterQuality())
  const { startSimulator } = await import('headrace/simulator')
  const simulator = await startSimulator()
  console.error(`This runs against a simulator at ${simulator.url}. For the real services: LIVE=1 npx tsx <example>`)
  try {
    await example(createWaterQuality({ baseUrl: simulator.url, samplesUrl: simulator.url, env: {}, rate: null }))
  } finally {
    await simulator.close()
  }
}

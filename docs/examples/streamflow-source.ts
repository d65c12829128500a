import { createStreamflow, type StreamflowClient } from 'headrace/streamflow'

/**
 * Runs an example. Without more it asks a simulator on this machine; with LIVE=1 it asks the real services, with the
 * key in API_USGS_PAT if there is one.
 */
export async function withStreamflow(example: (client: StreamflowClient) => Promise<void>): Promise<void> {
  if (process.env['LIVE'] === '1') return example(createStreamflow())
  const { startSimulator } = await import('headrace/simulator')
  const simulator = await startSimulator()
  console.error(`This runs against a simulator at ${simulator.url}. For the real services: LIVE=1 npx tsx <example>`)
  const { url } = simulator
  try {
    await example(
      createStreamflow({ baseUrl: url, waterUrl: url, streamStatsUrl: url, apiKey: 'example-key', env: {} }),
    )
  } finally {
    await simulator.close()
  }
}

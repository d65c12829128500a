import { expect } from 'vitest'
import type { StreamflowClient, StreamflowOptions } from '../../src/adapters/streamflow/index.ts'
import type { SimulatorRequest } from '../../src/simulator/index.ts'
import { simulateWater, waterClient } from './streamflow.ts'

/** What a call puts on the wire: path and query decoded, and the body. */
export async function onWire(
  call: (client: StreamflowClient) => Promise<unknown>,
  options: StreamflowOptions = {},
): Promise<{ path: string; query: Record<string, string>; body?: unknown; method: string }> {
  const simulator = await simulateWater()
  await call(waterClient(simulator, options))
  const [request] = simulator.requests as [SimulatorRequest]
  // Pages that follow are as the service links them.
  expect(simulator.requests.slice(1).filter(({ query }) => !('cursor' in query) && !('offset' in query))).toEqual([])
  const { f, limit, ...query } = request.query
  expect([f, Number(limit) > 0]).toEqual(['json', true])
  return {
    method: request.method,
    path: request.path,
    query,
    ...(request.body === undefined ? {} : { body: JSON.parse(request.body) as unknown }),
  }
}

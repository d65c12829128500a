import { describe, expect, it } from 'vitest'
import { createEmissions, type EmissionsOptions, type HistoricalQuery } from '../../src/adapters/emissions/index.ts'
import { createStreamflow, type DailyQuery } from '../../src/adapters/streamflow/index.ts'
import { createWaterQuality, type ResultsQuery } from '../../src/adapters/water-quality/index.ts'
import type { CallOptions, ChartOptions, ResumeOptions, TransportOptions } from '../../src/index.ts'
import { simulate } from '../support/emissions.ts'

/**
 * What is set to `undefined` is not set: `process.env.X` and the like are handed on as they are. The compiler agrees, also
 * where `exactOptionalPropertyTypes` is on, as it is here: this file would not compile.
 */
const transport: { [Option in keyof TransportOptions]-?: undefined } = {
  retries: undefined,
  retryWhen: undefined,
  backoff: undefined,
  retryAfterCapMs: undefined,
  stallMs: undefined,
  connectTimeoutMs: undefined,
  readTimeoutMs: undefined,
  concurrency: undefined,
  rate: undefined,
  maxSplitDepth: undefined,
  learnSpans: undefined,
  chunk: undefined,
  quotaReserve: undefined,
  maxPages: undefined,
  maxBytes: undefined,
  userAgent: undefined,
  proxy: undefined,
  cache: undefined,
  refresh: undefined,
  offline: undefined,
  logger: undefined,
}
const call: CallOptions = {
  ...transport,
  signal: undefined,
  deadlineMs: undefined,
  expiresAt: undefined,
  maxRequests: undefined,
  maxRows: undefined,
  priority: undefined,
  onEvent: undefined,
  onFailure: undefined,
}
const resume: ResumeOptions = { signal: undefined, deadlineMs: undefined, maxRequests: undefined }
const chart: ChartOptions = { kind: undefined, x: undefined, y: undefined, zone: undefined, width: undefined }
const days = { start: '2024-01-01', end: '2024-01-31', last: undefined, zone: undefined }

describe('F50: what is set to undefined is not set', () => {
  it('for emissions', async () => {
    const simulator = await simulate()
    const options: EmissionsOptions = { ...transport, regionCacheMs: undefined, clock: undefined, random: undefined }
    const env = { WATTTIME_USER: 'demo', WATTTIME_PASSWORD: 'demo-pass-1!', WATTTIME_API_URL: simulator.url }
    const client = createEmissions({ ...options, username: undefined, password: undefined, baseUrl: undefined, env })
    const query: HistoricalQuery = { region: 'CAISO_NORTH', ...days, signalType: undefined, model: undefined }
    const result = await client.getHistorical(query, call)
    expect(result.rows).toHaveLength(30 * 288 + 1)
    expect(await result.toSvg(chart)).toBe(await result.toSvg())
    const { query: sent } = simulator.requests.at(-1) ?? {}
    expect(Object.keys(sent ?? {}).sort()).toEqual(['end', 'region', 'signal_type', 'start'])
    const broken = await client.getHistorical(query, { maxRequests: 0 }).catch((error: unknown) => error)
    expect(((await (broken as { resume(o: object): Promise<unknown> }).resume(resume)) as unknown[]).length).toBe(8641)
  })

  it('for streamflow', async () => {
    const { url, truth } = await simulate()
    const addresses = { baseUrl: url, waterUrl: url, streamStatsUrl: url }
    const client = createStreamflow({ ...transport, ...addresses, apiKey: undefined, apiVersion: undefined, env: {} })
    const query: DailyQuery = {
      ...days,
      monitoringLocationId: 'USGS-01000000',
      parameterCode: undefined,
      filter: undefined,
      bbox: undefined,
      properties: undefined,
      pageSize: undefined,
      state: undefined,
    }
    const result = await client.getDaily(query, call)
    expect(result.rows).toHaveLength(truth.daily({ monitoringLocationId: 'USGS-01000000', ...days }).length)
  })

  it('for water quality', async () => {
    const { url } = await simulate()
    const client = createWaterQuality({ ...transport, baseUrl: url, samplesUrl: url, apiKey: undefined, env: {} })
    const site = { siteId: 'USGS-05510007', start: '2022-01-01', end: '2022-12-31' }
    const query: ResultsQuery = { ...site, profile: undefined, near: undefined, count: undefined, zones: undefined }
    const plain = await client.getResults(site)
    expect(plain.rows.length).toBeGreaterThan(5)
    expect((await client.getResults(query, call)).rows).toEqual(plain.rows)
  })
})

import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { planPull, pull, sync, type PullSpec } from '../../src/pull/index.ts'
import { simulate } from '../support/emissions.ts'
import { settingsFor } from '../support/pull-settings.ts'
import { tempFolder } from '../tooling/temp-folder.ts'

const SURVEY = ['USGS-05510007', 'USGS-05510008']
const QUALITY = [...SURVEY, 'WIDNR_WQX-10001']

/** Two years, by site and by state, from the Portal and from Samples. */
const SPEC: PullSpec = {
  start: '2021-01-01',
  end: '2022-12-31',
  format: 'jsonl',
  pulls: [
    { service: 'water-quality', operation: 'results', each: { siteId: QUALITY } },
    { service: 'water-quality', operation: 'results', query: { stateCode: 'US:55', characteristicName: 'Phosphorus' } },
    { service: 'water-quality', operation: 'samples', each: { monitoringLocationIdentifier: SURVEY } },
  ],
}

describe('water quality in bulk pulls', { timeout: 60_000 }, () => {
  it('finds nothing new, nor anything revised, when it looks back over what has not changed', async () => {
    const simulator = await simulate()
    const options = { out: tempFolder(), settings: settingsFor(simulator) }
    await pull(SPEC, options)
    simulator.reset()
    const report = await sync(undefined, { ...options, until: '2022-12-31' })
    expect(report).toMatchObject({ outcome: 'unchanged', added: 0, revised: 0 })
    const starts = simulator.requests.flatMap(({ query }) => query['startDateLo'] ?? [])
    expect(new Set(starts)).toEqual(new Set(['12-31-2021']))
  })

  it('adds what is new since the end', async () => {
    const simulator = await simulate()
    const settings = settingsFor(simulator)
    const pulls = [{ service: 'water-quality', operation: 'results', query: { siteId: QUALITY } }]
    const out = join(tempFolder(), 'grown')
    await pull({ start: '2022-01-01', end: '2022-10-31', pulls }, { out, settings })
    const count = (from: string, to: string): number =>
      [
        ...simulator.truth.waterQuality.results({
          service: 'wqx3',
          query: { siteid: QUALITY, startDateLo: from, startDateHi: to },
        }),
      ].length
    const report = await sync(undefined, { out, settings, until: '2022-12-31' })
    expect(report).toMatchObject({ added: count('11-01-2022', '12-31-2022'), revised: 0 })
    expect(report.added).toBeGreaterThan(0)
  })

  it('plans what is streamed where a service holds more than one request should bring', async () => {
    const simulator = await simulate()
    const settings = settingsFor(simulator)
    const pulls = [{ service: 'water-quality', operation: 'results', query: { stateCode: 'US:19' } }]
    const spec: PullSpec = { start: '2023-06-01', end: '2023-06-12', pulls }
    const dense = await planPull(spec, { settings })
    simulator.reset()
    const { requests } = await pull(spec, { out: join(tempFolder(), 'dense'), settings })
    // One count; rows in several parts, and a word on each.
    expect(requests).toBeGreaterThan(4)
    expect([requests, simulator.stats.dataRequests]).toEqual([dense.requests.low, dense.requests.low])
  })

  it('refuses what comes with other columns, before anything is sent', async () => {
    const simulator = await simulate()
    const settings = settingsFor(simulator)
    const query = { siteId: QUALITY[0], interface: 'legacy' }
    const spec = { start: '2022-01-01', pulls: [{ service: 'water-quality', operation: 'results', query }] }
    await expect(planPull(spec as PullSpec, { settings })).rejects.toMatchObject({
      argument: 'pulls[0].query.interface',
      message: expect.stringContaining('it can be wqx3') as string,
    })
    expect(simulator.requests).toEqual([])
  })
})

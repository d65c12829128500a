import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { planPull, pull, sync, verify, type PullSpec } from '../../src/pull/index.ts'
import { simulate } from '../support/emissions.ts'
import { settingsFor } from '../support/pull-settings.ts'
import { contentsOf, rowsIn } from '../support/pulling.ts'
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

  it.each([
    ['results', 'siteId', 'csv'],
    ['results', 'siteId', 'parquet'],
    ['samples', 'monitoringLocationIdentifier', 'jsonl'],
  ] as const)(
    'changes exactly the rows of %s that were revised or taken away within the look-back of a year: %s, %s',
    async (operation, argument, format) => {
      const simulator = await simulate()
      const options = { out: tempFolder(), settings: settingsFor(simulator) }
      const each = { [argument]: SURVEY }
      const pulls = [{ service: 'water-quality', operation, each }]
      await pull({ start: '2020-01-01', end: '2022-12-31', format, pulls }, { ...options, compact: false })
      const was = await byIdentity(options.out)
      const files = contentsOf(options.out)
      const days = [...new Set([...was.values()].map(row => String(row['Activity_StartDate'])))].sort()
      const [revised = '', withdrawn = ''] = days.slice(-2)
      // Two years before: beyond the look-back, so nobody hears of it.
      const [long = ''] = days
      simulator.setFaults([
        { do: { type: 'revise', from: revised, to: revised, at: '2023-01-01T00:00Z', add: 1000 } },
        { do: { type: 'withdraw', from: withdrawn, to: withdrawn } },
        { do: { type: 'revise', from: long, to: long, at: '2023-01-01T00:00Z', add: 1000 } },
      ])
      const report = await sync(undefined, { ...options, until: '2022-12-31', compact: false })
      const now = await byIdentity(options.out)
      const rowsOf = (day: string): string[] =>
        [...was].filter(([, row]) => row['Activity_StartDate'] === day).map(([key]) => key)
      const measured = rowsOf(revised).filter(key => typeof was.get(key)?.['value'] === 'number')
      expect([...was.keys()].filter(key => !now.has(key))).toEqual(rowsOf(withdrawn))
      const differing = [...now].filter(([key, row]) => JSON.stringify(row) !== JSON.stringify(was.get(key)))
      expect(differing.map(([key]) => key)).toEqual(measured)
      for (const [key, row] of differing) expect(row['value']).toBeCloseTo(Number(was.get(key)?.['value']) + 1000, 6)
      expect(report).toMatchObject({
        outcome: 'updated',
        added: 0,
        revised: measured.length,
        removed: rowsOf(withdrawn).length,
        warnings: [],
      })
      expect([measured.length, rowsOf(withdrawn).length].every(count => count > 0)).toBe(true)
      // Files of earlier years are as they were, byte for byte.
      const after = contentsOf(options.out)
      expect(Object.keys(files).filter(path => after[path] !== files[path])).not.toEqual([])
      expect(Object.keys(files).filter(path => !path.includes('year=2022') && after[path] !== files[path])).toEqual([])
      expect(await verify(options.out)).toMatchObject({ sound: true })
      expect(await sync(undefined, { ...options, until: '2022-12-31' })).toMatchObject({ outcome: 'unchanged' })
    },
  )

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

async function byIdentity(out: string): Promise<Map<string, Readonly<Record<string, unknown>>>> {
  const rows = await rowsIn(out)
  return new Map(rows.map(row => [`${String(row['ProviderName'])} ${String(row['Result_MeasureIdentifier'])}`, row]))
}

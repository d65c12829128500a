import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startSimulator, type Simulator } from '../../../src/simulator/index.ts'
import { features, itemsPath, NO_QUOTAS, observations, walk } from './pages.ts'

const DAY_MS = 86_400_000
let simulator: Simulator
beforeAll(async () => {
  simulator = await startSimulator({ streamflow: NO_QUOTAS })
})
afterAll(() => simulator.close())

const iso = (ms: number): string => new Date(ms).toISOString().slice(0, 19) + 'Z'

it.each([
  ['daily', DAY_MS, 400],
  ['continuous', 900_000, 600],
] as const)(
  'any division of %s by time and by site brings the rows of the undivided question',
  async (collection, stepMs, steps) => {
    const start = Date.parse('2023-11-20')
    const sites = [0, 3, 13, 15].map(n => simulator.truth.site(n))
    const ask = async (list: readonly string[], from: number, to: number): Promise<Record<string, unknown>[]> => {
      const query = { monitoring_location_id: list.join(), time: `${iso(from)}/${iso(to)}` }
      return observations(await features(simulator, collection, query))
    }
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 0, max: steps }),
        fc.array(fc.integer({ min: 1, max: steps }), { maxLength: 4 }),
        fc.integer({ min: 0, max: sites.length }),
        async (length, cuts, border) => {
          const whole = await ask(sites, start, start + length * stepMs)
          const borders = [...new Set(cuts.filter(cut => cut <= length))].sort((a, b) => a - b)
          const firsts = [0, ...borders]
          const spans = firsts.map((first, place) => [first, (firsts[place + 1] ?? length + 1) - 1] as const)
          const groups = [sites.slice(0, border), sites.slice(border)].filter(group => group.length > 0)
          const parts = await Promise.all(
            groups.flatMap(group =>
              spans.map(([first, last]) => ask(group, start + first * stepMs, start + last * stepMs)),
            ),
          )
          const key = (row: Record<string, unknown>): string =>
            `${String(row['time_series_id'])}|${String(row['time'])}`
          const joined = parts.flat().sort((a, b) => (key(a) < key(b) ? -1 : 1))
          expect(joined).toEqual(whole.toSorted((a, b) => (key(a) < key(b) ? -1 : 1)))
          expect(whole).toEqual(
            simulator.truth[collection]({ monitoringLocationId: sites, start, end: start + length * stepMs }),
          )
        },
      ),
      { numRuns: 12, seed: 7 },
    )
  },
  60_000,
)

it('a long walk comes to every row once: twenty sites, thirty years', async () => {
  const sites = Array.from({ length: 20 }, (_, n) => simulator.truth.site(n))
  const query = {
    monitoring_location_id: sites.join(),
    parameter_code: '00060',
    statistic_id: '00003',
    time: '1995-01-01/2024-12-31',
  }
  const pages = await walk(
    simulator.url +
      itemsPath('daily', { ...query, limit: 50_000, properties: 'time,monitoring_location_id', skipGeometry: 'true' }),
  )
  const keys = pages.flatMap(({ features: found }) =>
    found.map(({ properties }) => `${String(properties['monitoring_location_id'])}|${String(properties['time'])}`),
  )
  const truth = simulator.truth.daily({
    monitoringLocationId: sites,
    parameterCode: '00060',
    statisticId: '00003',
    start: '1995-01-01',
    end: '2024-12-31',
  })
  expect(pages.map(({ features: found }) => found.length)).toEqual([
    50_000,
    50_000,
    50_000,
    50_000,
    keys.length - 200_000,
  ])
  expect(new Set(keys).size).toBe(keys.length)
  expect(keys.sort()).toEqual(truth.map(row => `${row.monitoring_location_id}|${row.time}`).sort())
}, 60_000)

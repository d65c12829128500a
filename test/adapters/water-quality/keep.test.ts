import { describe, expect, it } from 'vitest'
import { keepCodesMs, keepTableMs } from '../../../src/adapters/water-quality/keep.ts'
import type { CallOptions } from '../../../src/transport/index.ts'
import { qualityClient, simulateQuality, SITES, targets, YEAR } from '../../support/water-quality.ts'
import { tempFolder } from '../../tooling/temp-folder.ts'

const now = Date.parse('2026-03-01T12:00Z')
const HOURS = 3_600_000
const DAYS = 24 * HOURS
const answer = (end: number | undefined, rows: number, source: object = {}) => ({
  piece: { depth: 0, ...(end === undefined ? {} : { span: { start: 0, end } }) },
  content: { rows: Array.from({ length: rows }, () => ({})), source: { ...source }, warnings: [] },
  receivedAt: now,
})

describe('how long answers are kept', () => {
  it.each([
    ['results of a span that ended two years ago', now - 730 * DAYS, 3, {}, 30 * DAYS],
    ['results of a span of which agencies still report', now - 729 * DAYS, 3, {}, DAYS],
    ['results that ended a month ago', now - 30 * DAYS, 3, {}, DAYS],
    ['results of the last weeks', now - 29 * DAYS, 3, {}, HOURS],
    ['results up to tomorrow', now + DAYS, 3, {}, HOURS],
    ['a past without results', now - 2000 * DAYS, 0, {}, DAYS],
    ['tables without a span', undefined, 3, {}, DAYS],
    ['nothing at all', undefined, 0, {}, HOURS],
    ['as many as were announced', now - 2000 * DAYS, 3, { announced: 3, verified: true }, 30 * DAYS],
    ['fewer than were announced', now - 2000 * DAYS, 3, { announced: 4 }, 0],
    ['more than were announced', now - 2000 * DAYS, 3, { announced: 2 }, 0],
    ['what nobody could verify', now - 2000 * DAYS, 3, { verified: false }, 0],
  ])('%s', (_what, end, rows, source, ms) => {
    expect(keepTableMs(answer(end, rows, source))).toBe(ms)
  })

  it('lists of codes for a week, unless some are missing', () => {
    expect(keepCodesMs(answer(undefined, 3, { announced: 3 }))).toBe(7 * DAYS)
    expect(keepCodesMs(answer(undefined, 3))).toBe(7 * DAYS)
    expect(keepCodesMs(answer(undefined, 2, { announced: 3 }))).toBe(0)
  })
})

describe('a cell that is run again', () => {
  it.each(['wqx3', 'legacy'] as const)('%s: sends nothing, and gives the same result', async service => {
    const simulator = await simulateQuality()
    const cache = tempFolder()
    const cell = async (call: CallOptions = {}) => {
      const before = simulator.requests.length
      const client = qualityClient(simulator, { cache })
      const results = await client.getResults({ siteId: SITES, ...YEAR, interface: service }, call)
      const sites = await client.getSites({ siteId: SITES, interface: service }, call)
      const codes = await client.getCodes({ list: 'characteristicname', text: 'nitr' }, call)
      return { results, tables: [results, sites, codes], requests: simulator.requests.length - before }
    }
    const plain = await qualityClient(simulator).getResults({ siteId: SITES, ...YEAR, interface: service })
    const first = await cell()
    expect(first.requests).toBeGreaterThanOrEqual(3)
    // Read whole, not while it arrives: the same rows.
    expect(first.results.rows).toEqual(plain.rows)
    const second = await cell()
    expect(second.requests).toBe(0)
    expect(second.tables.map(table => table.toCsv())).toEqual(first.tables.map(table => table.toCsv()))
    expect(second.results.completeness).toEqual(plain.completeness)
    expect(second.results.warnings).toEqual(plain.warnings)
    // What the service said of the answer when it came stands in its row again.
    const [{ source } = { source: {} }] = first.results.meta
    expect(second.results.meta).toMatchObject([{ cached: true, source }])
    expect((await cell({ offline: true })).requests).toBe(0)
    expect((await cell({ refresh: true })).requests).toBe(first.requests)
  })

  it('Samples: a longer span asks for what is not kept', async () => {
    const simulator = await simulateQuality()
    const cache = tempFolder()
    const ask = (end: string) =>
      qualityClient(simulator, { cache }).getSamples({
        monitoringLocationIdentifier: SITES[0],
        start: '2022-01-01',
        end,
        profile: 'narrow',
      })
    await ask('2022-06-30')
    const longer = await ask('2022-12-31')
    expect(targets(simulator).map(target => /Lower=([-\d]+).*Upper=([-\d]+)/.exec(target)?.slice(1))).toEqual([
      ['2022-01-01', '2022-06-30'],
      ['2022-07-01', '2022-12-31'],
    ])
    const whole = { monitoringLocationIdentifier: SITES[0], ...YEAR, profile: 'narrow' }
    expect(longer.rows).toEqual((await qualityClient(simulator).getSamples(whole)).rows)
  })

  it('an answer that was short of its announced rows is asked for again', async () => {
    const simulator = await simulateQuality({ faults: [{ do: { type: 'announce', add: 3 } }] })
    const cache = tempFolder()
    const cell = () => qualityClient(simulator, { cache }).getResults({ siteId: SITES, ...YEAR, interface: 'legacy' })
    expect((await cell()).warnings.join()).toContain('asked again, it sent as many')
    const before = simulator.requests.length
    expect((await cell()).warnings.join()).toContain('asked again, it sent as many')
    expect(simulator.requests.length).toBe(before + 2)
  })
})

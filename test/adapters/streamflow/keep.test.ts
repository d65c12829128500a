import { describe, expect, it } from 'vitest'
import { COLLECTIONS } from '../../../src/adapters/streamflow/collections.ts'
import { keepItemsMs } from '../../../src/adapters/streamflow/keep.ts'
import { siteIds, simulateWater, waterClient } from '../../support/streamflow.ts'
import { tempFolder } from '../../tooling/temp-folder.ts'

const now = Date.parse('2026-03-01T12:00Z')
const MINUTES = 60_000
const DAYS = 24 * 60 * MINUTES
const answer = (end: number | undefined, ...statuses: (string | null)[]) => ({
  piece: { depth: 0, ...(end === undefined ? {} : { span: { start: 0, end } }) },
  content: { rows: statuses.map(approval_status => ({ approval_status })), source: {}, warnings: [] },
  receivedAt: now,
})

describe('how long answers are kept', () => {
  it.each([
    ['approved values of the past', now - 8 * DAYS, ['Approved', 'Approved'], 30 * DAYS],
    ['values of which one is provisional', now - 8 * DAYS, ['Approved', 'Provisional'], 5 * MINUTES],
    ['values that do not say', now - 8 * DAYS, [null], 5 * MINUTES],
    ['approved values up to now', now, ['Approved'], 5 * MINUTES],
    ['a past without values', now - 8 * DAYS, [], DAYS],
    ['approved records without a span', undefined, ['Approved'], DAYS],
    ['nothing at all', undefined, [], 5 * MINUTES],
  ])('%s', (_what, end, statuses, ms) => {
    expect(keepItemsMs(COLLECTIONS.daily)(answer(end, ...statuses))).toBe(ms)
  })

  it('the newest values for minutes, tables for a day', () => {
    expect(keepItemsMs(COLLECTIONS['latest-daily'])(answer(undefined, 'Approved'))).toBe(5 * MINUTES)
    expect(keepItemsMs(COLLECTIONS['monitoring-locations'])(answer(undefined))).toBe(DAYS)
  })
})

describe('a cell that is run again', () => {
  it('sends nothing for what is kept, and gives the same table', async () => {
    const simulator = await simulateWater()
    const cache = tempFolder()
    const cell = async () => {
      const before = simulator.requests.length
      const result = await waterClient(simulator, { cache }).getDaily({
        monitoringLocationId: siteIds(2),
        parameterCode: '00060',
        start: '2020-01-01',
        end: '2020-12-31',
      })
      const sites = await waterClient(simulator, { cache }).getMonitoringLocations({ monitoringLocationId: siteIds(2) })
      return { text: result.toCsv() + sites.toCsv(), requests: simulator.requests.length - before }
    }
    const first = await cell()
    expect(first.requests).toBeGreaterThan(1)
    expect(await cell()).toEqual({ text: first.text, requests: 0 })
  })
})

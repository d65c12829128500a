import { describe, expect, it } from 'vitest'
import { keepForecastMs, keepRunsMs, keepValuesMs } from '../../../src/adapters/emissions/keep.ts'
import type { CallOptions } from '../../../src/transport/index.ts'
import { createManualClock } from '../../support/clocks.ts'
import { simulate } from '../../support/emissions.ts'
import { patientClient } from '../../support/patient-client.ts'
import { tempFolder } from '../../tooling/temp-folder.ts'

const now = Date.parse('2026-03-01T12:00Z')
const minutes = (count: number): number => count * 60_000
const days = (count: number): number => count * minutes(24 * 60)
const answer = (end: number | undefined, source: object = {}) => ({
  piece: { depth: 0, ...(end === undefined ? {} : { span: { start: 0, end } }) },
  content: { rows: [], source: { ...source }, warnings: [] },
  receivedAt: now,
})

describe('how long answers are kept', () => {
  it.each([
    ['values of a span that ended a week ago', keepValuesMs, now - days(7), days(30)],
    ['values up to now', keepValuesMs, now, minutes(5)],
    ['runs of a day that is over', keepRunsMs, now - days(1), days(30)],
    ['runs of today', keepRunsMs, now - minutes(5), minutes(5)],
  ])('%s', (_what, keep, end, ms) => {
    expect(keep(answer(end))).toBe(ms)
  })

  it.each([
    ['2026-03-01T11:58:00Z', minutes(3)],
    ['2026-03-01T11:00:00Z', 0],
  ])('a forecast made at %s until the next run', (made, ms) => {
    expect(keepForecastMs(answer(undefined, { generated_at: made, generated_at_period_seconds: 300 }))).toBe(ms)
  })
})

describe('a cell that is run again', () => {
  const query = { region: 'CAISO_NORTH', start: '2025-01-01', end: '2025-03-01' }

  it('sends no request, not even a login; with refresh it asks again', async () => {
    const simulator = await simulate()
    const dir = tempFolder()
    /** Runs the cell as a new process would: with a client of its own. */
    const cell = async (call: CallOptions = {}) => {
      const before = simulator.requests.length
      const result = await patientClient(simulator, { cache: dir }).getHistorical(query, call)
      return { result, requests: simulator.requests.length - before }
    }
    const first = await cell()
    expect(first.requests).toBe(3) // a login and two pieces
    const second = await cell()
    expect(second.requests).toBe(0)
    expect(second.result.toCsv()).toBe(first.result.toCsv())
    expect(second.result.completeness).toEqual(first.result.completeness)
    expect(second.result.withMeta()[0]).toMatchObject({ meta_cached: true, meta_attempts: 0 })
    expect((await cell({ refresh: true })).requests).toBe(3)
    expect((await cell({ offline: true })).requests).toBe(0)
  })

  it('asks again for the piece that has expired, and for no other', async () => {
    const clock = createManualClock(Date.UTC(2026, 1, 10))
    const simulator = await simulate({ clock })
    const cache = tempFolder()
    const asked = async () => {
      const before = simulator.requests.length
      await patientClient(simulator, { cache, clock }).getHistorical({ region: 'CAISO_NORTH', start: '2025-12-01' })
      return simulator.requests.slice(before).flatMap(({ query: { start } }) => start ?? [])
    }
    expect(await asked()).toEqual(['2025-12-01T00:00:00Z', '2025-12-31T00:00:00Z', '2026-01-30T00:00:00Z'])
    await clock.advance(minutes(6))
    expect(await asked()).toEqual(['2026-01-30T00:00:00Z'])
  })

  it('getRegion asks again with refresh, though it is kept in memory and on disk', async () => {
    const simulator = await simulate()
    const client = patientClient(simulator, { cache: tempFolder() })
    const place = { latitude: 38.5, longitude: -121.5 }
    await client.getRegion(place)
    await client.getRegion(place)
    expect(simulator.stats.dataRequests).toBe(1)
    await client.getRegion(place, { refresh: true })
    expect(simulator.stats.dataRequests).toBe(2)
  })

  it('getForecast asks again when the next run is due', async () => {
    const clock = createManualClock(Date.UTC(2026, 1, 10, 12, 1))
    const simulator = await simulate({ clock })
    const cache = tempFolder()
    const asked = async () => {
      const before = simulator.stats.dataRequests
      await patientClient(simulator, { cache, clock }).getForecast({ region: 'CAISO_NORTH' })
      return simulator.stats.dataRequests - before
    }
    expect(await asked()).toBe(1)
    await clock.advance(minutes(3))
    expect(await asked()).toBe(0)
    await clock.advance(minutes(1))
    expect(await asked()).toBe(1)
  })
})

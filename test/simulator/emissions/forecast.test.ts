import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startSimulator, type Simulator } from '../../../src/simulator/index.ts'
import { ask, bodyOf, logIn, truthOf, type Reply, type WireRow } from '../ask.ts'
import { createHandClock } from '../hand-clock.ts'

/** A run as it comes. */
interface WireRun {
  readonly generated_at: string
  readonly forecast: WireRow[]
}

const clock = createHandClock('2026-06-01T12:03:20Z')
let simulator: Simulator
let token: string

beforeAll(async () => {
  simulator = await startSimulator({ clock })
  token = await logIn(simulator)
})
afterAll(() => simulator.close())

const get = (path: string, query: Record<string, string>): Promise<Reply> =>
  ask(`${simulator.url}${path}?${new URLSearchParams({ region: 'PSCO', signal_type: 'co2_moer', ...query })}`, {
    token,
  })

describe('GET /v3/forecast', () => {
  it.each([
    ['0', 1],
    ['1', 12],
    ['24', 288],
    ['72', 864],
  ])('gives for a horizon of %s hours %d rows', async (hours, rows) => {
    const { data } = bodyOf(await get('/v3/forecast', { horizon_hours: hours }))
    expect(data).toHaveLength(rows)
  })

  it('begins with the current period, and looks a day ahead unless told otherwise', async () => {
    const { data, meta } = bodyOf(await get('/v3/forecast', {}))
    expect(data[0]?.point_time).toBe('2026-06-01T12:00:00+00:00')
    expect(data).toHaveLength(288)
    expect(meta).toEqual({
      data_point_period_seconds: 300,
      region: 'PSCO',
      warnings: [],
      signal_type: 'co2_moer',
      model: { date: '2026-03-01' },
      units: 'lbs_co2_per_mwh',
      generated_at_period_seconds: 300,
      generated_at: '2026-06-01T12:00:00+00:00',
    })
  })

  it('agrees with the truth', async () => {
    const { data } = bodyOf(await get('/v3/forecast', { horizon_hours: '2' }))
    const truth = simulator.truth.forecast({ region: 'PSCO', horizonHours: 2 })
    expect(truthOf(data)).toEqual(truth.map(({ point_time, value }) => ({ point_time, value })))
  })

  it.each(['73', '-1', '1.5', 'many', ''])('refuses a horizon of %j', async horizon_hours => {
    expect((await get('/v3/forecast', { horizon_hours })).status).toBe(400)
  })

  it('has none for the average rate', async () => {
    expect((await get('/v3/forecast', { region: 'CAISO', signal_type: 'co2_aoer' })).status).toBe(403)
  })
})

describe('GET /v3/forecast/historical', () => {
  const runs = async (query: Record<string, string>): Promise<WireRun[]> =>
    bodyOf<WireRun>(await get('/v3/forecast/historical', query)).data

  it('picks runs by when they were made, both ends included', async () => {
    const found = await runs({ start: '2024-03-01T00:01Z', end: '2024-03-01T00:15Z', horizon_hours: '1' })
    expect(found.map(run => run.generated_at)).toEqual([
      '2024-03-01T00:05:00+00:00',
      '2024-03-01T00:10:00+00:00',
      '2024-03-01T00:15:00+00:00',
    ])
    expect(found.every(run => run.forecast.length === 12 && run.forecast[0]?.point_time === run.generated_at)).toBe(
      true,
    )
  })

  it('says how often runs are made, and of no single one when', async () => {
    const { meta } = bodyOf(
      await get('/v3/forecast/historical', { start: '2024-03-01T00:00Z', end: '2024-03-01T00:00Z' }),
    )
    expect(meta['generated_at_period_seconds']).toBe(300)
    expect(meta).not.toHaveProperty('generated_at')
  })

  it('agrees with the truth', async () => {
    const found = await runs({ start: '2024-03-01T23:00Z', end: '2024-03-02T00:00Z', horizon_hours: '72' })
    const truth = simulator.truth.historicalForecast({
      region: 'PSCO',
      start: '2024-03-01T23:00Z',
      end: '2024-03-02T00:00Z',
      horizonHours: 72,
    })
    const told = found.flatMap(run =>
      truthOf(run.forecast).map(row => ({ generated_at: Date.parse(run.generated_at), ...row })),
    )
    expect(told).toEqual(truth)
  })

  it.each([
    ['24 hours to the minute', '2024-03-02T00:00Z', 289],
    ['one instant', '2024-03-01T00:00Z', 1],
  ])('accepts %s', async (_, end, count) => {
    expect(await runs({ start: '2024-03-01T00:00Z', end, horizon_hours: '0' })).toHaveLength(count)
  })

  it('refuses more than 24 hours', async () => {
    expect(
      (await get('/v3/forecast/historical', { start: '2024-03-01T00:00Z', end: '2024-03-02T00:00:01Z' })).status,
    ).toBe(400)
  })

  it('has no run from the future', async () => {
    expect(await runs({ start: '2026-06-01T11:55Z', end: '2026-06-02T00:00Z', horizon_hours: '0' })).toHaveLength(2)
  })
})

describe('GET /v3/signal-index', () => {
  it('gives one percentile, for the current period', async () => {
    const { data, meta } = bodyOf(await get('/v3/signal-index', {}))
    expect(truthOf(data)).toEqual([simulator.truth.signalIndex({ region: 'PSCO' })])
    expect(data[0]?.value).toBeGreaterThanOrEqual(0)
    expect(data[0]?.value).toBeLessThanOrEqual(100)
    expect(meta).toMatchObject({ units: 'percentile', data_point_period_seconds: 300, region: 'PSCO' })
  })

  it('is open to every account, for every region, with or without the signal named', async () => {
    const free = await logIn(simulator, 'free:free-pass-1!')
    expect((await ask(`${simulator.url}/v3/signal-index?region=PSCO`, { token: free })).status).toBe(200)
  })

  it('moves on with the clock', async () => {
    clock.advance(300_000)
    const { data } = bodyOf(await get('/v3/signal-index', {}))
    expect(data[0]?.point_time).toBe('2026-06-01T12:05:00+00:00')
  })
})

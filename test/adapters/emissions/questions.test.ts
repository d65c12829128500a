import { describe, expect, it } from 'vitest'
import type { EmissionsClient } from '../../../src/adapters/emissions/index.ts'
import { fingerprint } from '../../../src/simulator/index.ts'
import { simulate } from '../../support/emissions.ts'
import { patientClient } from '../../support/patient-client.ts'

const region = 'CAISO_NORTH'
const hour = { start: '2024-03-01', end: '2024-03-01T01:00Z' }
const hourOnWire = '&start=2024-03-01T00%3A00%3A00Z&end=2024-03-01T01%3A00%3A00Z'

/** What a call puts on the wire, logins left out: path and query exactly as sent. */
async function onWire(call: (client: EmissionsClient) => Promise<unknown>): Promise<string[]> {
  const simulator = await simulate()
  await call(patientClient(simulator, { concurrency: 1 }))
  return simulator.requests.filter(({ path }) => path !== '/login').map(({ path, search }) => path + search)
}

describe('the contract, sections 3 to 5: parameters on the wire', () => {
  it.each<[string, (client: EmissionsClient) => Promise<unknown>, string]>([
    [
      'getHistorical with its defaults',
      client => client.getHistorical({ region, ...hour }),
      `/v3/historical?region=CAISO_NORTH&signal_type=co2_moer${hourOnWire}`,
    ],
    [
      'getHistorical with everything',
      client =>
        client.getHistorical({
          region,
          signalType: 'health_damage',
          ...hour,
          model: '2023-03-01',
          includeImputedMarker: true,
          updatedSince: '2024-01-01T00:00+02:00',
        }),
      `/v3/historical?region=CAISO_NORTH&signal_type=health_damage${hourOnWire}&model=2023-03-01&include_imputed_marker=true&updated_since=2023-12-31T22%3A00%3A00Z`,
    ],
    [
      'getHistorical with the marker declined',
      client => client.getHistorical({ region, ...hour, includeImputedMarker: false }),
      `/v3/historical?region=CAISO_NORTH&signal_type=co2_moer${hourOnWire}`,
    ],
    [
      'getForecast with its defaults',
      client => client.getForecast({ region }),
      '/v3/forecast?region=CAISO_NORTH&signal_type=co2_moer',
    ],
    [
      'getForecast with everything; 0 is a horizon, not a gap',
      client => client.getForecast({ region, signalType: 'health_damage', model: '2023-03-01', horizonHours: 0 }),
      '/v3/forecast?region=CAISO_NORTH&signal_type=health_damage&model=2023-03-01&horizon_hours=0',
    ],
    [
      'getHistoricalForecast with everything',
      client => client.getHistoricalForecast({ region, ...hour, model: '2023-03-01', horizonHours: 1 }),
      `/v3/forecast/historical?region=CAISO_NORTH&signal_type=co2_moer${hourOnWire}&model=2023-03-01&horizon_hours=1`,
    ],
    [
      'getSignalIndex',
      client => client.getSignalIndex({ region: 'PSCO' }),
      '/v3/signal-index?region=PSCO&signal_type=co2_moer',
    ],
    [
      'getFuelMix with everything',
      client => client.getFuelMix({ region, ...hour, model: '2023-03-01' }),
      `/v3/fuel-mix?region=CAISO_NORTH&signal_type=marginal_fuel_mix${hourOnWire}&model=2023-03-01`,
    ],
    ['getMaps', client => client.getMaps({ signalType: 'co2_aoer' }), '/v3/maps?signal_type=co2_aoer'],
    ['getAccess with its defaults', client => client.getAccess(), '/v3/my-access'],
    [
      'getAccess with everything',
      client => client.getAccess({ region, signalType: 'co2_moer' }),
      '/v3/my-access?region=CAISO_NORTH&signal_type=co2_moer',
    ],
    [
      'getRegion',
      client => client.getRegion({ latitude: 39.7522, longitude: -105, signalType: 'co2_moer' }),
      '/v3/region-from-loc?latitude=39.7522&longitude=-105&signal_type=co2_moer',
    ],
    [
      'requestPasswordReset',
      client => client.requestPasswordReset({ username: 'a b+c' }),
      `/password?username=${fingerprint('a b+c')}`,
    ],
  ])('F50: %s', async (_what, call, sent) => {
    expect(await onWire(call)).toEqual([sent])
  })

  it.each<[string, string | Date | number, string | undefined]>([
    ['text with a zone', '2024-03-10T02:30+00:00', undefined],
    ['text with an offset', '2024-03-09T21:30:00-05:00', undefined],
    ['text without a zone', '2024-03-10T02:30', undefined],
    ['a blank for the T', '2024-03-10 02:30', undefined],
    ['a Date', new Date('2024-03-10T02:30:00Z'), undefined],
    ['epoch milliseconds', Date.UTC(2024, 2, 10, 2, 30), undefined],
    ["text without a zone, in the query's own", '2024-03-09T21:30', 'America/New_York'],
  ])('F06: sends one instant, ended by Z, for %s', async (_what, start, zone) => {
    const query = { region, start, end: '2024-03-10T03:00Z', ...(zone ? { zone } : {}) }
    const [sent] = await onWire(client => client.getHistorical(query))
    expect(new URLSearchParams(sent?.split('?')[1]).get('start')).toBe('2024-03-10T02:30:00Z')
  })

  it('F05: never asks for more than 30 days of values, 30 days of fuels or a day of runs at a time', async () => {
    const simulator = await simulate()
    const client = patientClient(simulator, { rate: null })
    await client.getHistorical({ region, start: '2024-01-01', end: '2024-04-10' })
    await client.getFuelMix({ region, start: '2024-01-01', end: '2024-02-15' })
    await client.getHistoricalForecast({ region, start: '2024-01-01', end: '2024-01-03', horizonHours: 0 })
    const longest = (path: string): number =>
      Math.max(...simulator.requests.filter(request => request.path === path).map(({ spanMs = 0 }) => spanMs))
    const days = (ms: number): number => ms / 86_400_000
    expect(days(longest('/v3/historical'))).toBeLessThanOrEqual(30)
    expect(days(longest('/v3/fuel-mix'))).toBeLessThanOrEqual(30)
    expect(days(longest('/v3/forecast/historical'))).toBeLessThanOrEqual(1)
    expect(simulator.stats.statuses).toEqual({ 200: simulator.stats.requests })
  })
})

describe('getHistoricalForecast by dates', () => {
  it('asks for each day once, from its first run to its last, in order', async () => {
    const sent = await onWire(client =>
      client.getHistoricalForecast({
        region,
        dates: ['2024-03-03', '2024-03-01', '2024-03-03T15:00Z'],
        horizonHours: 0,
      }),
    )
    expect(sent).toEqual([
      '/v3/forecast/historical?region=CAISO_NORTH&signal_type=co2_moer&start=2024-03-01T00%3A00%3A00Z&end=2024-03-01T23%3A55%3A00Z&horizon_hours=0',
      expect.stringContaining('&start=2024-03-03T00%3A00%3A00Z&end=2024-03-03T23%3A55%3A00Z&'),
    ])
  })

  it("F06: a day is the zone's own day, and one of 25 hours stays within the limit of 24", async () => {
    const sent = await onWire(client =>
      client.getHistoricalForecast({ region, dates: ['2024-11-03'], zone: 'America/New_York', horizonHours: 0 }),
    )
    const spans = sent
      .map(path => new URLSearchParams(path.split('?')[1]))
      .map(query => [query.get('start'), query.get('end')])
    expect(spans).toEqual([
      ['2024-11-03T04:00:00Z', '2024-11-04T03:55:00Z'],
      ['2024-11-04T04:00:00Z', '2024-11-04T04:55:00Z'],
    ])
  })
})

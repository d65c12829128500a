import { describe, expect, it } from 'vitest'
import type { EmissionsClient } from '../../../src/adapters/emissions/index.ts'
import { COLUMNS } from '../../../src/adapters/emissions/rows.ts'
import type { Column, Retrieval } from '../../../src/index.ts'
import { simulate } from '../../support/emissions.ts'
import { patientClient } from '../../support/patient-client.ts'

const region = 'CAISO_NORTH'
const past = { start: '2024-03-01', end: '2024-03-01T00:30Z' }
const future = { start: '2099-03-01', end: '2099-03-01T00:30Z' }
const nowhere = { latitude: 0, longitude: 0 }
const denver = { latitude: 39.7522, longitude: -105 }

/** A getter asked for something, and the same getter asked for what is not there. */
type Pair = readonly [
  full: (client: EmissionsClient) => Promise<Retrieval>,
  empty: (client: EmissionsClient) => Promise<Retrieval>,
]

const pairs: readonly (readonly [name: string, columns: readonly Column[], ...Pair])[] = [
  [
    'getHistorical',
    COLUMNS.historical,
    c => c.getHistorical({ region, ...past }),
    c => c.getHistorical({ region, ...future }),
  ],
  [
    'getHistoricalForecast',
    COLUMNS.forecast,
    c => c.getHistoricalForecast({ region, ...past, horizonHours: 1 }),
    c => c.getHistoricalForecast({ region, ...future }),
  ],
  ['getFuelMix', COLUMNS.fuelMix, c => c.getFuelMix({ region, ...past }), c => c.getFuelMix({ region, ...future })],
  ['getRegion', COLUMNS.region, c => c.getRegion(denver), c => c.getRegion(nowhere)],
  ['getAccess', COLUMNS.access, c => c.getAccess({ region }), c => c.getAccess({ region: 'NOWHERE' })],
]

const names = (columns: readonly Column[]): string[] => columns.map(({ name }) => name)
const plain = (columns: readonly Column[]): object[] => columns.map(({ name, kind }) => ({ name, kind }))

describe('F42: the columns are the same with rows and without', () => {
  it.each(pairs)('%s', async (_name, documented, full, empty) => {
    const client = patientClient(await simulate())
    const [some, none] = [await full(client), await empty(client)]
    expect(some.rows.length).toBeGreaterThan(0)
    expect(none.rows).toEqual([])
    expect(plain(some.columns)).toEqual(plain(documented))
    expect(none.columns).toEqual(some.columns)
    expect(none.meta).toHaveLength(1)
    expect(none.toCsv()).toBe(`${names(documented).join(',')}\n`)
  })

  it.each([
    ['getForecast', COLUMNS.forecast, (c: EmissionsClient) => c.getForecast({ region, horizonHours: 1 })],
    ['getSignalIndex', COLUMNS.historical, (c: EmissionsClient) => c.getSignalIndex({ region })],
    ['getMaps', COLUMNS.maps, (c: EmissionsClient) => c.getMaps()],
  ])('%s, which always has some', async (_name, documented, call) => {
    const result: Retrieval = await call(patientClient(await simulate()))
    expect(plain(result.columns)).toEqual(plain(documented))
    for (const row of result) expect(Object.keys(row)).toEqual(names(documented))
  })

  it('options that add a column add it to an empty result, too', async () => {
    const client = patientClient(await simulate())
    const more = { includeImputedMarker: true, updatedSince: '2024-01-01' }
    const [some, none] = [
      await client.getHistorical({ region, ...past, ...more }),
      await client.getHistorical({ region, ...future, ...more }),
    ]
    expect(plain(none.columns)).toEqual([
      { name: 'point_time', kind: 'instant' },
      { name: 'value', kind: 'number' },
      { name: 'last_updated', kind: 'instant' },
      { name: 'imputed_data_used', kind: 'boolean' },
    ])
    expect(some.columns).toEqual(none.columns)
    expect(some.rows).toHaveLength(7)
    for (const row of some) {
      expect(row.last_updated).toBeInstanceOf(Date)
      expect(row.imputed_data_used).toBeTypeOf('boolean')
    }
  })
})

describe('F41, the contract, section 8.10: fields that come in some rows only', () => {
  const row = (minute: string, fields: object): object => ({
    point_time: `2024-03-01T00:${minute}:00+00:00`,
    ...fields,
  })
  const data = [
    row('00', { value: 5 }),
    row('05', { value: 'Ice' }),
    row('10', { value: 5, quality: 'good' }),
    row('15', {}),
  ]

  it('make one set of columns for all rows, null where a row has none', async () => {
    const text = JSON.stringify({ data, meta: { data_point_period_seconds: 300, units: 'lbs_co2_per_mwh' } })
    const simulator = await simulate({ faults: [{ path: '/v3/historical', do: { type: 'body', text } }] })
    const result = await patientClient(simulator).getHistorical({ region, ...past })
    expect(result.columns).toEqual([
      { name: 'point_time', kind: 'instant' },
      { name: 'value', kind: 'number', unit: 'lbs_co2_per_mwh' },
      { name: 'value_text', kind: 'text' },
      { name: 'quality', kind: 'text' },
    ])
    const columns = new Set(names(result.columns))
    expect(result.rows.map(each => new Set(Object.keys(each)))).toEqual(data.map(() => columns))
    expect(result.rows.map(each => [each.value, each['value_text'], each['quality']])).toEqual([
      [5, null, null],
      [null, 'Ice', null],
      [5, null, 'good'],
      [null, null, null],
    ])
  })

  it('of an older model entry are columns of the access list', async () => {
    const models = [{ model: '2023-03-01' }, { model: '2022-10-01', historical_model: 'heatrate' }]
    const regions = [{ region, endpoints: [{ endpoint: 'v3/historical', models }] }]
    const text = JSON.stringify({ signal_types: [{ signal_type: 'co2_moer', regions }] })
    const simulator = await simulate({ faults: [{ path: '/v3/my-access', do: { type: 'body', text } }] })
    const result = await patientClient(simulator).getAccess()
    expect(names(result.columns)).toEqual([...names(COLUMNS.access), 'historical_model'])
    expect(result.rows.map(each => each['historical_model'])).toEqual([null, 'heatrate'])
  })
})

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startSimulator, type Simulator } from '../../../src/simulator/index.ts'
import { ask, type Reply } from '../ask.ts'
import { NO_QUOTAS } from './pages.ts'

interface Value {
  readonly computation: string
  readonly value?: string
  readonly values?: string[]
  readonly percentiles?: string[]
  readonly sample_count: number
  readonly time_of_year?: string
  readonly start_date?: string
  readonly end_date?: string
  readonly interval_type?: string
}

interface Body {
  readonly features: {
    readonly properties: Record<string, unknown> & { data: (Record<string, unknown> & { values: Value[] })[] }
  }[]
  readonly next: string | null
}

let simulator: Simulator
beforeAll(async () => {
  simulator = await startSimulator({ streamflow: NO_QUOTAS })
})
afterAll(() => simulator.close())

const SITE = 'USGS-01000001'
const get = (what: string, query: Record<string, string> | [string, string][] = {}): Promise<Reply> =>
  ask(`${simulator.url}/statistics/v0/${what}?${new URLSearchParams(query)}`, { patienceMs: 10_000 })
const read = async (what: string, query: Record<string, string> | [string, string][]): Promise<Body> =>
  JSON.parse((await get(what, query)).text) as Body
const valuesOf = ({ features }: Body): Value[] =>
  features.flatMap(({ properties }) => properties.data.flatMap(({ values }) => values))

describe('normals', () => {
  const query = { monitoring_location_id: SITE, parameter_code: '00060', start_date: '03-01', end_date: '03-01' }

  it('sum up all approved days of that name', async () => {
    const truth = simulator.truth
      .daily({ monitoringLocationId: SITE, parameterCode: '00060', start: '1900-01-01', end: '2025-09-30' })
      .filter(({ time, value }) => time.endsWith('-03-01') && value !== null && /^\d/.test(value))
      .map(({ value }) => Number(value))
    const values = valuesOf(await read('observationNormals', { ...query, normal_type: 'DOY' }))
    expect(values.map(({ computation }) => computation)).toEqual([
      'arithmetic_mean',
      'maximum',
      'median',
      'minimum',
      'percentile',
    ])
    const [mean, highest, median, lowest, percentiles] = values
    expect(values.every(({ sample_count }) => sample_count === truth.length)).toBe(true)
    expect(Number(mean?.value)).toBeCloseTo(truth.reduce((a, b) => a + b, 0) / truth.length, 2)
    expect([Number(highest?.value), Number(lowest?.value)]).toEqual([Math.max(...truth), Math.min(...truth)])
    expect(percentiles?.values?.[3]).toBe(median?.value)
    expect(percentiles?.percentiles).toEqual(['5', '10', '25', '50', '75', '90', '95'])
    expect(mean?.value).toMatch(/^\d+\.\d{1,3}$/)
  })

  it('count a month when its first day lies in the range', async () => {
    const named = async (start_date: string, end_date: string): Promise<unknown[]> => {
      const values = valuesOf(
        await read('observationNormals', { ...query, start_date, end_date, computation_type: 'median' }),
      )
      return values.map(({ time_of_year: name }) => name)
    }
    expect(await named('02-28', '03-02')).toEqual(['02-28', '02-29', '03-01', '03-02', '03'])
    expect(await named('03-02', '03-03')).toEqual(['03-02', '03-03'])
    expect(await named('12-31', '01-01')).toEqual(['01-01', '12-31', '01'])
  })
})

describe('intervals', () => {
  it('are told whole when they touch the range', async () => {
    const values = valuesOf(
      await read('observationIntervals', {
        monitoring_location_id: SITE,
        parameter_code: '00060',
        start_date: '2023-11-10',
        end_date: '2023-12-05',
        computation_type: 'maximum',
      }),
    )
    expect(values.map(({ interval_type: type, start_date: from, end_date: to }) => [type, from, to])).toEqual([
      ['month', '2023-11-01', '2023-11-30'],
      ['month', '2023-12-01', '2023-12-31'],
      ['calendar_year', '2023-01-01', '2023-12-31'],
      ['water_year', '2023-10-01', '2024-09-30'],
    ])
    const truth = simulator.truth
      .daily({ monitoringLocationId: SITE, parameterCode: '00060', start: '2023-11-01', end: '2023-11-30' })
      .map(({ value }) => Number(value ?? NaN))
      .filter(value => !Number.isNaN(value))
    expect([Number(values[0]?.value), values[0]?.sample_count]).toEqual([Math.max(...truth), truth.length])
  })

  it('are of the kinds that were named, again and again', async () => {
    const values = valuesOf(
      await read('observationIntervals', [
        ...Object.entries({
          monitoring_location_id: SITE,
          parameter_code: '00060',
          start_date: '2023-01-01',
          end_date: '2023-01-31',
        }),
        ...(['CY', 'WY'].map(type => ['interval_type', type]) as [string, string][]),
        ...(['minimum', 'median'].map(type => ['computation_type', type]) as [string, string][]),
      ]),
    )
    expect(values.map(({ interval_type: type, computation }) => `${type} ${computation}`)).toEqual([
      'calendar_year median',
      'calendar_year minimum',
      'water_year median',
      'water_year minimum',
    ])
  })
})

describe('sites', () => {
  const base = { start_date: '01-01', end_date: '01-01', normal_type: 'DOY', computation_type: 'median' }
  const sitesOf = ({ features }: Body): unknown[] =>
    features.map(({ properties }) => properties['monitoring_location_id'])

  it('are named again and again, or chosen by their place', async () => {
    const named: [string, string][] = [
      ...Object.entries(base),
      ['monitoring_location_id', SITE],
      ['monitoring_location_id', 'USGS-01000002'],
    ]
    expect(sitesOf(await read('observationNormals', named))).toEqual([SITE, 'USGS-01000002'])
    const county = await read('observationNormals', {
      ...base,
      county_code: 'US:55:025',
      site_type_code: 'ST',
      parameter_code: '00060',
    })
    expect(sitesOf(county).length).toBeGreaterThan(5)
    expect(
      new Set(county.features.map(({ properties }) => `${properties['state_code']}:${properties['county_code']}`)),
    ).toEqual(new Set(['55:025']))
  })

  it('come so many a page, each whole', async () => {
    const query = { ...base, state_code: 'US:01', parameter_code: '00060' }
    const whole = await read('observationNormals', query)
    const pages: Body[] = []
    for (let token: string | null = ''; token !== null;) {
      const more: Record<string, string> = token === '' ? {} : { next_token: token }
      const found: Body = await read('observationNormals', { ...query, page_size: '30', ...more })
      pages.push(found)
      token = found.next
    }
    expect(whole.next).toBeNull()
    expect(pages.map(({ features }) => features.length)).toEqual([30, 30, whole.features.length - 60])
    expect(pages.flatMap(({ features }) => features)).toEqual(whole.features)
  })
})

it.each([
  ['observationNormals', { sight: '1' }],
  ['observationNormals', { interval_type: 'M' }],
  ['observationNormals', { start_date: '2024-01-01' }],
  ['observationNormals', { normal_type: 'WY' }],
  ['observationNormals', { computation_type: 'mode' }],
  ['observationNormals', { next_token: 'x' }],
  ['observationNormals', { page_size: '0' }],
  ['observationIntervals', { interval_type: 'D' }],
  ['observationIntervals', { start_date: '01-01' }],
  ['observationIntervals', { start_date: '2024-02-30' }],
])('%s refuses %j', async (what, query) => {
  expect((await get(what, { monitoring_location_id: SITE, ...query } as Record<string, string>)).status).toBe(400)
})

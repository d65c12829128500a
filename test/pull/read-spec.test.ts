import { describe, expect, it } from 'vitest'
import { QueryError } from '../../src/errors.ts'
import { readSpec } from '../../src/pull/index.ts'
import { planIdOf, seriesOf } from '../../src/pull/series.ts'

const SPEC = {
  start: '2024-01-01',
  end: '2024-12-31',
  format: 'parquet',
  pulls: [
    { service: 'emissions', operation: 'historical', each: { region: ['CAISO_NORTH', 'PJM_DC'] } },
    { service: 'streamflow', operation: 'getDaily', query: { monitoringLocationId: 'USGS-05427718' } },
  ],
}

const YAML = `
# What the utilities team looks at.
start: 2024-01-01
end: 2024-12-31
format: parquet
pulls:
  - service: emissions
    operation: historical
    each: { region: [CAISO_NORTH, PJM_DC] }
  - { service: streamflow, operation: getDaily, query: { monitoringLocationId: USGS-05427718 } }
`

describe('readSpec', () => {
  it.each([
    ['an object', SPEC],
    ['JSON', JSON.stringify(SPEC)],
    ['YAML, dates left as the text they are', YAML],
  ])('reads %s', (_form, given) => {
    expect(readSpec(given)).toEqual(SPEC)
  })

  it.each<[what: string, given: string | object, argument: string, words: string]>([
    ['text that is neither', 'pulls: [', 'spec', 'neither JSON nor YAML'],
    ['a list', [], 'the specification', 'names with values'],
    ['nothing to pull', { pulls: [] }, 'pulls', 'one entry or more'],
    ['a name that is near another', { pull: [] }, 'pull', "did you mean 'pulls'?"],
    ['a name inside', { pulls: [{ service: 'a', operation: 'b', segments: 'day' }] }, 'pulls[0].segments', "'segment'"],
    ['no operation', { pulls: [{ service: 'emissions' }] }, 'pulls[0].operation', 'must be a name'],
    ['another format', { ...SPEC, format: 'xlsx' }, 'format', 'csv, jsonl, parquet'],
    [
      'a value for a list',
      { pulls: [{ service: 'a', operation: 'b', each: { region: 'CAISO_NORTH' } }] },
      'pulls[0].each.region',
      'a list with one value or more',
    ],
    ['a number for a time', { ...SPEC, start: 2024 }, 'start', 'must be a text'],
    ['something else to partition by', { ...SPEC, partition: 'region' }, 'partition', 'a list of column names'],
  ])('refuses %s and says where', (_what, given, argument, words) => {
    const thrown = catchError(() => readSpec(given))
    expect(thrown).toBeInstanceOf(QueryError)
    expect(thrown).toMatchObject({ argument, message: expect.stringContaining(words) as string })
  })
})

describe('seriesOf', () => {
  it('makes a series of each combination, with the columns that tell them apart', () => {
    const series = seriesOf({
      last: 'P1Y',
      pulls: [
        {
          service: 'emissions',
          operation: 'historical',
          query: { model: '2023-03-01' },
          each: { region: ['A', 'B'], signalType: ['co2_moer', 'health_damage'] },
        },
        { service: 'streamflow', operation: 'continuous', each: { monitoringLocationId: ['USGS-1'] } },
      ],
    })
    expect(series.map(({ labels }) => labels)).toEqual([
      { region: 'A', signal_type: 'co2_moer' },
      { region: 'A', signal_type: 'health_damage' },
      { region: 'B', signal_type: 'co2_moer' },
      { region: 'B', signal_type: 'health_damage' },
      { monitoring_location_id: 'USGS-1' },
    ])
    expect(series[3]?.query).toEqual({ model: '2023-03-01', region: 'B', signalType: 'health_damage' })
    expect(series.map(({ constants }) => Object.keys(constants).length)).toEqual([2, 2, 2, 2, 0])
  })

  it('takes the times of the query before those of the entry, and those before the ones of the whole', () => {
    const one = { service: 'streamflow', operation: 'daily' }
    const times = seriesOf({
      last: 'P1Y',
      zone: 'America/Denver',
      pulls: [one, { ...one, start: '2020-01-01' }, { ...one, end: '2020', query: { start: '2019-01-01', sites: 1 } }],
    }).map(series => series.times)
    expect(times).toEqual([
      { last: 'P1Y', zone: 'America/Denver' },
      { start: '2020-01-01', last: 'P1Y', zone: 'America/Denver' },
      { start: '2019-01-01' },
    ])
  })

  it.each<[what: string, entry: object, argument: string, words: string]>([
    ['a service', { service: 'emisions', operation: 'historical' }, 'pulls[0].service', "did you mean 'emissions'?"],
    [
      'an operation',
      { service: 'emissions', operation: 'getHistorcal' },
      'pulls[0].operation',
      "did you mean 'historical'?",
    ],
    ['no start', { service: 'emissions', operation: 'historical', query: {} }, 'pulls[0].start', 'has no start'],
    [
      'an option given twice',
      { service: 'emissions', operation: 'historical', last: 'P1D', query: { region: 'A' }, each: { region: ['B'] } },
      'pulls[0].each.region',
      'give it once',
    ],
  ])('refuses %s that cannot be', (_what, entry, argument, words) => {
    const thrown = catchError(() => seriesOf(readSpec({ pulls: [entry] })))
    expect(thrown).toMatchObject({ argument, message: expect.stringContaining(words) as string })
  })
})

describe('the id of a plan', () => {
  const idOf = (spec: object): string => planIdOf(seriesOf(readSpec(spec)))

  it('is the same however the specification is written, and whatever the format', () => {
    const [emissions, streamflow] = SPEC.pulls
    expect(idOf(YAML as never)).toBe(idOf(SPEC))
    expect(idOf({ ...SPEC, pulls: [streamflow, emissions] })).toBe(idOf(SPEC))
    expect(idOf({ pulls: SPEC.pulls, format: 'csv', end: SPEC.end, start: SPEC.start })).toBe(idOf(SPEC))
    expect(idOf({ ...SPEC, pulls: [{ ...emissions, each: { region: ['PJM_DC', 'CAISO_NORTH'] } }, streamflow] })).toBe(
      idOf(SPEC),
    )
  })

  it('is another when something else is asked for', () => {
    const others = [
      { ...SPEC, end: '2024-12-30' },
      { ...SPEC, pulls: SPEC.pulls.slice(0, 1) },
      { ...SPEC, pulls: [{ ...SPEC.pulls[0], query: { model: '2023-03-01' } }, SPEC.pulls[1]] },
    ]
    expect(new Set([SPEC, ...others].map(idOf)).size).toBe(4)
  })
})

function catchError(run: () => unknown): unknown {
  try {
    return run()
  } catch (thrown) {
    return thrown
  }
}

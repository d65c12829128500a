import { describe, expect, it } from 'vitest'
import { asSent, readAccess, readMaps, readRegion } from '../../../src/adapters/emissions/tables.ts'
import { createReply, type Reply } from '../../../src/transport/reply.ts'
import { emissionsBody } from '../../support/fixtures.ts'

function replyWith(body: string | object, status = 200): Reply {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return createReply({ status, headers: {}, url: 'https://service.test/v3', body: Buffer.from(text) })
}

const model = {
  signal_type: 'co2_moer',
  region: 'PJM_NJ',
  region_full_name: 'PJM New Jersey',
  parent: 'PJM',
  data_point_period_seconds: 300,
  endpoint: 'v3/forecast',
  model: '2023-08-24',
  type: null,
  data_start: '2021-08-24',
  data_end: null,
  train_start: '2021-08-24',
  train_end: '2021-08-24',
}

describe('readAccess', () => {
  it('makes one row of each signal, region, endpoint and model', () => {
    const { rows } = readAccess(replyWith(emissionsBody('my-access.json')))
    expect(rows).toEqual([model, { ...model, endpoint: 'v3/historical', type: 'binned_regression' }])
  })

  it('the contract, section 3: takes nulls for dates, a region without parent, and fields that nobody announced', () => {
    const models = [
      { model: '2024-01-01', data_start: null, train_start: null, train_end: null, historical_model: 'x' },
    ]
    const regions = [{ region: 'FR', endpoints: [{ endpoint: 'v3/historical', models }] }]
    const { rows } = readAccess(replyWith({ signal_types: [{ signal_type: 'co2_moer', regions }] }))
    const unstated = {
      region_full_name: null,
      parent: null,
      data_point_period_seconds: null,
      data_start: null,
      train_start: null,
      train_end: null,
    }
    expect(rows).toEqual([
      { ...model, ...unstated, region: 'FR', endpoint: 'v3/historical', model: '2024-01-01', historical_model: 'x' },
    ])
  })

  it('F42: makes no row of an empty list', () => {
    expect(readAccess(replyWith({ signal_types: [] })).rows).toEqual([])
    expect(readAccess(replyWith({ signal_types: [{ signal_type: 'co2_moer' }] })).rows).toEqual([])
  })

  it.each([{}, { signal_types: {} }, []])('R11: refuses %j and says where', body => {
    expect(() => readAccess(replyWith(body))).toThrow(/not as promised/)
  })
})

describe('readRegion', () => {
  it('reads a region', () => {
    const { rows } = readRegion(replyWith(emissionsBody('region-from-loc.json')))
    expect(rows).toEqual([
      { region: 'PSCO', region_full_name: 'Public Service Co of Colorado', signal_type: 'co2_moer' },
    ])
  })

  it('keeps fields that nobody announced, and takes absent ones for null', () => {
    const { rows } = readRegion(replyWith({ region: 'PSCO', id: 7 }))
    expect(rows).toEqual([{ region: 'PSCO', region_full_name: null, signal_type: null, id: 7 }])
  })

  it.each([404, 400])('the contract, section 4: takes %d with "no coverage" for no rows', status => {
    const { rows, source } = readRegion(replyWith(emissionsBody('error.no-coverage.json'), status))
    expect(rows).toEqual([])
    expect(source).toEqual({ answer: 'No coverage available for these coordinates and signal_type' })
  })

  it.each<[number, string]>([
    [404, emissionsBody('error.unauthorized.html').replaceAll('401 Authorization Required', '404 Not Found')],
    [404, '{"detail":"Not Found"}'],
    [400, emissionsBody('error.invalid-query.json')],
    [404, ''],
  ])('R8: takes any other %d for a failure', (status, body) => {
    expect(() => readRegion(replyWith(body, status))).toThrow(`the service answered ${status}`)
  })

  it.each(['{}', '{"error":"no"}', '[]'])('R11: refuses %s', body => {
    expect(() => readRegion(replyWith(body))).toThrow(/not as promised/)
  })
})

describe('readMaps', () => {
  const geometry = { type: 'MultiPolygon', coordinates: [[[[-122.5, 37.2]]]] }
  const properties = { region: 'CAISO_NORTH', region_full_name: 'California ISO Northern' }

  it('makes one row of each outline, its metadata without those of a series', () => {
    const meta = { last_updated: '2023-10-01T00:00:00+00:00', signal_type: 'co2_moer' }
    const body = { type: 'FeatureCollection', features: [{ type: 'Feature', properties, geometry }], meta }
    expect(readMaps(replyWith(body))).toEqual({ rows: [{ ...properties, geometry }], source: meta, warnings: [] })
  })

  it('takes an outline that is missing for null, and no metadata for none', () => {
    const features = [{ properties: { region: 'FR', area: 5 } }]
    expect(readMaps(replyWith({ features, meta: null }))).toEqual({
      rows: [{ region: 'FR', region_full_name: null, geometry: null, area: 5 }],
      source: {},
      warnings: [],
    })
  })

  it.each(['{}', '{"features":null}'])('R11: refuses %s and says where', body => {
    expect(() => readMaps(replyWith(body))).toThrow(/not as promised: features/)
  })
})

describe('asSent', () => {
  it('keeps rows in the order in which they came', () => {
    const { compare, instant, equal } = asSent()
    const row = { region: 'A' }
    expect(compare(row, row)).toBeLessThan(0)
    expect(instant(row)).toBeUndefined()
    expect([equal(row, row), equal(row, { ...row })]).toEqual([true, false])
  })
})

import { describe, expect, it } from 'vitest'
import type { Collection } from '../../../src/adapters/streamflow/collection.ts'
import { collectionNamed, COLLECTIONS, GROUNDWATER } from '../../../src/adapters/streamflow/collections.ts'
import type { Feature } from '../../../src/adapters/streamflow/feature.ts'
import { createRowReader, type RowShape } from '../../../src/adapters/streamflow/read-row.ts'

const VALUE = {
  time_series_id: '90a0',
  monitoring_location_id: 'USGS-05427718',
  parameter_code: '00060',
  statistic_id: '00003',
  time: '2025-12-26',
  value: '20.2',
  unit_of_measure: 'ft^3/s',
  approval_status: 'Provisional',
  qualifier: null,
  last_modified: '2026-07-30T15:43:16.002990+00:00',
}
const PLACE = { type: 'Point', coordinates: [-89.35, 43.2] }
const feature = (properties: object, more: object = {}): Feature =>
  ({ id: 'f1', geometry: PLACE, properties, ...more }) as Feature

function reader(collection: Collection = COLLECTIONS.daily, more: Partial<RowShape> = {}) {
  return createRowReader({ collection, properties: undefined, geometry: 'columns', apiVersion: 'v1', ...more })
}

describe('a row', () => {
  it('has the documented columns in their order, the identifier under its conventional name', () => {
    const { read, columns } = reader()
    expect(Object.entries(read(feature(VALUE)))).toEqual(
      Object.entries({
        ...VALUE,
        value: 20.2,
        last_modified: new Date('2026-07-30T15:43:16.002Z'),
        longitude: -89.35,
        latitude: 43.2,
        daily_id: 'f1',
      }),
    )
    expect(columns().map(({ name, kind }) => `${name} ${kind}`)).toEqual([
      'time_series_id text',
      'monitoring_location_id text',
      'parameter_code text',
      'statistic_id text',
      'time date',
      'value number',
      'unit_of_measure text',
      'approval_status text',
      'qualifier json',
      'last_modified instant',
      'longitude number',
      'latitude number',
      'daily_id text',
    ])
  })

  it('F29: has all columns, whatever the record lacks, in whatever order it comes', () => {
    const { read } = reader()
    const usual = Object.keys(read(feature(VALUE)))
    const { qualifier: _qualifier, ...rest } = VALUE
    for (const odd of [
      {},
      rest,
      Object.fromEntries(Object.entries(VALUE).toReversed()),
      { ...VALUE, last_modified: null, value: null },
    ]) {
      expect(Object.keys(read(feature(odd)))).toEqual(usual)
    }
    expect(read(feature({}, { geometry: null, id: undefined }))).toEqual(
      Object.fromEntries(usual.map(name => [name, null])),
    )
  })

  it('F29: keeps what nobody documented, and lists it', () => {
    const { read, columns } = reader()
    expect(read(feature({ ...VALUE, grade: 'A', rank: 3, tags: ['x'] }))).toMatchObject({
      grade: 'A',
      rank: 3,
      tags: ['x'],
      value: 20.2,
    })
    expect(columns().slice(-3)).toEqual([
      { name: 'grade', kind: 'text' },
      { name: 'rank', kind: 'number' },
      { name: 'tags', kind: 'json' },
    ])
  })

  it.each<[unknown, number | null, string | undefined]>([
    ['12.3', 12.3, undefined],
    [12.3, 12.3, undefined],
    [null, null, undefined],
    ['Ice', null, 'Ice'],
    ['', null, undefined],
    ['0', 0, undefined],
  ])('F47: reads a value of %j', (value, number, text) => {
    const { read, columns } = reader()
    const row = read(feature({ ...VALUE, value }))
    expect([row['value'], row['value_text']]).toEqual([number, text])
    const names = columns().map(({ name }) => name)
    // The text stands beside its number, and is no column where there is none.
    expect(names.includes('value_text') ? names.indexOf('value_text') - names.indexOf('value') : undefined).toBe(
      text === undefined ? undefined : 1,
    )
  })

  it('F48: keeps codes as they are', () => {
    expect(reader().read(feature(VALUE))).toMatchObject({ parameter_code: '00060', statistic_id: '00003' })
  })

  it('takes no stray geometry among the properties for a column', () => {
    const { read, columns } = reader()
    expect(read(feature({ ...VALUE, geometry: null }))).not.toHaveProperty('geometry')
    expect(columns().map(({ name }) => name)).not.toContain('geometry')
  })

  it('shows places as columns, as GeoJSON, or not at all', () => {
    expect(reader(COLLECTIONS.daily, { geometry: 'geojson' }).read(feature(VALUE))).toMatchObject({ geometry: PLACE })
    const without = reader(COLLECTIONS.daily, { geometry: 'none' }).read(feature(VALUE, { geometry: null }))
    expect(without).not.toHaveProperty('longitude')
    expect(without).not.toHaveProperty('geometry')
  })

  it('has the columns that were chosen, in the documented order', () => {
    const { read, columns } = reader(COLLECTIONS.daily, { properties: ['value', 'time'] })
    expect(read(feature({ time: '2025-12-26', value: '20.2' }))).toEqual({
      time: '2025-12-26',
      value: 20.2,
      longitude: -89.35,
      latitude: 43.2,
      daily_id: 'f1',
    })
    expect(columns().map(({ name }) => name)).toEqual(['time', 'value', 'longitude', 'latitude', 'daily_id'])
  })

  it('puts what a record is called first where it is a list of things', () => {
    const row = reader(COLLECTIONS['monitoring-locations']).read(
      feature({ id: 'USGS-1', altitude: 141.7, agency_code: 'USGS' }, { id: 'USGS-1' }),
    )
    expect(Object.keys(row)[0]).toBe('monitoring_location_id')
    expect(row).toMatchObject({ monitoring_location_id: 'USGS-1', altitude: 141.7 })
    expect(row).not.toHaveProperty('id')
  })

  it('reads local times of version 0 as text and those of version 1 as instants', () => {
    const series = COLLECTIONS['time-series-metadata']
    const v0 = reader(series, { apiVersion: 'v0' })
    expect(
      v0.read(feature({ begin: '2013-10-01T06:00:00.000001', last_modified: '2026-06-05T17:16:13.005607' })),
    ).toMatchObject({
      begin: '2013-10-01T06:00:00.000001',
      last_modified: new Date('2026-06-05T17:16:13.005Z'),
    })
    expect(v0.columns().find(({ name }) => name === 'begin')?.kind).toBe('text')
    const v1 = reader(series)
    expect(v1.read(feature({ begin: '2013-10-01T06:00:00-05:00' }))).toMatchObject({
      begin: new Date('2013-10-01T11:00:00Z'),
    })
    expect(v1.columns().find(({ name }) => name === 'begin')?.kind).toBe('instant')
  })

  it('reads measured channels, an empty text as nothing', () => {
    const row = reader(COLLECTIONS['channel-measurements']).read(
      feature({ channel_flow: '10.6', channel_width: '', channel_area: 'about 9' }),
    )
    expect(row).toMatchObject({
      channel_flow: 10.6,
      channel_width: null,
      channel_area: null,
      channel_area_text: 'about 9',
    })
  })

  it('keeps numbers of wells that come as text, and identifiers that come as numbers', () => {
    const row = reader(GROUNDWATER.waterLevelObs).read(
      feature(
        { water_depth_below_land_surface_ft: '4.37', sample_time: '1978-05-17T19:25:00-00:00' },
        { id: 12, geometry: undefined },
      ),
    )
    expect(row).toMatchObject({
      water_depth_below_land_surface_ft: 4.37,
      sample_time: new Date('1978-05-17T19:25:00Z'),
      id: '12',
    })
    expect(row).not.toHaveProperty('longitude')
  })

  it('of a collection that nobody knows has what comes', () => {
    const { read, columns } = reader(collectionNamed('brand-new'))
    expect(read(feature({ depth: 3, name: 'x' }))).toEqual({
      longitude: -89.35,
      latitude: 43.2,
      id: 'f1',
      depth: 3,
      name: 'x',
    })
    expect(columns().map(({ name }) => name)).toEqual(['longitude', 'latitude', 'id', 'depth', 'name'])
  })

  it('R11: refuses an instant that is none, naming the field', () => {
    expect(() => reader(COLLECTIONS.continuous).read(feature({ ...VALUE, time: 'soon' }))).toThrow('time: ')
    expect(() => reader().read(feature({ ...VALUE, last_modified: 5 }))).toThrow('last_modified: ')
  })
})

describe('the quick reader of values', () => {
  const odd: [string, object][] = [
    ['a usual record', VALUE],
    ['no value', { ...VALUE, value: null }],
    ['a value that is text', { ...VALUE, value: 'Ice' }],
    ['a number', { ...VALUE, value: 5 }],
    ['qualifiers', { ...VALUE, qualifier: ['ESTIMATED'] }],
    ['a missing field', { ...VALUE, qualifier: undefined }],
    [
      'another field in place of one',
      Object.fromEntries(Object.entries(VALUE).map(([name, value]) => [name === 'qualifier' ? 'grade' : name, value])),
    ],
    ['one field more', { ...VALUE, grade: 'A' }],
    ['no status', { ...VALUE, approval_status: null }],
    ['no revision', { ...VALUE, last_modified: null }],
  ]

  it.each(odd)('says the same as the general one: %s', (_what, properties) => {
    const given = JSON.parse(JSON.stringify(feature(properties))) as Feature
    // Asked for by name, the columns are read by the general reader.
    const general = reader(COLLECTIONS.daily, { properties: COLLECTIONS.daily.columns.toReversed() })
    const slow = createRowReader({
      collection: { ...COLLECTIONS.daily, idFirst: true },
      properties: undefined,
      geometry: 'geojson',
      apiVersion: 'v1',
    })
    const quick = reader()
    const { geometry: _geometry, ...expected } = slow.read(given)
    expect(quick.read(given)).toEqual({ ...expected, longitude: -89.35, latitude: 43.2 })
    expect(general.read(given)).toEqual(quick.read(given))
  })
})

import { describe, expect, it } from 'vitest'
import { COLLECTIONS } from '../../../src/adapters/streamflow/collections.ts'
import { identityOf, itemsOrder } from '../../../src/adapters/streamflow/order.ts'
import type { AnyRow } from '../../../src/retrieval/index.ts'

const value: AnyRow = {
  time_series_id: 's-1',
  monitoring_location_id: 'USGS-01000000',
  parameter_code: '00060',
  statistic_id: '00003',
  time: '2024-03-01',
  value: 12.3,
  unit_of_measure: 'ft^3/s',
  approval_status: 'Provisional',
  qualifier: ['ESTIMATED'],
  last_modified: new Date('2026-01-01T00:00:00Z'),
  daily_id: 'a',
}
/** The same record as it comes again after the service has refreshed it. */
const refreshed = { ...value, daily_id: 'b', last_modified: new Date('2026-01-02T00:00:00Z') }

describe('R56 F41: which records of values are the same', () => {
  const { equal, isSample } = itemsOrder<AnyRow>(COLLECTIONS.daily)
  const identity = identityOf<AnyRow>(COLLECTIONS.daily)

  it('one that was refreshed, under whatever identifier', () => {
    expect([equal(value, refreshed), isSample(value, refreshed)]).toEqual([true, true])
    expect(identity(refreshed)).toBe(identity(value))
  })

  it.each<[string, AnyRow]>([
    ['another value', { ...refreshed, value: 12.4 }],
    ['no value', { ...refreshed, value: null }],
    ['another word in place of a value', { ...refreshed, value: null, value_text: 'Ice' }],
    ['another status', { ...refreshed, approval_status: 'Approved' }],
    ['another qualifier', { ...refreshed, qualifier: null }],
  ])('not one with %s: both are versions of the sample', (_, other) => {
    expect([equal(value, other), isSample(value, other)]).toEqual([false, true])
    expect(identity(other)).not.toBe(identity(value))
  })

  it.each<[string, AnyRow]>([
    ['another day', { ...refreshed, time: '2024-03-02' }],
    ['another series', { ...refreshed, time_series_id: 's-2' }],
    ['no series', { ...refreshed, time_series_id: null }],
  ])('nor one of %s, which is another sample', (_, other) => {
    expect([equal(value, other), isSample(value, other)]).toEqual([false, false])
    expect(identity(other)).not.toBe(identity(value))
  })

  it('a record without a sample is known by its identifier alone, and by nothing where it has none', () => {
    const place = identityOf<AnyRow>(COLLECTIONS['monitoring-locations'])
    expect(place({ monitoring_location_id: 'USGS-1' })).toBe('USGS-1')
    expect(place({ monitoring_location_id: null })).toBeUndefined()
  })
})
